"""What the arena adds to the server."""

from __future__ import annotations

from askpoint.server.extensions import JobKind, Link, ServerParts

__all__ = ["PARTS"]

_HERE = "askpoint.arena.server"

PARTS = ServerParts(
    apps=tuple(
        f"{_HERE}.{app}"
        for app in (
            "ledger",
            "campaigns",
            "probes",
            "rulings",
            "players",
            "judges",
            "examinations",
            "tags",
            "organisers",
            "payouts",
            "front",
        )
    ),
    filters=(f"{_HERE}.front.filters",),
    urls=(f"{_HERE}.urls:urlpatterns",),
    routers={
        "account": (f"{_HERE}.api.account_routes:accounts",),
        "statement": (f"{_HERE}.api.account_routes:statements",),
        "payouts": (f"{_HERE}.api.account_routes:payouts",),
        "run": (f"{_HERE}.api.organiser_routes:router", f"{_HERE}.api.tag_routes:runners"),
        "play": (f"{_HERE}.api.player_routes:router", f"{_HERE}.api.tag_routes:players"),
        "judge": (f"{_HERE}.api.judge_routes:router",),
    },
    token_roles={
        "organiser": f"{_HERE}.api.roles:ORGANISER",
        "player": f"{_HERE}.api.roles:PLAYER",
        "judge": f"{_HERE}.api.roles:JUDGE",
    },
    jobs={
        "answer": JobKind(lane="models", function=f"{_HERE}.examinations.services:answer_sample"),
        "compare": JobKind(
            lane="computing", function=f"{_HERE}.examinations.findings:learn_from_both"
        ),
        "expire": JobKind(lane="moves", function=f"{_HERE}.organisers.campaign_jobs:expire"),
        "learn": JobKind(
            lane="computing", function=f"{_HERE}.organisers.campaign_jobs:learn_finds"
        ),
        "payout": JobKind(lane="payouts", function=f"{_HERE}.payouts.services:make_payouts"),
        "repeats": JobKind(
            lane="computing", function=f"{_HERE}.rulings.repeats:compare_submissions"
        ),
        "seed": JobKind(lane="models", function=f"{_HERE}.demo:submit_seeds"),
        "simulate": JobKind(
            lane="computing", function=f"{_HERE}.organisers.campaign_jobs:simulate_campaign"
        ),
        "tag": JobKind(lane="models", function=f"{_HERE}.tags.item_lists:tag_items"),
    },
    early=f"{_HERE}.probes.similar:load_early",
    regular=f"{_HERE}.front.regular:do_what_is_due",
    scorers=f"{_HERE}.pages.services:page_scorers",
    links=(Link("Points", "points"),),
    subject="campaigns",
    title="Your campaigns",
    welcome="front/welcome.html",
    without_models="Without --model, a bounty can only attack models at an http or https address. Classifiers and "
    "agents work without.",
    home=f"{_HERE}.front.sections:campaign_sections",
    invitations=f"{_HERE}.front.invitations:campaign_offer",
    activity=f"{_HERE}.front.activity:readable_lines",
    audits=f"{_HERE}.books:audit_campaigns",
    queue_guests=f"{_HERE}.judges.guests:GUESTS",
    events={
        "ruling.made": "a case was ruled on",
        "payout.planned": "a payout was planned",
        "payout.sent": "a payout was made",
        "payout.disputed": "a person reports that a payout marked as made has not come",
        "payout.unknown": "nobody can tell whether a payout was made",
        "campaign.closed": "a campaign was closed",
    },
    demo=f"{_HERE}.demo:DEMO",
)
"""Campaigns, and all that belongs to them."""
