"""What a draw reserves, and that it draws once what its plan said."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.utils import timezone

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations import services
from askpoint.arena.server.examinations.models import SampleCase
from askpoint.arena.server.examinations.records import judgements_of
from askpoint.arena.server.judges import queue as judges_queue
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import RuleError
from askpoint.unknowns.examination import ExaminationDesign
from server.examining import STREAM, answered, drawn, reserved


def test_a_draw_reserves_what_judging_can_cost_and_fills_one_queue(both):
    row = drawn(both)
    assert (row.state, row.seed, row.method, sum(row.sizes)) == ("drawn", 3, "random", 60)
    assert reserved(both) == 10 * 300
    assert campaigns.budget_left(both.campaign) == 100_000 - 3000
    cases = judgements_of(row).cases
    assert len({item.place for item in cases}) == 10
    assert {item.inclusion for item in cases} == {1 / 6}
    # the queue hands them out in the order of the draw, and players' cases come in between
    later = both.submit("you are not from here").pk
    seen = [
        item.pk
        for item in judges_queue.waiting(
            both.campaign, "bob", terms_of(both.campaign.terms).protocol, timezone.now()
        )
    ]
    assert seen == [*(item.ruling_id for item in cases), later]
    both.check_ledger()


def test_the_same_seed_draws_what_the_plan_said(stage, answers):
    row = answered(stage, answers)
    design = ExaminationDesign("stratified", 20, 10)
    first, again = (services.plan(row, design, 5).drawn for _ in range(2))
    other = services.plan(row, design, 6).drawn
    row = services.draw(stage.id, row.pk, design, 5)
    kept = [str(item.place) for item in judgements_of(row).cases]
    assert kept == first.items.tolist() == again.items.tolist() != other.items.tolist()


@pytest.mark.parametrize("method", ["stratified", "neyman", "random", "uncertainty"])
def test_each_case_has_the_probability_of_its_bin(stage, method):
    row = drawn(stage, 24, method)
    cases = judgements_of(row).cases
    for item in cases:
        same = [other for other in cases if other.bin == item.bin]
        wanted = 1 if method == "uncertainty" else len(same) / row.sizes[item.bin]
        assert item.inclusion == pytest.approx(wanted)


def test_a_budget_that_does_not_carry_the_draw_changes_nothing(both, answers):
    row = answered(both, answers)
    both.fund(2999)
    with pytest.raises(RuleError, match="can cost 3000 points") as caught:
        services.draw(both.id, row.pk, ExaminationDesign("random", 10), 0)
    assert caught.value.rule == "budget"
    row.refresh_from_db()
    assert (row.state, reserved(both), Ruling.objects.count()) == ("answered", 0, 0)
    assert not SampleCase.objects.exclude(ruling=None).exists()
    services.draw(both.id, row.pk, ExaminationDesign("random", 9), 0)
    both.check_ledger()


def test_a_sample_is_drawn_from_once(both):
    row = drawn(both)
    with pytest.raises(RuleError) as caught:
        services.draw(both.id, row.pk, ExaminationDesign("random", 5), 0)
    assert caught.value.rule == "drawn-before"
    with pytest.raises(RuleError, match="no such sample"):
        services.draw(both.id, 10**6, ExaminationDesign("random", 5), 0)
    assert Ruling.objects.count() == 10


def test_many_clicks_draw_once(both):
    row = services.bring_sample(both.id, STREAM)
    services.answer_sample(str(row.pk))
    start = threading.Barrier(6)

    def click(_):
        start.wait()
        try:
            services.draw(both.id, row.pk, ExaminationDesign("random", 10), 1)
        except RuleError as error:
            return error.rule
        return "drawn"

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(both.in_thread(click), range(6)))
    assert sorted(done) == ["drawn", *["drawn-before"] * 5]
    assert (Ruling.objects.count(), reserved(both)) == (10, 3000)
    both.check_ledger()
