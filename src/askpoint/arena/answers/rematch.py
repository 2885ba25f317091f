"""What becomes of a model that learns from a campaign, over all seeds."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.simulation.experiment import SeedFigure, mean_figure

__all__ = ["RematchLine", "rematch_lines"]


@dataclass(frozen=True)
class RematchLine:
    """A number before and after.

    Parameters
    ----------
    name : str
        What it is.
    before, after, change : Figure
        Over seeds; the change is after less before, seed by seed.
    """

    name: str
    before: SeedFigure
    after: SeedFigure
    change: SeedFigure


def rematch_lines(answer: CrowdAnswer) -> tuple[RematchLine, ...]:
    """Compare the model before and after it learned."""
    matches = [result.rematch for result in answer.results if result.rematch is not None]
    if not matches:
        return ()
    lines = [
        _line(
            "sought errors per 100",
            [100 * match.before.n_errors / match.before.n_cases for match in matches],
            [100 * match.after.n_errors / match.after.n_cases for match in matches],
        ),
        _line(
            "unknown unknowns per 100",
            [100 * match.before.n_unknown / match.before.n_cases for match in matches],
            [100 * match.after.n_unknown / match.after.n_cases for match in matches],
        ),
    ]
    for i, effect in enumerate(matches[0].effects):
        lines.append(
            _line(
                f"wrong of 100 on {effect.name}",
                [100 * match.effects[i].mistakes_before for match in matches],
                [100 * match.effects[i].mistakes_after for match in matches],
            )
        )
    return tuple(lines)


def _line(name: str, before: list[float], after: list[float]) -> RematchLine:
    change = [b - a for a, b in zip(before, after, strict=True)]
    return RematchLine(name, mean_figure(before), mean_figure(after), mean_figure(change))
