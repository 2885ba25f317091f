"""Log lines cannot be forged: by a message, an argument, or an exception."""

from __future__ import annotations

import logging
import sys

from askpoint.records.line_logs import LineFormatter

FORGED = "it failed\nERROR root: all money was paid\r\x1b[31m\u202e"


def lines_of(**record):
    return LineFormatter().format(logging.makeLogRecord(record)).split("\n")


def test_an_event_is_a_line_and_what_follows_is_marked():
    try:
        raise ValueError(FORGED)
    except ValueError:
        record = {"msg": "asked by %s", "args": (FORGED,), "exc_info": sys.exc_info()}
    first, *further = lines_of(**record)
    assert first == "asked by it failed"
    assert further
    assert all(line.startswith("  | ") for line in further)
    assert not set("".join([first, *further])) & set("\r\x1b\u202e")
    assert lines_of(msg="a\tplain line") == ["a\tplain line"]
