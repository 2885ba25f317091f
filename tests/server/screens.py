"""Pictures of pages: each scene on a desk and on a phone, light and dark, and one sheet that shows them all."""

from __future__ import annotations

import html
from pathlib import Path

__all__ = ["LOOKS", "draw_screens"]

LOOKS = {
    f"{width}-{scheme}": ({"width": width, "height": height}, scheme)
    for width, height in ((1280, 800), (390, 844))
    for scheme in ("light", "dark")
}
"""Name of a look -> the size of the window, and its colours."""

_STYLE = """body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem; }
section { display: flex; gap: 1rem; align-items: flex-start; flex-wrap: wrap; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
img { border: 1px solid #999; height: 24rem; object-fit: cover; object-position: top; }"""


def draw_screens(server, tab, scenes, folder: Path) -> Path:
    """Draw scenes into a folder; return the sheet, whose pictures are links to themselves."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    parts = []
    for number, scene in enumerate(scenes):
        name = f"{number:03d}-{scene.page}-{scene.role}"
        server.seat(tab, scene.who)
        pictures = []
        for look, (size, scheme) in LOOKS.items():
            tab.set_viewport_size(size)
            tab.emulate_media(color_scheme=scheme)
            if not pictures:
                server.show(tab, scene)
            file = f"{name}-{look}.png"
            tab.screenshot(path=folder / file, full_page=True)
            pictures.append(f'<a href="{file}"><img src="{file}" alt="{look}" loading="lazy"></a>')
        title = html.escape(f"{scene.page}, {scene.role}: {scene.path} · {scene.says}")
        parts.append(f"<h2>{title}</h2><section>{''.join(pictures)}</section>")
    sheet = folder / "index.html"
    sheet.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>{_STYLE}</style>'
        f"<h1>{len(parts)} scenes</h1>{''.join(parts)}</html>",
        "utf-8",
    )
    return sheet
