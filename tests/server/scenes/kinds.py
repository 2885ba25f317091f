"""Campaigns about other things than two classes of texts: many classes, rows, web pages, images."""

from __future__ import annotations

import pytest
from django.utils import timezone

from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.pools import join
from askpoint.server.classifiers.cases import image_case
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import Stopped
from askpoint.server.classifiers.set_aside_cases import set_aside
from askpoint.server.images import services as images
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import read_picture
from server.pictures import encoded, scene
from server.scenes.hard import CASES, FEATURES, KINDS

__all__ = ["open_images", "open_many", "open_rows", "open_web"]


def open_many(there):
    """A campaign of six classes, where judges differ and are tired."""
    classifier = Classifier.objects.create(
        workspace=there.workspace,
        name="six kinds",
        owner=there.olga,
        adapter="http",
        target="https://models.example.org/a/long/address/of/a/model/predict?version=2026-01",
        classes=list(KINDS),
        made=timezone.now(),
    )
    there.many = there.open_campaign("Six kinds", classifier=classifier, sought=None, state="open")
    for name in ("alice", "ann"):
        join(there.many, there.cast[name], "player")
    for name in ("bob", "beth", "ben"):
        join(there.many, there.cast[name], "judge")
    case = there.enter_case("three judges, three answers", "alice", there.many)
    votes = dict(zip(("bob", "beth", "ben"), KINDS[1:4], strict=True))
    stop = {"cases": [CASES["lines"]], "from": "ann"}
    set_aside(Stopped(str(there.classifier.pk), stop, hung=True))
    there.cases["referred"] = there.rule(case, votes, there.many)
    there.cases["many-tried"] = there.enter_case("of six kinds", "alice", there.many, False)
    there.enter_case(CASES["lines"], "ann", there.many)
    assert judging.claim(there.many, "bob") is not None
    Judge.objects.filter(user__username="beth", campaign=there.many).update(resting=True)


def open_rows(there):
    """A campaign about rows of features."""
    classifier = Classifier.objects.create(
        workspace=there.workspace,
        name="credit",
        owner=there.olga,
        adapter="callable",
        target="judge_me:score",
        cases="row",
        features=list(FEATURES),
        classes=["repays", "does not repay"],
        made=timezone.now(),
    )
    there.rows = there.open_campaign("Who repays a loan?", classifier=classifier, state="open")
    for name, pool in (("alice", "player"), ("bob", "judge")):
        join(there.rows, there.cast[name], pool)
    row = {"age": "40", FEATURES[1]["name"]: "31.5", "housing": "lives with parents"}
    there.cases["row"] = there.enter_case(row, "alice", there.rows)
    there.cases["row-tried"] = there.enter_case({**row, "age": "1e20"}, "alice", there.rows, False)
    assert judging.claim(there.rows, "bob") is not None


def open_web(there):
    """A campaign about pages of the web."""
    classifier = Classifier.objects.create(
        workspace=there.workspace,
        name="pages",
        owner=there.olga,
        adapter="http",
        target="https://models.example.org/pages",
        cases="page",
        classes=["clean", "offensive"],
        made=timezone.now(),
    )
    there.web = there.open_campaign("Pages that hurt", classifier=classifier, state="open")
    for name, pool in (("alice", "player"), ("ann", "player"), ("bob", "judge")):
        join(there.web, there.cast[name], pool)
    page = {
        "url": "https://news.example.org/a-very-long-path/" + "which-goes-on/" * 9,
        "title": "Who is not welcome here",
        "body": "A page about people.\n" + CASES["lines"] + CASES["unbroken"][:300],
        "metadata": "author: Jane Doe\nsitename: The Example\ndate: 2026-11-01",
        "cut": True,
    }
    with pytest.MonkeyPatch.context() as reading:
        reading.setattr(playing, "read_page", lambda _: page)
        there.cases["page"] = there.enter_case(page["url"], "alice", there.web)
    assert judging.claim(there.web, "bob") is not None


def open_images(there):
    """A campaign about images."""
    classifier = Classifier.objects.create(
        workspace=there.workspace,
        name="eyes",
        owner=there.olga,
        adapter="http",
        target="https://models.example.org/eyes",
        cases="image",
        classes=["clean", "offensive"],
        made=timezone.now(),
    )
    there.images = there.open_campaign("Images that hurt", classifier=classifier, state="open")
    for name, pool in (("alice", "player"), ("bob", "judge")):
        join(there.images, there.cast[name], pool)
    with pytest.MonkeyPatch.context() as reading:
        reading.setattr(uploads, "_ask_process", lambda _, content: read_picture(content))
        content = encoded(scene(4, (1400, 900)))
        there.cases["image"] = there.enter_case(content, "alice", there.images)
    assert judging.claim(there.images, "bob") is not None
    for seed in (5, 6):
        picture = read_picture(encoded(scene(seed, (300, 400))))
        images.hold_image(there.images, there.olga, picture, kept=True)
        named = (picture.sha256, picture.kind, picture.width, picture.height)
        judging.add_gold(there.images, image_case(*named), "clean")
    judging.forget_image(there.images, picture.sha256)
