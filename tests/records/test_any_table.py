"""Tables of anything are read, asked about or refused in one line, and nothing else comes of them."""

import json
import random

import pytest

from askpoint.errors import AskpointError
from askpoint.records.readers.registry import read_files
from askpoint.reports.readings import reading_line, reading_lines, reading_object, reading_table

NAMES = ["id", "label", "prediction", "confidence", "score", "human", "judge_1", "judge_2", "gold", "time",
         "count", "model", "tool", "decision", "p_a", "p_b", "correct", "worker", "item", "", "x", "text",
         "approved_by", "top1", "予測", "Wahrheit", "votes", "name", "index", "error", "lower", "upper", "epoch",
         "loss", "precision", "recall", "proba", "logprob", "system", "run", "value", "literal", "\x00n"[1:]]  # fmt: skip


def cell_maker(rng):
    words = rng.choice([["a", "b"], ["yes", "no"], ["0", "1"], ["pass", "fail", "ERROR: x"], ["approve", "deny"],
                        ["true", "False"], ["pending", "a", "b", ""], ["x"], ["1", "2", "3", "4", "5"]])  # fmt: skip
    return rng.choice([
        lambda _: rng.choice(words), lambda _: f"{rng.random():.3f}", lambda _: f"{rng.random() * 100:.1f}%",
        lambda i: str(i), lambda i: f"k{i // 3}", lambda _: f"{-rng.random():.3f}", lambda _: "",
        lambda _: rng.choice(["", f"{rng.random():.2f}", "nan"]), lambda i: f"word {i} and more of it",
        lambda _: rng.choice(["[0.2, 0.8]", "[0.5, 0.5]"]), lambda _: '{"a": 1}', lambda i: f"2026-01-{1 + i % 28:02d}",
        lambda _: rng.choice(["read_file", "crm.update"]), lambda _: f"{rng.gauss(0, 9):.2f}", lambda _: "inf",
        lambda _: rng.choice(["low", "medium", "high"]), lambda _: str(rng.randrange(10**12)),
    ])  # fmt: skip


def made_table(rng):
    n = rng.choice([1, 2, 3, 12, 40, 130])
    names = rng.sample(NAMES, rng.randint(1, 9))
    cells = {name: cell_maker(rng) for name in names}
    return [{name: make(i) for name, make in cells.items()} for i in range(n)]


def said_of(path):
    """Return all that is said about a file."""
    try:
        found = read_files([path])
    except AskpointError as error:
        return [str(error)]
    content = json.dumps(reading_object(found), allow_nan=False)
    return [content, reading_line(found), *reading_lines(found), *reading_table(found)]


@pytest.mark.parametrize("seed", range(4))
def test_any_table_is_read_asked_or_refused(tmp_path, seed):
    rng = random.Random(seed)
    for k in range(60):
        rows = made_table(rng)
        path = tmp_path / f"t{k}.{'jsonl' if k % 3 == 0 else 'csv'}"
        if k % 3 == 0:
            path.write_text("\n".join(map(json.dumps, rows)))
        else:
            quoted = [
                ",".join('"' + v.replace('"', '""') + '"' for v in row.values()) for row in rows
            ]
            path.write_text("\n".join([",".join(rows[0]), *quoted]))
        lines = said_of(path)
        assert lines
        assert not any("\n" in line for line in lines)
