"""``askpoint demo``: one story on real data, in a minute, without a file of one's own."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["demo_command"]


@click.command("demo")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("askpoint-demo"),
    show_default=True,
    help="Where the log, all that is made of it, and the page are written.",
)
def demo_command(folder: Path) -> None:
    """Show what askpoint does, on data that scikit-learn ships."""
    from askpoint.cli.actions.demo_story import tell_story

    tell_story(folder)
