"""A document in a terminal of fixed width."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from askpoint.reports.document import Document, Grid, Notice, Paragraph, Picture, Section
from askpoint.reports.terminal import print_document


def printed(*blocks, width=40, footer="", **console):
    """What a terminal shows of blocks in one section."""
    file = io.StringIO()
    document = Document("Title", (Section("Section", blocks),), footer)
    print_document(document, Console(file=file, width=width, **console))
    return file.getvalue()


def test_the_whole_of_a_small_report():
    text = printed(
        Paragraph("The answer is seven, and it takes more than one line.", lead=True),
        Notice("Take care."),
        Grid("A table", ("name", "a number"), (("one", "1"), ("another", "22")), "A note."),
        Picture("a picture", "in words", lambda ax: ax),
        Paragraph("The end."),
        footer="The footer.",
    )
    assert text == (
        "Title\n"
        "\n"
        "Section\n"
        "  The answer is seven, and it takes more\n"
        "  than one line.\n"
        "  ! Take care.\n"
        "\n"
        "  A table\n"
        "    name     a number\n"
        "    one             1\n"
        "    another        22\n"
        "  A note.\n"
        "  The end.\n"
        "\n"
        "The footer.\n"
        "\n"
    )


def test_a_number_is_not_parted_from_its_sign():
    text = printed(Paragraph("x" * 30 + " so 99.5% of them"), width=40)
    assert "99.5%" in text


def test_no_line_ends_in_blanks_or_is_too_long():
    words = "several words that go on and on " * 9
    grid = Grid(words, ("name", "number"), (("a", "1"), ("b", "2")), words)
    text = printed(Paragraph(words), Notice(words), grid, width=50)
    for line in text.splitlines():
        assert line == line.rstrip()
        assert cell_len(line) <= 50
    wide = Grid("A table", ("name", "number"), ((words, "1"),))
    assert max(map(cell_len, printed(wide, width=50).splitlines())) <= 50


@pytest.mark.parametrize("name", ["[bold]ham[/bold]", ":smile:", "[link=x]", "<b>", "🎉🎉", "سبام"])
def test_names_are_no_markup(name):
    grid = Grid(name, (name, "n"), ((name, name),), name)
    text = printed(Paragraph(name), Notice(name), grid, footer=name)
    assert text.count(name) == 8
    document = Document(name, (Section(name, ()),))
    file = io.StringIO()
    print_document(document, Console(file=file, width=40))
    assert file.getvalue() == f"{name}\n\n{name}\n\n"


def test_names_cannot_steer_the_terminal():
    evil = "ham\x1b[2J\x1b]0;owned\x07\r\x08spam"
    text = printed(
        Paragraph(evil), Notice(evil), Grid(evil, (evil,), ((evil,),), evil), footer=evil
    )
    assert not set("\x1b\x07\r\x08") & set(text)


def test_colours_are_for_terminals():
    blocks = (Paragraph("Answer.", lead=True), Notice("Care."))
    assert "\x1b" not in printed(*blocks)
    assert "\x1b[1m" in printed(*blocks, force_terminal=True, color_system="standard")
    assert "\x1b" not in printed(*blocks, force_terminal=True, color_system=None, no_color=True)


def test_a_narrow_terminal_still_shows_it():
    letters = "".join(printed(Paragraph("seven cases"), width=1).split())
    assert letters == "TitleSectionsevencases"


def test_long_names_are_folded_and_never_cut():
    name = "claude-with-a-very-long-name-of-a-model-and-its-version-2026-01-01"
    lines = printed(Grid("A table", ("model", "n"), ((name, "1"), ("short", "22")))).splitlines()
    first = [line[:36] for line in lines if not line.startswith("    short")][5:]
    assert name in "".join(line.replace(" 1", "").replace(" ", "") for line in first)
    assert "…" not in "".join(lines)


def test_a_command_in_the_footer_can_be_copied():
    command = "askpoint value " + "a/" * 60 + "log.csv"
    assert f"\n{command}\n" in printed(Paragraph("."), footer=command)
