"""Files as people and tools leave them: read as their manifest says, or asked, and never as another thing."""

import importlib.util
import json
import time

import pytest

from askpoint.errors import AskpointError
from askpoint.records.readers.registry import read_files
from askpoint.reports.readings import reading_object


@pytest.fixture(scope="module")
def checks(data):
    path = data / "files2" / "check_files.py"
    if not path.exists():
        pytest.skip("the shared files are not here")
    spec = importlib.util.spec_from_file_location("check_files", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.run = run_here
    return module


def run_here(program, args, limit=60):
    """Do what `askpoint read FILE --json` does, without a process of its own."""
    assert args[0] == "read"
    try:
        return 0, json.dumps(reading_object(read_files([args[1]])), allow_nan=False), ""
    except AskpointError as error:
        return 2, "", f"askpoint: {error}"


def verdicts(checks, folder):
    for entry in json.loads((folder / "manifest.json").read_text(encoding="utf-8")):
        began = time.perf_counter()
        verdict, why = checks.judge(entry, folder, [], page=False)
        yield entry["file"], verdict, why, time.perf_counter() - began


def test_every_file_is_read_right_or_rightly_asked(checks, data):
    found = list(verdicts(checks, data / "files2"))
    wrong = [f"{name}: {verdict}, {why}" for name, verdict, why, _ in found
             if verdict not in ("right", "asked")]  # fmt: skip
    assert not wrong, "\n".join(wrong)
    assert sum(verdict == "right" for _, verdict, _, _ in found) >= 0.95 * len(found)
    assert max(seconds for *_, seconds in found) <= 5
