"""Kept counts: tomorrow's file adds to yesterday's, and nothing stale is ever believed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError, LogError
from askpoint.records import part_counts, vote_counts
from askpoint.records.log_stream import log_batches
from askpoint.records.sketch_cache import SketchCache
from askpoint.records.streams import sketch_log
from askpoint.records.tables import open_table
from askpoint.records.votes import count_votes
from cli.conftest import shell  # noqa: F401  (a fixture)

ROWS = 90


def day(number, labels=("ham", "spam")):
    rng = np.random.default_rng(number)
    return pl.DataFrame({
        "label": [labels[i] for i in rng.integers(0, len(labels), ROWS)],
        "prediction": [labels[i] for i in rng.integers(0, len(labels), ROWS)],
        "confidence": rng.random(ROWS).round(3),
    })  # fmt: skip


@pytest.fixture
def days(tmp_path):
    folder = tmp_path / "days"
    folder.mkdir()
    for number in range(3):
        day(number).write_csv(folder / f"{number}.csv")
    return folder


def count(days, kept=None, **options):
    """Count a folder; also return how many files were found kept, and counted."""
    cache = None if kept is None else SketchCache(kept)
    logs = sketch_log(open_table(days), cache=cache, **options)
    whole = {
        (model, group): (log.classes, log.labels.tolist(), sketch.to_bytes())
        for model, log in logs.items()
        for group, sketch in log.groups.items()
    }
    return whole, None if cache is None else (cache.n_kept, cache.n_counted)


def test_only_new_and_changed_files_are_counted(days, tmp_path):
    kept = tmp_path / "kept"
    assert count(days, kept) == (count(days)[0], (0, 3))
    assert count(days, kept) == (count(days)[0], (3, 0))
    day(3, ("ham", "eggs")).write_csv(days / "3.csv")  # a new class changes nothing of the old days
    assert count(days, kept) == (count(days)[0], (3, 1))
    day(7).write_csv(days / "1.csv")
    assert count(days, kept) == (count(days)[0], (3, 1))
    (days / "0.csv").unlink()
    assert count(days, kept) == (count(days)[0], (3, 0))


def test_other_options_are_counted_apart(days, tmp_path):
    kept = tmp_path / "kept"
    count(days, kept)
    assert count(days, kept, group="prediction") == (count(days, group="prediction")[0], (0, 3))
    assert count(days, kept)[1] == (3, 0)


def test_a_file_of_the_same_size_and_time_is_known_by_its_ends(days, tmp_path):
    kept, path = tmp_path / "kept", days / "0.csv"
    count(days, kept)
    state, content = path.stat(), path.read_text()
    path.write_text(content.replace("ham", "egg", 1))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert count(days, kept) == (count(days)[0], (2, 1))


def test_damaged_counts_are_counted_again(days, tmp_path):
    kept = tmp_path / "kept"
    count(days, kept)
    entry = next(kept.glob("*.counts"))
    entry.write_bytes(entry.read_bytes()[:-3])
    assert count(days, kept) == (count(days)[0], (2, 1))


def test_a_file_that_changes_while_it_is_counted(days, tmp_path, monkeypatch):
    def slow(part, *rest):
        with (days / "2.csv").open("a") as file:
            file.write("ham,ham,0.5\n")
        return log_batches(part, *rest)

    monkeypatch.setattr(part_counts, "log_batches", slow)
    with pytest.raises(LogError, match=r"2.csv was changed while it was counted; run again"):
        count(days, tmp_path / "kept")


def test_a_cache_of_another_version_or_of_something_else(days, tmp_path):
    kept = tmp_path / "kept"
    count(days, kept)
    about = kept / "askpoint-sketches.json"
    about.write_text(json.dumps({"format": 0, "askpoint": "0.0.9"}))
    with pytest.raises(
        InputError, match=r"kept by askpoint 0.0.9 \(form 0\), this is .* remove the"
    ):
        SketchCache(kept)
    about.write_text("[]")
    with pytest.raises(InputError, match="does not say what made it"):
        SketchCache(kept)
    with pytest.raises(InputError, match="not a folder of kept counts, and is not empty"):
        SketchCache(days)


def test_what_is_no_file_is_not_kept(tmp_path):
    with pytest.raises(InputError, match="counts are kept for files on disk"):
        sketch_log(open_table(day(0)), cache=SketchCache(tmp_path / "kept"))


def test_votes(tmp_path, monkeypatch):
    folder, kept = tmp_path / "votes", tmp_path / "kept"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for number in range(3):
        cells = {f"j{i}": rng.choice(["x", "y", ""], ROWS) for i in range(4)}
        pl.DataFrame(cells).write_csv(folder / f"{number}.csv")
    expected = count_votes(folder)[0].to_bytes()
    assert count_votes(folder, cache=SketchCache(kept))[0].to_bytes() == expected
    monkeypatch.setattr(vote_counts, "_count_patterns", None)  # nothing is left to count
    again = SketchCache(kept)
    assert count_votes(folder, cache=again)[0].to_bytes() == expected
    assert (again.n_kept, again.n_counted) == (3, 0)


def test_a_killed_run_goes_on_where_it_was(days, tmp_path):
    """The process is killed once two files are done; the next run counts the third alone."""
    kept = tmp_path / "kept"
    code = (
        "import sys, time\n"
        "from askpoint.records import part_counts as c, sketch_cache as s\n"
        "from askpoint.records.streams import sketch_log\n"
        "from askpoint.records.tables import open_table\n"
        "put = s.SketchCache.put\n"
        "def slow(self, *args):\n"
        "    put(self, *args)\n"
        "    time.sleep(60 * (self.n_counted == 2))\n"
        "s.SketchCache.put = slow\n"
        "sketch_log(open_table(sys.argv[1]), cache=s.SketchCache(sys.argv[2]))\n"
    )
    running = subprocess.Popen([sys.executable, "-c", code, str(days), str(kept)])
    until = time.monotonic() + 120
    while len(list(kept.glob("*.counts"))) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert count(days, kept) == (count(days)[0], (2, 1))


def test_the_command_says_what_it_saved(days, shell, tmp_path):  # noqa: F811
    kept = tmp_path / "kept"
    expected = shell.answer(days, "--sketch")
    for told in ("3 counted, 0 as kept", "0 counted, 3 as kept"):
        result = shell.run("value", days, "--cache", kept, "--json")
        assert json.loads(result.stdout) == expected
        assert f"3 files: {told} in {kept}" in result.stderr
    about = kept / "askpoint-sketches.json"
    about.write_text(json.dumps({"format": 0, "askpoint": "0.0.9"}))
    assert "kept by askpoint 0.0.9" in shell.refusal("value", days, "--cache", kept)
    assert "add one" in shell.refusal("value", days, "--cache", tmp_path / "other", "--exact")
