"""A submission is written whole: its ruling, the probe as it is now, and the points reserved for it.

Everybody in the campaign waits meanwhile, so PostgreSQL is told in one statement what else takes four.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from django.db import IntegrityError, connection, models

from askpoint.arena.game.ruling import Ruling as GameRuling
from askpoint.arena.game.settlement import Move
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.ledger.models import Entry, Posting
from askpoint.arena.server.ledger.services import overdrawn, post
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import CHANGING, take_in
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.records import new_ruling
from askpoint.errors import RuleError
from askpoint.server.labelling.models import Case

__all__ = ["DUPLICATE", "file_submission", "open_ruling", "refuse_repeats", "ruling_row"]

DUPLICATE = "this very case was submitted before; look for another one"

_TEXT = "one_submission"  # constraints by their names
_BALANCE = "never_overdrawn"


@contextlib.contextmanager
def refuse_repeats(rule: str, words: str) -> Iterator[None]:
    """Say in the rules' own words that the database refused a second one."""
    try:
        yield
    except IntegrityError:
        raise RuleError(rule, words) from None


def ruling_row(campaign: Campaign, probe: Probe, ruling: GameRuling) -> Ruling:
    """Return what judges will rule on."""
    return new_ruling(campaign, ruling, probe.case)


def open_ruling(campaign: Campaign, probe: Probe, ruling: GameRuling) -> None:
    """Put a submitted case into the judges' queue."""
    ruling_row(campaign, probe, ruling).save(force_insert=(Case,))


def file_submission(campaign: Campaign, probe: Probe, move: Move) -> None:
    """Write a submission. The caller holds the campaign.

    Raises
    ------
    RuleError
        ``submitted-before``, ``exact-duplicate`` or ``overdrawn``; then nothing has happened.
    """
    if move.probe is not None:
        take_in(probe, move.probe)
    again = f"case {probe.pk} is submitted already"
    if connection.vendor != "postgresql":
        with refuse_repeats("submitted-before", again):
            open_ruling(campaign, probe, move.ruling)
        with refuse_repeats("exact-duplicate", DUPLICATE):
            probe.save(update_fields=CHANGING)
        post(campaign.workspace_id, move.transactions, campaign.pk)
        return
    (moved,) = move.transactions
    posting = Posting(
        workspace_id=campaign.workspace_id,
        key=moved.key,
        at=moved.at,
        about=moved.about,
        campaign=campaign.pk,
    )
    row = ruling_row(campaign, probe, move.ruling)
    named = {
        **_values("case", row, _fields(Case)),
        **_values("ruling", row, _local_fields(Ruling)),
        **_values("probe", probe, _fields(Probe, CHANGING)),
        **_values("posting", posting, _fields(Posting)),
        "workspace": campaign.workspace_id,
        "kinds": [account.kind for account, _ in moved.entries],
        "owners": [account.owner for account, _ in moved.entries],
        "points": [points for _, points in moved.entries],
        "probe": probe.pk,
    }
    try:
        with connection.cursor() as cursor:
            cursor.execute(_statement(), named)
    except IntegrityError as error:
        found = getattr(getattr(error.__cause__, "diag", None), "constraint_name", "")
        if found == _TEXT:
            raise RuleError("exact-duplicate", DUPLICATE) from None
        if found == _BALANCE:
            raise overdrawn([moved]) from None
        raise RuleError("submitted-before", again) from None  # of the ruling, or the posting's key


def _fields(model: type[models.Model], names: tuple[str, ...] = ()) -> list[Any]:
    fields = model._meta.concrete_fields  # noqa: SLF001
    return [it for it in fields if (it.name in names if names else not _is_counted(it))]


def _local_fields(model: type[models.Model]) -> list[Any]:
    """Return the columns that the table of a wing adds to that of the core."""
    return list(model._meta.local_concrete_fields)  # noqa: SLF001


def _is_counted(field: Any) -> bool:
    return isinstance(field, models.AutoField | models.BigAutoField)


def _values(prefix: str, row: models.Model, fields: list[Any]) -> dict[str, Any]:
    return {
        f"{prefix}_{field.name}": field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in fields
    }


def _insert(prefix: str, model: type[models.Model], fields: list[Any] | None = None) -> str:
    fields = _fields(model) if fields is None else fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(f"%({prefix}_{field.name})s" for field in fields)
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({values})'  # noqa: S608, SLF001


@functools.cache
def _statement() -> str:
    """Return what writes all of it; whatever a constraint refuses undoes the whole."""
    changed = ", ".join(
        f'"{field.column}" = %(probe_{field.name})s' for field in _fields(Probe, CHANGING)
    )
    return (
        f"WITH waits AS ({_insert('case', Case)}), "  # noqa: S608 - names of our own
        f"ruled AS ({_insert('ruling', Ruling, _local_fields(Ruling))}), "
        f'stored AS (UPDATE "{Probe._meta.db_table}" SET {changed} WHERE "id" = %(probe)s), '  # noqa: SLF001
        f'posted AS ({_insert("posting", Posting)} RETURNING "id") '
        f'INSERT INTO "{Entry._meta.db_table}" ("posting_id", "workspace", "kind", "owner", "points") '  # noqa: SLF001
        "SELECT posted.id, %(workspace)s, kind, owner, points FROM posted, unnest("
        "%(kinds)s::varchar[], %(owners)s::varchar[], %(points)s::bigint[]) AS it(kind, owner, points)"
    )
