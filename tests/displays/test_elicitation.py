"""The picture of a belief shows its medians and bands."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.displays.elicitation import BeliefDisplay
from askpoint.elicitation.particles import Particles
from askpoint.errors import InputError


def history(k=3, n=4):
    rng = np.random.default_rng(0)
    return [
        (i, Particles(rng.normal(np.arange(k), 1 / i, (200, k)), np.full(200, 1 / 200)))
        for i in range(1, n + 1)
    ]


def test_lines_are_medians_beside_the_reference():
    beliefs = history()
    ax = BeliefDisplay(beliefs, ["a", "b", "c"], reference=1).plot().ax_
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    for name, i in (("a", 0), ("c", 2)):
        assert lines[f"a mistake on {name}"] == pytest.approx(
            [cloud.ratio(i, 1)[0] for _, cloud in beliefs]
        )
    assert not any("mistake on b" in name for name in lines)
    assert ax.get_legend() is None  # each name stands beside its line
    assert {text.get_text() for text in ax.texts} == set(lines)
    assert ax.get_yscale() == "log"
    assert len(ax.collections) == 2


def test_bands_hold_the_lines():
    beliefs = history()
    display = BeliefDisplay(beliefs, ["a", "b", "c"]).plot()
    for band, line in zip(display.ax_.collections, display.ax_.lines, strict=False):
        corners = band.get_paths()[0].vertices
        assert corners[:, 1].min() < min(line.get_ydata())
        assert corners[:, 1].max() > max(line.get_ydata())


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (([], ["a", "b"], 0), "nothing was answered yet"),
        ((history(), ["a", "b"], 0), "there are 3 weights, but 2 names"),
        ((history(), ["a", "b", "c"], 3), "weight 3 is the reference"),
    ],
)
def test_what_does_not_fit_is_refused(given, reason):
    with pytest.raises(InputError, match=reason):
        BeliefDisplay(*given)
