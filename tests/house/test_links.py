"""Relative links of README and documentation lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

HOME = Path(__file__).parents[2]
CODE = re.compile(r"(?ms)^( *)(```+|~~~+).*?^\1\2[^\n]*$|`[^`\n]*`")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"(?m)^#+ (.+)$")
NAMED = re.compile(r"(?m)^\(([\w-]+)\)=$|id=\"([\w-]+)\"")


def slug(heading: str) -> str:
    """Return the anchor that GitHub and MyST give a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    """Return what can be linked to in a page."""
    named = {part for match in NAMED.findall(text) for part in match if part}
    return named | {
        slug(heading) for heading in HEADING.findall(re.sub(r"(?ms)^```.*?^```", "", text))
    }


def broken_links(page: Path) -> list[str]:
    """Return the relative links of a page that lead nowhere."""
    broken = []
    for match in LINK.findall(CODE.sub(" ", page.read_text("utf-8"))):
        address = match[0] or match[1]
        if re.match(r"[a-z]+:", address) or address.startswith("/"):
            continue
        name, _, anchor = address.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            broken.append(f"{page.name}: no file {address}")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text("utf-8")):
            broken.append(f"{page.name}: no heading {address}")
    return broken


def test_relative_links_lead_somewhere():
    pages = [*HOME.glob("*.md"), HOME / "llms.txt", *(HOME / "docs").glob("*.md")]
    pages += (HOME / "docs").glob("*/*.md")
    assert [found for page in pages for found in broken_links(page)] == []


def test_a_missing_file_and_a_missing_heading_are_found(tmp_path):
    (tmp_path / "there.md").write_text("# Title\n\n## What it is, and `why`\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md) [b](there.md#what-it-is-and-why) [c](gone.md) [d](there.md#gone)\n"
        "[e](https://example.org/gone) `[f](gone.md)` [g](#own)\n\n## Own\n"
    )
    assert broken_links(page) == ["page.md: no file gone.md", "page.md: no heading there.md#gone"]
