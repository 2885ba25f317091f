"""Training and gold cases that are images: they come in a ZIP file, and judges see them."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.classifiers.cases import image_of
from askpoint.server.images import services as images
from askpoint.server.images.models import Image
from askpoint.server.uploads.decoding import (
    MOST_BYTES,
    read_picture,
)
from server.gallery import fool, image_case
from server.pictures import SVG


def packed(listed, **files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("items.csv", listed)
        for name, content in files.items():
            pack.writestr(f"{name}.png", content)
    return SimpleUploadedFile("items.zip", out.getvalue(), "application/zip")


def test_items_come_in_a_zip_and_stay_when_the_step_is_saved_again(gallery, enter):
    Campaign.objects.update(state="draft")
    olga, url = enter(gallery.olga), f"/run/{gallery.id}/judging/"
    listed = "answer,case,why\nclean,a.png,harmless\noffensive,b.png,\n"
    file = packed(listed, a=fool(1), b=fool(2))
    gold = packed("answer,case\noffensive,c.png\n", c=fool(3))
    answer = olga.post(url, {"training_file": file, "gold_file": gold, "guide": "Look."})
    assert answer.status_code == 302
    training = list(gallery.campaign.training.all())
    assert [(item.truth, item.why) for item in training] == [
        ("clean", "harmless"),
        ("offensive", ""),
    ]
    assert all(Image.objects.values_list("kept", flat=True))
    assert Ruling.objects.get(purpose="gold").content == image_case(fool(3))
    lines = [f"{item.truth} | {image_of(item.case)['sha256']} | {item.why}" for item in training]
    assert olga.post(url, {"training": "\n".join(lines)}).status_code == 302
    assert [item.case for item in gallery.campaign.training.all()] == [
        item.case for item in training
    ]


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (SimpleUploadedFile("x.zip", b"no zip"), "Upload a ZIP file"),
        (packed("answer,case\nclean,missing.png\n"), "holds no"),
        (packed("answer,case\nclean,a.png\n", a=SVG), "not a PNG, JPEG or WebP"),
        (packed("answer,case\nclean,a.png\n", a=bytes(MOST_BYTES + 1)), "more than"),
        (packed("answer,case\nclean," + 64 * "a" + "\n"), "holds no"),
    ],
)
def test_odd_packs_are_refused_in_words(gallery, enter, file, says):
    Campaign.objects.update(state="draft")
    answer = enter(gallery.olga).post(f"/run/{gallery.id}/judging/", {"training_file": file})
    assert answer.status_code == 422
    assert says in answer.content.decode()


def test_a_judge_is_trained_with_images(gallery, enter):
    row = images.hold_image(gallery.id, gallery.olga, read_picture(fool(1)), kept=True)
    gallery.campaign.training.update(case=image_case(fool(1)))
    judging.Judge.objects.filter(user=gallery.bob).update(trained=["1"])
    bob = enter(gallery.bob)
    assert f"/judge/{gallery.id}/image/2/" in bob.get(f"/judge/{gallery.id}/").content.decode()
    assert bob.get(f"/judge/{gallery.id}/image/2/").content == bytes(row.content)
    assert bob.get(f"/judge/{gallery.id}/image/1/").status_code == 404
