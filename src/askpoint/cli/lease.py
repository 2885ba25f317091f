"""``askpoint lease``: let a decider elsewhere decide alone for a while, and take in what it decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from askpoint.cli.batch_options import batch_column_options
from askpoint.cli.folders import at_option, open_deployment, place_of, stated_moment
from askpoint.cli.parameters import SOURCE
from askpoint.errors import InputError

__all__ = ["lease_command"]


@click.group("lease")
def lease_command() -> None:
    """Grant, use and hand in leases: decisions made elsewhere.

    A lease lets a decider without a connection to the deployment decide a number of cases alone. Until it hands in what
    it decided, each of these answers counts as a mistake, so that the mistake budget holds whatever becomes of it.
    """


@lease_command.command("grant", context_settings={"show_default": True})
@click.argument("path", metavar="WHERE", type=click.Path())
@click.option("--decider", required=True, metavar="NAME", help="Who decides elsewhere.")
@click.option(
    "--answers", type=int, metavar="N",
    help="Cases that it may answer alone, at most.  [default: an eighth of what the mistake budget holds]",
)  # fmt: skip
@click.option("--seconds", type=float, default=600.0, help="For how long it may decide.")
@click.option("--deciders", type=int, default=1, metavar="N", help="How many share the policy.")
@click.option("--out", type=click.Path(), required=True, metavar="FILE", help="The lease (.json).")
@at_option
def _grant(path: str, out: str, at: str | None, **options: Any) -> None:
    """Grant a lease of the deployment WHERE, and write it to FILE: keep that as secret as a password."""
    if not out.endswith(".json"):
        raise InputError(f"--out must end in .json; got {Path(out).name}")
    from askpoint.records.stores.archive import durable_bytes
    from askpoint.reports.words import count, plural

    decider = options.pop("decider")
    with open_deployment(place_of(path)) as deployment:
        grant = deployment.lease(decider, at=stated_moment(at), **options)
    durable_bytes(Path(out), grant.to_json().encode(), mode=0o600)
    lease = grant.lease
    if not lease.answers:
        click.echo(
            f"Lease {lease.number} is in {out}. Every case of it goes to review: the policy answers nothing now, or "
            "its mistake budget holds no more leases."
        )
        return
    click.echo(
        f"Lease {lease.number} is in {out}. {decider} may answer {plural(lease.answers, 'case', 'cases')} alone within "
        f"{count(round(options['seconds']))} seconds. They count as mistakes until askpoint lease hand-in has their "
        "receipts."
    )


@lease_command.command("decide", context_settings={"show_default": True})
@click.argument("lease", type=click.Path())
@click.argument("batch", type=SOURCE)
@batch_column_options
@click.option(
    "--receipts", type=click.Path(), metavar="FILE",
    help="Where the receipts are kept.  [default: LEASE with the ending .receipts]",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(), metavar="FILE",
    help="Write the decisions here (.csv, .parquet, .jsonl).  [default: standard output, as JSON lines]",
)  # fmt: skip
@at_option
def _decide(lease: str, batch: Any, **options: Any) -> None:
    """Decide the cases of a BATCH under a LEASE, without the deployment.

    BATCH is as for `askpoint decide`. What is decided is on the disk before you see it; the same key gives the same
    decision again.
    """
    from askpoint.cli.actions.leased_decisions import decide_leased

    decide_leased(lease, batch, options)


@lease_command.command("hand-in")
@click.argument("path", metavar="WHERE", type=click.Path())
@click.argument("lease", type=click.Path())
@click.option(
    "--receipts", type=click.Path(), metavar="FILE",
    help="Where the receipts are.  [default: LEASE with the ending .receipts]",
)  # fmt: skip
@at_option
def _hand_in(path: str, lease: str, receipts: str | None, at: str | None) -> None:
    """Hand the receipts of a LEASE in to the deployment WHERE; the same ones change nothing the second time."""
    from askpoint.cli.actions.leased_decisions import hand_in_receipts

    hand_in_receipts(place_of(path), lease, receipts, stated_moment(at))


@lease_command.command("show")
@click.argument("path", metavar="WHERE", type=click.Path())
def _show(path: str) -> None:
    """List the leases of the deployment WHERE that are out."""
    from datetime import UTC, datetime

    from askpoint.reports.words import count, plural

    with open_deployment(place_of(path)) as deployment:
        leases, booked = deployment.open_leases(), deployment.policy.state.booked
    for lease in leases:
        until = datetime.fromtimestamp(lease.expires / 1e6, UTC)
        click.echo(
            f"Lease {lease.number} of {lease.decider}: {plural(lease.answers, 'answer', 'answers')}, until "
            f"{until:%-d %B %Y, %H:%M} UTC"
        )
    click.echo(
        f"{plural(len(leases), 'lease is', 'leases are')} out; {count(booked)} answers count as mistakes until their "
        "receipts come."
    )
