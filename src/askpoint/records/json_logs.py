"""Messages as JSON lines, for programs that collect logs: where ASKPOINT_LOG is json."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime

__all__ = ["JsonFormatter", "wants_json"]

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def wants_json() -> bool:
    """Return whether messages are to be JSON lines."""
    return os.environ.get("ASKPOINT_LOG", "").lower() == "json"


class JsonFormatter(logging.Formatter):
    """One JSON object a record: time, level, logger, message, what was given beside it, and the error if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
