"""Figures of the server, and of classifiers for who brings a token."""

from __future__ import annotations

from django.test import Client

from askpoint.server.api.tokens import make_token
from reports.test_metrics import read
from server.in_use import InUse


def test_everybody_hears_of_the_server_and_of_nobody(in_use, enter):
    in_use.decide(20)
    answer = enter().get("/metrics/")
    assert answer["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    families = read(answer.content.decode())
    assert set(families) == {
        "askpoint_jobs_waiting",
        "askpoint_oldest_job_seconds",
        "askpoint_models",
    }
    assert in_use.id not in answer.content.decode()


def test_a_token_shows_its_owners_classifiers(in_use):
    in_use.label(in_use.decide(200))
    hidden = InUse()
    for user in (in_use.wanda, in_use.vera):
        role = "owner" if user == in_use.wanda else "viewer"
        _, words = make_token(user, role, label="monitor", resource=in_use.id)
        browser = Client(headers={"Authorization": f"Bearer {words}"})
        text = browser.get("/metrics/").content.decode()
        families = read(text)
        assert families["askpoint_decisions"]["samples"] == {f'policy="{in_use.id}"': 200}
        said = {name: sum(one["samples"].values()) for name, one in families.items()}
        assert said["askpoint_answered"] + said["askpoint_asked"] == 200
        assert said["askpoint_log_rows"] > 200
        assert hidden.id not in text
    _, words = make_token(in_use.rosa, "reviewer", label="other")
    refused = Client(headers={"Authorization": f"Bearer {words}"}).get("/metrics/")
    assert refused.status_code == 403
    assert (
        Client(headers={"Authorization": "Bearer askpoint_x"}).get("/metrics/").status_code == 401
    )
    assert Client().post("/metrics/").status_code == 405
