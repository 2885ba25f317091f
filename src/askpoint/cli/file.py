"""``askpoint FILE``: read whatever file somebody has, say as what, and evaluate it."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.file_options import reading_options
from askpoint.cli.parameters import check_source

__all__ = ["file_command"]


@click.command(
    "file",
    context_settings={"ignore_unknown_options": True, "show_default": True},
    options_metavar="[OPTIONS of reading, and of value, judges or compare]",
)
@click.argument("files", nargs=-1, required=True, type=click.UNPROCESSED)
@reading_options
@click.option(
    "--against",
    metavar="FILE",
    help="Compare with FILE: the log of another model, or votes on another system. What has the same id is "
    "paired.",
)
@click.option("--why", is_flag=True, help="Show why each column was taken for what it is.")
def file_command(files: tuple[str, ...], **options: Any) -> int:
    """Read FILES, say as what, and evaluate them: predictions by value, votes by judges, approvals by approvals.

    All other options are those of `askpoint value`, `askpoint judges` or `askpoint compare`. `askpoint read
    FILES` says only what is in them. FILES may be the address of a database, with --query.
    """
    end = next(
        (i for i, text in enumerate(files) if text.startswith("-") and text != "-"), len(files)
    )
    for file in files[:end]:
        check_source(file)
    from askpoint.cli.file_evaluation import evaluate_files

    return evaluate_files(files[:end], list(files[end:]), options)
