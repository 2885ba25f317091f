"""An examination: a sample is brought, answered, drawn from, judged among players' cases, and read."""

from __future__ import annotations

import csv
import io
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from click.testing import CliRunner
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from askpoint.cli.main import main
from askpoint.errors import InputError, ModelError, RuleError
from askpoint.game.transaction import Account
from askpoint.server.campaigns import services as campaigns
from askpoint.server.campaigns.records import terms_of
from askpoint.server.examinations import services
from askpoint.server.examinations.exports import drawn_rows
from askpoint.server.examinations.findings import found_by, learn_from_both, sections_of
from askpoint.server.examinations.models import Examination, SampleCase
from askpoint.server.examinations.records import judged_of
from askpoint.server.examinations.samples import MOST_FILE, read_sample_file, read_sample_text
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import add_job, run_next
from askpoint.server.judges import services as judging
from askpoint.server.ledger.services import balance_of
from askpoint.server.organisers.accuracies import accuracies_of
from askpoint.server.organisers.decisions import decide_case_of
from askpoint.server.organisers.exports import records_of
from askpoint.server.organisers.figures import figures_of, judge_lines
from askpoint.server.organisers.works import WORKS
from askpoint.server.players import services as playing
from askpoint.server.rulings.models import Judge, Lease, Ruling
from askpoint.server.spreadsheets import read_csv
from askpoint.unknowns.examination import ExaminationDesign

STREAM = [f"{'badword' if i % 5 == 0 else 'hm' if i % 5 == 1 else 'mild'} {i}" for i in range(60)]


@pytest.fixture
def answers(monkeypatch):
    """Return a function: let the model answer from now on, in the stage's words, or fail."""

    def let(stage, fails=lambda _: ""):
        asked = []

        def ask_many(_, cases):
            asked.append(len(cases))
            for case in cases:
                if fails(case):
                    raise ModelError(fails(case))
            return [stage.ask(None, case) for case in cases]

        monkeypatch.setattr(services, "ask_many", ask_many)
        return asked

    return let


def work(about=None):
    """Do the jobs that are due."""
    while run_next(WORKS):
        pass


def answered(stage, answers, sample=STREAM):
    answers(stage)
    row = services.bring_sample(stage.id, sample)
    work()
    row.refresh_from_db()
    assert (row.state, row.trouble) == ("answered", "")
    return row


def drawn(stage, n=10, method="random", sample=STREAM):
    return stage.examine(sample, n, method, n_bins=1 if n < 20 else 10)


def truth(case):
    """What people say: "hm" is offensive, and every fourth mild case, too."""
    number = int(case.split()[1]) if case.split()[-1].isdecimal() else 1
    return "offensive" if "bad" in case or "hm" in case or number % 4 == 2 else "clean"


INSULTS = (
    "how brave of you to sing",
    "people like them should stay at home",
    "what a face, and what a hat",
    "they never did an honest day of work",
)  # no two of one family


def judge_all(stage, say=truth, names=("bob", "beth", "ben"), most=10_000):
    """Let judges answer whatever waits."""
    for _ in range(most):
        claimed = [(name, judging.claim(stage.id, name)) for name in names]
        if not any(ruling for _, ruling in claimed):
            return
        for name, ruling in claimed:
            if ruling is not None:
                judging.vote(stage.id, name, ruling.pk, say(ruling.case))


def reserved(stage):
    return balance_of(Account("reserved", stage.id))


# the sample


def test_the_model_answers_a_sample_in_batches_that_grow(both, answers):
    asked = answers(both)
    row = services.bring_sample(both.id, STREAM)
    work()
    row.refresh_from_db()
    assert row.state == "answered"
    assert sum(asked) == 60
    assert asked[:4] == [1, 2, 4, 8]
    cases = list(row.cases.all())
    assert [item.case for item in cases] == STREAM
    assert [item.decision for item in cases[:2]] == ["offensive", "clean"]
    assert cases[1].probabilities == [0.55, 0.45]


def test_a_model_that_is_down_is_asked_again_and_nothing_half_done_is_drawn_from(both, answers):
    answers(both, lambda case: "the model is not running" if case == STREAM[20] else "")
    row = services.bring_sample(both.id, STREAM)
    work()
    row.refresh_from_db()
    assert row.state == "answering"
    assert row.trouble == "case 21: the model is not running"
    assert row.cases.exclude(decision="").count() == 20
    with pytest.raises(RuleError, match="has not answered the whole sample yet"):
        services.draw(both.id, row.pk, ExaminationDesign("random", 5), 0)
    assert not Ruling.objects.exists()
    job = Job.objects.get(kind="answer", done=None)
    assert timezone.now() < job.due < timezone.now() + timedelta(seconds=11)
    asked = answers(both)
    Job.objects.update(due=timezone.now())
    work()
    row.refresh_from_db()
    assert (row.state, row.trouble) == ("answered", "")
    assert sum(asked) == 40  # what was answered is not asked for again


def test_a_worker_that_dies_loses_one_batch_at_most(stage, answers):
    answers(stage, lambda case: (_ for _ in ()).throw(SystemExit) if case == STREAM[20] else "")
    row = services.bring_sample(stage.id, STREAM)
    with pytest.raises(SystemExit):
        work()
    assert row.cases.exclude(decision="").count() == 15  # 1, 2, 4 and 8 are kept
    answers(stage)
    Job.objects.filter(kind="answer").update(until=timezone.now() - timedelta(seconds=1))
    work()
    row.refresh_from_db()
    assert row.state == "answered"


def test_a_long_sample_lets_other_jobs_in_between(stage, answers, monkeypatch):
    monkeypatch.setattr(services, "_SLICE", -1.0)
    monkeypatch.setattr(services, "_SHARE", 1e-9)
    answers(stage)
    row = services.bring_sample(stage.id, STREAM[:3])
    assert run_next(WORKS)
    assert Job.objects.filter(kind="answer", done=None, until=None).count() == 1
    row.refresh_from_db()
    assert row.state == "answering"


def test_one_sample_waits_at_a_time_and_can_be_put_aside(both, answers):
    answers(both)
    services.bring_sample(both.id, STREAM)
    with pytest.raises(RuleError, match="brought already") as caught:
        services.bring_sample(both.id, STREAM)
    assert caught.value.rule == "sample-waits"
    services.drop_sample(both.id)
    assert not SampleCase.objects.exists()
    work()  # the job that waited finds nothing to do
    assert services.bring_sample(both.id, STREAM[:2]).cases.count() == 2


def test_lines_files_and_rows_are_read(stage):
    campaign = stage.campaign
    assert read_sample_text(campaign, "one\r\n\r\n two \n") == ["one", "two"]
    assert read_sample_text(campaign, '{"text": 1}') == ['{"text": 1}']  # a line is a text
    for name, content in (
        ("a.txt", "one\ntwo"),
        ("a.CSV", 'id,text\r\n1,one\r\n2,"two"\r\n'),
        ("a.csv", "whatever\none\ntwo\n"),
        ("a.jsonl", '"one"\n\n{"case": "two", "n": 3}\n'),
    ):
        found = read_sample_file(campaign, name, b"\xef\xbb\xbf" + content.encode())
        assert found == ["one", "two"], name
    assert read_sample_file(campaign, "a.csv", b'text\n"one\nmore"\n') == ["one\nmore"]
    campaign.classifier.cases = "row"
    campaign.classifier.features = [
        {"name": "age", "kind": "number"},
        {"name": "colour", "kind": "choice", "options": ["red", "green"]},
    ]
    rows = [{"age": 40.0, "colour": "red"}, {"age": 5.5, "colour": "green"}]
    lines = '{"age": 40, "colour": "red", "x": 1}\n{"colour": "green", "age": "5.5"}'
    table = "colour,age,x\nred,40,1\ngreen,5.5,2"
    assert read_sample_text(campaign, lines) == read_sample_text(campaign, table) == rows
    assert read_sample_file(campaign, "r.csv", table.encode()) == rows
    assert read_sample_file(campaign, "r.jsonl", lines.encode()) == rows


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "the sample is empty"),
        ("a.txt", b"fine\n\nbell \x07\n", "line 3: the case holds characters"),
        ("a.txt", b"fine\n" + b"x" * 5001, "line 2: a case has at most 5,000"),
        ("a.txt", b"fine\n\xff\n", "line 2: the file is no text in UTF-8"),
        ("a.txt", b"x\n" * 10_001, "line 10001: a sample has at most 10,000 cases"),
        ("a.txt", b"x" * (MOST_FILE + 1), "at most 5,000,000 bytes"),
        ("a.xlsx", b"x", "must end in .txt, .csv, .jsonl, .ndjson"),
        ("a.csv", b"id,words\n1,one\n", "line 2: which column is the case"),
        ("a.csv", b"text,text\none,two\n", "line 1: two columns have one name"),
        ("a.csv", b"id,text\n1,one\n2\n", "line 3: it has 1 cells, and the header has 2"),
        ("a.csv", b'text\none\n"two', "line 3: this is no CSV"),
        ("a.csv", b'text\n"one\nmore"\n""\n', "line 4: the case is empty"),
        ("a.jsonl", b'"one"\n{"text": \n', "line 2: this is no JSON"),
        ("a.jsonl", b'"one"\n7\n', "line 2: the case is to be a text, got 7"),
        ("a.jsonl", b"[" * 100_000, "line 1: this is no JSON"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(stage, name, content, said):
    with pytest.raises(InputError) as caught:
        read_sample_file(stage.campaign, name, content)
    assert said in str(caught.value)


def test_a_row_that_is_wrong_is_said_with_its_line(stage):
    campaign = stage.campaign
    campaign.classifier.cases = "row"
    campaign.classifier.features = [{"name": "age", "kind": "number"}]
    for text, said in (
        ('{"age": 1}\n{"age": "old"}', "line 2: age must be a number, got 'old'"),
        ('{"age": 1}\n[1]', "line 2: the case is to be a row of features"),
        ("age\n1\n\nold", "line 4: age must be a number"),
        ("height\n1", "line 2: age must be a number, got ''"),
    ):
        with pytest.raises(InputError) as caught:
            read_sample_text(campaign, text)
        assert said in str(caught.value)


# the draw


def test_a_draw_reserves_what_judging_can_cost_and_fills_one_queue(both):
    row = drawn(both)
    assert (row.state, row.seed, row.method, sum(row.sizes)) == ("drawn", 3, "random", 60)
    assert reserved(both) == 10 * 300
    assert campaigns.budget_left(both.campaign) == 100_000 - 3000
    cases = judged_of(row).cases
    assert len({item.place for item in cases}) == 10
    assert {item.inclusion for item in cases} == {1 / 6}
    # the queue hands them out in the order of the draw, and players' cases come in between
    later = both.submit("you are not from here").pk
    seen = [
        item.pk
        for item in judging.waiting(
            both.id, "bob", terms_of(both.campaign.terms).protocol, timezone.now()
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
    kept = [str(item.place) for item in judged_of(row).cases]
    assert kept == first.items.tolist() == again.items.tolist() != other.items.tolist()


@pytest.mark.parametrize("method", ["stratified", "neyman", "random", "uncertainty"])
def test_each_case_has_the_probability_of_its_bin(stage, method):
    row = drawn(stage, 24, method)
    cases = judged_of(row).cases
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


# judging


def test_what_votes_do_not_cost_is_free_again(both):
    row = drawn(both)
    judge_all(both, names=("bob", "beth"))
    judged = judged_of(row)
    assert (len(judged.answers), judged.n_ruled) == (10, 10)
    assert judged.answers == [truth(item.case) for item in judged.cases]
    assert (both.earned("bob"), both.earned("beth")) == (1000, 1000)
    assert (reserved(both), campaigns.budget_left(both.campaign)) == (0, 98_000)
    both.check_ledger()


def test_a_judge_sees_nothing_that_tells_it_from_a_players_case(stage, enter):
    drawn(stage, 1)
    stage.submit("you are not from here")
    pages = {}
    for name in ("bob", "beth", "ben"):
        browser = enter(getattr(stage, name))
        browser.post(f"/judge/{stage.id}/claim/")
        ruling = Lease.objects.get(judge=name).ruling
        page = browser.get(f"/judge/{stage.id}/").content.decode()
        assert ruling.case in page
        page = page.replace(ruling.case, "CASE").replace(ruling.pk, "ID").replace(name, "JUDGE")
        pages.setdefault(ruling.kind, []).append(page[page.index("<main") :])
    strip = [
        [
            line
            for line in page[0].splitlines()
            if "csrf" not in line and "Yours until" not in line and "waits" not in line
        ]
        for page in pages.values()
    ]
    assert set(pages) == {"drawn", "submitted"}
    assert strip[0] == strip[1]


def test_a_copy_of_a_players_case_is_ruled_for_itself(both):
    both.submit("mild 7")
    row = drawn(both, 60)
    assert both.try_case("mild 8").state == "tried"  # nor does a draw stop players
    judge_all(both, lambda _: "clean")
    assert both.player().judged == 1
    assert judged_of(row).n_ruled == 60


def test_two_votes_that_differ_bring_a_third_and_the_organiser_has_the_last_word(both):
    row = drawn(both, 1)
    case = judged_of(row).cases[0].ruling_id
    both.vote("bob", "clean", case)
    both.vote("beth", "offensive", case)
    Judge.objects.filter(user__username="ben").update(gold_seen=9, gold_right=6)
    assert Ruling.objects.get(pk=case).state == "open"
    with pytest.raises(RuleError, match="the organiser decides what judges refer"):
        decide_case_of(both.id, case, "clean")
    Ruling.objects.filter(pk=case).update(state="referred")
    assert figures_of(both.campaign).drawn_referred == 1
    assert figures_of(both.campaign).referred == 0
    decide_case_of(both.id, case, "offensive")
    assert judged_of(row).answers == ["offensive"]
    assert reserved(both) == 0
    both.check_ledger()


def test_three_different_answers_wait_for_the_organiser(both):
    from askpoint.measures.cost_matrix import CostMatrix
    from askpoint.server.campaigns.models import Campaign
    from askpoint.server.campaigns.records import terms_text

    three = ("clean", "offensive", "unclear")
    terms = replace(
        terms_of(both.campaign.terms), costs=CostMatrix.zero_one(three), sought=None, designs=[1]
    )
    Campaign.objects.update(terms=terms_text(terms))
    row = services.bring_sample(both.id, ["one", "two"])
    for item in row.cases.all():
        item.probabilities, item.decision = [0.5, 0.25, 0.25], "clean"
        item.save()
    services.answer_sample(str(row.pk))
    row = services.draw(both.id, row.pk, ExaminationDesign("random", 1, 1), 0)
    case = judged_of(row).cases[0].ruling_id
    for name, choice in zip(("bob", "beth", "ben"), three, strict=True):
        both.vote(name, choice, case)
    (waiting,) = judged_of(row).waiting
    assert (waiting.pk, waiting.state, reserved(both)) == (case, "referred", 0)
    decide_case_of(both.id, case, "unclear")
    assert judged_of(row).answers == ["unclear"]
    both.check_ledger()


def test_nobody_appeals_against_a_drawn_case(stage):
    row = drawn(stage, 1)
    judge_all(stage)
    case = judged_of(row).cases[0].ruling_id
    with pytest.raises(RuleError) as caught:
        playing.appeal(stage.id, case, stage.player(), "mine")
    assert caught.value.rule == "not-own-case"


def test_a_paused_judges_votes_on_drawn_cases_are_void_and_asked_for_again(both):
    row = drawn(both, 2)
    judge_all(both, names=("bob", "beth"))
    assert judged_of(row).n_ruled == 2
    judging.add_gold(both.id, "you fool", "offensive")
    Judge.objects.filter(user__username="bob").update(recent=[True] * 7 + [False] * 2)
    gold = Ruling.objects.get(kind="gold")
    now = timezone.now()
    Lease.objects.create(ruling=gold, judge="bob", until=now + timedelta(minutes=5), number=1)
    from django.db import transaction

    from askpoint.game.transaction import transfer
    from askpoint.server.campaigns.services import lock_campaign
    from askpoint.server.ledger.services import post

    with transaction.atomic():  # the gold vote's pay, as a claim reserves it
        lock_campaign(both.id)
        accounts = Account("budget", both.id), Account("reserved", both.id)
        post(transfer(f"reserve/{gold.pk}/1", now, 100, *accounts, gold.pk), both.id)
        Ruling.objects.filter(pk=gold.pk).update(reserved=100)
    judging.vote(both.id, "bob", gold.pk, "clean")
    judged = judged_of(row)
    assert (judged.n_ruled, judged.answers) == (0, [])
    assert reserved(both) == 2 * 200  # two counted votes may still come
    both.check_ledger()
    judge_all(both, names=("ben",))
    assert judged_of(row).n_ruled == 2
    assert reserved(both) == 0
    both.check_ledger()


def test_an_ended_claim_on_a_drawn_case_goes_back(both):
    drawn(both, 1)
    judging.claim(both.id, "bob")
    Lease.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert judging.expire_leases(both.id) == 1
    assert not Lease.objects.exists()
    assert reserved(both) == 300
    both.check_ledger()


def test_votes_on_drawn_cases_count_for_judges_and_never_for_players(both):
    row = drawn(both, 60)
    judge_all(both)
    figures = figures_of(both.campaign)
    assert (figures.tried, figures.submitted, figures.judged, figures.found) == (0, 0, 0, 0)
    assert figures.cents_per_unknown is None
    n_votes = sum(item.votes for item in judge_lines(both.campaign))
    assert n_votes == sum(len(item.ruling.votes.all()) for item in judged_of(row).cases) >= 120
    assert figures.paid == 100 * n_votes
    assert accuracies_of(both.campaign).n_cases == 60


def test_the_price_of_a_players_find_leaves_drawn_cases_out(both):
    both.submit("you are not from here")
    judge_all(both, lambda _: "offensive")
    before = figures_of(both.campaign).cents_per_unknown
    drawn(both, 5)
    judge_all(both)
    after = figures_of(both.campaign)
    assert after.cents_per_unknown == before == (910 + 200) / 50
    assert after.paid > 1110


# the findings


def table(sections, title):
    """The rows of a table, by their first cell."""
    for section in sections:
        for block in section.blocks:
            if getattr(block, "title", None) == title:
                return {row[0]: row[1:] for row in block.rows}
    raise AssertionError([item.title for item in sections])


def words(sections):
    return " ".join(
        f"{section.title} {getattr(block, 'text', '')}"
        for section in sections
        for block in section.blocks
    )


def test_nothing_is_told_before_something_is_ruled(stage):
    row = drawn(stage)
    assert "nothing can be told" in words(sections_of(stage.campaign, row, judged_of(row)))
    second = judged_of(row).cases[1].ruling_id
    Ruling.objects.filter(pk=second).update(state="ruled", answer="clean")
    said = words(sections_of(stage.campaign, row, judged_of(row)))
    assert "1 case is ruled, but not the first" in said
    assert len(judged_of(row).answers) == 0


def test_a_whole_sample_that_was_drawn_is_told_exactly(both):
    """All 60 are drawn, so the estimate is the share itself; figures by hand."""
    row = drawn(both, 60)
    judge_all(both)
    # "hm" (12) is taken for clean; mild cases with i % 4 == 2 are offensive: by hand
    wrong = [
        i
        for i, case in enumerate(STREAM)
        if truth(case) != ("offensive" if "bad" in case else "clean")
    ]
    mild = [i for i in wrong if "mild" in STREAM[i]]
    sections = sections_of(both.campaign, row, judged_of(row))
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["cases judged"] == ("60", "0")
    assert beside["wrong decisions per 100 judged"][0].startswith(f"{100 * len(wrong) / 60:.1f} (")
    assert beside["wrong decisions per 100 judged"][1] == "nothing judged yet"
    assert beside["unknown unknowns per 100 judged"][0].startswith(f"{100 * len(mild) / 60:.1f} (")
    # severity: 900 at p = .05, 100 at p = .45
    mean = (900 * len(mild) + 100 * (len(wrong) - len(mild))) / len(wrong)
    assert float(beside["mean severity of the mistakes"][0].replace(",", "")) == pytest.approx(
        mean, abs=0.6
    )
    votes = sum(len(item.ruling.votes.all()) for item in judged_of(row).cases)
    assert float(beside["paid, cents"][0]) == pytest.approx(votes * 2, abs=0.5)
    assert beside["wrong decisions in the whole sample"][1] == "not estimable"
    share = 100 * len(wrong) / 60
    assert beside["wrong decisions in the whole sample"][0].startswith(f"{share:.1f}")


def test_both_ways_stand_side_by_side_with_denominators_and_buckets(stage):
    for number in range(4):
        stage.submit(INSULTS[number])
    stage.submit(INSULTS[0] + "!")  # no base pay, a tenth of the reward, and no find
    judge_all(stage, lambda _: "offensive")
    row = drawn(stage, 60)
    judge_all(stage)
    sections = sections_of(stage.campaign, row, judged_of(row))
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["cases judged"] == ("60", "5")
    assert beside["wrong decisions per 100 judged"][1].startswith("80.0 (")
    notes = " ".join(getattr(block, "note", "") for part in sections for block in part.blocks)
    assert "1 wrong decision repeats an earlier case of the players: judged, but no find" in notes
    paid = (4 * (910 + 200) + 90 + 200) / 50
    assert beside["cents for each unknown unknown"][1] == f"{paid / 4:.3g}"
    buckets = table(sections, "Share of its mistakes by severity")
    assert list(buckets) == ["examination", "Beat the Machine"]
    assert buckets["Beat the Machine"][3].startswith("100")
    one, two = found_by(stage.campaign, judged_of(row))
    figures = figures_of(stage.campaign)
    assert (two.n_judged, int(two.finds.wrong.sum()), two.n_unknown, two.n_repeats) == (
        *(figures.judged, figures.found, figures.unknown, figures.repeats),
    )
    assert (one.n_judged, two.n_judged, two.cents) == (60, 5, pytest.approx(paid))


def test_rows_of_features_are_told_but_not_learned_from(stage):
    from askpoint.server.classifiers.models import Classifier

    features = [{"name": "age", "kind": "number"}]
    Classifier.objects.update(cases="row", features=features)
    rows = [{"age": float(i)} for i in range(12)]
    row = stage.examine(rows, 12)
    judge_all(stage, lambda case: "offensive" if case["age"] > 6 else "clean")
    stage.classifier.refresh_from_db()
    stage.submit({"age": "3"})
    judge_all(stage, lambda _: "offensive")
    learn_from_both(str(row.pk))
    row.refresh_from_db()
    sections = sections_of(stage.campaign, row, judged_of(row))
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["cases judged"] == ("12", "1")
    assert "cases are rows of features, and it is told for texts only" in words(sections)
    line = next(item for item in drawn_rows(row, terms_of(stage.campaign.terms))[1])
    assert json.loads(line["case"]) in rows


def test_picked_cases_say_nothing_of_the_others(stage):
    row = drawn(stage, 10, "uncertainty")
    judge_all(stage)
    sections = sections_of(stage.campaign, row, judged_of(row))
    assert "picked, not drawn" in words(sections)
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["wrong decisions in the whole sample"][0] == "–"


def test_what_can_be_learned_is_computed_in_the_background_or_says_why_not(stage):
    row = drawn(stage, 60)
    judge_all(stage)
    add_job("compare", str(row.pk))
    work()
    row.refresh_from_db()
    assert row.learned["reason"] == "Beat the Machine has no judged case yet"
    stage.submit("you are not from here")
    judge_all(stage, lambda _: "offensive")
    learn_from_both(str(row.pk))
    row.refresh_from_db()
    assert row.learned["judged"] == [60, 1]
    said = words(sections_of(stage.campaign, row, judged_of(row)))
    assert "collect at least 10 of each" in said


def test_learning_curves_are_kept_and_read_back(stage):
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    filling = [" ".join("".join(rng.choice(letters, 5)) for _ in range(6)) for _ in range(120)]
    for i in range(30):
        stage.submit(f"{filling[i]} {'insult' if i % 2 else 'lovely'}")
    say = lambda case: "offensive" if "insult" in case or "hm" in case else "clean"  # noqa: E731
    judge_all(stage, say)
    row = drawn(stage, 40, sample=[f"{'hm ' if i % 2 else ''}{filling[40 + i]}" for i in range(40)])
    judge_all(stage, say)
    learn_from_both(str(row.pk))
    row.refresh_from_db()
    assert len(row.learned["curves"]) == 4
    sections = sections_of(stage.campaign, row, judged_of(row))
    curves = table(sections, "Area under the ROC curve, by cases to learn from")
    assert list(curves) == [
        "examination only",
        "Beat the Machine only",
        "examination on Beat the Machine",
        "Beat the Machine on examination",
    ]
    assert float(curves["Beat the Machine only"][-1]) > 0.9


# the pages


def url(stage, rest=""):
    return f"/run/{stage.id}/examination/{rest}"


def test_an_examination_by_forms_alone(both, answers, enter):
    answers(both)
    olga = enter(both.olga)
    assert olga.get(url(both))["Location"] == url(both, "sample/")
    assert b"One case a line" in olga.get(url(both, "sample/")).content
    answer = olga.post(url(both, "sample/"), {"sample": "\n".join(STREAM)})
    assert answer["Location"] == url(both)
    page = olga.get(url(both)).content.decode()
    assert "answered 0 of 60 cases" in page
    assert 'hx-trigger="every 2s"' in page
    work()
    page = olga.get(url(both)).content.decode()
    assert "has answered all 60 cases" in page
    plan = {"method": "stratified", "n": "20", "n_bins": "10", "seed": "7"}
    page = olga.get(url(both), plan).content.decode()
    assert "Draw 4 cases" in page  # two from each of the two bins that hold any
    assert "<dd>1,200<small>points, 24 cents: 3 votes a case" in page
    assert "8 of 10 bins hold no full share, 8 of them no case at all" in page
    number = str(Examination.objects.get().pk)
    for _ in range(2):  # a double click
        olga.post(url(both, "draw/"), {**plan, "number": number})
    assert Ruling.objects.filter(kind="drawn").count() == 4
    page = olga.get(url(both)).content.decode()
    assert "No drawn case is ruled yet" in page
    assert "seed 7" in page
    judge_all(both)
    page = olga.get(url(both)).content.decode()
    assert "Beside what players found" in page
    assert "Found, and what that means for all cases" in page
    olga.post(url(both, "compare/"), {"number": number})
    assert b"is being computed" in olga.get(url(both)).content
    work()
    assert olga.get(url(both), {"number": number}).status_code == 200
    assert olga.get(url(both), {"number": "12345"}).status_code == 404
    assert olga.get(url(both), {"number": "x"}).status_code == 404
    assert b"Bring" in olga.get(url(both, "sample/")).content
    both.check_ledger()


def test_the_form_is_kept_on_errors(stage, enter):
    olga = enter(stage.olga)
    text = "\n fine <b>\n\nbad \x07 line"
    answer = olga.post(url(stage, "sample/"), {"sample": text})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Line 4: the case holds characters" in page
    assert "fine &lt;b&gt;" in page
    assert olga.post(url(stage, "sample/"), {"sample": "   \n"}).status_code == 422
    file = SimpleUploadedFile("a.csv", b"id,text\n1\n")
    answer = olga.post(url(stage, "sample/"), {"file": file})
    assert "Line 2: it has 1 cells" in answer.content.decode()
    assert "choose the file again" in answer.content.decode()
    file = SimpleUploadedFile("a.txt", b"one\ntwo\n")
    answer = olga.post(url(stage, "sample/"), {"file": file, "sample": "three"})
    assert "not both" in answer.content.decode()
    assert (
        olga.post(url(stage, "sample/"), {"sample": "a\0b"}).status_code == 400
    )  # no browser sends it
    assert olga.post(url(stage, "sample/"), {"sample": "x" * 2_000_000}).status_code == 413
    assert not Examination.objects.exists()
    file = SimpleUploadedFile("a.txt", b"one\ntwo\n")
    olga.post(url(stage, "sample/"), {"file": file})
    assert SampleCase.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": "61"}, "but the log has only 60"),
        ({"n": "5"}, "5 cases are too few for 10 bins"),
        ({"n": "many"}, "Enter a whole number"),
        ({"n": "0"}, "greater than or equal to 1"),
        ({"method": "best"}, "Select a valid choice"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"n_bins": "10000"}, "less than or equal to 50"),
    ],
)
def test_a_design_that_is_none_is_refused_and_kept(stage, answers, enter, change, said):
    answered(stage, answers)
    olga = enter(stage.olga)
    form = {"method": "stratified", "n": "20", "n_bins": "10", "seed": "7", **change}
    answer = olga.get(url(stage), form)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "What this draws" not in answer.content.decode()
    number = str(Examination.objects.get().pk)
    there = olga.post(url(stage, "draw/"), {**form, "number": number})["Location"]
    assert "csrf" not in there
    assert olga.get(there).status_code == 422
    assert not Ruling.objects.exists()


def test_a_budget_too_small_is_said_before_and_at_the_draw(stage, answers, enter):
    answered(stage, answers)
    stage.fund(2999)
    olga = enter(stage.olga)
    form = {"method": "random", "n": "10", "n_bins": "1", "seed": "7"}
    page = olga.get(url(stage), form).content.decode()
    assert "The budget does not carry that" in page
    assert "<button disabled>Draw 10 cases" in page
    number = str(Examination.objects.get().pk)
    there = olga.post(url(stage, "draw/"), {**form, "number": number})["Location"]
    assert "Judging 10 cases can cost 3000 points" in olga.get(there).content.decode()
    assert not Ruling.objects.exists()


def test_trouble_with_the_model_is_shown_and_the_sample_can_be_dropped(stage, answers, enter):
    answers(stage, lambda _: "the model is not running just now")
    services.bring_sample(stage.id, STREAM)
    work()
    olga = enter(stage.olga)
    page = olga.get(url(stage)).content.decode()
    assert "case 1: the model is not running just now" in page
    assert "asked again every 10 seconds" in page
    Job.objects.update(done=timezone.now())
    assert "Nobody is asking the model" in olga.get(url(stage)).content.decode()
    olga.post(url(stage, "compare/"), {})
    assert Job.objects.filter(kind="answer", done=None).count() == 1
    olga.post(url(stage, "sample/"), {"action": "drop"})
    assert not Examination.objects.exists()
    assert olga.post(url(stage, "compare/"), {}).status_code == 404


def test_a_draft_may_bring_a_sample_and_not_draw(stage, answers, enter):
    from askpoint.server.campaigns.models import Campaign

    Campaign.objects.update(state="draft")
    answered(stage, answers)
    olga = enter(stage.olga)
    assert b"The campaign is a draft" in olga.get(url(stage)).content
    form = {"method": "random", "n": "5", "n_bins": "1", "seed": "7"}
    number = str(Examination.objects.get().pk)
    there = olga.post(url(stage, "draw/"), {**form, "number": number})["Location"]
    assert "is a draft, and what a vote brings may still change" in olga.get(there).content.decode()
    assert not Ruling.objects.exists()


def test_the_organiser_decides_a_drawn_case_on_the_page_of_cases(stage, enter):
    row = drawn(stage, 1)
    case = judged_of(row).cases[0].ruling_id
    Ruling.objects.filter(pk=case).update(state="referred")
    olga = enter(stage.olga)
    assert b"1 drawn case waits for your word" in olga.get(f"/run/{stage.id}/").content
    assert f"/run/{stage.id}/cases/{case}/" in olga.get(url(stage)).content.decode()
    page = olga.get(f"/run/{stage.id}/cases/{case}/").content.decode()
    assert "A drawn case" in page
    assert "The machine says" not in page  # the organiser is blind, too
    olga.post(f"/run/{stage.id}/cases/{case}/", {"choice": "offensive"})
    assert Ruling.objects.get(pk=case).state == "final"
    page = olga.get(f"/run/{stage.id}/cases/{case}/").content.decode()
    assert "State: decided by you" in page
    assert "The machine says" in page
    stage.check_ledger()


# the exports


def fetched(browser, address):
    return b"".join(browser.get(address).streaming_content).decode()


def test_the_drawn_cases_come_back_value_for_value(stage):
    text = '=HYPERLINK("http://example.org")'
    row = drawn(stage, 12, sample=[text, "'quoted", "+1", *STREAM[:9]])
    judge_all(stage, lambda _: "clean", most=6)
    terms = terms_of(stage.campaign.terms)
    columns, rows = drawn_rows(row, terms)
    rows = list(rows)
    from askpoint.server.spreadsheets import to_csv

    written = "".join(to_csv(columns, rows))
    numbers = {"id", "order", "drawn", "bin", "bins", "low", "high", "size", "inclusion", "seed"}
    words = set(columns) - numbers - {"probabilities", "votes"}
    assert read_csv(written, words) == rows
    cells = [cell for line in csv.reader(io.StringIO(written, newline="")) for cell in line]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert {item["case"] for item in rows} >= {text, "'quoted", "+1"}


def test_everything_is_in_the_json_lines(stage, enter):
    row = drawn(stage, 4)
    judge_all(stage)
    lines = fetched(enter(stage.olga), f"/run/{stage.id}/export.jsonl?names=real").splitlines()
    records = [json.loads(line) for line in lines]
    assert records == json.loads(json.dumps(list(records_of(stage.campaign))))
    (head,) = (item for item in records if item["kind"] == "examination")
    assert (head["seed"], head["method"], head["sizes"]) == (3, "random", [60])
    cases = [item for item in records if item["kind"] == "drawn"]
    assert len(cases) == 4
    for item, kept in zip(cases, judged_of(row).cases, strict=True):
        assert item["inclusion"] == 4 / 60
        assert item["probabilities"] == dict(
            zip(("clean", "offensive"), kept.probabilities, strict=True)
        )
        assert item["truth"] == truth(item["case"])
        assert len(item["votes"]) >= 2


def test_the_command_reads_what_the_server_exports(both, enter, tmp_path):
    """And says what the page says."""
    for number in range(4):
        both.submit(INSULTS[number])
    both.submit(INSULTS[0] + "!")  # judged, and no find
    judge_all(both, lambda _: "offensive")
    both.try_case("tried, and never submitted")
    both.submit("submitted and not judged")
    row = both.examine(STREAM, 40)
    judge_all(both, lambda case: truth(case) if case in STREAM else "clean", most=20)
    olga = enter(both.olga)
    for name, address in (
        ("log.csv", url(both, "log.csv")),
        ("cases.csv", url(both, "cases.csv")),
        ("players.csv", f"/run/{both.id}/export.csv"),
        ("all.jsonl", f"/run/{both.id}/export.jsonl"),
    ):
        (tmp_path / name).write_text(fetched(olga, address), newline="")
    judged = judged_of(row)
    assert 0 < len(judged.answers) < len(judged.cases)
    given = ["examine", str(tmp_path / "log.csv"), "--judged", str(tmp_path / "cases.csv")]
    given += ["--text", "case", "--sought", "offensive", "--json", "--compare"]
    for players in ("players.csv", "all.jsonl"):
        run = CliRunner().invoke(main, [*given, str(tmp_path / players)])
        assert run.exit_code == 0, run.output
        found = json.loads(run.stdout)
        assert (found["n_drawn"], found["n_judged"]) == (len(judged.cases), len(judged.answers))
        assert (found["seed"], found["digest"]) == (3, row.digest)
        sections = sections_of(both.campaign, row, judged)
        said = table(sections, "Found, and what that means for all cases")["wrong decisions"]
        assert said[0].startswith(f"{100 * found['mistakes']['found']:.1f}")
        first, second = found["comparison"]["methods"]
        n_players = both.campaign.probes.filter(state="judged").count()
        assert (first["n_judged"], second["n_judged"]) == (len(judged.answers), n_players)
        assert second["n_errors"] == 4
