"""What a file was read as, and the choices that settle a doubt about that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import polars as pl

__all__ = ["Choices", "Counts", "Doubt", "Finding", "Gold", "Kind", "Reading"]

Kind = Literal["predictions", "votes", "evaluation", "approvals"]
Counts = dict[str, dict[str, int]]


class Doubt(NamedTuple):
    """What could be read in two ways, and the option that settles which.

    Attributes
    ----------
    what : str
        What was taken for what, or what must be chosen.
    option : str
        The option that settles the doubt; empty where nothing is to be chosen.
    must_be_settled : bool
        Whether nothing can be evaluated before somebody has chosen.
    """

    what: str
    option: str = ""
    must_be_settled: bool = False


class Finding(NamedTuple):
    """What one column was taken for, and why.

    Attributes
    ----------
    column, part : str
        The column, and what it was taken for.
    why : str
        The evidence.
    other : str
        What it would be next; empty where nothing else fits.
    """

    column: str
    part: str
    why: str
    other: str = ""


@dataclass(frozen=True)
class Choices:
    """What somebody said about his files, where their content leaves a choice."""

    kind: str | None = None
    id: str | None = None
    label: str | None = None
    proba: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    prediction: str | None = None
    confidence: str | None = None
    judges: tuple[str, ...] = ()
    gold: str | None = None
    missing: tuple[str, ...] | None = None
    labels_map: Mapping[str, str] = field(default_factory=dict)
    pass_at: float | None = None
    system: str | None = None
    task: str | None = None
    people: tuple[str, ...] = ()
    scores: str | None = None
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    unfinished: str | None = None
    repeats: str | None = None
    tables: str | None = None
    declined: str | None = None


class Gold(NamedTuple):
    """Labels by people.

    Attributes
    ----------
    source : str
        Where they stand in the file.
    labels : dict of str to str
        The label of each item (in an evaluation of each row, by its number).
    """

    source: str
    labels: Mapping[str, str]

    def counts(self) -> dict[str, int]:
        """Return how often each label was given."""
        return _count(self.labels.values())


def _count(values: object) -> dict[str, int]:
    series = pl.Series("value", list(values), dtype=pl.String)  # type: ignore[call-overload]
    return dict(series.value_counts().sort("value").iter_rows())


@dataclass(frozen=True)
class Reading:
    """What files hold: a table whose columns are known.

    Parameters
    ----------
    kind : {"predictions", "votes", "evaluation", "approvals"}
        What the files are.
    tool : str
        What wrote them: the reader's name.
    files : tuple of str
        Their names.
    frame : polars.DataFrame
        The rows, with cells already converted. Of votes and evaluations: columns ``item`` and
        the judges, and ``system`` or ``task`` where there are several.
    items : int
        Independent items; several rows of one item are its repeats.
    id, label, prediction, confidence, time : str or None
        Columns of predictions.
    probabilities : dict of str to str
        The column of each class of predictions.
    classes : tuple of str
        Classes of predictions.
    label_counts : dict of str to int
        How often each label of predictions occurs.
    judges : tuple of str
        The columns of votes.
    votes : dict of str to dict of str to int
        How often each judge gave each value.
    missing : dict of str to dict of str to int
        How often a column holds nothing, by the word that it holds instead.
    gold : Gold or None
        Labels by people.
    systems : tuple of str
        Whose answers were judged.
    not_judges : tuple of str
        Columns that are no votes.
    scales : tuple of str
        Judges whose values are numbers on a scale, which are no labels yet.
    one_label : dict of str to str
        Spellings that are one label, over all judges.
    states : polars.Series or None
        What became of each row: answered, declined or failed; None where the file does not say.
    parts : polars.DataFrame or None
        Other columns of the same rows, by which the items may be parted.
    lines : int or None
        Lines of the file, where several are one row.
    doubts : tuple of Doubt
        What was taken for what.
    findings : tuple of Finding
        Why each column was taken for what.
    abstentions : tuple of str
        Labels of judges that stand in `votes` and count as no vote.
    is_guess : bool
        Whether names and values of columns decided it, rather than a tool's own format or options.
    """

    kind: Kind
    tool: str
    files: tuple[str, ...]
    frame: pl.DataFrame
    items: int
    id: str | None = None
    label: str | None = None
    prediction: str | None = None
    confidence: str | None = None
    time: str | None = None
    probabilities: Mapping[str, str] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    label_counts: Mapping[str, int] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
    votes: Counts = field(default_factory=dict)
    missing: Counts = field(default_factory=dict)
    gold: Gold | None = None
    systems: tuple[str, ...] = ()
    not_judges: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    one_label: Mapping[str, str] = field(default_factory=dict)
    states: pl.Series | None = None
    parts: pl.DataFrame | None = None
    lines: int | None = None
    doubts: Sequence[Doubt] = ()
    findings: Sequence[Finding] = ()
    abstentions: tuple[str, ...] = ()
    is_guess: bool = False

    def number(self, state: str) -> int:
        """Return how many rows were answered, declined or failed."""
        if self.states is None:
            return self.frame.height if state == "answered" else 0
        return int((self.states == state).sum())

    @property
    def open_doubt(self) -> Doubt | None:
        """The first doubt that must be settled before anything can be evaluated."""
        return next((doubt for doubt in self.doubts if doubt.must_be_settled), None)
