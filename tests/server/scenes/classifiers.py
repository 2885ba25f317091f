"""Classifiers in use, and reports of logs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.labelling.guideline import Guideline, LabelRule
from askpoint.server.accounts.services import invite, token_of
from askpoint.server.deployments import policies, queue
from askpoint.server.deployments.archiving import archive
from askpoint.server.deployments.audit_rates import look_for_regions, set_audit_rate
from askpoint.server.deployments.case_images import add_image
from askpoint.server.deployments.case_rulings import rule_on_case
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.decision_log import grant_lease, sign_log
from askpoint.server.deployments.decisions import IncomingCase, decide
from askpoint.server.deployments.models import Deployment, Label, LogReport, Policy
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.desk import desk_of
from askpoint.server.labelling.guidelines import add_version
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.settled import appeal
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import read_picture
from server.in_use import InUse
from server.pictures import encoded, scene
from server.scenes.questionnaires import ask_for_costs
from server.scenes.scene import Scene, at

__all__ = ["classifiers_scenes", "use_classifiers"]

MADE = {
    "name": "-".join(["the-newest-posts-of-all-our-languages"] * 2) + ".csv",
    "random": False,
    "page": "<!doctype html><title>The report</title>",
    "headline": "Let the model decide 61% alone. That frees 203 hours a month.",
    "told": [
        {
            "title": "The answer",
            "blocks": [
                {"kind": "paragraph", "text": "Decided: ask about the rest.", "lead": True},
                {"kind": "notice", "text": "Labels depend on confidence."},
                {"kind": "picture", "name": "x", "title": "X", "alternative": "x"},
            ],
        }
    ],
    "classes": ["fine", "hate"],
    "rows": 120_000,
    "labelled": 4_000,
}


def use_classifiers(there):
    """A classifier that closed, one in shadow that knows nothing, one without a policy."""
    there.used = InUse()
    for day in range(7):
        there.used.label(there.used.decide(150, f"day {day}", day, broken=day > 2)[:140])
    there.used.decide(20, "the night")
    there.used.propose(why="what was learned from the night of the slur " * 6)
    queue.add_gold(there.used.id, [("you fool", "hate")])
    change_settings(there.used.id, capacity=20, second=0.1, hold=120)
    Policy.objects.filter(number=1).update(adopted=timezone.now() - timedelta(hours=12))
    write_guideline(there.used.queue)
    held = reviewing.claim(there.used.queue, "rosa")
    reviewing.hold(there.used.queue, "rosa", held.case_id, "fine", timedelta(minutes=2))
    reviewing.claim(there.used.queue, "rosa")
    (skipped,) = cases_of(there.used.row).filter(labelled=None, claims=None, gold=None)[:1]
    Case.objects.filter(pk=skipped.pk).update(state="referred")
    look_for_regions(there.used.id)
    set_audit_rate(there.used.id, "the-posts-of-the-region-beyond-the-river", 0.5)
    overrule(there.used)
    grant_lease(there.used.id, "the edge of the network in the north-east", answers=20)
    sign_log(there.used.id)
    link = invite("main", "reviewer", campaign=there.used.id, note="for Ruth of the other office")
    there.links["reviewer"] = f"/join/{token_of(link)}/"
    there.shadow = InUse(mode="shadow", rows=0)
    Deployment.objects.filter(pk=there.used.id).update(viewers_read=True)
    there.archived = InUse(mode="shadow")
    archive(there.archived.id)
    let_one_learn(there)
    there.reports = {
        name: LogReport.objects.create(
            id=name,
            workspace=there.workspace,
            owner=there.olga,
            made=timezone.now(),
            question={"aim": "money", "limit": 0.05},
            **more,
        ).pk
        for name, more in (
            ("made", MADE),
            ("making", {"name": "posts.parquet", "random": True, "stage": "computing"}),
            ("failed", {"name": "notes.csv", "random": False, "problem": "notes.csv is empty"}),
        )
    }
    there.bare = policies.make_deployment("main", there.olga, "Which letters can wait?").pk
    ask_for_costs(there)


def let_one_learn(there):
    """One that asks about every case, of which more come than reviewers label; Will holds one that is an image."""
    there.learning = InUse(rows=0)
    there.learning.row.members.filter(role="reviewer").delete()
    there.learning.join(there.learning.will, "reviewer")
    change_settings(there.learning.id, capacity=20)
    write_guideline(there.learning.queue)
    with pytest.MonkeyPatch.context() as reading:
        reading.setattr(uploads, "_ask_process", lambda _, content: read_picture(content))
        content = encoded(scene(7, (640, 420)))
        case = add_image(there.learning.id, there.learning.wanda, content)
    shown = IncomingCase("picture", prediction="hate", confidence=0.6, case=case)
    decide(there.learning.id, [shown], "7")
    reviewing.claim(there.learning.queue, "will")
    there.learning.decide(60, "learning")


def overrule(used):
    """Three cases that Rosa labelled and Wanda ruled on: one appeal is answered, one waits."""
    rows = cases_of(used.row).filter(purpose="asked", content__isnull=False)
    labelled = Label.objects.filter(policy__deployment=used.id, counts=True, label="hate")
    for place, case in enumerate(rows.filter(key__in=labelled.values("key")).order_by("pk")[:3]):
        case.votes.create(reviewer="rosa", choice="hate", at=timezone.now())
        rule_on_case(used.id, used.wanda, case.key, "fine", "It reports what another person said.")
        if place:
            appeal(desk_of(used.rosa), case.pk, "The writer agrees with it in the last sentence.")
            used.appealed = case.key
        if place == 1:
            rule_on_case(used.id, used.wanda, case.key, "fine", "The guideline says to judge it.")


def write_guideline(queue):
    """Two versions: the second says more."""
    hate = LabelRule(
        "hate", "It attacks a person or a group for what they are.", ("Typical of her",)
    )
    fine = LabelRule("fine", "", ("This law is garbage", "He called me an idiot, please act"))
    ago = timezone.now() - timedelta(days=3)
    add_version(queue, "wanda", Guideline("Judge what is meant.", (hate,)), 0, ago)
    text = Guideline("Judge what is meant.", (fine._replace(rule="Rude about things."), hate))
    add_version(queue, "wanda", text, 1, ago + timedelta(days=2))


def classifiers_scenes(there):
    """What owners, reviewers and viewers see."""
    send = "main .form button"
    yield Scene("home", "W", "wanda", "/", "Posts that hate")
    yield Scene("home", "W", "wanda", "/?state=closed", "Open incident 1")
    yield Scene("home", "W", "wanda", "/?state=answering", "No classifier is in this state now")
    yield Scene("home", "R", "rosa", "/", "reviewer")
    yield Scene("new-classifier", "O", "olga", at("new-classifier"), "Preview policy")
    wrong = {"title": "Letters", "aim": "money", "classes": "fine"}
    yield Scene("new-classifier", "O", "olga", at("new-classifier"), "at least two", wrong, send)
    seen = {"title": "Letters", "aim": "money", "classes": "fine, rude"}
    yield Scene("new-classifier", "O", "olga", at("new-classifier"), "Update preview", seen, send)
    yield Scene("log-reports", "O", "olga", at("log-reports"), "failed")
    yield Scene("log-reports", "N", "nora", at("log-reports"), "Create report")
    for name, says in (
        ("made", "Open full report"),
        ("making", "It is being computed"),
        ("failed", "notes.csv is empty"),
    ):
        yield Scene("log-report", "O", "olga", at("log-report", name), says)
    yield Scene("choose-policy", "O", "olga", at("choose-policy", "made"), "is chosen by")
    yield Scene(
        "choose-policy",
        "O",
        "olga",
        at("choose-policy", "made"),
        "greater than or equal",
        {"audits": "0"},
        send,
    )
    for who, role, row, says in (
        ("wanda", "W", there.used.id, "See the mistakes"),
        ("vera", "V", there.used.id, "Labelled since"),
        ("wanda", "W", there.shadow.id, "No case yet"),
        ("olga", "W", there.bare, "No version in use"),
        ("wanda", "W", there.archived.id, "Archived"),
        ("wanda", "W", there.learning.id, "See what fits"),
    ):
        yield Scene("classifier", role, who, at("classifier", row), says)
    here = at("classifier-cases", there.used.id)
    yield Scene("classifier-cases", "W", "wanda", here, "sent to review")
    yield Scene("classifier-cases", "W", "wanda", f"{here}?show=wrong&version=1", "Older cases")
    yield Scene("classifier-cases", "V", "vera", here, "Download as CSV")
    narrowed = f"{here}?label=hate&from=2026-01-01&to=2026-01-02&deleted=1"
    yield Scene("classifier-cases", "W", "wanda", narrowed, "No case matches all of this")
    yield Scene(
        "classifier-cases", "W", "wanda", at("classifier-cases", there.shadow.id), "No case yet"
    )
    yield Scene(
        "classifier-case",
        "W",
        "wanda",
        at("classifier-case", there.used.id, "day 1-0") + "?version=1",
        "Decision record",
    )
    one = at("classifier-case", there.used.id, "day 1-0")
    yield Scene("classifier-case", "V", "vera", one, "Decision record")
    for who, role in (("wanda", "W"), ("vera", "V")):
        yield Scene("incidents", role, who, at("incidents", there.used.id), "More mistakes may")
        yield Scene("incident", role, who, at("incident", there.used.id, 1), "audits were wrong")
    yield Scene("incidents", "W", "wanda", at("incidents", there.shadow.id), "No incident")
    yield Scene(
        "decision-log", "W", "wanda", at("decision-log", there.used.id), "answer cases elsewhere"
    )
    yield Scene(
        "decision-log", "W", "wanda", at("decision-log", there.shadow.id), "No lease is active"
    )
    yield Scene("decision-log", "W", "olga", at("decision-log", there.bare), "No version is in use")
    yield Scene("traffic", "W", "wanda", at("traffic", there.used.id), "drawn by the key")
    wrong = {"rollout": "200"}
    yield Scene("traffic", "W", "wanda", at("traffic", there.used.id), "less than", wrong, send)
    yield Scene("policies", "W", "wanda", at("policies", there.used.id), "in use")
    wrong = {"why": "a try", "aim": "money", "checks": ""}
    yield Scene("policies", "W", "wanda", at("policies", there.used.id), "classes", wrong, send)
    for number, says in ((1, "Active version"), (2, "Activate version 2 instead of")):
        yield Scene("policy", "W", "wanda", at("policy", there.used.id, number), says)
    yield Scene("choose-again", "W", "wanda", at("choose-again", there.used.id), "From the newest")
    here = at("choose-again", there.learning.id)
    yield Scene("choose-again", "W", "wanda", f"{here}?aim=capacity", "What would fit")
    wrong = {"why": "the labels have not come", "checks": "10"}
    yield Scene(
        "choose-again",
        "W",
        "wanda",
        at("choose-again", there.used.id),
        "label what",
        wrong,
        send,
    )
    yield Scene("audits", "W", "wanda", at("audits", there.used.id), "Reset to base rate")
    yield Scene(
        "classifier-settings",
        "W",
        "wanda",
        at("classifier-settings", there.used.id),
        "What a mistake costs",
    )
    wrong = {"mistake": "40"}
    yield Scene(
        "classifier-settings",
        "W",
        "wanda",
        at("classifier-settings", there.used.id),
        "or neither",
        wrong,
        send,
    )
    for who, row, says in (
        ("wanda", there.archived.id, "reviewers get none"),
        ("olga", there.bare, "It goes at once"),
    ):
        yield Scene("classifier-settings", "W", who, at("classifier-settings", row), says)
    here = at("first-case", there.shadow.id)
    yield Scene("first-case", "W", "wanda", here, "Waiting for your first case")
    yield Scene("first-case", "W", "wanda", here, "shown only once", {}, "main button")
    yield Scene("first-case", "W", "wanda", at("first-case", there.used.id), "The newest case")
    here = at("two-versions", there.used.id)
    yield Scene("two-versions", "W", "wanda", here, "once it has been active")
    yield Scene("two-versions", "W", "wanda", f"{here}?first=1&second=1", "Choose two versions")
    yield Scene("classifier-people", "W", "wanda", at("classifier-people", there.used.id), "vera")
    yield Scene("review", "R", "rosa", at("review"), "Yours until")
    yield Scene("review", "R", "rudi", at("review"), "Next case")
    yield Scene("review", "R", "will", at("review"), "Larger")
    yield Scene("review-mine", "R", "rosa", at("review-mine"), "Waits for the owner")
    here = at("classifier-case", there.used.id, there.used.appealed)
    yield Scene("classifier-case", "W", "wanda", here, "waits for a ruling")
    here, wrong = at("guideline", there.used.id), {"examples_1": "you fool"}
    yield Scene("guideline", "W", "wanda", here, "Version 2, ")
    yield Scene("guideline", "W", "wanda", here, "is a gold case", wrong, send)
    yield Scene("log", "W", "wanda", "/log/", "policy adopted")
    yield Scene("webhooks", "W", "wanda", "/webhooks/", "None yet")
    here, wrong = at("labels", there.used.id), {"text": "key,label\nnever,hate\n,fine"}
    yield Scene("labels", "W", "wanda", here, "2 lines were not valid", wrong, send)
    yield Scene("unsettled", "W", "wanda", at("unsettled", there.used.id), "two were not sure")
    yield Scene(
        "unsettled", "W", "wanda", at("unsettled", there.shadow.id), "No case needs your decision"
    )
    yield Scene("work", "W", "wanda", at("work", there.used.id), "1 gold case in")
    wrong = {"gold": "you fool"}
    yield Scene("work", "W", "wanda", at("work", there.used.id), "label | case", wrong, send)
    yield Scene("invitation", "S", "", there.links["reviewer"], "Label cases for")
    here, send = at("classifier-people", there.used.id), "#give button"
    wrong = {"name": "nobody of that name"}
    yield Scene("classifier-people", "W", "wanda", here, "invite them by a link", wrong, send)
