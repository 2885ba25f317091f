"""Messages as lines that nobody can forge: what a record goes on with is marked, and signs that steer are shown."""

from __future__ import annotations

import logging
import re

__all__ = ["LineFormatter"]

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class LineFormatter(logging.Formatter):
    r"""One event a line: further lines of it begin with ``  |``, in a message, a text from outside or a traceback.

    Examples
    --------
    >>> record = logging.makeLogRecord({"msg": "asked for\nERROR: forged\x1b[2J"})
    >>> print(LineFormatter().format(record))
    asked for
      | ERROR: forged\x1b[2J
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        shown = _STEERING.sub(lambda sign: ascii(sign[0])[1:-1], super().format(record))
        return "\n  | ".join(shown.split("\n"))
