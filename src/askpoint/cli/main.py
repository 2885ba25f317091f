"""The command ``askpoint``: its subcommands and how errors reach the terminal."""

from __future__ import annotations

import click

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="askpoint")
def main() -> None:
    """Which decisions may your model take alone, and what will that cost you?"""
