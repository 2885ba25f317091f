"""The notebooks of the examples run, each in a kernel of its own, and what they say at the end is true."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

BOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def run(book, folder):
    """Return the outputs of each cell of code."""
    NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return [cell.outputs for cell in book.cells if cell.cell_type == "code"]


def test_there_is_one_for_each_question():
    assert [path.stem for path in BOOKS] == ["agent", "judges", "log"]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=() if path.stem == "judges" else pytest.mark.whole)
        for path in BOOKS
    ],
)
def test_a_notebook_runs_and_its_last_cell_is_true(path, tmp_path):
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells)  # none are kept
    *before, last = run(book, tmp_path)
    assert "".join(output.text for output in last) == "True True\n"
    if path.stem != "agent":
        shown = [output.data for outputs in before for output in outputs if "data" in output]
        assert any(
            "image/svg+xml" in data.get("text/html", "") for data in shown
        )  # the page, with pictures


def test_a_cell_that_fails_is_found(tmp_path):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    with pytest.raises(Exception, match="ZeroDivisionError"):
        run(book, tmp_path)
