"""People who are invited, who agree, take breaks and are paid."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from askpoint.arena.server.campaigns.consents import record_consent
from askpoint.arena.server.campaigns.models import Campaign, Workday
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.providers import Prolific
from askpoint.arena.server.payouts.services import (
    answer_payout,
    hand_out,
    pay_out,
    receive,
    withdraw,
)
from askpoint.arena.server.rulings.pools import join
from askpoint.server.accounts.models import Acceptance, Invitation, User
from askpoint.server.accounts.people import reset_path
from askpoint.server.accounts.services import invite, token_of
from server.scenes.hard import ARABIC, LONG_NAME

__all__ = ["invite_people", "pay_people"]


def invite_people(there):
    """Links of every kind: new, old, used, of a room; consent and breaks."""
    now = timezone.now()
    made = {
        "player": invite(
            "main", "player", campaign=there.id, made_by=there.olga, note="Dora, by mail"
        ),
        "judge": invite("main", "judge", campaign=there.id, made_by=there.olga, note="x" * 200),
        "organiser": invite("main", "organiser"),
        "old": invite("main", "player", campaign=there.id, now=now - timedelta(days=30)),
        "used": invite("main", "player", campaign=there.id),
    }
    made["room"] = invite(
        "main", "judge", campaign=there.many, places=30, days=60, note="The whole course"
    )
    Invitation.objects.filter(pk=made["used"].pk).update(taken=1)
    Invitation.objects.filter(pk=made["room"].pk).update(taken=2)
    Acceptance.objects.create(invitation=made["used"], user=there.cast[LONG_NAME], at=now)
    for name in (LONG_NAME, ARABIC):
        User.objects.filter(username=name).update(participant="5f1c9a0b2e")
    for campaign in (there.many, there.rows):
        Campaign.objects.filter(pk=campaign).update(
            contact="Olga, olga@example.org or +49 30 1234567",
            takes="20 minutes a day, for a week, whenever it suits you",
        )
    Campaign.objects.filter(pk=there.rows).update(
        consent="What you write and how you vote is kept for research.\nYou may stop any time.",
        age=18,
    )
    for name in ("bob", "alice"):
        record_consent(Campaign.objects.get(pk=there.rows), there.cast[name])
    Campaign.objects.filter(pk=there.spent).update(consent="New text", age=21)
    record_consent(Campaign.objects.get(pk=there.spent), there.alice)
    Campaign.objects.filter(pk=there.many).update(
        veiled=True, most_cases=1, break_after=30, break_for=10
    )
    Campaign.objects.filter(pk=there.closed).update(veiled=True)
    Campaign.objects.filter(pk=there.empty).update(most_cases=3, most_minutes=60)
    for name in ("alice", "bob"):
        Workday.objects.create(
            campaign_id=there.many,
            user=there.cast[name],
            begun=now,
            at=now,
            cases=1,
            worked=timedelta(0),
            stretch=timedelta(minutes=31 if name == "alice" else 3),
        )
    join(there.empty, there.cast["tess"], "watcher")
    join(there.empty, there.cast["rita"], "organiser")
    made["rows"] = invite("main", "player", campaign=there.rows)
    made["watcher"] = invite("main", "watcher", campaign=there.many)
    lost = User.objects.create(username="Lost")  # who signs in ends the link
    reset_path(there.cast["bob"])
    there.resets = {"new": reset_path(lost), "used": "/reset/MQ/none/"}
    there.links = {name: f"/join/{token_of(item)}/" for name, item in made.items()}


def pay_people(there):
    """Payouts in every state: on a list, paid, planned, and of which nobody can tell."""
    for name in ("ben", "beth"):
        withdraw("main", there.cast[name])
    hand_out("main", {"ben", "beth"})
    paid = Payout.objects.get(payee="ben")
    receive("main", [(paid.pk, "bank transfer 2026-17")], {"ben"})
    answer_payout(there.cast["ben"], paid.pk, came=True)
    withdraw("main", there.cast[ARABIC])

    def lose(_, path, body):
        if path.startswith("submissions") and body:
            return 201, b'{"id": "b1"}'
        raise TimeoutError

    pay_out("main", Prolific("study7", lose))
    withdraw("main", there.cast["rita"])
