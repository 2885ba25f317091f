"""How many files of strangers are read right at first sight, asked about, refused, or misread in silence?

    python benchmarks/bench_strangers.py [SEED] [second | third | fourth | fifth] [--show]

The files are those of `stranger_tables.py` (or, with `second`, of `stranger_exports.py`; with `third`, of `stranger_tools.py` and `stranger_platforms.py`; with
`fourth`, of `stranger_formats.py`; with `fifth`, of `stranger_habits.py`), whose manifest stands beside each. Each is
read by `askpoint read FILE --json`; a question counts as right only where the manifest allows an option that it names.
"""

from __future__ import annotations

import collections
import json
import random
import re
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from stranger_cases import Case, Want, save
from stranger_tables import FILES

from askpoint.cli.main import main as askpoint

_OPTION = re.compile(r"--[a-z][a-z-]*")
_SLOW = 5.0


def verdict_on(made: Case, path: Path) -> tuple[str, str]:
    """Read a file, and say how that ended, with the reason."""
    start = time.process_time()
    done = CliRunner().invoke(askpoint, ["read", str(path), "--json"])
    seconds = time.process_time() - start
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return "crashed", repr(done.exception)
    if seconds > _SLOW:
        return "slow", f"{seconds:.1f} s"
    if done.exit_code:
        said = " ".join(done.stderr.split())[:260]
        named = set(_OPTION.findall(said))
        if not made.wants and not made.asks:
            return "rightly refused", said
        if named & made.asks:
            return "rightly asked", said
        return ("asked something else" if named else "refused though readable"), said
    found = json.loads(done.stdout)
    doubts = [d for d in found.get("doubts", ()) if d.get("must_be_settled")]
    if doubts:
        fits = any(set(_OPTION.findall(d["option"] + " " + d["what"])) & made.asks for d in doubts)
        return ("rightly asked" if fits else "asked something else"), doubts[0]["what"]
    reasons = [differences(want, found) for want in made.wants]
    if not reasons:
        return "WRONG IN SILENCE", f"read as {roles(found)}; must be asked or refused"
    best = min(reasons, key=len)
    return ("right", "") if not best else ("WRONG IN SILENCE", f"{'; '.join(best)}: {roles(found)}")


def roles(found: dict[str, Any]) -> str:
    """Return what was read as what, in short."""
    gold = (found.get("gold") or {}).get("from")
    scores = found.get("probabilities") or found.get("confidence")
    parts = {
        "label": found.get("label"),
        "answer": found.get("prediction"),
        "score": scores,
        "judges": list(found.get("votes") or ()),
        "gold": gold,
    }
    return f"{found['kind']} { ({k: v for k, v in parts.items() if v}) }"


def differences(want: Want, found: dict[str, Any]) -> list[str]:
    """Return in what a reading differs from a right one."""
    kind = "votes" if found["kind"] == "evaluation" else found["kind"]
    if kind != want.kind:
        return [f"{kind} for {want.kind}", "", ""]
    wrong = []
    if kind == "predictions":
        columns = set((found.get("probabilities") or {}).values()) or {found.get("confidence")} - {
            None
        }
        if (want.label is not None and found.get("label") != want.label) or (
            want.label is None and found.get("label") and not want.score
        ):
            wrong.append(f"label {found.get('label')} for {want.label}")
        if want.label is None and want.score and want.prediction and found.get("label"):
            wrong.append(f"label {found.get('label')} for none")
        if want.prediction and found.get("prediction") not in (want.prediction, None):
            wrong.append(f"answer {found.get('prediction')} for {want.prediction}")
        if want.prediction and found.get("prediction") is None and not found.get("probabilities"):
            wrong.append(f"no answer for {want.prediction}")
        if want.score and columns != want.score:
            wrong.append(f"score {sorted(map(str, columns))} for {sorted(want.score)}")
        if not want.score and not columns:
            wrong.append("no score")
        counts = found.get("label_counts") or {}
        if want.counts is not None and sorted(counts.values()) != sorted(want.counts.values()):
            wrong.append(f"labels {counts} for {want.counts}")
    elif kind == "votes":
        if set(found.get("votes") or ()) != want.judges:
            wrong.append(f"judges for {sorted(want.judges)}")
        gold = (found.get("gold") or {}).get("from")
        if (gold or None) != want.gold and not (gold and want.gold and want.gold in str(gold)):
            wrong.append(f"gold for {want.gold}")
    return wrong


def main(seed: int, *, recipe: str, show: bool) -> None:
    """Make the files, read them, and print how each that is not right ended."""
    files = FILES
    if recipe == "second":
        from stranger_exports import FILES as files  # noqa: N811
    elif recipe == "third":
        from stranger_platforms import FILES as files  # noqa: N811
    elif recipe == "fourth":
        from stranger_formats import FILES as files  # noqa: N811
    elif recipe == "fifth":
        from stranger_habits import FILES as files  # noqa: N811
    ended: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, make in files.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = make(random.Random(f"{seed}/{name}"))
                path = save(made, Path(folder), name)
            start = time.process_time()
            how, why = verdict_on(made, path)
            slowest = max(slowest, time.process_time() - start)
            ended[how] += 1
            if show or how not in ("right", "rightly refused", "rightly asked"):
                print(f"{how:<24} {name:<28} {why}"[:420])
    print(f"{len(files)} files: {dict(ended.most_common())}; slowest {slowest:.1f} s of processor")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    named = [word for word in sys.argv[1:] if word in ("second", "third", "fourth", "fifth")]
    main(numbers[0] if numbers else 0, recipe="".join(named[:1]), show="--show" in sys.argv)
