"""Record a command in a terminal, and draw it as a picture that moves: docs/_static/demo.svg.

    python docs/moving_terminal.py docs/_static/demo.svg askpoint demo

Each line appears when the terminal got it, at real speed; then the picture goes through the parts once more, to be read.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import time
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

_COLUMNS, _ROWS = 88, 23
_WIDE, _HIGH = 8.4, 19  # of a character, and from line to line
_BLINK = 0.1  # seconds: what comes within them appears at once
_END, _READ = 3.0, 5.0  # seconds: how long the end stands, and each part when read once more

_STYLE = """
  .back { fill: #15181b } .bar { fill: #23282d } .dot { fill: #4a5159 }
  text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e8eaec; white-space: pre }
  .head { fill: #5ec4c0; font-weight: 700 } .typed { fill: #a2a9b0 } .title { font-weight: 700 }
  @media (prefers-reduced-motion: no-preference) {
    .roll { animation: roll %(total).1fs infinite } .cover { animation: cover %(total).1fs infinite }
  }
  @keyframes roll { %(roll)s }
  @keyframes cover { %(cover)s }
"""


def record(words: Sequence[str]) -> list[tuple[float, str]]:
    """Run a command in a terminal; return what came, each piece with its seconds since the start."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(words[0], list(words))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    began, came = time.monotonic(), []
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end has closed
            piece = b""
        came.append((time.monotonic() - began, piece.decode(errors="replace")))
        if not piece:
            break
    _, status = os.waitpid(process, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed, and nothing was drawn")
    return came


def draw(came: Sequence[tuple[float, str]], command: str) -> str:
    """Return the picture of a recording."""
    lines, times = _split_lines(came)
    begins = [i for i, line in enumerate(lines) if re.match(r"\d\. ", line)]
    begins[:1] = [next((i for i, line in enumerate(lines) if not line.endswith(" ...")), 0)]
    last = max(len(lines) - _ROWS, 0)
    parts = sorted({min(i, last) for i in begins})
    end = came[-1][0]
    total = end + _END + _READ * len(parts)
    shown = [
        (at, sum(one < at + _BLINK for one in times))
        for at in sorted({_BLINK * round(one / _BLINK) for one in times})
    ]
    roll = [(0.0, 0), *((at, -max(n - _ROWS, 0)) for at, n in shown)]
    roll += [(end + _END + _READ * i, -part) for i, part in enumerate(parts)]
    cover = [(0.0, -len(lines)), *((at, n - len(lines)) for at, n in shown)]
    style = _STYLE % {
        "total": total,
        "roll": _keyframes(roll, total),
        "cover": _keyframes(cover, total),
    }
    width, height = _COLUMNS * _WIDE + 32, _ROWS * _HIGH + 64
    deep = len(lines) * _HIGH
    body = "\n".join(
        f'<text class="{_kind(line)}" x="16" y="{(i + 1) * _HIGH}">{escape(line)}</text>'
        for i, line in enumerate(lines)
        if line.strip()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="A terminal in which {escape(command)} tells its story">\n'
        f"<style>{style}</style>\n"
        f'<rect class="back" width="{width:g}" height="{height:g}" rx="8"/>\n'
        f'<rect class="bar" width="{width:g}" height="34" rx="8"/>\n'
        + "".join(f'<circle class="dot" cx="{20 + 18 * i}" cy="17" r="6"/>' for i in range(3))
        + f'<text x="84" y="22" class="typed">$ {escape(command)}</text>\n'
        f'<text x="{width - 16:g}" y="22" class="typed" text-anchor="end">at real speed: {end:.1f} s</text>\n'
        f'<svg y="42" width="{width:g}" height="{_ROWS * _HIGH + 10:g}">\n'
        f'<g class="roll">\n{body}\n'
        f'<rect class="back cover" y="{deep + 6}" width="{width:g}" height="{deep}"/>\n'
        "</g>\n</svg>\n</svg>\n"
    )


def _split_lines(came: Iterable[tuple[float, str]]) -> tuple[list[str], list[float]]:
    """Return the lines of a terminal that only writes on, and when each was whole."""
    lines, times, rest = [], [], ""
    for at, piece in came:
        *whole, rest = (rest + piece).split("\n")
        for line in whole:
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line.rstrip("\r"))
            lines.append(plain.replace("\N{NO-BREAK SPACE}", " "))
            times.append(at)
    return lines, times


def _keyframes(rows: Iterable[tuple[float, int]], total: float) -> str:
    """Write where a part stands from each time on, until the next."""
    frames: list[str] = []
    stands = 0
    for number, (at, row) in enumerate(rows):
        percent = 100 * at / total
        if number and row != stands:
            frames.append(_frame(percent - 0.02, stands))
        if not number or row != stands:
            frames.append(_frame(percent, row))
        stands = row
    return " ".join([*frames, _frame(100, stands)])


def _frame(percent: float, row: int) -> str:
    return f"{percent:.2f}% {{ transform: translateY({row * _HIGH}px) }}"


def _kind(line: str) -> str:
    if line.startswith("  $ ") or line.endswith(" ..."):
        return "typed"
    if line.startswith(" "):
        return "said"
    return "title" if line.endswith("?") and not line[:1].isdigit() else "head"


if __name__ == "__main__":
    drawn, *words = sys.argv[1:]
    Path(drawn).write_text(draw(record(words), "askpoint demo"), encoding="utf-8")
