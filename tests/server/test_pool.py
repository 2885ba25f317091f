"""One queue: cases of classifiers, players and examinations look alike, and each room keeps its rules."""

from __future__ import annotations

import re
from datetime import timedelta

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from django.utils import timezone

from askpoint import RuleError
from askpoint.arena.client.arena_client import ArenaClient
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.judges import services as judging, shared_campaigns
from askpoint.arena.server.judges.found_mistakes import finds_of
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.labelling.protocol import Protocol
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import labelling, queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Deployment, Label
from askpoint.server.deployments.roles import take_part_away
from askpoint.server.labelling import desk as pool, services as reviewing
from askpoint.server.labelling.models import Case, Claim, Vote
from server.in_use import CLASSES, InUse
from server.stage import TITLE, Stage


class Together(Stage):
    """A classifier in use, and a campaign on it in the same queue."""

    def __init__(self, monkeypatch) -> None:
        protocol = Protocol(votes=1, training_items=2, gold_share=0.0)
        super().__init__(monkeypatch, CLASSES, protocol=protocol)
        self.in_use = InUse()
        change_settings(self.in_use.id, capacity=None, second=0.0)
        self.in_use.join(self.olga, "owner")
        self.rosa = self.in_use.rosa

    def share(self, *names) -> None:
        """Put the campaign's cases into the queue, and show reviewers its examples."""
        shared_campaigns.share(self.in_use.id, self.olga, self.id)
        for name in names:
            shared_campaigns.accept(self.in_use.row, getattr(self.in_use, name), self.id)
            for number in (1, 2):
                judging.answer_training(self.id, name, number, "fine")


@pytest.fixture
def both_rooms(build, tmp_path, monkeypatch):
    with build(Together).again(tmp_path, monkeypatch) as stage:
        yield stage


def test_cases_of_all_kinds_come_in_one_queue_and_go_where_they_belong(both_rooms):
    stage = both_rooms
    for number in range(5):
        stage.submit(f"a case of a player {number}")
    stage.examine([f"of the stream {i}" for i in range(12)], 6)
    sent = {one.key for one in stage.in_use.decide(40) if one.action in ("ask", "audit")}
    queue.add_gold(stage.in_use.id, [("a known case", "hate")])
    stage.share("rosa")
    drawn = set(Ruling.objects.filter(purpose="drawn").values_list("content", flat=True))
    desk, order = pool.desk_of(stage.rosa), []
    while (held := pool.claim(desk)) is not None:
        assert (held.title, held.options) == ("Posts that hate", ["fine", "hate"])
        assert re.fullmatch("[0-9a-f]{16}", held.ticket)
        assert pool.claim(desk) == held
        pool.vote(desk, held.ticket, "hate")
        pool.vote(desk, held.ticket, "hate")  # a second click
        with pytest.raises(RuleError, match="you said 'hate'"):
            pool.vote(desk, held.ticket, "fine")
        order.append(
            "player" if "player" in held.case else "drawn" if held.case in drawn else "use"
        )
    assert desk.count_votes() == len(order)
    assert order.count("player") == 5
    assert order.count("drawn") == 6
    assert order[: len(order) // 2].count("use") > len(order) / 4  # who waits goes first
    assert set(Label.objects.exclude(source="gold").values_list("key", flat=True)) == sent
    assert set(Ruling.objects.values_list("state", "answer")) == {("ruled", "hate")}
    pay = terms_of(stage.campaign.terms).pay.vote
    assert balance_of("main", LedgerAccount("earned", "rosa")) == 11 * pay > 0
    assert check_books().problems == ()
    stage.check_ledger()
    (finds,) = finds_of(stage.in_use.row)
    assert (finds.campaign, finds.judged, finds.found + finds.repeats) == (TITLE, 5, 5)
    assert {(one.decision, one.truth) for one in finds.newest} == {("fine", "hate")}
    assert finds.share.lower < finds.found / 5 <= finds.share.upper


@pytest.mark.parametrize("hold", [0, 120])
def test_the_page_is_the_same_for_every_kind(both_rooms, enter, hold):
    stage = both_rooms
    Deployment.objects.update(hold=hold)
    stage.submit("of a player")
    stage.examine(["of the stream", "and another"], 2)
    stage.in_use.decide(6)
    queue.add_gold(stage.in_use.id, [("a known case", "hate")])
    stage.share("rosa")
    browser, seen = enter(stage.rosa), set()
    page = browser.post(reverse("review-claim"), follow=True)
    while (held := page.context.get("held")) is not None:
        text = page.content.decode().replace(held.ticket, "").replace(held.case, "")
        last = page.context["last"]
        text = text if last is None else text.replace(last.ticket, "")
        seen.add(
            re.sub(
                r"value=\"\w{64}\"|labelled \d+|\d+ today|[\d:]+ UTC|datetime=\"[^\"]+\"", "", text
            )
        )
        form = {"case": held.ticket, "choice": "fine"}
        page = browser.post(reverse("review-vote"), form, follow=True)
    assert len(seen) == (2 if hold else 1)  # of the first case nothing can be taken back
    assert bool(Claim.objects.exists()) == bool(hold)
    pool.count_votes_of("rosa")
    assert not Ruling.objects.filter(state="open").exists()
    assert (
        not Case.objects.filter(queue=stage.in_use.queue, labelled=None, state="open")
        .exclude(purpose="gold")
        .exists()
    )


def test_who_has_not_seen_the_examples_is_given_the_classifiers_cases_alone(both_rooms, enter):
    stage = both_rooms
    stage.submit("of a player")
    stage.share()
    browser = enter(stage.rosa)
    shared_campaigns.accept(stage.in_use.row, stage.rosa, stage.id)
    assert "once you have" in browser.get(reverse("review")).content.decode()
    assert pool.claim(pool.desk_of(stage.rosa)) is None
    here = reverse("judge", args=[stage.id])
    assert "Training: 0 of 2" in browser.get(here).content.decode()
    for number in (1, 2):
        form = {"number": number, "choice": "fine"}
        page = browser.post(reverse("train", args=[stage.id]), form, follow=True)
    assert page.redirect_chain[-1][0] == reverse("review")  # where its cases are from now on
    with pytest.raises(RuleError, match="come to you among others"):
        judging.claim(stage.id, "rosa")
    token = make_token(stage.rosa, "judge", label="x", scope="write")[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    with pytest.raises(RuleError, match="come to you among others"):
        ArenaClient("http://localhost", token, transport=through).held_case(stage.id)
    assert pool.claim(pool.desk_of(stage.rosa)).case == "of a player"


def test_a_day_is_over_where_only_the_campaign_has_cases(both_rooms):
    stage = both_rooms
    stage.submit("of a player")
    stage.submit("another thing entirely, by a player")
    Campaign.objects.update(most_cases=1)
    stage.share("rosa")
    desk = pool.desk_of(stage.rosa)
    pool.vote(desk, pool.claim(desk).ticket, "hate")
    with pytest.raises(RuleError, match="day"):
        pool.claim(desk)
    stage.in_use.decide(4)
    assert "the post" in pool.claim(desk).case


def test_what_could_be_told_apart_is_not_shared(both_rooms):
    stage = both_rooms
    use, olga = stage.in_use, stage.olga
    with pytest.raises(RuleError, match="organise no such campaign"):
        shared_campaigns.share(use.id, use.wanda, stage.id)
    Campaign.objects.update(kind="tags")
    with pytest.raises(RuleError, match="could tell its cases"):
        shared_campaigns.share(use.id, olga, stage.id)
    Campaign.objects.update(kind="cases")
    row = Campaign.objects.get(pk=stage.id)
    Campaign.objects.update(terms=row.terms.replace('"claim_time": 900.0', '"claim_time": 60.0'))
    with pytest.raises(RuleError, match="a judge's for 0:01:00"):
        shared_campaigns.share(use.id, olga, stage.id)
    Campaign.objects.update(terms=row.terms)
    shared_campaigns.share(use.id, olga, stage.id)
    with pytest.raises(RuleError, match="in a queue already"):
        shared_campaigns.share(use.id, olga, stage.id)
    for name in (use.rosa, use.rudi):
        shared_campaigns.accept(use.row, name, stage.id)
    use.join(stage.alice, "reviewer")  # who plays
    assert shared_campaigns.list_offers(use.row, stage.alice) == []
    with pytest.raises(RuleError, match="not offered"):
        shared_campaigns.accept(use.row, stage.alice, stage.id)
    take_part_away(use.id, "rudi")
    pools = Judge.objects.exclude(pool="").values_list("user__username", flat=True)
    assert list(pools) == ["rosa"]
    shared_campaigns.unshare(use.id, stage.id)
    assert not Judge.objects.exclude(pool="").exists()


def test_covers_and_skips_are_the_same_everywhere(both_rooms, enter):
    stage = both_rooms
    Campaign.objects.update(veiled=True)
    stage.in_use.decide(30)
    stage.share("rosa")
    browser = enter(stage.rosa)
    page = browser.post(reverse("review-claim"), follow=True)
    held = page.context["held"]
    assert held.case not in page.content.decode()
    form = {"case": held.ticket, "choice": "fine"}
    said = browser.post(reverse("review-vote"), form, follow=True).content.decode()
    assert "covered still" in said
    assert held.case in browser.get(reverse("review"), {"show": held.ticket}).content.decode()
    Judge.objects.filter(user=stage.rosa).update(skipped=5)  # none is left there: so nowhere
    said = browser.post(
        reverse("review-not-sure"), {"case": held.ticket, "reason": "several"}, follow=True
    )
    assert "no “not sure” is left" in said.content.decode().lower()
    assert said.context["held"] == held


def test_who_answers_late_is_told_the_same_wherever_the_case_lay(both_rooms):
    stage = both_rooms
    stage.submit("of a player")
    stage.share("rosa")
    desk, said = pool.desk_of(stage.rosa), []
    for _ in range(2):
        held = pool.claim(desk)
        late = timezone.now() - timedelta(seconds=1)
        Claim.objects.update(until=late), Claim.objects.update(until=late)
        for move in (
            lambda *case: pool.leave_unsure(*case, "broken"),
            lambda *case: pool.vote(*case, "hate"),
        ):
            with pytest.raises(RuleError, match="you hold no claim") as refusal:
                move(desk, held.ticket)
            said.append((refusal.value.rule, str(refusal.value)))
        Ruling.objects.update(state="final")
        stage.in_use.decide(4)
    assert len(set(said)) == 1
    assert not Vote.objects.exists()
    assert not Vote.objects.exists()
    with pytest.raises(RuleError, match="you hold no claim"):
        pool.give_back(desk, "f" * 16)


def test_what_people_differ_on_or_skip_waits_for_the_owner(both_rooms, enter):
    stage, use = both_rooms, both_rooms.in_use
    use.join(use.will, "reviewer")
    change_settings(use.id, capacity=None, second=1.0)
    use.decide(3)
    case = Case.objects.order_by("pk").first()
    for name in ("rosa", "rudi", "will"):
        reviewing.claim(use.queue, name)
    Claim.objects.all().delete()
    until = timezone.now() + timedelta(minutes=5)
    for name in ("rosa", "rudi"):
        assert Case.objects.get(pk=case.pk).state == "open"
        Claim.objects.create(case=case, reviewer=name, until=until)
        reviewing.skip(use.queue, name, str(case.pk))
    case.refresh_from_db()
    assert case.state == "referred"
    browser, here = enter(use.wanda), reverse("unsettled", args=[use.id])
    assert "1 case waits" in browser.get(reverse("work", args=[use.id])).content.decode()
    assert "two were not sure" in browser.get(here).content.decode()
    browser.post(here, {"case": case.pk, "choice": "spam"})
    assert not Label.objects.exists()
    browser.post(here, {"case": case.pk, "choice": "hate"})
    (label,) = Label.objects.all()
    assert (label.key, label.judge, label.counts) == (case.key, "wanda", True)
    again = browser.post(here, {"case": case.pk, "choice": "fine"}, follow=True).content.decode()
    assert "is already labelled" in again
    assert Label.objects.count() == 1
    del stage


def test_a_case_that_was_forgotten_is_offered_to_nobody(both_rooms):
    use = both_rooms.in_use
    use.decide(3)
    held = reviewing.claim(use.queue, "rosa")
    assert labelling.forget(use.id, [held.case.key]) == 1
    with pytest.raises(RuleError, match="holds no claim"):
        reviewing.cast(use.queue, "rosa", str(held.case.pk), "hate")
    assert reviewing.claim(use.queue, "rosa").case != held.case


def test_golden_items_come_where_only_asked_cases_wait_and_never_where_nothing_does(both_rooms):
    use = both_rooms.in_use
    queue.add_gold(use.id, [(f"known {i}", "hate") for i in range(30)])
    assert reviewing.claim(use.queue, "rosa", others=True) is None
    use.decide(100)
    Case.objects.filter(purpose="audit").delete()
    kinds = []
    for _ in range(20):
        held = reviewing.claim(use.queue, "rosa", others=True)
        kinds.append(held.case.purpose)
        reviewing.cast(use.queue, "rosa", str(held.case.pk), "hate")
    assert 2 <= kinds.count("gold") <= 18
    assert reviewing.claim(use.queue, "rudi", others=False).case.purpose == "asked"


def test_looking_enrols_nobody_and_who_accepts_may_leave(both_rooms, enter):
    stage = both_rooms
    shared_campaigns.share(stage.in_use.id, stage.olga, stage.id)
    Campaign.objects.filter(pk=stage.id).update(consent="Texts may hurt.")
    rosa = enter(stage.rosa)
    page = rosa.get("/review/").content.decode()
    rosa.post("/review/claim/")
    assert not Judge.objects.filter(user=stage.rosa).exists()
    offer = f"/review/{stage.in_use.id}/{stage.id}/"
    assert offer in page
    shown = rosa.get(offer).content.decode()
    assert "Texts may hurt." in shown
    assert "vote" in shown
    assert rosa.post(offer, {"action": "accept"}).status_code == 422  # not agreed
    assert not Judge.objects.filter(user=stage.rosa).exists()
    rosa.post(offer, {"action": "accept", "consent": "on"})
    assert Judge.objects.get(user=stage.rosa).pool == stage.in_use.id
    assert offer not in rosa.get("/review/").content.decode()
    rosa.post(offer, {"action": "leave"})
    assert Judge.objects.get(user=stage.rosa).pool == ""
    assert offer in rosa.get("/review/").content.decode()
    for stranger in (stage.charlie, stage.bob, stage.olga):
        assert enter(stranger).get(offer).status_code == 404
    assert rosa.get(f"/review/{stage.in_use.id}/none/").status_code == 404
