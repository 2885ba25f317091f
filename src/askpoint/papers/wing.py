"""What the papers add to askpoint."""

from __future__ import annotations

from askpoint.registry import Plugin

__all__ = ["WING"]

WING = Plugin(name="papers", commands={"papers": "askpoint.papers.cli:papers_command"})
"""The replays of the five documents."""
