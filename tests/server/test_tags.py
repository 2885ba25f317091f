"""The tag challenge on the server: proposed, judged blindly, paid, appealed; on both databases."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges import queue as judges_queue, services as judging
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.organisers.exports import records_of
from askpoint.arena.server.organisers.figures import figures_of
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Player, Probe, Tag
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.tags import item_lists as tagging
from askpoint.arena.server.tags.figures import tag_figures, tag_rows
from askpoint.arena.server.tags.item_lists import bring_items, read_items
from askpoint.arena.server.tags.services import propose
from askpoint.errors import InputError, ModelError, RuleError
from askpoint.server.books import check_books
from askpoint.server.jobs.services import run_next
from askpoint.server.labelling.models import Claim
from askpoint.server.spreadsheets import read_csv
from server.test_races import race
from server.works import WORKS


def player(campaign, name="alice"):
    rows = Player.objects.select_related("user", "campaign__classifier")
    return rows.get(campaign=campaign, user__username=name)


def proposes(campaign, number, label, name="alice", key=None):
    return propose(player(campaign, name), number, label, key or f"{name}{number}{label}", "::1")


def judged(campaign, choice, names=("bob", "beth")):
    for name in names:
        case = judging.claim(campaign, name)
        judging.vote(campaign, name, case.pk, choice)


def now(campaign, number):
    tag = Tag.objects.get(campaign=campaign, number=number)
    return tag.label, tag.holder, bool(tag.challenge)


def test_a_better_label_is_paid_and_takes_the_place_of_the_machines(both):
    tags = both.open_tags()
    probe = proposes(tags, 2, " cat\n")
    assert now(tags, 2) == ("dog", "", True)
    assert Ruling.objects.get(pk=probe.pk).options == ["cat", "dog"]
    judged(tags, "cat")
    assert now(tags, 2) == ("cat", "alice", False)
    assert both.earned("alice") == 1010
    row = Campaign.objects.get(pk=tags)
    figures = figures_of(row)
    assert (figures.found, figures.judged, figures.cents_per_find) == (1, 1, (1010 + 200) / 50)
    assert tag_figures(row) == (2, 0, 1, 0, 1)
    told = list(tag_rows(row))[1]
    assert (told["label"], told["first"], told["holder"]) == ("cat", "dog", "alice")
    assert [(line["proposed"], line["ruled"]) for line in told["history"]] == [("cat", "cat")]
    lines = [json.loads(json.dumps(line)) for line in records_of(row)]
    assert {line["kind"] for line in lines} == {"campaign", "case", "tag", "transaction"}
    assert check_books().problems == ()
    both.check_ledger()


def test_a_worse_label_leaves_it_and_an_appeal_can_turn_that(both):
    tags = both.open_tags()
    probe = proposes(tags, 1, "hound")
    judged(tags, "dog")
    assert now(tags, 1) == ("dog", "", False)
    assert both.earned("alice") == 10
    playing.appeal(tags, probe.pk, player(tags), "it is a hound")
    decide_case_of(tags, probe.pk, "hound")
    assert now(tags, 1) == ("hound", "alice", False)
    assert both.earned("alice") == 1010
    assert check_books().problems == ()


def test_what_cannot_be_proposed_costs_nothing(stage):
    tags = stage.open_tags((("a beagle", "dog"), ("a tabby", "")))
    for number, label, rule in (
        (1, "DOG", "same-tag"),
        (2, "cat", "untagged"),
        (9, "cat", "unknown"),
    ):
        with pytest.raises(RuleError) as caught:
            proposes(tags, number, label)
        assert caught.value.rule == rule
    for label in ("", "x" * 81, "\0"):
        with pytest.raises(InputError):
            proposes(tags, 1, label)
    first = proposes(tags, 1, "cat", key="k")
    assert proposes(tags, 1, "cat", key="k").pk == first.pk  # the second of two clicks
    with pytest.raises(RuleError, match="being challenged"):
        proposes(tags, 1, "hound", "ann")
    judged(tags, "dog")
    with pytest.raises(RuleError, match="submitted before"):
        proposes(tags, 1, "cat", "ann")
    proposes(tags, 1, "hound", "ann")
    judged(tags, "hound")
    with pytest.raises(RuleError, match="own"):
        proposes(tags, 1, "beagle", "ann")
    assert Probe.objects.filter(campaign=tags).count() == 2
    assert check_books().problems == ()


def test_of_those_who_race_for_an_item_one_challenges_it(both):
    tags = both.open_tags()
    rows = {name: player(tags, name) for name in ("alice", "ann")}
    work = [("alice", "ann")[n % 2] + f" {n}" for n in range(16)]
    found = race(
        both, lambda job: propose(rows[job.split()[0]], 1, f"label {job}", job, "::1").pk, work, 8
    )
    assert found.count("challenge-open") == 15
    assert Ruling.objects.filter(campaign=tags).count() == 1
    assert check_books().problems == ()


def test_a_judge_cannot_tell_the_machines_label(stage, enter):
    tags = stage.open_tags()
    proposes(tags, 2, "cat")
    bob = enter(stage.bob)
    bob.post(f"/judge/{tags}/claim/")
    shown = bob.get(f"/judge/{tags}/").content.decode()
    assert "Which label is better?" in shown
    assert shown.index("<span>cat</span>") < shown.index("<span>dog</span>")
    assert not any(word in shown for word in ("alice", "machine", "proposed", "1,000"))
    gold = judging.add_gold(tags, "a known one", "offensive")
    assert gold.options == ["clean", "offensive"]  # two, as a challenge has


def test_gold_is_of_any_words_as_proposals_are(stage, enter):
    """Typed, of two labels; or made of a proposal on which all judges agreed."""
    tags = stage.open_tags()
    olga = enter(stage.olga)
    line = {"gold": "tabby > lion | a striped cat\nclean | a known one"}
    assert olga.post(f"/run/{tags}/judging/", line).status_code == 302
    proposes(tags, 2, "cat")
    judged(tags, "cat")
    ruled = Ruling.objects.get(campaign=tags, purpose="submitted")
    key = judges_queue._renew(ruled.campaign, ruled, timezone.now())
    made = Ruling.objects.get(pk=key)
    found = Ruling.objects.filter(campaign=tags, purpose="gold").order_by("opened", "pk")
    assert {(gold.content, gold.gold, *gold.options) for gold in found} == {
        ("a striped cat", "tabby", "lion", "tabby"),
        ("a known one", "clean", "clean", "offensive"),
        (made.content, "cat", "cat", "dog"),
    }
    for wrong in ("tabby > Tabby | x", "tabby > | x", f"{'t' * 81} > lion | x"):
        answer = olga.post(f"/run/{tags}/judging/", {"gold": wrong})
        assert answer.status_code == 422
        assert "better label &gt; worse label" in answer.content.decode()
    pair = {"gold": "clean > offensive | x"}  # cases have classes alone
    assert olga.post(f"/run/{stage.id}/judging/", pair).status_code == 422
    with pytest.raises(InputError):
        judging.add_gold(stage.id, "x", "clean > offensive")


def test_the_model_tags_what_has_no_label(stage, monkeypatch):
    tags = stage.open_tags((("nice", ""), ("badword", ""), ("given", "spam")))

    def down(*_):
        raise ModelError("down")

    monkeypatch.setattr(tagging, "ask_many", down)
    assert run_next(WORKS)
    assert Tag.objects.filter(campaign=tags, label="").count() == 2
    monkeypatch.setattr(tagging, "ask_many", stage.ask_many)
    tagging.tag_items(tags)
    labels = Tag.objects.filter(campaign=tags).values_list("label", "first")
    assert list(labels) == [("clean", "clean"), ("offensive", "offensive"), ("spam", "spam")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"item,label\ndog,\n,cat\n", "line 3"),
        ("a.csv", b"what,label\ndog,cat\n", "which column is the item"),
        ("a.jsonl", b'{"item": "a", "label": "' + b"x" * 81 + b'"}', "at most 80 characters"),
        ("a.jsonl", b"[1]\n", "line 1: an item is a text"),
        ("a.txt", b"\n \n", "the file is empty"),
        ("a.xls", b"x", "must end in"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(name, content, said):
    with pytest.raises(InputError, match=said):
        read_items(name, content)


def test_items_come_once_and_not_to_other_campaigns(stage):
    tags = stage.open_tags()
    with pytest.raises(InputError, match="there already"):
        bring_items(tags, [("A  beagle", "")])
    assert bring_items(tags, read_items("a.csv", b"text,tag\nnew,cat\n")) == 3
    with pytest.raises(RuleError, match="looks for cases"):
        bring_items(stage.id, [("one", "")])
    row = Campaign.objects.get(pk=tags)
    with pytest.raises(RuleError, match="not for cases"):
        playing.try_out_case(row, player(tags), "a case", "k", "::1")


def test_a_challenge_by_forms_alone(stage, enter):
    olga, alice = enter(stage.olga), enter(stage.alice)
    form = {"kind": "tags", "title": "Labels", "wanted": "Better ones", "classifier": "1"}
    there = olga.post("/run/", form)["Location"]
    tags = Campaign.objects.get(title="Labels").pk
    assert there == f"/tags/{tags}/items/"
    file = SimpleUploadedFile("items.csv", b"item,label\na tabby,dog\n")
    assert olga.post(there, {"action": "bring", "file": file}).status_code == 302
    prices = {"action": "prices", "top": 500, "base": 5, "vote": 20, "votes": 1}
    assert olga.post(there, prices)["Location"] == f"/run/{tags}/judging/"
    assert olga.get(f"/run/{tags}/terms/")["Location"] == there
    olga.post(f"/run/{tags}/judging/", {"training": ""})
    for words in ({"action": "add", "points": 5000, "key": "a"}, {"action": "open"}):
        assert olga.post(f"/run/{tags}/budget/", words).status_code == 302
    assert olga.post(there, prices).status_code == 422  # fixed once it is open
    from askpoint.arena.server.rulings.pools import join

    join(tags, stage.alice, "player")
    join(tags, stage.bob, "judge")
    assert alice.get(f"/play/{tags}/")["Location"] == f"/tags/{tags}/"
    assert b"a tabby" in alice.get(f"/tags/{tags}/?q=TAB").content
    wrong = alice.post(f"/tags/{tags}/items/1/", {"label": "dog", "key": "k"})
    assert (wrong.status_code, b"already" in wrong.content) == (422, True)
    case = alice.post(f"/tags/{tags}/items/1/", {"label": "cat", "key": "k2"})["Location"]
    bob = enter(stage.bob)
    bob.post(f"/judge/{tags}/claim/")
    held = Claim.objects.get(reviewer="bob").case_id
    early = bob.post(f"/judge/{tags}/vote/", {"case": held, "choice": "cat"}, follow=True)
    assert b"ook at the case first" in early.content
    Claim.objects.update(until=F("until") - timedelta(seconds=4))  # four seconds later
    bob.post(f"/judge/{tags}/vote/", {"case": held, "choice": "cat"})
    assert b"prefer your label" in alice.get(case).content
    assert b"Better labels per 100" in olga.get(f"/run/{tags}/").content
    sent = b"".join(olga.get(f"/tags/{tags}/tags.csv").streaming_content).decode()
    (row,) = read_csv(sent, {"text", "label", "first", "holder", "changed"})
    assert (row["label"], row["first"], row["history"][0]["ruled"]) == ("cat", "dog", "cat")
    for page in ("items/", "tags.csv"):
        assert olga.get(f"/tags/{stage.id}/{page}").status_code == 404  # it looks for cases
    assert alice.get(f"/tags/{stage.id}/").status_code == 404
    stage.check_ledger()
