"""Axes in each theme, thrown away after the test."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from askpoint.displays.theme import DARK, LIGHT, use_theme

mpl.use("agg")


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request):
    return request.param


@pytest.fixture
def ax(theme):
    """Axes of a new figure in the theme."""
    with use_theme(theme):
        yield Figure().subplots()
