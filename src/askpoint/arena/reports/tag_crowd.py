"""A simulated tag challenge in words, as tables, and as one JSON object."""

from __future__ import annotations

from typing import Any

from askpoint.arena.answers.tag_crowd import TagAnswer
from askpoint.arena.reports.json import figure_object
from askpoint.arena.reports.tables import figure_headline, figure_text
from askpoint.reports.document import Document, Figures, Grid, Notice, Paragraph, Section
from askpoint.reports.words import plural, share

__all__ = ["tag_document", "tag_object"]

_CAVEAT = (
    "These players are simulated. They show what the rules do to labels; they are not evidence "
    "about people."
)


def tag_document(answer: TagAnswer) -> Document:
    """Say what the challenges did."""
    first, last = answer.lines[0], answer.lines[-1]
    grid = Grid(
        "Labels before and after, by the share of newcomers who propose anything",
        (
            "",
            "right before",
            "right after",
            "spoiled",
            "preferred",
            "cents",
            "honest",
            "cheat",
        ),
        tuple(
            (
                f"{share(line.cheaters)} cheats",
                figure_text(line.before, least=0, most=100),
                figure_text(line.after, least=0, most=100),
                figure_text(line.spoiled, least=0),
                figure_text(line.better, least=0, most=100),
                figure_text(line.cents, least=0),
                figure_text(line.honest, least=0),
                figure_text(line.cheat, least=0),
            )
            for line in answer.lines
        ),
        "Of 100 items: labels that are right before and after, and right ones that are wrong now. Of "
        "100 proposals: those that judges preferred. All that was paid, for each label more that is "
        "right. Points for a step of a player. Over seeds, with 95% intervals. An honest player who reads an item is mistaken as "
        f"often as a judge, in {share(answer.habits.judge_error)} of cases.",
    )
    return Document(
        f"The tag challenge, simulated: {answer.contest.name}",
        (
            Section(
                "The answer",
                (
                    Paragraph(
                        f"Of 100 labels that the model gave, {figure_text(first.before, least=0, most=100)} are right. "
                        f"After a challenge among honest players it is {figure_text(first.after, least=0, most=100)}; "
                        f"with {share(last.cheaters)} cheats {figure_text(last.after, least=0, most=100)}.",
                        lead=True,
                    ),
                    Figures(
                        "Right labels of 100",
                        (
                            figure_headline("of the model", first.before, most=100),
                            figure_headline("after honest players", first.after, most=100),
                            figure_headline(
                                f"after {share(last.cheaters)} cheats", last.after, most=100
                            ),
                            figure_headline("cents for each more", first.cents),
                        ),
                        "Cents among honest players."
                        + " Below a number: its 95% interval over seeds."
                        * (first.before.interval is not None),
                    ),
                    Notice(_CAVEAT),
                    Paragraph(answer.contest.story),
                ),
            ),
            Section("By the share of cheats", (grid,)),
            Section(
                "How it was played",
                (
                    Paragraph(
                        f"{answer.n_items} items, drawn at random from cases that the model did not "
                        "learn from, tagged by the model. "
                        f"{answer.habits.n_players} seats; players read ten items in a step, until "
                        "one seems to be labelled wrongly. Each proposal is judged by two, and a "
                        "third where they differ; who is certainly right on less than 15% is "
                        "suspended."
                    ),
                ),
            ),
        ),
        f"{plural(answer.seeds, 'seed', 'seeds')} from 1. Made by askpoint; nothing left this "
        "machine.",
    )


def tag_object(answer: TagAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint simulate --tags --json`` prints."""
    names = ("before", "after", "better", "spoiled", "cents", "honest", "cheat")
    return {
        "contest": answer.contest.name,
        "evidence": "simulated players: mechanisms, not people",
        "seeds": list(range(1, answer.seeds + 1)),
        "n_items": answer.n_items,
        "lines": [
            {"cheaters": line.cheaters}
            | {name: figure_object(getattr(line, name)) for name in names}
            for line in answer.lines
        ],
    }
