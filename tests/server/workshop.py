"""A folder with a model of our own, and a short one for sockets."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import replace

from django.conf import settings

__all__ = ["GOOD", "model_folder"]

MODEL = """
import time, os
print("loaded")
def score(cases):
    found = []
    for case in cases:
        if isinstance(case, dict):
            p = min(1.0, max(0.0, case["age"] / 100))
        else:
            if "loud" in case: print("x" * 200_000)
            if "sleep" in case: time.sleep(60)
            if "die" in case: os._exit(3)
            if "raise" in case: raise RuntimeError("no\\nsuch   token")
            p = float("nan") if "nan" in case else 0.9 if "bad" in case else 0.1
        found.append(p if "rows" not in case else [1 - p, p])
    return found[:-1] if "few" in cases[0] else found
"""
GOOD = {
    "name": "mine",
    "adapter": "callable",
    "target": "judge_me:score",
    "classes": ["clean", "offensive"],
    "trial": "bad thing",
    "expected": "offensive",
}


@contextmanager
def model_folder(folder, monkeypatch):
    """Run the models of a folder meanwhile."""
    (folder / "judge_me.py").write_text(MODEL)
    monkeypatch.chdir(folder)
    with tempfile.TemporaryDirectory(prefix="ask") as sockets:
        options = replace(settings.ASKPOINT, sockets=sockets, model_networks=("127.0.0.1",))
        monkeypatch.setattr(settings, "ASKPOINT", options)
        yield
