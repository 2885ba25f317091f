"""A classifier whose policy is a ladder of models: it says which rung to call, and takes the output back."""

from __future__ import annotations

import copy
import functools
import io
import tempfile
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from django.core.wsgi import get_wsgi_application
from django.test import Client as Visitor
from django.urls import reverse
from scipy import special

from askpoint import Client, InputError, RuleError
from askpoint.cli.main import main
from askpoint.live.documents import PolicyDocument
from askpoint.reports.document import Grid
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import decisions
from askpoint.server.deployments.day_counts import days_of, window_of
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import Day, Deployment, Receipt
from askpoint.server.deployments.overview import overview_of
from askpoint.server.deployments.policies import policy_in_use, set_mode
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.renewal import propose_again, question_of
from askpoint.server.deployments.state_lines import state_line_of
from askpoint.server.deployments.status_page import sections_of, status_of
from server.in_use import InUse
from server.stage import organiser
from server.test_gateway import FORM

NAMES = np.array(["ham", "spam"])


def made_mails(n, seed):
    """What two models say of mails, and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    hard = np.exp(rng.normal(0, 0.5, n))
    small, large = (
        special.expit(1.3 * ((2 * truth - 1) * skill * hard + rng.normal(0, 1, n)))
        for skill in (1.0, 2.5)
    )
    return small.tolist(), large.tolist(), NAMES[truth].tolist()


@functools.cache
def written_policy():
    """The policy.json that the command writes."""
    small, large, label = made_mails(1500, 1)
    label = [name if i < 400 else None for i, name in enumerate(label)]
    with tempfile.TemporaryDirectory() as folder:
        log, policy = Path(folder, "log.csv"), Path(folder, "desk", "policy.json")
        pl.DataFrame({"label": label, "p_small": small, "p_large": large}).write_csv(log)
        rungs = ("--rung", "small=p_small:0.01", "--rung", "large=p_large:0.1")
        given = ["value", str(log), *rungs, "--rho", "0.1", "--classes", "ham,spam"]
        made = CliRunner().invoke(main, [*given, "--policy", str(policy)])
        assert made.exit_code == 0, made.output
        return policy.read_text()


@pytest.fixture
def policy_text():
    return written_policy()


def made_by_the_form():
    """A classifier that was made by the form from the file."""
    InUse()
    browser = Visitor()
    browser.force_login(organiser("oskar"))
    answer = browser.post(reverse("new-classifier"), {**FORM, "file": file_of(written_policy())})
    assert answer.status_code == 302, answer.content.decode()
    page = browser.get(answer["Location"]).content.decode()
    assert "What to do with a case" in page
    assert "It calls small on every case" in page
    assert "call large" in page
    browser.post(answer["Location"], {"action": "adopt", "seen": "0"})
    found = Deployment.objects.get(title=FORM["title"])
    browser.post(reverse("traffic", args=[found.pk]), {"mode": "all", "rollout": "25"})
    return found


@pytest.fixture
def row(stand, enter):
    """It, with its owner and the owner's browser."""
    found = stand(made_by_the_form)
    found.oskar = found.members.get(role="owner").user
    found.browser = enter(found.oskar)
    return found


def file_of(text):
    file = io.BytesIO(text.encode())
    file.name = "policy.json"
    return file


def test_a_program_calls_the_rung_that_is_named_and_sends_its_output(row):
    token = make_token(row.oskar, "owner", label="x", scope="write", resource=row.pk)[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    program = Client("http://localhost", token, transport=through)
    small, large, truth = made_mails(500, 2)
    items = [
        {"key": f"m{i}", "outputs": {"p_small": p}, "case": f"mail {i}"}
        for i, p in enumerate(small)
    ]
    first = program.decide_cases(row.pk, items)
    waiting = [i for i, one in enumerate(first) if one.action == "call"]
    assert 100 < len(waiting) < 500
    assert {first[i].call for i in waiting} == {"large"}
    assert all(first[i].prediction is None and first[i].propensity is None for i in waiting)
    assert Receipt.objects.count() == 500 - len(waiting)  # nothing is decided of those that wait
    for i in waiting:
        items[i]["outputs"]["p_large"] = large[i]
    then = program.decide_cases(row.pk, items)
    assert {one.action for one in then} == {"answer", "ask", "audit"}
    assert {one.call for one in then} == {None}
    for i in set(range(500)) - set(waiting):
        assert then[i] == first[i]
    paths = dict(Receipt.objects.values_list("key", "group"))
    assert {paths[f"m{i}"] for i in waiting} == {"small+large"}
    # a case that was decided keeps its decision, though it comes with less
    again = program.decide_cases(row.pk, [{"key": f"m{waiting[0]}", "outputs": {"p_small": 0.5}}])
    assert again == [then[waiting[0]]]
    alone = [one for one in then if one.action != "ask"]
    wrong = np.mean([truth[int(one.key[1:])] != one.prediction for one in alone])
    assert len(alone) > 250
    assert wrong < 0.1  # ten checks a mistake
    program.label_cases(
        row.pk,
        [
            {"key": one.key, "label": truth[int(one.key[1:])]}
            for one in program.wanted_cases(row.pk)
        ],
    )
    page = row.browser.get(f"{reverse('classifier', args=[row.pk])}?more=1").content.decode()
    assert "How far the cases went" in page
    assert "small+large" in page
    assert check_books().problems == ()
    _check_what_calls_cost(Deployment.objects.get(pk=row.pk), len(waiting))


def _check_what_calls_cost(row, n_large):
    """A call costs .01 or .1 of a check, and a check a tenth of a mistake, which costs 40."""
    row.mistake, row.unit = 40.0, "EUR"
    row.save()
    told = status_of(row)
    bought = 0.01 * 500 + 0.1 * n_large
    assert told.worth.calls == (500, n_large)
    assert told.worth.spent_on_calls == pytest.approx(4 * bought)
    known = 4 * (told.worth.asked + told.worth.audited + bought)
    assert told.worth.cost.lower == pytest.approx(2 * (known + 40 * told.worth.mistakes.lower))
    assert told.history.moments[-1].worth.cost == pytest.approx(told.worth.cost)
    (grid, *_) = [
        block
        for section in sections_of(told, row)
        for block in section.blocks
        if isinstance(block, Grid) and block.title == "Of all decisions"
    ]
    assert ("large called", f"{n_large}", f"{n_large / 5:.1f}%") in grid.rows
    assert window_of(days_of([row])).bought == pytest.approx(bought)
    now = _saved(row)
    Day.objects.update(bought=0)
    assert _saved(row) - now == pytest.approx(4 * bought, abs=1)


def _saved(row):
    """What the first screen says was saved, in its rounded money."""
    stat = next(
        one
        for one in overview_of(row, state_line_of(row), None).stats
        if "in one day" in one.name and "EUR" in one.value
    )
    return float(stat.value.removesuffix("EUR").strip().replace(",", "")) * (
        1 if stat.name.startswith("Saved") else -1
    )


def test_the_next_version_learns_from_the_ladders_cases(row):
    small, large, truth = made_mails(800, 3)
    items = [
        IncomingCase(f"m{i}", outputs={"p_small": a, "p_large": b})
        for i, (a, b) in enumerate(zip(small, large, strict=True))
    ]
    made = decisions.decide(row.pk, items)
    wanted = [i for i, one in enumerate(made) if one.action != "answer"]
    take_labels(row.pk, [IncomingLabel(f"m{i}", truth[i], "rosa") for i in wanted])
    policy = policy_in_use(row)
    again = document_of(propose_again(row.pk, "oskar", "a week of it", question_of(policy)))
    assert again.model["ladder"] == document_of(policy).model["ladder"]
    assert again.evidence["labelled"] == len(wanted)


def test_outside_of_the_rollout_no_rung_is_called(row):
    set_mode(row.pk, "rollout", 0.5)
    items = [IncomingCase(f"m{i}", outputs={"p_small": 0.5}) for i in range(60)]
    made = decisions.decide(row.pk, items)
    assert {one.action for one in made} == {"call", "hold"}
    assert 15 < sum(one.action == "call" for one in made) < 45


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"prediction": "ham", "confidence": 0.9}, "must say outputs and nothing else"),
        ({}, "must say outputs and nothing else"),
        ({"outputs": {"p_small": 0.5}, "group": "small"}, "must say outputs and nothing else"),
        ({"outputs": {"p_smal": 0.5}}, "p_smal"),
        ({"outputs": {"p_small": "much"}}, "must hold numbers"),
        ({"outputs": {"p_small": 7}}, "between 0 and 1|\\[0, 1\\]"),
    ],
)
def test_cases_of_another_kind_are_refused_by_a_ladder(row, given, why):
    with pytest.raises(InputError, match=why):
        decisions.decide(row.pk, [IncomingCase("k", **given)])


def test_a_key_twice_another_version_and_no_key_are_refused(row):
    case = IncomingCase("k", outputs={"p_small": 0.5})
    with pytest.raises(InputError, match="names one twice"):
        decisions.decide(row.pk, [case, case])
    with pytest.raises(InputError, match="from version '8' of the model"):
        decisions.decide(row.pk, [case], "8")
    with pytest.raises(InputError, match="a key has 1 to 200"):
        decisions.decide(row.pk, [case._replace(key="")])
    sure = IncomingCase("k", outputs={"p_small": 0.99, "p_large": 0.99}, case="one")
    decisions.decide(row.pk, [sure])
    with pytest.raises(RuleError, match="other"):
        decisions.decide(row.pk, [sure._replace(case="two")])


def test_outputs_are_refused_by_the_policy_of_one_model(sqlite):
    del sqlite
    in_use = InUse()
    with pytest.raises(InputError, match="this policy is of one model"):
        decisions.decide(in_use.id, [IncomingCase("k", outputs={"p_small": 0.5})], "7")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda ladder: ladder.pop("first"),
        lambda ladder: ladder.update(first="huge"),
        lambda ladder: ladder.update(stages=[]),
        lambda ladder: ladder["stages"].pop("small+large"),
        lambda ladder: ladder["stages"]["small"].update(action=["jump"]),
        lambda ladder: ladder["stages"]["small"].update(weights=[1.0, 1.0]),
        lambda ladder: ladder["stages"]["small"]["from"].pop(),
        lambda ladder: ladder.update(reader={}),
    ],
)
def test_a_file_whose_stages_were_spoiled_is_refused_by_the_form(sqlite, enter, policy_text, spoil):
    del sqlite
    in_use = InUse()
    organiser("oskar")
    document = PolicyDocument.from_json(policy_text)
    model = copy.deepcopy(document.model)
    spoil(model["ladder"])
    text = replace(document, model=model).to_json()  # with a hash that fits
    answer = enter(in_use.oskar).post(reverse("new-classifier"), {**FORM, "file": file_of(text)})
    assert answer.status_code == 422
    assert "ladder of this policy cannot be read" in answer.content.decode()
