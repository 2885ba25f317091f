"""Where it is confident but wrong: regions by labels, and groups whose answers are audited more often."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint import InputError
from askpoint.live.alarms import evidence_share
from askpoint.server.deployments import audit_rates, decisions
from askpoint.server.deployments.audit import receipt_problems
from askpoint.server.deployments.audit_rates import look_for_regions, set_audit_rate
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.models import Deployment, Receipt
from askpoint.server.deployments.policy_state import clear_states, load_state
from askpoint.server.deployments.recent_log import newest_log
from askpoint.server.deployments.renewal import evidence_log
from askpoint.server.jobs.models import Job
from askpoint.server.labelling.models import Case
from server.in_use import posts


def decided(in_use, n=400, day="monday", seed=2, *, island=False):
    """Decide posts in two languages; on an island the model is wrong about one of them."""
    sure, right = posts(n, seed)
    rng = np.random.default_rng(seed)
    tongue = rng.choice(["de", "fr"], n).tolist()
    items = []
    for i in range(n):
        key = f"{day}-{i}"
        wrong = rng.random() < 0.7 if island and tongue[i] == "fr" else not right[i]
        in_use.truth[key] = "fine" if wrong else "hate"
        case = {"text": f"some words of {key}", "likes": i % 7, "from": "web" if i % 2 else "app"}
        items.append(IncomingCase(key, None, "hate", sure[i], case, tongue[i]))
    return decisions.decide(in_use.id, items, "7")


def test_a_group_is_audited_more_often_and_numbers_rest_on_the_usual_rate(in_use):
    in_use.label(decided(in_use))
    before = newest_log(in_use.policy, 1).labelled.sum()
    set_audit_rate(in_use.id, "fr", 0.8)
    in_use.label(decided(in_use, day="tuesday", seed=3))
    rows = Receipt.objects.filter(seq__gte=400)
    assert set(rows.values_list("group", "rate")) == {("de", 0.1), ("fr", 0.8)}
    answered = rows.filter(group="fr").exclude(action=1)
    assert 0.6 < answered.filter(action=2).count() / answered.count() < 0.95
    assert all(one.action == 2 for one in answered if one.drawn < 0.8)
    policy = in_use.policy
    assert [row.numbers for row in policy.events.filter(kind="audit_rates")] == [{"fr": 0.8}]
    assert list(receipt_problems(policy)) == []
    state = load_state(policy).replay.state
    clear_states()  # another process replays the same
    assert evidence_share(load_state(policy).replay.state) == evidence_share(state)
    for log in (newest_log(policy, 1), evidence_log(policy, "money")):
        usual = Receipt.objects.filter(action=1) | Receipt.objects.filter(drawn__lt=0.1)
        assert log.labelled.sum() == usual.count() < Receipt.objects.exclude(action=0).count()
    assert before < log.labelled.sum()
    set_audit_rate(in_use.id, "fr", None)
    decided(in_use, n=20, day="wednesday")
    assert set(Receipt.objects.filter(seq__gte=800).values_list("rate")) == {(0.1,)}
    assert list(receipt_problems(in_use.policy)) == []


def test_what_cannot_be_raised_is_refused(in_use, monkeypatch):
    for rate in (0.0, 1.0, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            set_audit_rate(in_use.id, "fr", rate)
    monkeypatch.setattr(audit_rates, "MOST_RATES", 1)
    set_audit_rate(in_use.id, "fr", 0.5)
    set_audit_rate(in_use.id, "fr", 0.6)
    with pytest.raises(InputError, match="lower one of them"):
        set_audit_rate(in_use.id, "de", 0.5)
    assert in_use.row.audit_rates == {"fr": 0.6}


def test_regions_are_found_by_labels_and_led_to_raised_audits(in_use, enter):
    in_use.label(decided(in_use, 1000, island=True))
    look_for_regions(in_use.id)
    found = in_use.row.regions
    assert [one["group"] for one in found["found"]] == ["fr"]
    assert found["found"][0]["mistakes"] > 1.5 * found["found"][0]["expected"]
    browser = enter(in_use.wanda)
    audits = f"/classifiers/{in_use.id}/audits/"
    page = browser.get(audits).content.decode()
    assert "group is &#x27;fr&#x27;" in page
    assert "By the regions found: <strong>fr</strong>" in page
    assert browser.post(audits, {"group": "fr", "audits": "200"}).status_code == 422
    assert browser.post(audits, {"group": "fr", "audits": "50"}).status_code == 302
    assert in_use.row.audit_rates == {"fr": 0.5}
    page = enter(in_use.vera).get(f"/classifiers/{in_use.id}/?more=1").content.decode()
    assert "Where it is confident but wrong" in page
    assert "audited more often: fr (50" in page
    browser.post(audits, {"lower": "fr"})
    assert in_use.row.audit_rates == {}
    Job.objects.all().delete()
    browser.post(audits, {"action": "look"})
    assert Job.objects.get().kind == "regions"


def test_where_no_region_can_be_told_the_page_says_why(in_use, enter):
    def said():
        look_for_regions(in_use.id)
        return enter(in_use.wanda).get(f"/classifiers/{in_use.id}/audits/").content.decode()

    assert "no labelled case has its content" in said()
    in_use.label(decided(in_use))
    assert "no region is wrong more often" in said()
    Case.objects.update(content=["a", "list"])
    Receipt.objects.update(group=None)
    page = said()
    assert "No region was sought" in page or "no region is wrong" in page
    Case.objects.update(content=None)
    assert "no labelled case has its content" in said()
    look_for_regions("nothing")
    assert Deployment.objects.count() == 1
