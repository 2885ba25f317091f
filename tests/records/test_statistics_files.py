"""Files of SPSS, SAS and Stata, written by pyreadstat itself."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

pyreadstat = pytest.importorskip("pyreadstat")
LABELS = {name: {0: "no", 1: "yes"} for name in ("truth", "predicted")}


def frame(n=120):
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.5).astype(float)
    said = np.where(rng.random(n) < 0.8, truth, 1 - truth)
    truth[3] = np.nan
    columns = {
        "caseno": np.arange(n),
        "truth": truth,
        "predicted": said,
        "confidence": 0.5 + rng.random(n) / 2,
        "town": ["Köln" if i % 2 else "Łódź" for i in range(n)],
    }
    return pd.DataFrame(columns)


WRITERS = {
    "log.sav": lambda path: pyreadstat.write_sav(frame(), path, variable_value_labels=LABELS),
    "log.zsav": lambda path: pyreadstat.write_sav(
        frame(), path, variable_value_labels=LABELS, compress=True
    ),
    "log.dta": lambda path: pyreadstat.write_dta(frame(), path, variable_value_labels=LABELS),
    "log.xpt": lambda path: pyreadstat.write_xport(frame(), path, file_format_version=8),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_of_a_statistics_package_is_a_log(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](str(path))
    reading = read_files([path], Choices())
    assert reading.open_doubt is None
    assert (reading.kind, reading.items, reading.id) == ("predictions", 120, "caseno")
    named = (reading.label, reading.prediction, reading.confidence)
    assert named == ("truth", "predicted", "confidence")
    truth = frame()["truth"]
    yes, no = int((truth == 1).sum()), int((truth == 0).sum())
    words = {"0": no, "1": yes} if name == "log.xpt" else {"no": no, "yes": yes}
    assert reading.label_counts == words


@pytest.mark.parametrize(("name", "kept"), [("log.sav", 700), ("log.dta", 900), ("log.xpt", 1001)])
def test_a_file_that_is_cut_off_is_said_to_be(name, kept, tmp_path):
    path = tmp_path / name
    WRITERS[name](str(path))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(LogError, match=f"{name} is broken or cut off: "):
        read_files([path], Choices())


@pytest.mark.parametrize("name", ["log.sav", "log.xpt"])
def test_what_reads_them_is_named_where_it_is_missing(name, tmp_path, monkeypatch):
    path = tmp_path / name
    WRITERS[name](str(path))
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(LogError, match=r"pip install 'askpoint\[statistics\]'"):
        read_files([path], Choices())


def test_pandas_alone_reads_stata(tmp_path, monkeypatch):
    path = tmp_path / "log.dta"
    WRITERS["log.dta"](str(path))
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    reading = read_files([path], Choices())
    assert (reading.label, set(reading.label_counts)) == ("truth", {"no", "yes"})
