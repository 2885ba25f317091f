"""Images of training and gold items that are taken away: nobody sees them, and what was ruled stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from playwright.sync_api import expect, sync_playwright

from askpoint.arena.server.judges import queue as judges_queue, services as judging
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.errors import RuleError
from askpoint.server.books import check_books
from askpoint.server.classifiers.cases import image_of
from askpoint.server.images import services as images
from askpoint.server.images.models import Image
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Claim, Vote
from askpoint.server.uploads.decoding import read_picture
from server.gallery import fool, image_case
from server.serving import Serving


def keep(gallery, seed):
    """Keep an image as an organiser's; its name."""
    row = images.hold_image(gallery.id, gallery.olga, read_picture(fool(seed)), kept=True)
    return row.sha256


@pytest.fixture
def wrong(gallery):
    """A gold item and all training items of pictures that should not be here; their names."""
    names = keep(gallery, 1), keep(gallery, 2)
    judging.add_gold(gallery.id, image_case(fool(1)), "clean")
    gallery.campaign.training.update(case=image_case(fool(2)))
    return names


def test_an_organiser_takes_images_of_items_away(gallery, wrong, enter):
    olga, url = enter(gallery.olga), f"/run/{gallery.id}/judging/"
    for name in wrong:
        assert f"{url}{name}/image/" in olga.get(url).content.decode()
        assert olga.get(f"{url}{name}/image/").content.startswith(b"\x89PNG")
        answer = olga.post(f"{url}{name}/delete/", follow=True)
        assert "The image was taken away" in answer.content.decode()
        assert olga.get(f"{url}{name}/image/").status_code == 404
        assert olga.post(f"{url}{name}/delete/").status_code == 302  # twice changes nothing
    assert [bytes(row.content) for row in Image.objects.all()] == [b"", b""]
    assert LogLine.objects.filter(what="image deleted").count() == 2
    for name in ("0" * 64, "none"):
        assert olga.post(f"{url}{name}/delete/").status_code == 404
    with pytest.raises(RuleError, match="deleted this image"):
        keep(gallery, 1)


def test_the_bytes_are_gone_from_the_disk(gallery, wrong):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(FULL)")
    path = Path(connection.settings_dict["NAME"])
    content = read_picture(fool(1)).content

    def found():
        files = [path, path.with_name(f"{path.name}-wal")]
        return any(content[100:140] in file.read_bytes() for file in files if file.exists())

    assert found()
    judging.forget_image(gallery.id, wrong[0])
    assert not found()


def test_nobody_is_checked_by_an_image_that_is_gone_and_votes_on_it_stay(
    gallery, wrong, monkeypatch
):
    gold = Ruling.objects.get(purpose="gold")
    gallery.submit(fool(4))
    monkeypatch.setattr(judges_queue, "gold_is_due", lambda *_, **__: True)
    for name in ("beth", "bob"):
        assert judging.claim(gallery.id, name).pk == gold.pk
    judging.vote(gallery.id, "beth", gold.pk, "clean")
    before = gallery.earned("beth"), Vote.objects.count()
    judging.forget_image(gallery.id, wrong[0])
    assert not Claim.objects.exists()
    assert not judges_queue.fresh_gold(gallery.campaign, "bob").exists()
    assert (gallery.earned("beth"), Vote.objects.count()) == before
    assert check_books().problems == ()
    assert Ruling.objects.get(purpose="gold").gold == "clean"


def test_no_gold_is_made_of_a_ruled_case_whose_image_is_gone(gallery):
    probe = gallery.submit(fool(3))
    for name in ("bob", "beth"):
        gallery.vote(name, "offensive")
    assert judges_queue.renewable(gallery.campaign, "ben").count() == 1
    judging.forget_image(gallery.id, image_of(probe.case)["sha256"])
    assert judges_queue.renewable(gallery.campaign, "ben").count() == 0
    probe.refresh_from_db()
    assert probe.state == "judged"
    assert gallery.earned("alice") > 0


def test_training_goes_on_past_an_image_that_is_gone(gallery, wrong, enter):
    Judge.objects.filter(user=gallery.bob).update(trained=[])
    judging.forget_image(gallery.id, wrong[1])
    bob = enter(gallery.bob)
    page = bob.get(f"/judge/{gallery.id}/").content.decode()
    assert "The image was taken away" in page
    assert "Continue</button>" in page
    assert 'class="choices"' not in page
    for item in gallery.campaign.training.all():
        bob.post(f"/judge/{gallery.id}/train/", {"number": item.number, "choice": item.truth})
    assert "Training" not in bob.get(f"/judge/{gallery.id}/").content.decode()


def test_an_image_is_uploaded_in_a_browser_judged_and_taken_away(gallery, chromium, tmp_path):
    path = tmp_path / "holiday.png"
    path.write_bytes(fool(5))
    people = [gallery.alice, gallery.bob, gallery.beth, gallery.olga]
    with Serving(people) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        alice, bob, beth, olga = (server.tab(browser, person.username) for person in people)
        alice.goto(f"/play/{gallery.id}/")
        alice.set_input_files("#case", path)
        alice.click("text=Ask the machine")
        expect(alice.locator("main")).to_contain_text("95% sure")
        assert (
            alice.locator(".case img").evaluate("it => it.decode().then(() => it.naturalWidth)")
            == 96
        )
        alice.click("button:has-text('Submit')")
        expect(alice.locator("main")).to_contain_text("It waits for the judges")
        for page in (bob, beth):
            page.goto(f"/judge/{gallery.id}/")
            page.click("button:has-text('Next case')")
            expect(page.locator(".case img")).to_be_visible()
            assert (
                page.locator(".case img").evaluate("it => it.decode().then(() => it.naturalWidth)")
                == 96
            )
            page.click(".choices button:has-text('offensive')")
            expect(page.locator("text=Nothing waits")).to_be_visible()
        alice.reload()
        expect(alice.locator("main")).to_contain_text("awarded")
        olga.goto(f"/run/{gallery.id}/cases/")
        olga.click("tbody th a")
        olga.click("text=Delete the image")
        olga.click("button:has-text('Delete it')")
        expect(olga.locator("main")).to_contain_text("The image was taken away")
        alice.reload()
        expect(alice.locator("main")).to_contain_text("The image was taken away")
        expect(alice.locator("main")).to_contain_text("awarded")
        browser.close()
