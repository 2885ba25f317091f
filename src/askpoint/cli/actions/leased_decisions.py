"""Deciding a batch under a lease, and handing in what was decided."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import polars as pl

from askpoint.cli.columns import probability_columns
from askpoint.cli.folders import open_deployment, stated_moment
from askpoint.errors import InputError
from askpoint.live.leases.lease import LeaseGrant
from askpoint.records.batches import read_batch
from askpoint.records.leased_decider import LeasedDecider
from askpoint.reports.words import count, plural

__all__ = ["decide_leased", "hand_in_receipts"]

_WRITERS: dict[str, Any] = {
    ".parquet": pl.DataFrame.write_parquet,
    ".csv": pl.DataFrame.write_csv,
    ".jsonl": pl.DataFrame.write_ndjson,
}


def decide_leased(lease: str, batch: Any, options: dict[str, Any]) -> None:
    """Decide the cases of a batch, and print or write what became of them."""
    out = None if options["out"] is None else Path(options["out"])
    if out is not None and out.suffix not in _WRITERS:
        raise InputError(f"--out must end in {', '.join(_WRITERS)}; got {out.name}")
    decider = _decider(lease, options["receipts"])
    model = decider.grant.model
    if model.get("ladder") is not None:
        raise InputError("a ladder's policy decides where it was deployed; it grants no leases")
    cases = read_batch(
        batch,
        model,
        key=options["key"],
        content=options["content"],
        version=options["model_version"],
        group=options["group"],
        proba=probability_columns(options["proba"]),
        prediction=options["prediction"],
        confidence=options["confidence"],
    )
    moment = stated_moment(options["at"])
    made = decider.decide_batch(cases, time.time_ns() // 1000 if moment is None else moment)
    frame = pl.DataFrame(
        [(case.key, case.prediction, case.action, case.audit) for case in made],
        schema={
            "key": pl.String,
            "prediction": pl.String,
            "action": pl.String,
            "audit": pl.Boolean,
        },
        orient="row",
    )
    if out is None:
        for row in frame.iter_rows(named=True):
            click.echo(json.dumps(row))
        return
    _WRITERS[out.suffix](frame, out)
    answered = frame.filter(action="answer")
    click.echo(
        f"{plural(len(frame), 'case', 'cases')}: {count(len(answered))} answered, {count(len(frame) - len(answered))} to "
        f"ask, {count(int(answered['audit'].sum()))} of the answers to audit; {count(decider.left)} answers are left"
    )


def hand_in_receipts(place: str, lease: str, receipts: str | None, at: int | None) -> None:
    """Hand in what was decided under a lease."""
    made = _decider(lease, receipts).receipts()
    with open_deployment(place) as deployment:
        found = deployment.hand_in(made, at)
    text = (
        f"Lease {found.lease}: {plural(found.decided, 'decision', 'decisions')} handed in, {count(found.answered)} of "
        "them answers"
    )
    if found.repeated:
        text += f"; {plural(found.repeated, 'case was', 'cases were')} decided before, or handed in before"
    if found.conflicts:
        text += f"; {plural(found.conflicts, 'key names', 'keys name')} another case here: see askpoint dead"
    if found.booked:
        text += f"; {plural(found.booked, 'answer stays', 'answers stay')} booked as a mistake"
    click.echo(f"{text}.")


def _decider(lease: str, receipts: str | None) -> LeasedDecider:
    path = Path(lease)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{lease} cannot be read: {why}") from None
    journal = path.with_suffix(".receipts") if receipts is None else Path(receipts)
    return LeasedDecider(LeaseGrant.from_json(text), journal)
