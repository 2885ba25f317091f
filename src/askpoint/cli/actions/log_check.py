"""A deployment computed again, or the proof of one decision checked: what `askpoint verify` does."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from askpoint.cli.folders import open_deployment, place_of
from askpoint.errors import AskpointError, InputError, NoDeploymentError, StoreError
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.heads import Head, read_root
from askpoint.live.verification import Verified
from askpoint.records.artefacts import read_text
from askpoint.records.signatures import can_check, is_signed
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.words import plural

__all__ = ["check_log"]

_NO_DRAWS = "draws as recorded (there is no secret),"


def check_log(path: str, options: dict[str, Any]) -> int:
    """Find the first difference, and return the exit code."""
    if (options["old"] is None) != (options["new"] is None):
        raise InputError("--from and --to are two heads: give both")
    record = _record_in(Path(path))
    if record is not None:
        return _check_record(record, options)
    place = place_of(path)
    secret = _secret(options["secret"])
    heads = {name: _head(options[name]) for name in ("head", "old", "new")}
    for head in heads.values():
        _check_signer(head, options["signer"])
    try:
        with open_deployment(place) as deployment:
            if heads["old"] is not None and heads["new"] is not None:
                return _check_growth(deployment, heads["old"], heads["new"])
            found = deployment.verify(secret, head=heads["head"])
            signed = deployment.heads()
            has_secret = secret is not None or deployment.has_secret
    except (StoreError, NoDeploymentError):
        raise
    except AskpointError as error:  # a file that cannot be read is a difference, too
        click.echo(f"Not as it was made: {error}.")
        return 1
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        click.echo(f"Not as it was made: a file is broken ({error!r}).")
        return 1
    if found.difference is not None:
        click.echo(f"Not as it was made: {found.difference}.")
        return 1
    wanted = options["signer"]
    if wanted is not None and any(head.signer != wanted for head in signed):
        click.echo(
            f"Not as it was made: its heads are signed by {signed[0].signer}, not by {wanted}."
        )
        return 1
    _tell(found, signed, options, has_secret=has_secret)
    return 0


def _tell(
    found: Verified, signed: list[Head], options: dict[str, Any], *, has_secret: bool
) -> None:
    draws = "every draw," if has_secret else _NO_DRAWS
    click.echo(
        f"{plural(found.decisions, 'decision', 'decisions')} computed again, {draws} action, hash "
        "and event: no difference."
    )
    if options["head"] is not None:
        click.echo("The log begins with the rows of which the given head was made.")
    if signed and not can_check():
        click.echo(
            f"The signatures of {plural(len(signed), 'head', 'heads')} were not checked: pip install "
            '"askpoint[receipts]".'
        )
    click.echo(
        f"Its head is {found.replay.head}: give it to someone outside your team each day, or let "
        "askpoint watch --publish do it. Changes made before a head has left cannot be found."
    )


def _check_growth(deployment: Deployment, old: Head | str, new: Head | str) -> int:
    if not deployment.growth(old, new):
        click.echo("Not as it was made: the later head did not grow from the earlier one.")
        return 1
    click.echo("The later head grew from the earlier one: nothing before it was changed.")
    return 0


def _record_in(path: Path) -> DecisionRecord | None:
    """Return the decision record in a file; None if it is a deployment's folder or a file in it."""
    if not path.is_file() or path.name == "policy.json" or path.suffix not in {".json", ""}:
        return None
    text = read_text(path)
    try:
        plain = json.loads(text)
    except ValueError:
        raise InputError(
            f"{path} is not the folder of a deployment and not a file that askpoint prove wrote"
        ) from None
    if isinstance(plain, dict) and plain.get("kind") == "askpoint decision record":
        return DecisionRecord.from_json(text)
    return None


def _check_record(record: DecisionRecord, options: dict[str, Any]) -> int:
    """Say what a decision record shows, and what it does not."""
    if options["secret"] is not None or options["old"] is not None:
        raise InputError(
            "a decision record is checked alone: --secret and --from belong to a folder"
        )
    head, wanted = record.head, _head(options["head"])
    difference = record.find_difference()
    if not difference and not is_signed(head):
        difference = "the signature is not that of the key in the head"
    if not difference and options["signer"] not in {None, head.signer}:
        difference = f"the head is signed by {head.signer}, not by {options['signer']}"
    if not difference and wanted is not None:
        root = str(wanted.log_root) if isinstance(wanted, Head) else wanted
        if str(head.log_root) != root:
            difference = f"it leads to the head {head.log_root}, not to {root}"
    if difference:
        click.echo(f"Not as it was made: {difference}.")
        return 1
    row = record.decision
    when, until = (_moment_words(at) for at in (row["at"], head.at))
    click.echo(
        f"Case {row['key']!r} was decided on {when} by the policy {row['policy']!r}, version "
        f"{row['version']}: {_ACTIONS[row['action']]}."
    )
    version = f" (version {row['model_version']!r} of the model)" if row["model_version"] else ""
    click.echo(
        f"The model said {row['prediction']!r} with confidence {row['confidence']:g}{version}."
    )
    if record.content is not None:
        click.echo("The content in this file is the one that was decided about.")
    elif row["digest"] is not None:
        click.echo(
            "The content is not in this file."
            if record.salt
            else "The content was deleted on request; nothing shows what it was."
        )
    click.echo(
        f"The row is number {record.leaf} of a log of {head.size}, which was signed on {until} by the key "
        f"{head.signer}. Compare this key, and the head {head.log_root}, with what the owner of "
        "the deployment publishes: the signature shows nothing else."
    )
    return 0


_ACTIONS = {
    "answer": "the model decided alone",
    "ask": "the case went to review",
    "hold": "held, nobody acted on it",
}


def _moment_words(at: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _head(stated: str | None) -> Head | str | None:
    """Return a head from its file, or as it was stated."""
    if stated is None:
        return None
    path = Path(stated)
    if not path.is_file():
        return str(read_root(stated))
    lines = read_text(path).strip().splitlines()
    return Head.from_json(lines[-1] if lines else "")  # of a file of heads, the newest


def _check_signer(head: Head | str | None, signer: str | None) -> None:
    if isinstance(head, Head) and signer not in {None, head.signer}:
        raise InputError(f"this head is signed by {head.signer}, not by {signer}")


def _secret(named: str | None) -> bytes | None:
    try:
        return None if named is None else Path(named).read_bytes()
    except OSError as error:
        raise InputError(f"{named} cannot be read: {error.strerror}") from None
