"""A ladder of models and people from one log: what `askpoint value --rung` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from askpoint.answers.value.ladder import LadderAnswer, LadderQuestion, answer_ladder
from askpoint.answers.value.ladder_plan import draw_plan
from askpoint.cli.actions.prices import stated_checks
from askpoint.cli.columns import names_of
from askpoint.cli.reading_context import current_source
from askpoint.cli.report import check_files, print_report, say, shown_name
from askpoint.errors import InputError
from askpoint.records.artefacts import write_text
from askpoint.records.ladder_rungs import RungRequest, read_ladder
from askpoint.records.tables import open_table
from askpoint.reports.value.ladder import ladder_document, ladder_object

__all__ = ["choose_rungs"]

_TAKEN = {
    *(
        "label",
        "classes",
        "rho",
        "mistake",
        "check",
        "currency",
        "people_right",
        "labels_are_random",
        "rung",
    ),
    *("policy", "propose", "to", "html", "as_json"),
}
_DEFAULTS = {"measure": "max_probability", "kept": 0.95}


def choose_rungs(log: str, options: dict[str, Any]) -> None:
    """Read a log of several rungs, choose when each is called, and report what it costs."""
    _refuse_others(options)
    check_files(options, *(("to",) if options["propose"] is not None else ()))
    question = _question(options)
    per_check = question.money_per_check or 1.0
    requests = [RungRequest(*rung) for rung in options["rung"]]
    records = read_ladder(
        current_source(log),
        [rung._replace(price=rung.price / per_check) for rung in requests],
        label=options["label"],
        classes=names_of(options["classes"]),
    )
    answer = answer_ladder(records, question)
    for note in records.notes:
        say(note, err=options["as_json"])
    if options["policy"] is not None:
        from askpoint.cli.actions.rule_policy import write_policy

        write_policy(answer, options["policy"])
    if options["propose"] is not None:
        _propose(log, answer, options)
    document = ladder_document(answer, shown_name(log))
    print_report(document, lambda: ladder_object(answer), options, answer)


def _propose(log: str, answer: LadderAnswer, options: dict[str, Any]) -> None:
    """Write down cases to run every rung on, and to label: their rows of the log, with what each still lacks."""
    path = Path(options["to"])
    if path.exists():
        raise InputError(
            f"{path} exists already and may hold people's labels: name another file with --to"
        )
    rows = draw_plan(answer, options["propose"])
    table = open_table(current_source(log))
    frame = table.read(list(table.columns))[rows.tolist()]
    lacking = [
        ", ".join(
            line.name
            for line, seen in zip(answer.rungs, answer.log.outputs.seen, strict=True)
            if not seen[row]
        )
        for row in rows.tolist()
    ]
    write_text(path, frame.with_columns(pl.Series("to_run", lacking)).write_csv())
    say(
        f"{len(rows)} cases drawn at random written to {path}: run the rungs named in the column to_run, let people fill in "
        f"{options['label']!r} without seeing the rungs' outputs, and put both into the log",
        err=True,
    )


def _refuse_others(options: dict[str, Any]) -> None:
    """Refuse options that say nothing of a ladder."""
    for name, value in options.items():
        if name in _TAKEN or value in (None, False, (), _DEFAULTS.get(name)):
            continue
        flag = {"group": "by", "default_class": "default"}.get(name, name).replace("_", "-")
        raise InputError(
            f"--{flag} does not go with --rung: a ladder takes --label, --classes, a price (--rho, or --mistake, "
            "--check and --currency), --people-right, --propose and --policy. Leave it out."
        )


def _question(options: dict[str, Any]) -> LadderQuestion:
    checks, money = stated_checks(options)
    return LadderQuestion(
        checks=20.0 if checks is None else checks,
        money_per_check=money,
        currency=options["currency"],
        people_right=options["people_right"],
        assumed=checks is None,
        labels_are_random=options["labels_are_random"],
    )
