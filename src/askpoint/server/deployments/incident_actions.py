"""What owners do about an incident: keep the classifier closed, let it go on, write down what they found."""

from __future__ import annotations

from django.db import transaction

from askpoint.errors import InputError, RuleError
from askpoint.server.clock import moment
from askpoint.server.deployments.models import Deployment, Incident
from askpoint.server.deployments.policies import lock_deployment, policy_in_use
from askpoint.server.journal.services import note

__all__ = ["LONGEST_NOTE", "keep_closed", "let_go_on", "write_note"]

LONGEST_NOTE = 4_000
"""Characters."""


@transaction.atomic
def keep_closed(deployment: str) -> None:
    """Act on no decision until an owner says so: it goes into shadow, and measures on.

    Raises
    ------
    RuleError
        ``no-policy``; ``kept-meanwhile`` where it is kept closed already; ``in-shadow`` where nobody acts on it.
    """
    row = lock_deployment(deployment)
    policy_in_use(row)
    if row.kept_closed is not None:
        raise RuleError("kept-meanwhile", f"{row.title!r} is kept closed already: nothing to do")
    if row.mode == "shadow":
        raise RuleError("in-shadow", f"{row.title!r} is in shadow: nobody acts on what it decides")
    now = moment(row)
    Deployment.objects.filter(pk=row.pk).update(
        mode="shadow", kept_closed=now, kept_mode=row.mode, at=now
    )
    note("kept closed", campaign=row.pk, about=row.mode)


@transaction.atomic
def let_go_on(deployment: str) -> None:
    """Let it act again as before it was kept closed; whether it decides alone is up to its labels.

    Raises
    ------
    RuleError
        ``not-kept``, if nobody keeps it closed.
    """
    row = lock_deployment(deployment)
    if row.kept_closed is None:
        raise RuleError("not-kept", f"{row.title!r} is not kept closed by anybody")
    Deployment.objects.filter(pk=row.pk).update(
        mode=row.kept_mode, kept_closed=None, kept_mode="", at=moment(row)
    )
    note("goes on", campaign=row.pk, about=row.kept_mode)


@transaction.atomic
def write_note(incident: Incident, who: str, text: str) -> None:
    """Keep what an owner found and did; it stays with the incident, whatever version comes.

    Raises
    ------
    InputError
        If it is too long.
    """
    said = text.strip()
    if len(said) > LONGEST_NOTE:
        raise InputError(f"a note has at most {LONGEST_NOTE:,} characters; got {len(said):,}")
    lock_deployment(incident.deployment_id)
    Incident.objects.filter(pk=incident.pk).update(note=said, noted_by=who)
    note("incident noted", campaign=incident.deployment_id, about=f"incident {incident.number}")
