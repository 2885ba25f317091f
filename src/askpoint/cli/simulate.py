"""``askpoint simulate``: a simulated crowd plays the five designs of Beat the Machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from askpoint.answers.simulation.answer import CrowdAnswer
from askpoint.answers.simulation.contest import Contest, contest_world, digit_contest, hate_contest
from askpoint.answers.simulation.seed import CrowdPlan, SeedResult, play_one, play_seed
from askpoint.cli.report import check_files, report_options, tell_report
from askpoint.errors import InputError
from askpoint.records.artefacts import write_text
from askpoint.reports.simulation.document import crowd_document
from askpoint.reports.simulation.json import crowd_object
from askpoint.reports.simulation.ledger import ledger_text
from askpoint.simulation.crowd import Habits
from askpoint.simulation.experiment import calibrate

__all__ = ["simulate_command"]

_CALIBRATION = 0  # the seed that no played seed shares: those start at 1


@click.command("simulate", context_settings={"show_default": True})
@click.option(
    "--data",
    type=click.Path(),
    metavar="DIR",
    help="Folder of HateXplain and ToxiGen; without it digits that scikit-learn ships.",
)
@click.option(
    "--designs", default="1,2,3,4,5", metavar="NUMBERS", help="Designs to play, with commas."
)
@click.option("--seeds", type=int, default=5, metavar="N", help="Play everything N times.")
@click.option(
    "--cases", type=int, default=500, metavar="N", help="Cases examined or submitted in each arm."
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
@click.option("--jobs", type=int, default=1, metavar="N", help="Seeds played at the same time.")
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
    plan = _plan(options)
    check_files(options, "ledger")
    click.echo("Training the model ...", err=True)
    contest = digit_contest() if options["data"] is None else hate_contest(options["data"])
    habits = _habits(contest, plan, options)
    answer = CrowdAnswer(
        contest,
        plan,
        habits,
        options["search_precision"] is None,
        tuple(_results(contest, plan, habits, options["seeds"], options["jobs"])),
    )
    if options["ledger"] is not None:
        played = play_one(contest, plan, habits, answer.results[0].seed)
        write_text(options["ledger"], ledger_text(played.arena))
        click.echo(f"ledger written to {options['ledger']}", err=True)
    document = crowd_document(answer)
    tell_report(document, lambda: crowd_object(answer), options)


def _plan(options: dict[str, Any]) -> CrowdPlan:
    try:
        designs = tuple(sorted({int(text) for text in options["designs"].split(",")}))
    except ValueError:
        designs = ()
    if not designs or not set(designs) <= {1, 2, 3, 4, 5}:
        raise InputError(
            f"--designs takes some of 1,2,3,4,5 with commas, got {options['designs']!r}"
        )
    for name, least in (("seeds", 1), ("cases", 20), ("jobs", 1)):
        if options[name] < least:
            raise InputError(f"--{name} must be at least {least}, got {options[name]}")
    extras = not options["only_designs"]
    return CrowdPlan(
        designs,
        options["cases"],
        extras=extras,
        rematch=extras and options["rematch"],
        machine=options["machine"],
    )


def _habits(contest: Contest, plan: CrowdPlan, options: dict[str, Any]) -> Habits:
    if options["search_precision"] is not None:
        return Habits(search_precision=options["search_precision"])
    layout, luck = np.random.Generator(np.random.PCG64(_CALIBRATION)).spawn(2)
    return calibrate(
        contest_world(contest, layout),
        Habits(),
        luck,
        n_seeds=min(6, options["seeds"]),
        n_cases=plan.n_cases,
        pay=plan.pay,
        progress=lambda line: click.echo(f"calibrating: {line}", err=True),
    )


def _results(
    contest: Contest, plan: CrowdPlan, habits: Habits, n_seeds: int, jobs: int
) -> Iterator[SeedResult]:
    from joblib import Parallel, delayed
    from rich.console import Console
    from rich.progress import Progress

    play = delayed(play_seed)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=n_seeds)
        tasks = (play(contest, plan, habits, seed + 1) for seed in range(n_seeds))
        for result in Parallel(n_jobs=jobs, return_as="generator")(tasks):
            progress.advance(task)
            yield result
