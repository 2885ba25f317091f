"""Votes of a panel on cases that come to be decided, read by the panel that a policy holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.judges.panel_classifier import PanelClassifier, PanelOpinion, pool_probabilities
from askpoint.measures.inputs import FloatArray
from askpoint.records.label_words import NO_LABEL_WORDS, spelling_key
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns

__all__ = ["PanelReader", "mark_probable", "read_probabilities"]


@dataclass(frozen=True, kw_only=True)
class PanelReader:
    """How the columns of a panel's judges become a label and a confidence.

    Parameters
    ----------
    judges, labels : tuple of str
        Columns, and the policy's classes.
    panel : PanelClassifier or None
        What votes mean; None where the columns hold probabilities.
    probability_of : str or None
        The label whose probability they hold.
    pass_at : float or None
        Scores from here up are votes for "pass".
    no_vote : tuple of str
        Words that are no vote.
    spellings : mapping of str to str
        Other spellings, and the label that they are.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    panel: PanelClassifier | None = None
    probability_of: str | None = None
    pass_at: float | None = None
    no_vote: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        panel: PanelClassifier | None,
        *,
        judges: Sequence[str],
        labels: Sequence[str],
        probability_of: str | None = None,
        pass_at: float | None = None,
        no_vote: Sequence[str] = (),
        spellings: Mapping[str, str] | None = None,
    ) -> PanelReader:
        """Return the reader of a panel as it was learned."""
        return cls(
            judges=tuple(judges),
            labels=tuple(labels),
            panel=panel,
            probability_of=probability_of,
            pass_at=pass_at,
            no_vote=tuple(dict.fromkeys(no_vote)),
            spellings=dict(spellings or {}),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for a policy."""
        return {
            "judges": list(self.judges),
            "labels": list(self.labels),
            "votes": None if self.panel is None else self.panel.to_dict(),
            "probability_of": self.probability_of,
            "pass_at": self.pass_at,
            "no_vote": list(self.no_vote),
            "spellings": dict(self.spellings),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> PanelReader:
        """Return the reader that `to_dict` wrote."""
        votes = plain["votes"]
        return cls.of(
            None if votes is None else PanelClassifier.from_dict(votes),
            judges=plain["judges"],
            labels=plain["labels"],
            probability_of=plain["probability_of"],
            pass_at=plain["pass_at"],
            no_vote=plain["no_vote"],
            spellings=plain["spellings"],
        )

    def opine(self, frame: pl.DataFrame) -> PanelOpinion:
        """Say of each row which label the panel gives, and how surely.

        Raises
        ------
        UnknownColumnError
            If a judge has no column.
        LogError
            If a vote is none of the labels.
        """
        for name in self.judges:
            if name not in frame.columns:
                raise UnknownColumnError(name, frame.columns)
        if self.panel is not None:
            codes = np.column_stack([self._codes(frame[name]) for name in self.judges])
            return self.panel.opine(codes)
        said = pool_probabilities(read_probabilities(frame, self.judges))
        if self.labels.index(str(self.probability_of)) == 0:
            return PanelOpinion(1 - said.prediction, said.confidence)
        return said

    def _codes(self, column: pl.Series) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Positions of the labels that a column votes for, -1 for no vote."""
        place = {spelling_key(label): code for code, label in enumerate(self.labels)}
        for spelling, label in self.spellings.items():
            place.setdefault(spelling_key(spelling), self.labels.index(label))
        none = {spelling_key(word) for word in self.no_vote} | NO_LABEL_WORDS
        # a panel of one label against all others calls these so
        other = 1 if self.labels[1] == f"not {self.labels[0]}" else None
        found = {}
        for text in column.cast(pl.String).fill_null("").unique().to_list():
            key = spelling_key(text)
            code = -1 if key in none else place.get(key, other)
            if self.pass_at is not None and key not in none:
                code = self._passes(text, column.name)
            if code is None:
                raise LogError(
                    f"a vote in the column {column.name!r} must be one of {', '.join(map(repr, self.labels))}; "
                    f"got {text!r}. Leave the cell empty where there is no vote."
                )
            found[text] = code
        return np.array([found[text] for text in column.cast(pl.String).fill_null("")], dtype=int)

    def _passes(self, text: str, name: str) -> int:
        try:
            passes = float(text) >= (self.pass_at or 0.0)
        except ValueError:
            raise LogError(
                f"the column {name!r} must hold scores, as when the policy was written; got {text!r}"
            ) from None
        return self.labels.index("pass" if passes else "fail")


def mark_probable(
    source: Any, columns: VoteColumns, label: str, other: str
) -> tuple[pl.DataFrame, dict[str, FloatArray]]:
    """Return probabilities of a label as votes for it (from 1 / 2 up) or the other, and the judges' own.

    Raises
    ------
    LogError
        If the file has a row a vote, or no column of probabilities.
    """
    table = open_table(source)
    if columns.is_long(table.columns):
        raise LogError(
            f"probabilities must be in columns of their judges; {table.name} has one row per vote"
        )
    judges, _ = columns.of_judges(table)
    frame = table.read(list(table.columns))
    if columns.judges is None:  # others are texts, times, lengths
        judges = [name for name in judges if _are_probabilities(frame[name])]
    if not judges:
        raise LogError(
            f"{table.name} has no column of probabilities; name the judges with --judges"
        )
    said = dict(zip(judges, read_probabilities(frame, judges).T, strict=True))
    votes = [
        pl.Series(name, np.where(own >= 0.5, label, other)).set(pl.Series(np.isnan(own)), None)
        for name, own in said.items()
    ]
    kept = [name for name in (columns.task, columns.gold) if name in frame.columns]
    return frame.select(kept).with_columns(votes), said


def _are_probabilities(column: pl.Series) -> bool:
    """Whether all cells that are not empty hold probabilities, not all of them 0 or 1."""
    texts = column.cast(pl.String).str.strip_chars()
    numbers = texts.filter(texts != "").cast(pl.Float64, strict=False)
    return bool(
        len(numbers)
        and not numbers.is_null().any()
        and numbers.is_between(0, 1).all()
        and not numbers.is_in([0.0, 1.0]).all()
    )


def read_probabilities(frame: pl.DataFrame, judges: Sequence[str]) -> FloatArray:
    """Return the judges' probabilities, NaN where a cell is empty."""
    columns = []
    for name in judges:
        texts = frame[name].cast(pl.String).fill_null("").str.strip_chars()
        numbers = texts.cast(pl.Float64, strict=False)
        strange = frame[name].filter(
            (texts != "") & (~numbers.is_between(0, 1)).fill_null(value=True)
        )
        if len(strange):
            raise LogError(
                f"the column {name!r} must hold probabilities between 0 and 1; got {strange[0]!r}. Name the "
                "judges with --judges."
            )
        columns.append(numbers.fill_null(float("nan")).to_numpy())
    return np.column_stack(columns)
