"""Images that players bring: shown to whom they may be, paid once, found again, deleted."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from datetime import timedelta
from itertools import pairwise

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.utils import timezone

from askpoint.arena.client.arena_client import ArenaClient
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges.shared_campaigns import share, shareable
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Probe
from askpoint.errors import InputError, RuleError
from askpoint.server.api.tokens import make_token
from askpoint.server.classifiers.cases import image_data, image_of
from askpoint.server.images import services as images
from askpoint.server.images.models import Image
from askpoint.server.journal.models import LogLine
from askpoint.server.uploads.decoding import (
    read_picture,
)
from server.gallery import bring, fool, image_case
from server.in_use import InUse
from server.pictures import SVG, chunk, encoded, scene
from server.works import WORKS


def test_an_image_is_played_judged_and_exported(gallery, enter):
    alice, bob, olga = enter(gallery.alice), enter(gallery.bob), enter(gallery.olga)
    form = alice.get(f"/play/{gallery.id}/").content.decode()
    assert 'type="file"' in form
    assert "multipart/form-data" in form
    answer = bring(alice, gallery, fool(1))
    assert answer.status_code == 302
    probe, kept = Probe.objects.get(), Image.objects.get()
    assert gallery.asked == [image_data("image/png", read_picture(fool(1)).content)]
    assert image_of(probe.case) == {
        "sha256": kept.sha256,
        "kind": "image/png",
        "width": 96,
        "height": 64,
    }
    assert not kept.kept
    shown = alice.get(answer["Location"]).content.decode()
    assert f'src="{answer["Location"]}image/" width="96" height="64"' in shown
    assert "96 by 64 pixels; nobody has described it" in shown
    sent = alice.get(f"{answer['Location']}image/")
    assert sent.content == read_picture(fool(1)).content
    assert sent["Content-Type"] == "image/png"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in sent["Content-Security-Policy"]
    assert sent["Cache-Control"] == "no-store, private"
    alice.post(f"{answer['Location']}submit/")
    assert Image.objects.get().kept
    bob.post(f"/judge/{gallery.id}/claim/")
    seen = bob.get(f"/judge/{gallery.id}/").content.decode()
    assert f"/judge/{gallery.id}/image/{probe.pk}/" in seen
    assert "my-holiday" not in seen  # nor any word of the player's
    assert "alice" not in seen
    image = bob.get(f"/judge/{gallery.id}/image/{probe.pk}/")
    assert image.content == sent.content
    beth = enter(gallery.beth)
    assert beth.get(f"/judge/{gallery.id}/image/{probe.pk}/").status_code == 404  # holds none
    for browser in (bob, beth):
        browser.post(f"/judge/{gallery.id}/claim/")
        browser.post(f"/judge/{gallery.id}/vote/", {"case": probe.pk, "choice": "offensive"})
    probe.refresh_from_db()
    assert (probe.truth, probe.awarded) == ("offensive", gallery.earned("alice"))
    page = olga.get(f"/run/{gallery.id}/cases/{probe.pk}/").content.decode()
    assert f"/run/{gallery.id}/cases/{probe.pk}/image/" in page
    assert olga.get(f"/run/{gallery.id}/cases/{probe.pk}/image/").content == sent.content
    assert "Download" in olga.get(f"/run/{gallery.id}/").content.decode()
    pack = b"".join(olga.get(f"/run/{gallery.id}/export.zip").streaming_content)
    with zipfile.ZipFile(io.BytesIO(pack)) as found:
        name = f"images/{kept.sha256}.png"
        assert found.namelist() == ["cases.csv", name]
        assert found.read(name) == sent.content
        assert f"{name},96,64,judged".encode() in found.read("cases.csv")
    lines = b"".join(olga.get(f"/run/{gallery.id}/export.jsonl").streaming_content)
    case = next(line for line in map(json.loads, lines.splitlines()) if line["kind"] == "case")
    assert (case["image"], case["width"]) == (name, 96)


def test_a_copy_is_paid_once_however_it_was_changed(gallery):
    photo = scene(1, (400, 300))
    first = gallery.submit(encoded(photo))
    changed = [
        encoded(photo.resize((180, 130)), "JPEG", quality=40),
        encoded(photo.crop((20, 10, 380, 290))),
        encoded(photo.point(lambda it: min(255, int(it * 1.2))), "WEBP"),
    ]
    copies = [gallery.submit(content, "ann") for content in changed]
    other = gallery.submit(encoded(scene(2, (400, 300))), "ann")
    assert {copy.family for copy in copies} == {first.pk}
    assert other.family == other.pk
    for name in ("bob", "beth"):
        for _ in range(5):
            gallery.vote(name, "offensive")
    paid = {row.pk: row.awarded for row in Probe.objects.all()}
    assert paid[first.pk] == paid[other.pk] > 900
    assert max(paid[copy.pk] for copy in copies) <= paid[first.pk] // 10
    gallery.check_ledger()


def test_the_same_pixels_in_another_file_are_the_same_case(gallery):
    gallery.submit(fool(1))
    noted = fool(1)[:-12] + chunk(b"tEXt", b"x\0y") + fool(1)[-12:]
    with pytest.raises(RuleError) as caught:
        gallery.try_case(noted, "ann")
    assert caught.value.rule == "exact-duplicate"


def test_a_file_that_is_no_image_is_refused_on_the_page_and_counts_as_a_try(gallery, enter):
    alice = enter(gallery.alice)
    answer = bring(alice, gallery, SVG)
    assert answer.status_code == 422
    assert "not a PNG, JPEG or WebP image" in answer.content.decode()
    assert alice.post(f"/play/{gallery.id}/", {}).status_code == 422
    assert "Choose an image" in alice.post(f"/play/{gallery.id}/", {"case": "x"}).content.decode()
    assert not Image.objects.exists()
    game = playing.campaign_of(gallery.campaign)
    for _ in range(game.terms.tries_per_hour - 3):
        playing.count_try(game, gallery.player(), playing.address_mark("127.0.0.1"))
    assert bring(alice, gallery, fool(1)).status_code == 429


def test_nobody_floods_the_database(gallery, monkeypatch):
    monkeypatch.setattr(images, "MOST_OF_PERSON", len(read_picture(fool(1)).content) + 2_000)
    gallery.submit(fool(1))
    with pytest.raises(RuleError, match="your images here hold"):
        gallery.try_case(fool(2))
    gallery.try_case(fool(2), "ann")
    monkeypatch.setattr(images, "MOST_TOGETHER", 10)
    with pytest.raises(RuleError, match="all images here hold"):
        gallery.try_case(fool(3), "ann")


def test_images_do_not_lie_among_texts_in_a_classifiers_queue(gallery):
    used = InUse()
    assert gallery.campaign not in shareable(used.row, gallery.olga)
    with pytest.raises(RuleError, match="are images"):
        share(used.id, gallery.olga, gallery.id)


def test_what_is_not_submitted_is_deleted_after_a_day(gallery):
    tried, submitted = gallery.try_case(fool(1)), gallery.submit(fool(2))
    Image.objects.update(at=timezone.now() - timedelta(days=1, minutes=1))
    WORKS["expire"](gallery.id)
    assert [row.sha256 for row in Image.objects.all()] == [image_of(submitted.case)["sha256"]]
    with pytest.raises(RuleError) as caught:
        playing.submit(gallery.player(), tried)
    assert caught.value.rule == "image-gone"
    gallery.submit(fool(1))  # brought again


def test_a_covered_image_is_sent_only_once_it_was_asked_for(gallery, enter):
    Campaign.objects.update(veiled=True)
    probe = gallery.submit(fool(1))
    for browser, page, url in (
        (enter(gallery.bob), f"/judge/{gallery.id}/", f"/judge/{gallery.id}/image/{probe.pk}/"),
        (
            enter(gallery.olga),
            f"/run/{gallery.id}/cases/{probe.pk}/",
            f"/run/{gallery.id}/cases/{probe.pk}/image/",
        ),
    ):
        if "judge" in page:
            browser.post(f"{page}claim/")
        assert "<img" not in browser.get(page).content.decode()
        assert browser.get(url).status_code == 403
        assert "<img" in browser.get(f"{page}?show={probe.pk}").content.decode()
        assert browser.get(url).status_code == 200


def test_to_everybody_else_an_image_is_not_there(gallery, enter):
    probe = gallery.submit(fool(1))
    mine, deciding = (
        f"/play/{gallery.id}/cases/{probe.pk}/image/",
        f"/run/{gallery.id}/cases/{probe.pk}/image/",
    )
    for name in ("ann", "bob", "charlie", "olga"):
        assert enter(getattr(gallery, name)).get(mine).status_code == 404
    for name in ("alice", "bob", "charlie"):
        assert enter(getattr(gallery, name)).get(deciding).status_code == 404
    assert enter(gallery.bob).get(f"/judge/{gallery.id}/image/1/").status_code == 404


def test_an_organiser_deletes_an_image_for_good(gallery, enter):
    probe = gallery.submit(fool(1))
    url, olga = f"/run/{gallery.id}/cases/{probe.pk}/", enter(gallery.olga)
    for _ in range(2):
        assert olga.post(f"{url}image/delete/").status_code == 302
    row = Image.objects.get()
    assert (bytes(row.content), row.size) == (b"", 0)
    assert LogLine.objects.filter(what="image deleted").count() == 1
    assert "The image was taken away" in olga.get(url).content.decode()
    assert olga.get(f"{url}image/").status_code == 404
    pack = b"".join(olga.get(f"/run/{gallery.id}/export.zip").streaming_content)
    assert zipfile.ZipFile(io.BytesIO(pack)).namelist() == ["cases.csv"]
    bob = enter(gallery.bob)
    bob.post(f"/judge/{gallery.id}/claim/")
    assert "The image was taken away" in bob.get(f"/judge/{gallery.id}/").content.decode()
    with pytest.raises(RuleError):
        gallery.try_case(fool(1), "ann")
    copy = encoded(scene(1).resize((90, 60)), "JPEG")
    assert gallery.submit(copy, "ann").family == probe.pk  # its print is known still


def test_programs_bring_see_and_delete_images(gallery):
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)

    def client(name, role):
        words = make_token(getattr(gallery, name), role, label="x", scope="write")[1]
        return ArenaClient("http://localhost", words, transport=through)

    alice, bob, olga = (
        client("alice", "player"),
        client("bob", "judge"),
        client("olga", "organiser"),
    )
    case = alice.try_case(gallery.id, fool(1), key="one")
    assert alice.try_case(gallery.id, fool(1), key="one").id == case.id
    with pytest.raises(RuleError):
        alice.try_case(gallery.id, fool(2), key="one")
    for odd in ("a text", {"image": "data:text/html;base64,PGI+"}, {"image": "x"}, b"", {"a": "b"}):
        with pytest.raises(InputError):
            alice.try_case(gallery.id, odd)
    kept = read_picture(fool(1)).content
    assert alice.own_image(gallery.id, case.id).content == kept
    alice.submit(gallery.id, case.id)
    held = bob.claim(gallery.id)
    assert held.case == image_case(fool(1))
    assert bob.held_image(gallery.id).content == kept
    bob.vote(gallery.id, held.id, "offensive")
    with pytest.raises(RuleError):
        bob.held_image(gallery.id)
    assert base64.b64decode(olga.image(gallery.id, case.id).data) == kept
    olga.delete_image(gallery.id, case.id)
    with pytest.raises(RuleError):
        olga.image(gallery.id, case.id)


def test_nothing_is_examined_or_learned_where_cases_are_images(gallery, enter):
    from askpoint.arena.server.examinations.samples import read_sample_text

    with pytest.raises(InputError, match="images cannot be examined here"):
        read_sample_text(gallery.campaign, "a line")
    gallery.submit(fool(1))
    for name in ("bob", "beth"):
        gallery.vote(name, "offensive")
    WORKS["learn"](gallery.id)
    page = enter(gallery.olga).get(f"/run/{gallery.id}/").content.decode()
    assert "images have none" in page
    prints = images.prints_of(gallery.id, [row.sha256 for row in Image.objects.all()])
    assert all(a.shape == b.shape for a, b in pairwise([*prints.values()]))
