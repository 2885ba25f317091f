"""Images in the queue of a classifier: uploaded, named by a case, shown to who holds it, deleted with its content."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from django.utils import timezone

from askpoint import Client, InputError
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import labelling, queue
from askpoint.server.deployments.case_images import add_image
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Label
from askpoint.server.images.models import Image
from askpoint.server.images.services import delete_image
from askpoint.server.labelling import desk as pool
from askpoint.server.labelling.models import Case, Claim
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import read_picture
from server.in_use import InUse
from server.pictures import SVG, encoded, scene


@pytest.fixture
def in_use(stand, monkeypatch):
    in_use = stand(InUse)
    monkeypatch.setattr(uploads, "_ask_process", lambda _, content: read_picture(content))
    change_settings(in_use.id, capacity=None, second=0.0, hold=120)
    return in_use


@pytest.fixture
def program(in_use):
    words = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return Client("http://localhost", words, transport=through)


def ask(program, in_use, key, case, confidence=0.5):
    """Have one case decided; unsure, so people are asked."""
    item = {"key": key, "prediction": "hate", "confidence": confidence, "case": case}
    return program.decide_cases(in_use.id, [item], model_version="7")[0]


def test_an_image_comes_with_a_case_and_who_holds_it_sees_it_alone(in_use, program, enter):
    sent = encoded(scene(1))
    case, other = (program.upload_image(in_use.id, it) for it in (sent, encoded(scene(2))))
    assert (case["image"]["width"], case["image"]["height"]) == (96, 64)
    assert program.upload_image(in_use.id, sent) == case  # the same again is the same
    given = {"image": {"sha256": case["image"]["sha256"], "width": 5, "note": "mine"}}
    assert ask(program, in_use, "a", given).action == "ask"
    assert Case.objects.get().content == case  # as it was read, whatever the program says of it
    assert Image.objects.get(sha256=case["image"]["sha256"]).kept
    rosa, rudi = enter(in_use.rosa), enter(in_use.rudi)
    page = rosa.post(reverse("review-claim"), follow=True)
    where = reverse("review-image", args=[page.context["held"].ticket])
    assert f'src="{where}" width="96" height="64"' in page.content.decode()
    _, below = page.content.decode().split(f'src="{where}"')
    assert '<input type="checkbox" data-key="z">Larger' in below  # the image comes first
    shown = rosa.get(where)
    assert shown.content == read_picture(sent).content
    assert shown["Content-Type"] == "image/png"
    assert "sandbox" in shown["Content-Security-Policy"]
    assert rudi.get(where).status_code == 404
    ask(program, in_use, "b", {"image": {"sha256": other["image"]["sha256"]}})
    held = rudi.post(reverse("review-claim"), follow=True).context["held"]
    assert rudi.get(reverse("review-image", args=[held.ticket])).status_code == 200
    assert rudi.get(where).status_code == 404  # who holds a case sees no other case's image
    owners = reverse("classifier-image", args=[in_use.id, case["image"]["sha256"]])
    assert enter(in_use.wanda).get(owners).content == shown.content
    assert rosa.get(owners).status_code == 404
    record = enter(in_use.wanda).get(reverse("classifier-case", args=[in_use.id, "a"]))
    assert owners in record.content.decode()
    rosa.post(reverse("review-vote"), {"case": page.context["held"].ticket, "choice": "hate"})
    assert rosa.get(where).status_code == 404  # it is held no more
    rosa.post(reverse("review-undo"), {"case": page.context["held"].ticket})
    assert rosa.get(where).status_code == 200
    assert check_books().problems == ()


def test_an_image_that_is_deleted_while_it_is_held_leaves_a_case_that_can_be_left(
    in_use, program, enter
):
    case = program.upload_image(in_use.id, encoded(scene(1)))
    ask(program, in_use, "a", case)
    rosa = enter(in_use.rosa)
    held = rosa.post(reverse("review-claim"), follow=True).context["held"]
    where = reverse("review-image", args=[held.ticket])
    delete_image(in_use.id, case["image"]["sha256"])
    assert rosa.get(where).status_code == 404
    page = rosa.get(reverse("review")).content.decode()
    assert "The image was taken away" in page
    assert where not in page
    form = {"case": held.ticket, "reason": "broken"}
    page = rosa.post(reverse("review-not-sure"), form, follow=True)
    assert page.status_code == 200
    assert not Claim.objects.exists()
    assert ask(program, in_use, "a", case).action == "ask"  # a program that asks again
    with pytest.raises(InputError, match="kept here: upload it"):
        ask(program, in_use, "b", case)


def test_the_content_of_a_held_case_goes_with_its_image_but_not_with_that_of_another_case(
    in_use, program, enter
):
    case = program.upload_image(in_use.id, encoded(scene(1)))
    ask(program, in_use, "a", case), ask(program, in_use, "b", case)
    rosa = enter(in_use.rosa)
    first = rosa.post(reverse("review-claim"), follow=True).context["held"]
    form = {"case": first.ticket, "choice": "hate"}
    second = rosa.post(reverse("review-vote"), form, follow=True).context["held"]
    assert first.ticket != second.ticket
    labelling.forget(in_use.id, ["a"])
    assert Image.objects.get().deleted is None
    labelling.forget(in_use.id, ["b"])
    kept = Image.objects.get()
    assert kept.deleted is not None
    assert bytes(kept.content) == b""
    assert rosa.get(reverse("review")).context.get("held") is None
    late = rosa.post(reverse("review-vote"), {"case": second.ticket, "choice": "hate"}, follow=True)
    assert "you hold no claim" in late.content.decode().lower()
    assert Label.objects.count() == 1  # what was said before counts
    assert check_books().problems == ()


def test_what_no_case_names_is_deleted_after_a_day_and_what_is_no_image_is_refused(in_use, program):
    case = program.upload_image(in_use.id, encoded(scene(1)))
    assert ask(program, in_use, "sure", case, 0.999).action == "answer"
    assert not Image.objects.get().kept  # decided alone: nobody sees it
    Image.objects.update(at=timezone.now() - timedelta(days=2))
    add_image(in_use.id, in_use.wanda, encoded(scene(2)))
    assert Image.objects.get().sha256 != case["image"]["sha256"]
    with pytest.raises(InputError, match="kept here: upload it"):
        ask(program, in_use, "late", case)
    for bad in (SVG, b"GIF89a", b""):
        with pytest.raises(InputError):
            program.upload_image(in_use.id, bad)
    other = InUse()
    with pytest.raises(InputError, match="kept here: upload it"):
        ask(program, other, "a", {"image": {"sha256": Image.objects.get().sha256}})
    row = {"image": "a column of that name", "size": 2.0}  # a record of features, as before
    assert ask(program, in_use, "row", row).action == "ask"


def test_a_gold_case_may_be_an_image_and_looks_like_the_others(in_use, program):
    for i in range(3):
        case = program.upload_image(in_use.id, encoded(scene(i)))
        ask(program, in_use, f"k{i}", case)
    known = program.upload_image(in_use.id, encoded(scene(9)))
    named = {"image": {"sha256": known["image"]["sha256"]}}
    assert queue.add_gold(in_use.id, [(named, "hate")]) == 1
    gold = Case.objects.get(purpose="gold")
    assert gold.content == known
    assert Image.objects.get(sha256=known["image"]["sha256"]).kept
    desk = pool.desk_of(in_use.rosa)
    assert pool.claim(desk) is not None
    with pytest.raises(InputError, match="kept here: upload it"):
        queue.add_gold(in_use.id, [({"image": {"sha256": "0" * 64}}, "hate")])
