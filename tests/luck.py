"""What luck draws in a test is drawn from the test's name."""

from __future__ import annotations

import os
import random

import pytest


def repeat_luck(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `secrets` and `random.SystemRandom`, which draw by one function, draw the same for a name each time.

    A test that holds in 99 of 100 draws would fail each day among 10,000. ASKPOINT_LUCK draws all of it anew.
    """
    drawn = random.Random(f"{os.environ.get('ASKPOINT_LUCK', '')} {name}")
    monkeypatch.setattr(random, "_urandom", drawn.randbytes)
