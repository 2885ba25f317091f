"""What mistakes cost, asked by links: as the command asks, each person apart, settled by the owner."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.cli.main import main
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.reports.elicitation.document import UNRELIABLE
from askpoint.server.deployments import policies
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.journal.models import LogLine
from askpoint.server.questionnaires import answering, services, sessions
from askpoint.server.questionnaires.models import Interview, Questionnaire
from server.in_use import MODEL, InUse, log

pytestmark = pytest.mark.usefixtures("no_process")

SETTINGS = {"questions": 3, "checks": 1, "offers": 3}


@pytest.fixture
def used(stand):
    """A classifier in use."""
    return stand(InUse)


@pytest.fixture
def wanda(used, enter):
    """Its owner's browser."""
    return enter(used.wanda)


def bytes_of_log():
    found = log(200)
    label = np.full(found.n_items, None, dtype=object)
    label[found.labelled] = np.array(found.classes, dtype=object)[found.label]
    columns = {f"proba_{name}": found.proba[:, j] for j, name in enumerate(found.classes)}
    return (
        pl.DataFrame({"label": label.tolist(), **columns, "text": "a secret"}).write_csv().encode()
    )


def make(wanda, used, names="Ana\nBo", **fields):
    """Make a questionnaire by the form; its page and the links."""
    file = SimpleUploadedFile("log.csv", bytes_of_log())
    here = reverse("questionnaires", args=[used.id])
    made = wanda.post(here, {"file": file, **SETTINGS, **fields})
    assert made.status_code == 302, made.content.decode()
    page = made["Location"]
    assert wanda.post(page, {"names": names}).status_code == 302
    return page, re.findall(
        r'readonly value="http://testserver(.*?)"', wanda.get(page).content.decode()
    )


def seen(browser, link):
    return re.search(r'name="seen" value="(.*?)"', browser.get(link).content.decode())[1]


def send(browser, link, action, **more):
    return browser.post(link, {"action": action, "seen": seen(browser, link), **more}, follow=True)


def test_a_browser_and_the_command_write_the_same_file(wanda, used, enter, tmp_path):
    page, links = make(wanda, used)
    somebody, keys = enter(), ["7"]
    send(somebody, links[0], "guess", guess="7")
    for action in ("first", "second", "equal", "first", "second", "first", "equal"):
        text = send(somebody, links[0], action).content.decode()
        sessions._kept.clear()  # as another process would find it
        offer = "first" if len(keys) > 4 else "x"
        keys.append({"first": "y" if offer == "first" else "a", "equal": "e"}.get(action, "b"))
        if len(keys) > 5 and keys[-1] == "b":
            keys[-1] = "n"
    assert "Your result" in text
    (tmp_path / "log.csv").write_bytes(bytes_of_log())
    words = ["elicit", tmp_path / "log.csv", "--out", tmp_path / "costs.json"]
    words += ["--questions", 3, "--consistency-questions", 1, "--price-questions", 3]
    said = CliRunner().invoke(main, [str(word) for word in words], input="\n".join(keys) + "\n")
    assert said.exit_code == 0, said.output
    file = wanda.get(f"{page}1.json")
    assert file.content == (tmp_path / "costs.json").read_bytes()
    assert "attachment" in file["Content-Disposition"]
    row = Questionnaire.objects.get()
    assert b"secret" not in bytes(row.rows)  # contents are nobody's business


def test_a_question_shows_what_differs_alone_and_all_numbers_folded(wanda, used, enter):
    """In the same words on both sides, before the buttons, and without a script."""
    _, (link, _) = make(wanda, used)
    somebody = enter()
    send(somebody, link, "guess", guess="7")
    page = somebody.get(link).content.decode()
    open_part, folded = page.split("<details>", 1)
    assert f"“{used.row.title}”, asked by wanda." in open_part
    extra = re.findall(
        r'class="huge">([\d,]+)</strong> more cases? decided wrong, really “(\w+)”', open_part
    )
    assert len({name for _, name in extra}) == len(extra) == 2
    assert open_part.count("<svg") == 2
    wrong = [
        (name, int(n.replace(",", "")))
        for name, n in re.findall(r"Really “(\w+)”.*?([\d,]+) wrong", folded, re.DOTALL)
    ]
    first, second = dict(wrong[:2]), dict(wrong[2:])
    more = {name: int(n.replace(",", "")) for n, name in extra}
    (of_a, _), (of_b, _) = ((name, n) for n, name in extra)
    assert first[of_a] - second[of_a] == more[of_a]
    assert second[of_b] - first[of_b] == more[of_b]
    squares = [
        sum(map(int, re.findall(r"h(\d+)", it))) for it in re.findall(r"<svg.*?</svg>", open_part)
    ]
    assert squares == [more[of_a], more[of_b]]  # of at most 1,000: each a case


def test_the_owners_words_for_a_mistake_are_in_each_question(wanda, used, enter):
    here = reverse("questionnaires", args=[used.id])
    assert "What happens when “hate” is missed?" in wanda.get(here).content.decode()
    words = {"missed_0": "posts <i> are removed."}  # of fine; of hate nothing is said
    page, (link, _) = make(wanda, used, **words)
    assert Questionnaire.objects.get().scene["missed"] == [["fine", "posts <i> are removed."]]
    somebody = enter()
    first = somebody.get(link).content.decode()
    assert "posts &lt;i&gt; are removed. A person could" in first
    send(somebody, link, "guess", guess="7")
    page = somebody.get(link).content.decode()
    assert re.search(r'class="huge">[\d,]+</strong> more posts &lt;i&gt; are removed</p>', page)
    assert "more cases decided wrong, really “hate”" in page
    while "Should the system decide" not in page:
        page = send(somebody, link, "first").content.decode()
    assert "&#x27;fine&#x27;: posts &lt;i&gt; are removed)." in page


def test_a_class_that_is_not_in_the_log_has_no_words(wanda, used):
    other = {**MODEL, "classes": ["mild", "hate"]}
    policies.propose(used.id, used.wanda, "another", None, OpeningQuestion(), other)
    here = reverse("questionnaires", args=[used.id])
    file = SimpleUploadedFile("log.csv", bytes_of_log())
    given = {"file": file, **SETTINGS, "missed_0": "mild posts are removed"}
    refused = wanda.post(here, given)
    assert refused.status_code == 422
    says = "class that is missed must be one of the classes fine, hate; got &#x27;mild&#x27;"
    assert says in refused.content.decode()


def test_an_answer_is_taken_back_and_old_pages_change_nothing(wanda, used, enter):
    page, (link, _) = make(wanda, used)
    somebody = enter()
    for typed, says in (
        ("many", "Write a number"),
        ("0.2", "must be at least 1"),
        ("9" * 5000, "number"),
    ):
        answer = send(somebody, link, "guess", guess=typed)
        assert (answer.status_code, says in answer.content.decode()) == (422, True)
    assert Interview.objects.get(number=1).begun is None
    send(somebody, link, "unsure")
    old = seen(somebody, link)
    first = somebody.get(link).content
    send(somebody, link, "first")
    stale = somebody.post(link, {"action": "second", "seen": old}, follow=True)
    assert "not the newest" in stale.content.decode()
    assert "Choose one of the answers" in send(somebody, link, "maybe").content.decode()
    row = Interview.objects.get(number=1)
    assert [answer for _, answer in row.answers] == [True]
    send(somebody, link, "undo")
    body = re.compile(rb"<section.*</section>", re.DOTALL)
    assert body.search(somebody.get(link).content)[0] == body.search(first)[0]  # the same question
    assert "one question at least" in send(somebody, link, "stop").content.decode()
    send(somebody, link, "undo")  # the direct one, too
    assert "A rough guess" in somebody.get(link).content.decode()
    assert "took back 2" in wanda.get(page).content.decode()


def test_each_link_is_its_persons_own_until_it_is_withdrawn(wanda, used, enter, monkeypatch):
    page, (ana, bo) = make(wanda, used)
    somebody = enter()
    send(somebody, ana, "guess", guess="7")
    send(somebody, ana, "first")
    assert Interview.objects.get(number=2).answers == []
    assert "Ana" not in somebody.get(bo).content.decode()
    assert somebody.get(ana[:-3] + "x/").status_code == 410
    rosa = enter(used.rosa)
    assert rosa.get(page).status_code == rosa.get(f"{page}1.json").status_code == 404
    monkeypatch.setattr(answering, "_MOST", 3)
    assert somebody.post(ana, {"action": "undo"}).status_code == 302
    assert somebody.post(ana, {"action": "undo"}).status_code == 429
    assert somebody.post(bo, {"action": "undo"}).status_code == 302  # not hers to use up
    wanda.post(page, {"revoke": "1"})
    assert somebody.get(ana).status_code == somebody.post(ana).status_code == 410
    assert somebody.get(bo).status_code == 200
    wanda.post(page, {"delete": "1"})
    assert somebody.get(bo).status_code == 410
    assert not Questionnaire.objects.exists()


def test_people_differ_the_owner_settles_and_a_version_takes_the_price(database, enter):
    del database
    used = InUse()
    wanda = enter(used.wanda)
    made = used.ask_for_costs({"Ana": 3.0, "Bo": 60.0}, n_omega_questions=8)
    page = reverse("questionnaire", args=[used.id, made.number])
    text = wanda.get(page).content.decode()
    assert "differ by more than answers waver" in text, re.findall(r"<h3>.*?</p>", text)
    assert wanda.post(page, {"person": "2", "why": " "}).status_code == 422
    assert wanda.post(page, {"person": "9", "why": "he pays"}).status_code == 422
    assert wanda.post(page, {"use": "1", "why": "so"}).status_code == 422  # nothing is settled
    assert wanda.post(page, {"person": "2", "why": "he pays"}).status_code == 302
    line = LogLine.objects.get(what="costs settled")
    assert (line.who, line.said) == ("wanda", {"why": "he pays"})
    to = wanda.post(page, {"use": "1", "why": "so say the costs of Bo"})
    assert to["Location"] == reverse("policy", args=[used.id, 2])
    version = used.row.policies.get(number=2)
    bo = Interview.objects.get(number=2)
    price = CostMatrix.from_json(bo.costs).reject_costs[0]
    terms, before = document_of(version).terms, document_of(used.policy).terms
    assert (terms.limit, terms.aim) == (price, "money")
    assert (terms.rate, terms.planned_decisions, terms.max_label_delay) == (
        before.rate,
        before.planned_decisions,
        before.max_label_delay,
    )
    link = services.token_of(bo)
    state = services.state_of(bo)
    answer = wanda.post(
        reverse("questions", args=[link]), {"action": "undo", "seen": state}, follow=True
    )
    assert "are in use" in answer.content.decode()


def test_some_are_put_again_and_change_no_costs(used, enter):
    made = used.ask_for_costs(n_questions=2, n_omega_questions=3)
    one = made.interviews.get()
    link, somebody = reverse("questions", args=[services.token_of(one)]), enter()
    text = send(somebody, link, "again").content.decode()
    while "Repeated" in text:  # pairs stand the other way round, offers as they were
        offer = re.search(r"([\d,]+) decided right.*?([\d,]+) decided wrong", text)
        right, wrong = (int(it.replace(",", "")) for it in offer.groups()) if offer else (0, 0)
        text = send(somebody, link, "first" if right > 19 * wrong else "second").content.decode()
    after = Interview.objects.get()
    assert after.costs == one.costs
    assert json.loads(one.costs)["source"]["questions"] == 5
    n = len(after.again)
    assert after.steady.startswith(f"{n} of {n} repeated questions got the same answer (")
    assert after.steady in text.replace("&#x27;", "'")
    send(somebody, link, "undo")
    assert Interview.objects.get().steady.startswith(f"{n - 1} of {n - 1} repeated questions")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"together": "fine, hate"}, "nothing to compare"),
        ({"together": "fine, spam"}, "no class"),
        ({"questions": 0, "offers": 0}, "greater than"),
        ({"people_right": "nan"}, "number"),
    ],
)
def test_settings_that_cannot_be_asked_are_refused_to_the_owner(wanda, used, fields, says):
    file = SimpleUploadedFile("log.csv", bytes_of_log())
    here = reverse("questionnaires", args=[used.id])
    answer = wanda.post(here, {"file": file, **SETTINGS, **fields})
    assert (answer.status_code, says in answer.content.decode()) == (422, True)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (b"label,prediction,confidence\nfine,fine,0.9\nhate,fine,0.7\n", "probabilities"),
        (b"label,proba_fine,proba_hate\nfine,0.9,0.1\nfine,0.2,0.8\n", "is labelled"),
        (b"\x00\xff", "Log.csv is broken"),
        (b"label,proba_a,proba_b\x00\na,0.9,0.1\nb\x00,0.2,0.8\n", "signs out that nobody sees"),
    ],
)
def test_logs_that_cannot_be_asked_about_are_refused(wanda, used, rows, says):
    here = reverse("questionnaires", args=[used.id])
    answer = wanda.post(here, {"file": SimpleUploadedFile("log.csv", rows), **SETTINGS})
    assert (answer.status_code, says in answer.content.decode()) == (422, True), re.findall(
        r"alert.*?</p>", answer.content.decode()
    )
    assert not Questionnaire.objects.exists()


def test_answers_to_other_questions_are_told_apart(used, enter):
    made = used.ask_for_costs(n_questions=2, n_omega_questions=2)
    one = made.interviews.get()
    Interview.objects.update(answers=[["else", True]], ended=None)
    sessions._kept.clear()
    answer = enter().get(reverse("questions", args=[services.token_of(one)]))
    assert (answer.status_code, "another version" in answer.content.decode()) == (410, True)


def test_who_answered_carelessly_is_marked_wherever_the_owner_decides(used, wanda):
    row = used.ask_for_costs({"Ana": 20.0, "Bo": 20.0, "Cem": 400.0})
    page = reverse("questionnaire", args=[used.id, row.number])
    before = wanda.get(page).content.decode()
    assert "not reliable" not in before
    assert "No cost lies in everybody" in before
    careless = row.interviews.get(name="Cem")
    part = {"score": 0.5, "signals": [UNRELIABLE[0], "Another remark."]}
    careless.found = {**careless.found, "reliability": {"choices": part}}
    careless.save()
    after = wanda.get(page).content.decode()
    assert after.count("Do not use these answers.") == 1
    people, beside = after.split("Results")
    assert UNRELIABLE[0] in people
    assert "Another remark." not in people
    table, settle = beside.split('id="settle"')
    assert "Cem (not reliable)" in table
    assert "Cem (not reliable)" in settle
    assert "No cost lies in everybody" not in table  # Cem's answers show no difference of opinion
