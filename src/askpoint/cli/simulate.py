"""``askpoint simulate``: a simulated crowd plays the designs of Beat the Machine."""

from __future__ import annotations

from typing import Any

import click

from askpoint.answers.simulation.answer import answer_simulation
from askpoint.answers.simulation.contest import digit_contest, hate_contest
from askpoint.answers.simulation.seed import play_one
from askpoint.cli.report import check_files, report_options, tell_report
from askpoint.game.designs import DESIGNS
from askpoint.records.artefacts import write_text
from askpoint.records.cases import digit_cases, hate_cases
from askpoint.reports.simulation.document import crowd_document
from askpoint.reports.simulation.json import crowd_object
from askpoint.reports.simulation.ledger import ledger_text

__all__ = ["simulate_command"]


def _numbers(text: str) -> tuple[int, ...]:
    known = [str(number) for number in DESIGNS]
    parts = [part.strip() for part in text.split(",")]
    if not set(parts) <= set(known):
        raise click.BadParameter(f"takes some of {','.join(known)} with commas, got {text!r}")
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

    It shows by which mechanism each design works. It is no evidence about people.
    """
    check_files(options, "ledger")
    data, extras = options["data"], not options["only_designs"]
    answer = answer_simulation(
        digit_contest(digit_cases()) if data is None else hate_contest(hate_cases(data)),
        designs=options["designs"],
        seeds=options["seeds"],
        cases=options["cases"],
        search_precision=options["search_precision"],
        extras=extras,
        rematch=extras and options["rematch"],
        machine=options["machine"],
        jobs=options["jobs"],
        progress=lambda line: click.echo(line, err=True),
    )
    if options["ledger"] is not None:
        played = play_one(answer.contest, answer.plan, answer.habits, answer.results[0].seed)
        write_text(options["ledger"], ledger_text(played.arena))
        click.echo(f"ledger written to {options['ledger']}", err=True)
    tell_report(crowd_document(answer), lambda: crowd_object(answer), options)
