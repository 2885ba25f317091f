"""Weka itself, in Java: what our stand-ins must equal, and Java's absence."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.papers.data_files import Data
from askpoint.papers.interactive import weka
from askpoint.papers.interactive.nominal_sets import folds, nominal_set
from askpoint.papers.interactive.stand_ins import stand_in_posteriors
from askpoint.papers.interactive.weka import WEKA, weka_posteriors
from cast import require


@pytest.fixture
def java():
    require("weka")
    weka._java.cache_clear()


@pytest.mark.parametrize("classifier", ["NB", "IBk"])
@pytest.mark.parametrize("name", ["glass", "lymphography"])
def test_two_stand_ins_are_weka_to_the_last_digits(classifier, name, java, data):
    prepared = nominal_set(Data(str(data)), name)
    fold = folds(prepared.y, name, 0)
    rows = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    mine = stand_in_posteriors(classifier, prepared, *rows, np.random.default_rng(0))
    for p, q in zip(mine, weka_posteriors(classifier, prepared, *rows), strict=True):
        assert p == pytest.approx(q, abs=1e-9)


@pytest.mark.parametrize(("name", "is_finite"), [("heart", True), ("hepatitis", False)])
def test_logistic_regression_stops_where_wekas_does(name, is_finite, java, data):
    """Where weights diverge, rows that no training row is like hang on how far each went."""
    prepared = nominal_set(Data(str(data)), name)
    fold = folds(prepared.y, name, 0)
    rows = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    mine = stand_in_posteriors("LOG", prepared, *rows, np.random.default_rng(0))
    theirs = weka_posteriors("LOG", prepared, *rows)
    for p, q in zip(mine[: 1 + is_finite], theirs, strict=False):
        assert p == pytest.approx(q, abs=1e-4)


def test_all_six_give_probabilities_for_training_and_test_rows(java, data):
    prepared = nominal_set(Data(str(data)), "iris")
    fold = folds(prepared.y, "iris", 0)
    rows = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    for classifier in WEKA:
        found = weka_posteriors(classifier, prepared, *rows)
        for p, part in zip(found, rows, strict=True):
            assert p.shape == (len(part), 3)
            assert p.sum(axis=1) == pytest.approx(1)
            assert (p.argmax(axis=1) == prepared.y[part]).mean() > 0.85


def test_java_may_be_missing(monkeypatch):
    class NotFoundError(ValueError):
        pass

    def lacking():
        raise NotFoundError

    jpype = ModuleType("jpype")
    jpype.JVMNotFoundException, jpype.getDefaultJVMPath = NotFoundError, lacking
    for name in ("weka", "weka.core", "weka.core.jvm"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "jpype", jpype)
    weka._java.cache_clear()
    with pytest.raises(InputError, match=r"need Java, and none was found.*JAVA_HOME"):
        weka._java()
