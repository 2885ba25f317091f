"""``askpoint simulate``: a simulated crowd plays the designs of Beat the Machine."""

from __future__ import annotations

from typing import Any

import click

from askpoint.arena.answers.answer import answer_simulation
from askpoint.arena.answers.contest import digit_contest, hate_contest
from askpoint.arena.answers.early_notice import answer_drift
from askpoint.arena.answers.seed import play_one
from askpoint.arena.answers.tag_crowd import answer_tags
from askpoint.arena.game.designs import DESIGNS
from askpoint.arena.reports.document import crowd_document
from askpoint.arena.reports.early_notice import drift_document, drift_object
from askpoint.arena.reports.json import crowd_object
from askpoint.arena.reports.ledger import ledger_text
from askpoint.arena.reports.tag_crowd import tag_document, tag_object
from askpoint.cli.report import check_files, print_report, report_options
from askpoint.records.artefacts import write_text
from askpoint.records.cases import digit_cases, hate_cases

__all__ = ["simulate_command"]


def _say(line: str) -> None:
    click.echo(line, err=True)


_ELSEWHERE = ("only_designs", "machine", "ledger", "jobs")


def _check_alone(options: dict[str, Any]) -> None:
    """Refuse what belongs to the play by designs, rather than leave it out in silence."""
    source_of = click.get_current_context().get_parameter_source
    mode = "--tags" if options["tags"] else "--drift"
    others = [*_ELSEWHERE, "rematch", *(["designs", "search_precision"] if options["tags"] else [])]
    if options["tags"] and options["drift"]:
        raise click.UsageError("--tags and --drift are two plays: give one of them")
    for name in others:
        if source_of(name) is not click.core.ParameterSource.DEFAULT:
            flag = name.replace("_", "-")
            raise click.UsageError(
                f"--{flag} belongs to the play by designs; leave it out with {mode}"
            )


def _numbers(text: str) -> tuple[int, ...]:
    designs = [str(number) for number in DESIGNS]
    parts = [part.strip() for part in text.split(",")]
    if not set(parts) <= set(designs):
        raise click.BadParameter(f"takes some of {','.join(designs)} with commas, got {text!r}")
    return tuple(int(part) for part in parts)


@click.command("simulate", context_settings={"show_default": True})
@click.option(
    "--data",
    type=click.Path(),
    metavar="DIR",
    help="Folder of HateXplain and ToxiGen; without it digits that scikit-learn ships.",
)
@click.option(
    "--designs",
    type=_numbers,
    default=",".join(map(str, DESIGNS)),
    metavar="NUMBERS",
    help="Designs to play, with commas.",
)
@click.option(
    "--seeds", type=click.IntRange(1), default=5, metavar="N", help="Play everything N times."
)
@click.option(
    "--cases",
    type=click.IntRange(20),
    default=500,
    metavar="N",
    help="Cases examined or submitted in each arm.",
)
@click.option(
    "--search-precision",
    type=float,
    metavar="SHARE",
    help="How often a search brings the sought class; else calibrated to the paper's rate.",
)
@click.option(
    "--only-designs",
    is_flag=True,
    help="Leave out the uneven variant, the learning curves and the rematch.",
)
@click.option(
    "--rematch/--no-rematch",
    default=True,
    help="Let the model learn from a campaign and play against it again.",
)
@click.option("--machine", is_flag=True, help="Let a machine play, too; it takes its time.")
@click.option(
    "--tags",
    is_flag=True,
    help="Play the tag challenge instead: people propose better labels than the model's.",
)
@click.option(
    "--drift",
    is_flag=True,
    help="Try the early notice instead: players are told of a new topic in the middle.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Seeds played at the same time.",
)
@report_options
@click.option(
    "--ledger",
    type=click.Path(),
    metavar="FILE",
    help="Write the ledger of the first seed's last design, a transaction in each line.",
)
def simulate_command(**options: Any) -> None:
    """Let a simulated crowd play Beat the Machine, design by design, beside examinations.

    It shows by which mechanism each design works. It is no evidence about people. With --tags it
    plays the tag challenge, with --drift it tries the early notice.
    """
    check_files(options, "ledger")
    data, extras = options["data"], not options["only_designs"]
    if options["tags"] or options["drift"]:
        _check_alone(options)
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
