"""Draw what `askpoint demo` prints as a terminal that moves: docs/_static/demo.svg.

askpoint demo > said.txt && python docs/moving_terminal.py said.txt docs/_static/demo.svg
"""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path

_COLUMNS, _ROWS = 88, 23
_WIDE, _HIGH = 8.4, 19  # of a character, and from line to line
_READ = 6.5  # seconds for each part

_STYLE = """
  .back { fill: #15181b } .bar { fill: #23282d } .dot { fill: #4a5159 }
  text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e8eaec; white-space: pre }
  .head { fill: #5ec4c0; font-weight: 700 } .typed { fill: #a2a9b0 } .title { font-weight: 700 }
  @media (prefers-reduced-motion: no-preference) { .roll { animation: roll %.1fs infinite } }
  @keyframes roll { %s }
"""


def main(said: str, drawn: str) -> None:
    """Write the picture of a text."""
    lines = Path(said).read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ").splitlines()
    heads = [i for i, line in enumerate(lines) if re.match(r"\d\. ", line)]
    starts = [0, *(min(i, len(lines) - _ROWS + 1) for i in heads[1:])]
    starts = sorted(set(starts))
    total = _READ * len(starts)
    frames = []
    for number, start in enumerate(starts):
        begins = 100 * number / len(starts)
        ends = 100 * (number + 0.93) / len(starts)
        frames.append(f"{begins:.1f}%, {ends:.1f}% {{ transform: translateY({-start * _HIGH}px) }}")
    frames.append("100% { transform: translateY(0) }")
    width, height = _COLUMNS * _WIDE + 32, _ROWS * _HIGH + 64
    body = "\n".join(
        f'<text class="{_kind(i, line)}" x="16" y="{(i + 1) * _HIGH}">{escape(line)}</text>'
        for i, line in enumerate(lines)
        if line.strip()
    )
    Path(drawn).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="A terminal in which askpoint demo tells its story">\n'
        f"<style>{_STYLE % (total, ' '.join(frames))}</style>\n"
        f'<rect class="back" width="{width:g}" height="{height:g}" rx="8"/>\n'
        f'<rect class="bar" width="{width:g}" height="34" rx="8"/>\n'
        + "".join(f'<circle class="dot" cx="{20 + 18 * i}" cy="17" r="6"/>' for i in range(3))
        + '<text x="84" y="22" class="typed">$ askpoint demo</text>\n'
        f'<svg y="42" width="{width:g}" height="{_ROWS * _HIGH + 10:g}">\n'
        f'<g class="roll">\n{body}\n</g>\n</svg>\n</svg>\n',
        encoding="utf-8",
    )


def _kind(number: int, line: str) -> str:
    if number == 0:
        return "title"
    if line.startswith("  $ "):
        return "typed"
    return "said" if line.startswith(" ") else "head"


if __name__ == "__main__":
    main(*sys.argv[1:])
