"""``askpoint simulate``: a simulated crowd plays the designs of Beat the Machine."""

from __future__ import annotations

from typing import Any

import click

from askpoint.arena.game.designs import DESIGNS
from askpoint.cli.report import report_options

__all__ = ["simulate_command"]


def _numbers(text: str) -> tuple[int, ...]:
    designs = [str(number) for number in DESIGNS]
    parts = [part.strip() for part in text.split(",")]
    if not set(parts) <= set(designs):
        raise click.BadParameter(f"takes some of {','.join(designs)} with commas; got {text!r}")
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
    "--cheats",
    is_flag=True,
    help="Show instead what cheats earn an hour, compared with honest people.",
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
    """Let a simulated crowd play Beat the Machine.

    It shows by which mechanism each design works. It is not evidence about people. With --tags it
    plays the tag challenge, with --drift it tries the early notice, with --cheats
    it shows what cheats earn for certain.
    """
    from askpoint.arena.cli.simulated_play import play_designs

    play_designs(options)
