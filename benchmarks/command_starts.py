"""Every command started cold and warm, in processor seconds, and the heavy packages that it loads.

``python benchmarks/command_starts.py docs/evidence/benchmarks.md`` writes the table into the page, between its marks; without a
page it prints it. The commands and their packages are those of tests/cli/test_loaded.py, which fails where one loads another.
Cold: nothing was compiled before, neither askpoint nor what it loads. Warm: the least of the later starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).parents[1]
BEGIN, END = "<!-- every command -->", "<!-- end of every command -->"
_WARM = 3


def processor_seconds(words: tuple[str, ...], folder: Path, compiled: Path | None = None) -> float:
    """Run a command, and return what it and its children used of the processors."""
    shutil.rmtree(folder / "new", ignore_errors=True)  # a policy is not written over
    kept = {} if compiled is None else {"PYTHONPYCACHEPREFIX": str(compiled)}
    process = subprocess.Popen(
        [sys.executable, "-m", "askpoint", *words],
        cwd=folder,
        env={**os.environ, **kept},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"askpoint {' '.join(words)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def measure() -> list[tuple[str, float, float, str]]:
    """Return of each command its name, cold and warm seconds, and the packages that it loads."""
    sys.path.insert(0, str(HOME / "tests"))
    from cli.test_loaded import MAY, make_posts

    found = []
    with tempfile.TemporaryDirectory() as made:
        folder = make_posts(Path(made))
        helped = {"help": (("--help",), set()), "value --help": (("value", "--help"), set())}
        for name, (words, loads) in {**helped, **MAY}.items():
            with tempfile.TemporaryDirectory() as compiled:
                cold = processor_seconds(words, folder, Path(compiled))
            warm = min(processor_seconds(words, folder) for _ in range(_WARM))
            found.append((name, cold, warm, ", ".join(sorted(loads)) or "none"))
            print(f"{name}: {cold:.1f}, {warm:.2f}", file=sys.stderr, flush=True)
    return found


def table(found: list[tuple[str, float, float, str]]) -> str:
    """Return the table of the page."""
    lines = ["| command | cold, s | warm, s | heavy packages |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {cold:.1f} | {warm:.2f} | {loads} |" for name, cold, warm, loads in found
    ]
    return "\n".join(lines)


def main(page: str = "") -> None:
    """Measure, and print or publish."""
    text = table(measure())
    if not page:
        print(text)
        return
    head, rest = Path(page).read_text(encoding="utf-8").split(BEGIN)
    _, tail = rest.split(END)
    Path(page).write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
