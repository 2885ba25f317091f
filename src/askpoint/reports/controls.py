"""Texts from a log must not steer the terminal that shows them."""

from __future__ import annotations

__all__ = ["without_controls"]


def without_controls(text: str) -> str:
    r"""Return a text that cannot steer a terminal, whatever a log's names hold."""
    return text.translate(_CONTROLS)


_CONTROLS = {
    code: "\N{REPLACEMENT CHARACTER}"
    for code in (*range(32), *range(127, 160))
    if code != ord("\n")
}
