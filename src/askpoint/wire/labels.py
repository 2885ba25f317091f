"""Labels of a classifier in use, one by one and as files."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from askpoint.wire.fields import MOST_LABELS, CaseKey, Request, about

__all__ = [
    "DifferingOpinion",
    "LabelBatch",
    "LabelFile",
    "LabelImport",
    "LabelItem",
    "LabelMessage",
    "LabelResult",
    "OpinionsAsked",
    "RefusedLine",
    "RulingGiven",
    "SecondOpinions",
    "StoredLabel",
    "StoredRuling",
    "WaitingAppeal",
]


@dataclass(frozen=True, kw_only=True)
class LabelItem(Request):
    """What somebody found."""

    key: CaseKey
    label: str
    judge: str = field(default="", metadata=about("Else the token's owner.", max_length=150))
    source: str | None = field(default=None, metadata=about("feedback or gold; else it follows."))
    truth: str | None = field(
        default=None, metadata=about("Of gold cases: what is known to be right.")
    )


@dataclass(frozen=True, kw_only=True)
class LabelBatch(Request):
    """Labels that came together."""

    items: list[LabelItem] = field(metadata={"min_length": 1, "max_length": MOST_LABELS})


@dataclass(frozen=True, kw_only=True)
class LabelMessage:
    """A message of a labelling tool, as Standard Webhooks has them."""

    type: str = field(default="labels.made", metadata=about("Of your choice."))
    data: LabelBatch


@dataclass(frozen=True, kw_only=True)
class LabelResult:
    """What became of labels."""

    kept: int = field(metadata=about("Those that are new."))
    counted: int = field(
        metadata=about("The first of each asked or audited case; others are feedback.")
    )
    events: list[str] = field(metadata=about("What they set off, in words."))


@dataclass(frozen=True, kw_only=True)
class LabelFile(Request):
    """A file of labels."""

    kind: Literal["csv", "jsonl"] = "csv"
    text: str = field(metadata=about("key and label, and if known judge, source and truth."))


@dataclass(frozen=True, kw_only=True)
class RefusedLine:
    """A line that was not taken."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, kw_only=True)
class LabelImport:
    """What became of a file; all lines that are not refused were taken."""

    kept: int
    counted: int
    refused: list[RefusedLine]


@dataclass(frozen=True, kw_only=True)
class StoredLabel:
    """A label."""

    key: str
    label: str
    judge: str
    source: str = field(metadata=about("asked, audit, gold or feedback."))
    truth: str | None
    counts: bool
    at: datetime


@dataclass(frozen=True, kw_only=True)
class DifferingOpinion:
    """A case of which a second reviewer says something else than its label."""

    key: str
    label: str
    opinion: str
    reviewer: str


@dataclass(frozen=True, kw_only=True)
class SecondOpinions:
    """What second reviewers say of the cases that were sent to them, the first opinion on each; no label follows."""

    given: int = field(metadata=about("Cases that have an opinion."))
    agreed: int = field(metadata=about("Those on which it is the label."))
    agreement: list[float] | None = field(
        metadata=about(
            "Between what the share agreed lies in cases chosen like these, 95%; null without one."
        )
    )
    waiting: int = field(metadata=about("Cases that wait for a reviewer."))
    not_sure: int = field(metadata=about("Cases of which the reviewer was not sure."))
    differing: list[DifferingOpinion] = field(metadata=about("Those asked last first."))


@dataclass(frozen=True, kw_only=True)
class OpinionsAsked:
    """How many cases were sent to a second reviewer."""

    asked: int


@dataclass(frozen=True, kw_only=True)
class WaitingAppeal:
    """A reviewer's appeal that waits for a ruling."""

    key: str = field(metadata=about("Of the case."))
    reviewer: str
    why: str
    at: datetime
    said: str = field(metadata=about("What the reviewer said that the case is."))
    settled: str = field(metadata=about("What it is settled as."))


@dataclass(frozen=True, kw_only=True)
class RulingGiven(Request):
    """What an owner says that a labelled case is."""

    key: CaseKey
    label: str
    why: str = field(metadata=about("Reviewers who appealed read it.", max_length=500))


@dataclass(frozen=True, kw_only=True)
class StoredRuling:
    """A ruling; the label stays."""

    key: str
    label: str
    why: str
    who: str
    at: datetime
