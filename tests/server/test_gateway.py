"""The gateway by HTTP: a program of an owner, its refusals, its keys; and the owner's pages."""

from __future__ import annotations

import functools
import io
import json
import re
import tempfile
from pathlib import Path

import httpx
import polars as pl
import pytest
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from askpoint import Client, InputError, RuleError
from askpoint.server.api.models import Reply
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments.forms import ClassifierForm, PolicyForm
from askpoint.server.deployments.models import (
    Deployment,
    Event,
    Label,
    LogReport,
    Member,
    Receipt,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.journal.models import LogLine
from askpoint.server.reports.forms import ChosenForm, UploadForm
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from server.in_use import InUse, log, posts
from server.serving import Serving
from server.stage import organiser

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def program(in_use):
    """The owner's program, in this process."""
    token = make_token(in_use.wanda, "owner", label="x", scope="write", resource=in_use.id)[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return Client("http://localhost", token, transport=through)


def item(key="a", **more):
    return {"key": key, "prediction": "hate", "confidence": 0.5, **more}


def test_a_day_by_a_program(in_use, program):
    sure, right = posts(40)
    items = [
        {"key": f"p{i}", "probabilities": {"hate": p, "fine": 1 - p}, "case": {"text": f"post {i}"}}
        for i, p in enumerate(sure)
    ]
    made = program.decide_cases(in_use.id, items, model_version="7", key="batch-1")
    assert program.decide_cases(in_use.id, items, model_version="7", key="batch-1") == made
    assert {one.action for one in made} >= {"answer", "ask"}
    assert {one.policy for one in made} == {f"{in_use.id}/1"}
    wanted = list(program.wanted_cases(in_use.id))
    assert [one.key for one in wanted] == [
        one.key for one in made if one.action in ("ask", "audit")
    ]
    assert wanted[0].case == {"text": f"post {wanted[0].key[1:]}"}
    truth = {f"p{i}": "hate" if one else "fine" for i, one in enumerate(right)}
    told = program.label_cases(
        in_use.id, [{"key": one.key, "label": truth[one.key]} for one in wanted]
    )
    assert (told.kept, told.counted, told.events) == (len(wanted), len(wanted), [])
    labels = list(program.labels(in_use.id))
    assert {(one.judge, one.counts) for one in labels} == {("wanda", True)}
    assert not list(program.wanted_cases(in_use.id))
    assert program.ask_opinions(in_use.id, [wanted[1].key]) == 1
    said = program.opinions(in_use.id)
    assert (said.given, said.agreed, said.agreement, said.waiting) == (0, 0, None, 1)
    with pytest.raises(RuleError, match="nothing here"):
        program.propose_asking(in_use.id, 1)
    assert program.forget(in_use.id, [wanted[0].key]) == 1
    said = program.classifier(in_use.id)
    assert [said] == list(program.classifiers())
    assert (said.decided, said.to_label, said.mode) == (40, 0, "all")
    assert said.answered + said.asked == 40


def test_refusals_of_the_gateway_name_what_is_wrong(in_use, program):
    with pytest.raises(InputError, match="at most 1000 items"):
        program.decide_cases(in_use.id, [item(f"k{i}") for i in range(1001)], model_version="7")
    with pytest.raises(InputError, match="version '6' of the model, the policy is for '7'"):
        program.decide_cases(in_use.id, [item()], model_version="6")
    with pytest.raises(InputError, match="Extra inputs"):
        program.decide_cases(in_use.id, [item(text="x")], model_version="7")
    program.decide_cases(in_use.id, [item()], model_version="7", key="one")
    with pytest.raises(RuleError, match="belongs to another request"):
        program.decide_cases(in_use.id, [item("b")], model_version="7", key="one")
    with pytest.raises(RuleError, match="other content") as refusal:
        program.decide_cases(in_use.id, [item(case="x")], model_version="7")
    assert refusal.value.rule == "other-content"
    with pytest.raises(RuleError, match="never decided") as refusal:
        program.label_cases(in_use.id, [{"key": "nowhere", "label": "hate"}])
    assert refusal.value.rule == "unknown-key"
    assert list(Receipt.objects.values_list("key", flat=True)) == ["a"]
    assert Reply.objects.filter(key="one").count() == 1
    assert not Label.objects.exists()


def test_a_token_opens_its_classifier_and_its_part_alone(in_use, program):
    other = InUse()
    with pytest.raises(RuleError, match="nothing here"):
        program.decide_cases(other.id, [item()], model_version="7")
    words = make_token(in_use.vera, "viewer", label="x", scope="write")[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    viewer = Client("http://localhost", words, transport=through)
    assert viewer.classifier(in_use.id).title == "Posts that hate"
    with pytest.raises(RuleError, match="for owners"):
        viewer.decide_cases(in_use.id, [item()], model_version="7")
    Member.objects.filter(user=in_use.vera).delete()
    with pytest.raises(RuleError, match="nothing here"):
        viewer.classifier(in_use.id)
    with pytest.raises(InputError, match="is no owner of"):
        make_token(in_use.wanda, "owner", label="x", resource="none")


def test_owners_are_told_when_it_closes(in_use):
    make_endpoint("main", in_use.wanda, "https://hooks.example.org/in", ["policy.closed"])
    for day in range(5):
        in_use.label(in_use.decide(200, f"day{day}", day, broken=True))
    closed = Event.objects.filter(kind__in=["alarm", "budget_spent"]).count()
    assert closed
    told = [json.loads(row.body)["data"] for row in Delivery.objects.order_by("pk")]
    assert len(told) == closed
    assert told[0]["classifier"] == in_use.id
    assert told[0]["what"].startswith("closed")


def csv():
    """A log as a file to upload."""
    found = log()
    frame = pl.DataFrame({"label": [found.classes[i] for i in found.label]}).with_columns(
        proba_fine=found.proba[:, 0], proba_hate=found.proba[:, 1]
    )
    file = io.BytesIO(frame.write_csv().encode())
    file.name = "log.csv"
    return file


FORM = {
    "title": "Which posts can stay?",
    "aim": "money",
    "checks": "20",
    "audits": "10",
    "planned_decisions": "40000",
    "max_label_delay": "2000",
    "why": "the first",
}


def test_from_a_log_to_a_classifier_for_all_in_a_browser(in_use, enter):
    organiser("oskar")
    browser = enter(in_use.oskar)
    answer = browser.post(reverse("new-classifier"), {**FORM, "file": csv()})
    assert answer.status_code == 302
    row = Deployment.objects.get(title=FORM["title"])
    page = browser.get(answer["Location"]).content.decode()
    assert "It decides alone where the model&#x27;s confidence is at least" in page
    assert "Activate version 1 in shadow" in page
    here = reverse("classifier", args=[row.pk])
    assert "No version in use" in browser.get(here).content.decode()
    used = browser.post(answer["Location"], {"action": "adopt", "seen": "0"}, follow=True)
    assert "In shadow, nobody acts on what it decides." in used.content.decode()
    late = browser.post(answer["Location"], {"action": "adopt", "seen": "0"}, follow=True)
    assert "is in use by now" in late.content.decode()
    browser.post(reverse("traffic", args=[row.pk]), {"mode": "rollout", "rollout": "25"})
    row.refresh_from_db()
    assert (row.mode, row.rollout) == ("rollout", 0.25)
    people = reverse("classifier-people", args=[row.pk])
    browser.post(people, {"name": "rosa", "role": "viewer"})
    again = browser.post(people, {"name": "rosa", "role": "owner"}, follow=True)
    assert "reviewers label blind" in again.content.decode()
    alone = browser.post(people, {"remove": "oskar"}, follow=True)
    assert "make another one first" in alone.content.decode()
    browser.post(people, {"remove": "rosa"})
    assert [one.user.username for one in row.members.all()] == ["oskar"]
    file = browser.get(reverse("classifier-report", args=[row.pk]))
    assert "attachment" in file["Content-Disposition"]
    assert b"<svg" not in file.content  # nothing has been decided: nothing to draw


@pytest.mark.usefixtures("no_process")
def test_a_preview_makes_nothing_and_a_start_decides_in_shadow_at_once(in_use, enter):
    organiser("oskar")
    browser, here = enter(in_use.oskar), reverse("new-classifier")
    n_notes = LogLine.objects.count()
    for _ in range(2):
        answer = browser.post(here, {**FORM, "file": csv(), "action": "preview"})
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "It decides alone where the model&#x27;s confidence is at least" in page
        assert page.index("Update preview") < page.index("Start in shadow")  # Enter only looks
        assert (Deployment.objects.count(), LogLine.objects.count()) == (1, n_notes)
    said = re.search(r"at least (0\.\d+)", page)[1]
    answer = browser.post(here, {**FORM, "file": csv(), "action": "start"})
    row = Deployment.objects.get(title=FORM["title"])
    assert answer["Location"] == reverse("classifier", args=[row.pk])
    assert (row.adopted, row.mode) == (1, "shadow")
    version = browser.get(reverse("policy", args=[row.pk, 1])).content.decode()
    assert f"at least {said}" in version  # it does what was seen
    again = browser.post(here, {**FORM, "file": csv(), "action": "start"})  # a double press
    assert again.status_code == 422
    assert "open it, or choose another title" in again.content.decode()
    assert Deployment.objects.filter(title=FORM["title"]).count() == 1


def test_who_cannot_say_what_a_mistake_costs_is_led_to_those_who_can(in_use, enter):
    organiser("oskar")
    given = {**FORM, "checks": "", "aim": "unsure", "classes": "a, b", "action": "start"}
    browser = enter(in_use.oskar)
    answer = browser.post(reverse("new-classifier"), given)
    row = Deployment.objects.get(title=FORM["title"])
    assert answer["Location"] == reverse("questionnaires", args=[row.pk])
    page = browser.get(answer["Location"]).content.decode()
    assert f"“{FORM['title']}” started in shadow, at 20 checks per mistake." in page
    assert document_of(row.policies.get()).terms.limit == pytest.approx(1 / 20)


CHOSEN = LogReport(name="log.csv", question={"aim": "money", "limit": 0.05})
ELSE = {
    "volume": "900",
    "period": "month",
    "seconds": "40",
    "random": "on",
    "by": "language",
    "groups": "on",
    "classes": "fine, hate",
    "version": "7",
    "measure": "margin",
    "people_right": "95",
    "audits": "9",
    "planned_decisions": "5000",
    "max_label_delay": "70",
    "why": "it is cheaper",
}


@pytest.mark.parametrize(
    "form", [ClassifierForm, PolicyForm, UploadForm, functools.partial(ChosenForm, CHOSEN)]
)
def test_a_summary_names_the_present_value_of_each_field_below_it(form):
    given = {"volume": "1000", "period": "day", "measure": "max_probability"}
    for fold in form(given).list_folds():
        for name in (field.name for field in fold.fields):
            other = form({**given, name: ELSE[name]})
            says = next(one.says for one in other.list_folds() if one.title == fold.title)
            assert says != fold.says
            value = f"{int(ELSE[name]):,}" if ELSE[name].isdigit() else ELSE[name]
            assert {"random": "at random", "groups": "each group"}.get(name, value) in says


def test_a_name_a_log_and_what_limits_one_are_in_sight(in_use, enter):
    organiser("oskar")
    page = enter(in_use.oskar).get(reverse("new-classifier")).content.decode()
    form = page[page.index('<form method="post" class="form"') :].partition("</form>")[0]
    seen = re.sub(r"<details.*?</details>|<fieldset.*?</fieldset>", "", form, flags=re.DOTALL)
    assert re.findall(r'name="(\w+)"', seen)[:2] == ["csrfmiddlewaretoken", "title"]
    assert len(re.findall(r"<label", seen)) == 2
    assert "checked" not in form[form.index('class="limits"') :].partition("</fieldset>")[0]
    answer = enter(in_use.oskar).post(reverse("new-classifier"), {**FORM, "aim": ""})
    assert "Choose what limits you." in answer.content.decode()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"classes": "fine"}, "at least two"),
        ({"classes": "a, b", "checks": ""}, "how many checks are worth"),
        ({"classes": "a, b", "aim": "promise"}, "highest percentage of wrong decisions"),
        ({"classes": "a, b", "planned_decisions": "100"}, "cannot detect even that half"),
        ({"file": ("log.exe", b"x")}, "log&#x27;s name ends in .csv"),
        ({"file": ("log.csv", b"a,b\n1,2\n")}, "label"),
        ({"file": ("policy.json", b"{}")}, "not a policy that askpoint reads"),
    ],
)
def test_what_no_policy_can_be_made_of_is_refused_in_words(in_use, enter, changes, says):
    organiser("oskar")
    given = {**FORM, **changes}
    if "file" in changes:
        name, content = changes["file"]
        given["file"] = io.BytesIO(content)
        given["file"].name = name
    answer = enter(in_use.oskar).post(reverse("new-classifier"), given)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert tempfile.gettempdir() not in answer.content.decode()
    assert Deployment.objects.count() == 1


def test_the_page_is_quick_and_its_pictures_are_drawn(in_use, enter):
    for day in range(3):
        in_use.label(in_use.decide(100, f"day{day}", day))
    browser = enter(in_use.vera)
    page = browser.get(f"{reverse('classifier', args=[in_use.id])}?more=1").content.decode()
    assert "Compared with sending every case to review it" in page
    assert "saved against sending every case to review (" in page
    assert "95%, however often you look" in page
    for name in ("share-decided-alone", "evidence-towards-an-alarm", "what-1000-cases-cost-so-far"):
        found = reverse("picture", args=[in_use.id, name])
        assert found in page
        drawn = browser.get(found)
        assert drawn["Content-Type"] == "image/svg+xml"
        assert drawn.content.startswith(b"<svg")
    assert browser.get(reverse("picture", args=[in_use.id, "none"])).status_code == 404
    text = browser.get(reverse("classifier-report", args=[in_use.id])).content.decode()
    assert text.count("data:image/svg+xml") == 5


def test_the_example_of_the_docs_runs(in_use, capsys):
    code = re.search(r"```py\n(.*?)```", (DOCS / "how-to" / "gateway.md").read_text(), re.DOTALL)[1]
    token = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    with Serving([]) as server:
        exec(code, {"address": server.address, "token": token, "classifier": in_use.id})  # noqa: S102
    said = capsys.readouterr().out.splitlines()
    assert said[0] in ("['answer', 'ask']", "['audit', 'ask']")
    assert said[1:] == ["1"] * (1 + ("audit" in said[0]))


def test_the_audit_computes_receipts_anew_and_finds_a_changed_one(in_use):
    in_use.label(in_use.decide(100))
    assert check_books().problems == ()
    row = Receipt.objects.get(seq=40)
    Receipt.objects.filter(seq=40).update(confidence=row.confidence + 1e-9)
    (problem,) = check_books().problems
    assert problem.startswith(f"classifier {in_use.id}, version 1: decisions, at decision")
    Receipt.objects.filter(seq=40).update(confidence=row.confidence)
    label = Label.objects.first()
    Label.objects.filter(pk=label.pk).update(wrong=not label.wrong)
    (problem,) = check_books().problems
    assert label.key in problem


@pytest.mark.parametrize("value", [51, 1.01, -0.01, -1e308, True, "0.9"])
def test_a_confidence_that_is_none_is_refused_with_its_key(in_use, program, value):
    words = "valid number" if isinstance(value, bool | str) else "the case 'a' has the confidence"
    with pytest.raises(InputError, match=words):
        program.decide_cases(in_use.id, [item(confidence=value)], model_version="7")
    assert not Receipt.objects.exists()
    good = {"key": "b", "probabilities": [0.25, 0.75]}
    for odd in ([0.9, True], [0.9, "0.1"], {"hate": 1.5, "fine": -0.5}, [0.6, 0.6]):
        with pytest.raises(InputError):
            program.decide_cases(in_use.id, [good, {**good, "key": "c", "probabilities": odd}],
                                 model_version="7")  # fmt: skip
    assert not Receipt.objects.exists()
    program.decide_cases(in_use.id, [good], model_version="7")
