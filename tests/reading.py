"""Reports read by machine as people read them: on a desk in light, on a phone in the dark."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cast import require

__all__ = ["Reader"]

# what is sound is not described: that takes axe as long as to look for what is not
FOUND = """async (rules) => (await axe.run({resultTypes: ["violations"], ...rules})).violations.map(
    (it) => [it.id, ...it.nodes.map((node) => node.html.slice(0, 200))])"""
# matplotlib writes a letter of n points as a path of 100 units, scaled by n hundredths
LETTERS = r"""[...document.images].filter((it) => it.clientWidth && it.src.startsWith("data:image/svg")).map(
    (it) => { const drawn = decodeURIComponent(it.src);
              const sizes = [...drawn.matchAll(/scale\(([.\d]+) -\1\)/g)].map((found) => 100 * found[1]);
              return Math.min(...sizes, 100) * it.clientWidth / drawn.match(/viewBox=.0 0 ([.\d]+)/)[1]; })"""
SMALLEST = 10.0
HIDDEN = """[...document.querySelectorAll(".grid")].filter((it) => it.scrollWidth > it.clientWidth).map(
    (it) => it.getAttribute("aria-label"))"""
VIEWS: list[tuple[str, int, dict[str, list[str]]]] = [
    ("light", 1280, {}),
    ("dark", 390, {"runOnly": ["color-contrast", "target-size"]}),  # the rest is as in light
]


class Reader:
    """One browser for all reports of a session; it starts when the first is read.

    It has a thread of its own: what drives it keeps an event loop running in its thread, where
    Django, and whoever calls `asyncio.run`, would refuse to work.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._playing: Any = None
        self._tab: Any = None

    def problems(self, page: Path) -> list[list[str]]:
        """Return what axe finds, what is wider than the window, and pictures that do not show
        or whose letters are small on a phone, and tables there of which a column is out of sight.

        Skips the test where there is no browser: ask for it last.
        """
        program = require("chromium")
        return self._thread.submit(self._read, page, program).result()

    def close(self) -> None:
        """End the browser."""
        if self._playing is not None:
            self._thread.submit(self._playing.stop).result()
        self._thread.shutdown()

    def _open(self, program: str) -> None:
        import axe_playwright_python
        from playwright.sync_api import sync_playwright

        self._playing = sync_playwright().start()
        browser = self._playing.chromium.launch(executable_path=program, args=["--no-sandbox"])
        context = browser.new_context(offline=True, bypass_csp=True)
        context.add_init_script(path=Path(axe_playwright_python.__file__).with_name("axe.min.js"))
        self._tab = context.new_page()

    def _read(self, page: Path, program: str) -> list[list[str]]:
        if self._tab is None:
            self._open(program)
        self._tab.goto(page.as_uri())
        found = []
        for scheme, width, rules in VIEWS:
            self._tab.emulate_media(color_scheme=scheme)
            self._tab.set_viewport_size({"width": width, "height": 800})
            found += [[scheme, *rule] for rule in self._tab.evaluate(FOUND, rules)]
            wide = self._tab.evaluate("document.documentElement.scrollWidth")
            found += [[scheme, f"scrolls sideways: {wide} pixels in {width}"]] * (wide > width)
        self._tab.evaluate(
            "document.querySelectorAll('details').forEach(it => { it.open = true; })"
        )
        small = [size for size in self._tab.evaluate(LETTERS) if size < SMALLEST]  # on the phone
        found += [[f"letters of {size:.1f} pixels in a picture"] for size in small]
        found += [["a table is cut off", title] for title in self._tab.evaluate(HIDDEN)]
        shown = "[...document.images].every(i => i.complete && i.naturalWidth > 0)"
        return found if self._tab.evaluate(shown) else [*found, ["a picture does not show"]]
