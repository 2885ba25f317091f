"""The cases of a batch, decided by a policy: what `askpoint decide` does."""

from __future__ import annotations

import json
import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import polars as pl

from askpoint.cli.columns import probability_columns
from askpoint.cli.folders import clock_text, open_deployment, stated_moment
from askpoint.cli.messages import say, say_event, set_up_logs
from askpoint.errors import InputError, LogError
from askpoint.live.batches import DecisionBatch
from askpoint.records.artefacts import check_writable
from askpoint.records.batches import json_lines, read_batch
from askpoint.records.deployments.suspicions import read_suspicions
from askpoint.records.lines import line_groups
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.tables import DecisionRow, decision_frame
from askpoint.reports.words import count, plural

if TYPE_CHECKING:
    from askpoint.records.ladder_rule import Call

__all__ = ["answer_lines", "decide_cases"]

_PAUSE = 0.2  # seconds between two looks at a file that grows
_TOLD = ("key", "prediction", "action", "audit")
_MORE = 4  # times the usual audits in a region under suspicion


def decide_cases(place: str, batch: str, options: dict[str, Any]) -> None:
    """Decide the cases of a batch, at once or as they come."""
    set_up_logs()
    if not 0 < options["rollout"] <= 1:
        raise InputError(f"--rollout must be above 0 and at most 1; got {options['rollout']:g}")
    if options["group"] is not None and options["suspicions"] is not None:
        raise InputError("regions come from --group or from --suspicions: add one of them")
    file = options["suspicions"]
    options["suspicions"] = () if file is None else read_suspicions(file)
    options["raised"] = _rates(options["raised"])
    if batch == "-" or options["follow"]:
        if options["out"] is not None:
            raise InputError("lines are answered by lines on standard output; leave out --out")
        _stream(place, batch, options)
        return
    out = _out(place, options["out"])
    decisions, shown, of_documents = _decide(place, batch, options)
    if out is not None:
        _write(decisions, out)
    told = _summary(decisions, shadow=options["shadow"], of_documents=of_documents)
    click.echo(f"{told}; in {out or shown}")


def _rates(stated: tuple[str, ...]) -> dict[str, float]:
    rates = {}
    for text in stated:
        region, _, rate = text.rpartition("=")
        try:
            rates[region] = float(rate)
        except ValueError:
            region = ""
        if not region:
            raise InputError(f"--raise takes REGION=RATE, such as slang=0.3; got {text!r}")
    return rates


def _summary(decisions: pl.DataFrame, *, shadow: bool, of_documents: bool) -> str:
    n = Counter(decisions["would" if shadow else "action"].drop_nulls())
    held = decisions.filter(action="hold").height
    waiting = decisions.filter(action="call").height
    audits = count(int(decisions["audit"].sum()))
    text = (
        f"{plural(len(decisions), 'case', 'cases')}: {count(n['answer'])} answered, "
        f"{count(n['ask'])} to ask, {audits} of the answers to audit"
    )
    if of_documents:
        text = (
            f"{plural(len(decisions), 'document', 'documents')}: {count(n['answer'])} released, "
            f"{count(n['ask'])} to review, {audits} of those released to audit"
        )
    if waiting:
        calls = Counter(decisions["call"].drop_nulls())
        text += "; to call " + ", ".join(f"{name} on {count(m)}" for name, m in calls.items())
    if shadow:
        return f"In shadow, {count(held)} held; it would be {text}"
    return f"{text}, {count(held)} held" if held else text


def _out(place: str, named: str | None) -> Path | None:
    """Where a copy of the decisions goes; the deployment's own file is written anyway."""
    if named is None or Path(named).resolve() == (Path(place) / "decisions.parquet").resolve():
        return None
    path = Path(named)
    if path.suffix not in _WRITERS:
        raise InputError(f"--out must end in {', '.join(_WRITERS)}; got {path.name}")
    check_writable(path)
    return path


_WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    ".parquet": pl.DataFrame.write_parquet,
    ".csv": pl.DataFrame.write_csv,
    ".jsonl": pl.DataFrame.write_ndjson,
}


def _write(decisions: pl.DataFrame, out: Path) -> None:
    _WRITERS[out.suffix](decisions.drop("chain"), out)


def _decide(place: str, batch: str, options: dict[str, Any]) -> tuple[pl.DataFrame, str, bool]:
    """Return what was decided, where, and whether of whole documents."""
    with open_deployment(place) as deployment:
        deployment.check_secret()
        cases, calls = _cases(deployment, batch, options)
        _check_length(deployment, len(cases.key))
        made = pl.concat(_decide_parts(deployment, cases, options))
        of_documents = deployment.document.model.get("documents") is not None
        return _with_calls(deployment, made, calls), deployment.name, of_documents


def _cases(
    deployment: Deployment, source: Any, options: dict[str, Any]
) -> tuple[DecisionBatch, list[Call] | None]:
    """Read cases to decide, and those that wait for a rung; None where the policy is not of a ladder."""
    if deployment.document.model.get("ladder") is not None:
        from askpoint.records.ladder_rule import read_ladder_batch

        named = ("proba", "prediction", "confidence", "group", "suspicions")
        return read_ladder_batch(
            source,
            deployment.document.model,
            key=options["key"],
            content=options["content"],
            version=options["model_version"],
            **{name: options[name] for name in named},
        )
    if deployment.document.model.get("documents") is not None:
        return _documents(deployment, source, options), None
    return _batch(deployment, source, options), None


def _documents(deployment: Deployment, source: Any, options: dict[str, Any]) -> DecisionBatch:
    from askpoint.records.document_rule import read_document_batch

    _refuse_regions(options)
    model = deployment.document.model
    return read_document_batch(
        source,
        model,
        content=options["content"],
        version=options["model_version"],
        measure=model["measure"],
        proba=probability_columns(options["proba"]),
        prediction=options["prediction"],
        confidence=options["confidence"],
    )


def _refuse_regions(options: dict[str, Any]) -> None:
    if options["group"] or options["suspicions"]:
        raise InputError(
            "the policy decides whole documents, and notes their number of fields as the group: leave out --group and "
            "--suspicions"
        )


def _with_calls(
    deployment: Deployment, decisions: pl.DataFrame, calls: list[Call] | None
) -> pl.DataFrame:
    """Add the cases that wait for a rung: nothing is decided of them, unless they came with more before."""
    if calls is None:
        return decisions
    earlier = deployment.decided_rows([call.key for call in calls])
    calls = [call for call in calls if call.key not in earlier]
    waiting = pl.DataFrame(
        {"key": [call.key for call in calls], "call": [call.rung for call in calls]},
        schema={"key": pl.String, "call": pl.String},
    ).with_columns(action=pl.lit("call"), audit=pl.lit(value=False))
    known = decision_frame(earlier.values(), deployment.document.id)
    return pl.concat([decisions, known, waiting], how="diagonal_relaxed")


def _batch(deployment: Deployment, source: Any, options: dict[str, Any]) -> DecisionBatch:
    return read_batch(
        source,
        deployment.document.model,
        key=options["key"],
        content=options["content"],
        version=options["model_version"],
        group=_group_column(deployment.document.model, options),
        suspicions=options["suspicions"],
        proba=probability_columns(options["proba"]),
        prediction=options["prediction"],
        confidence=options["confidence"],
    )


def _group_column(model: Mapping[str, Any], options: dict[str, Any]) -> str | None:
    """Return where each case's group stands: a policy with groups looks for them where its log had them."""
    if model.get("groups") is None:
        named: str | None = options["group"]
        return named
    if options["suspicions"]:
        raise InputError(
            "the policy decides by groups, and a group is not a region: raise its audits with --raise "
            "GROUP=RATE"
        )
    column: str = options["group"] or model["groups"]["column"]
    return column


def _check_length(deployment: Deployment, n: int) -> None:
    """Refuse a batch whose end would be asked about because its beginning has no labels."""
    longest = deployment.document.terms.max_label_delay
    if n > longest and deployment.policy.state.threshold is not None:
        raise InputError(
            f"a batch of {n:,} cases is longer than the policy's longest label delay of {longest:,} "
            "decisions: the rest would all go to review, because the audits of its first cases cannot "
            "have labels yet. Decide fewer at once with labels in between, or deploy with --max-label-delay of your largest batch"
        )


def _check_raised(model: Mapping[str, Any], options: dict[str, Any]) -> None:
    named = options["group"] or options["suspicions"] or model.get("groups")
    if options["raised"] and not named:
        raise InputError("--raise needs regions: name their column with --group COLUMN")


def _decide_parts(
    deployment: Deployment, cases: DecisionBatch, options: dict[str, Any]
) -> Iterator[pl.DataFrame]:
    """Decide a batch, and yield what was decided part by part."""
    _check_raised(deployment.document.model, options)
    usual = deployment.document.terms.rate
    more = {one.region: min(1.0, _MORE * usual) for one in options["suspicions"]}
    parts = deployment.decide_parts(
        cases,
        stated_moment(options["at"]),
        rollout=options["rollout"],
        audit_rates=more | options["raised"],
        shadow=options["shadow"],
    )
    for part, made in parts:
        for event in made.events:
            say_event(event)
        if made.clock_back:
            say(
                clock_text(made.clock_back),
                "clock_back",
                level=logging.WARNING,
                microseconds=made.clock_back,
            )
        yield _frame(deployment, part, made.rows)


def _frame(
    deployment: Deployment, cases: DecisionBatch, rows: list[DecisionRow | None]
) -> pl.DataFrame:
    """Return what was decided as a table; cases outside of the rollout are held."""
    known = {row.key: row for row in rows if row is not None}
    made = decision_frame(known.values(), deployment.document.id)
    every = pl.DataFrame(
        {"key": cases.key, "said": cases.prediction},
        schema={"key": pl.String, "said": pl.String},
    )
    return (
        every.join(made, on="key", how="left", maintain_order="left")
        .with_columns(
            prediction=pl.coalesce("prediction", "said"),
            action=pl.col("action").fill_null("hold"),
        )
        .select(made.columns)
    )


def _stream(place: str, batch: str, options: dict[str, Any]) -> None:
    """Answer JSON lines by JSON lines, as they come: each by one, whatever stands in it."""
    with open_deployment(place) as deployment:
        deployment.check_secret()
        for lines in _groups(batch, follow=options["follow"]):
            try:
                told = answer_lines(deployment, lines, options)
            except (
                InputError,
                UnicodeDecodeError,
            ):  # something is wrong with one of them: then each by itself
                told = [_answer_line(deployment, line, options) for line in lines]
            sys.stdout.write("".join(f"{json.dumps(row)}\n" for row in told))
            sys.stdout.flush()


def answer_lines(
    deployment: Deployment, lines: list[bytes], options: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the answers to JSON lines; none is decided if something is wrong with one of them."""
    texts = [line.decode().strip() for line in lines]
    cases, calls = _cases_of_lines(deployment, texts, options)
    made = pl.concat(_decide_parts(deployment, cases, options))
    frame = _with_calls(deployment, made, calls)
    more = ["would"] * options["shadow"] + ["call"] * (calls is not None)
    told = list(frame.select(*_TOLD, *more).iter_rows(named=True))
    if calls:  # answers come in the order of the lines
        place = {json.loads(text)[options["key"]]: i for i, text in enumerate(texts)}
        told.sort(key=lambda row: place[row["key"]])
    return told


def _cases_of_lines(
    deployment: Deployment, texts: list[str], options: dict[str, Any]
) -> tuple[DecisionBatch, list[Call] | None]:
    """Read a case of each line; of a policy of documents a line is a document with all its fields."""
    model = deployment.document.model
    if model.get("documents") is not None:
        from askpoint.records.document_rule import read_document_lines

        _refuse_regions(options)
        version = options["model_version"]
        return read_document_lines(texts, model, content=options["content"], version=version), None
    for text in texts:
        _check_object(text)
    cases, calls = _cases(deployment, json_lines("\n".join(texts)), options)
    if len(cases.key) + len(calls or ()) != len(texts):
        raise LogError("a line holds one JSON object")
    return cases, calls


def _check_object(text: str) -> None:
    """Refuse what is no flat JSON object: among others, a column of both would take it as text."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LogError(f"a line holds one JSON object: {' '.join(str(error).split())}") from None
    if not isinstance(plain, dict) or "\r" in text:
        raise LogError("a line holds one JSON object")
    nested = [name for name, value in plain.items() if isinstance(value, dict | list)]
    if nested:
        raise LogError(
            f"the column {nested[0]!r} must hold texts or numbers, not a list or an object"
        )


def _answer_line(deployment: Deployment, line: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a line; one that cannot be decided is kept apart, and says why."""
    try:
        (told,) = answer_lines(deployment, [line], options)
    except (InputError, UnicodeDecodeError) as error:
        why = f"this line is not UTF-8: {error}" if isinstance(error, UnicodeError) else str(error)
        text = line.decode(errors="backslashreplace").replace("\0", "\\0")
        deployment.bury(text, why, stated_moment(options["at"]))
        return {"key": None, "error": why}
    return told


def _groups(batch: str, *, follow: bool) -> Iterator[list[bytes]]:
    if batch == "-":
        yield from line_groups(sys.stdin.buffer, more=None)
        return
    try:
        with Path(batch).open("rb") as file:
            yield from line_groups(file, more=_PAUSE if follow else None)
    except OSError as error:
        raise InputError(f"{batch} cannot be read: {error.strerror}") from None
