"""Designs of Beat the Machine, played by a simulated crowd: what `askpoint simulate` does."""

from __future__ import annotations

from typing import Any

import click

from askpoint.arena.answers.answer import answer_simulation
from askpoint.arena.answers.cheats import answer_cheats
from askpoint.arena.answers.contest import digit_contest, hate_contest
from askpoint.arena.answers.early_notice import answer_drift
from askpoint.arena.answers.seed import play_one
from askpoint.arena.answers.tag_crowd import answer_tags
from askpoint.arena.reports.cheats import cheat_document, cheat_object
from askpoint.arena.reports.document import crowd_document
from askpoint.arena.reports.early_notice import drift_document, drift_object
from askpoint.arena.reports.json import crowd_object
from askpoint.arena.reports.ledger import ledger_text
from askpoint.arena.reports.tag_crowd import tag_document, tag_object
from askpoint.cli.report import check_files, print_report
from askpoint.records.artefacts import write_text
from askpoint.records.cases import digit_cases, hate_cases

__all__ = ["play_designs"]


def _say(line: str) -> None:
    click.echo(line, err=True)


_MODES = ("tags", "drift", "cheats")
_ELSEWHERE = ("only_designs", "machine", "ledger", "jobs")


def _check_alone(options: dict[str, Any]) -> None:
    """Refuse what belongs to the play by designs, rather than leave it out in silence."""
    source_of = click.get_current_context().get_parameter_source
    modes = [f"--{name}" for name in _MODES if options[name]]
    if len(modes) > 1:
        raise click.UsageError(
            f"{' and '.join(modes)} are {'two' if len(modes) == 2 else 'several'} plays: give one of them"
        )
    (mode,) = modes
    others = [
        *_ELSEWHERE,
        "rematch",
        *(["designs", "search_precision"] if mode != "--drift" else []),
    ]
    if mode == "--cheats":
        others += ["data", "cases", "seeds"]
    for name in others:
        if source_of(name) is not click.core.ParameterSource.DEFAULT:
            flag = name.replace("_", "-")
            raise click.UsageError(
                f"--{flag} belongs to the play by designs; leave it out with {mode}"
            )


def play_designs(options: dict[str, Any]) -> None:
    """Play the designs, the tag challenge or the early notice, and report what they showed."""
    check_files(options, "ledger")
    data, extras = options["data"], not options["only_designs"]
    if any(options[mode] for mode in _MODES):
        _check_alone(options)
    if options["cheats"]:
        cheats = answer_cheats(progress=_say)
        print_report(cheat_document(cheats), lambda: cheat_object(cheats), options)
        return
    contest = digit_contest(digit_cases()) if data is None else hate_contest(hate_cases(data))
    if options["tags"]:
        tags = answer_tags(contest, seeds=options["seeds"], items=options["cases"], progress=_say)
        print_report(tag_document(tags), lambda: tag_object(tags), options)
        return
    if options["drift"]:
        drift = answer_drift(
            contest,
            design=max(options["designs"]),
            seeds=options["seeds"],
            cases=options["cases"],
            search_precision=options["search_precision"],
            progress=_say,
        )
        print_report(drift_document(drift), lambda: drift_object(drift), options)
        return
    answer = answer_simulation(
        contest,
        designs=options["designs"],
        seeds=options["seeds"],
        cases=options["cases"],
        search_precision=options["search_precision"],
        extras=extras,
        rematch=extras and options["rematch"],
        machine=options["machine"],
        jobs=options["jobs"],
        progress=_say,
    )
    if options["ledger"] is not None:
        played = play_one(answer.contest, answer.plan, answer.habits, answer.results[0].seed)
        write_text(options["ledger"], ledger_text(played.arena))
        click.echo(f"ledger written to {options['ledger']}", err=True)
    print_report(crowd_document(answer), lambda: crowd_object(answer), options)
