"""Blocks of the log: decisions, labels and deletions as they were written together.

What stands in a row of a case's content is a digest, not the content: that can be deleted on request, and
the receipts still verify.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.live.leases.lease import Lease
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["Block", "DecisionBlock", "DeletionBlock", "HandInBlock", "LabelBlock", "LeaseBlock"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DecisionBlock:
    """Decisions in their order.

    Parameters
    ----------
    seq : ndarray of int
        0, 1, ...
    key : list of str
        Name of each case.
    at : ndarray of int
        Microseconds since 1970, UTC.
    prediction : list of str
        What the model said.
    confidence, drawn, propensity : ndarray
        The model's confidence, the audit draw, the chance of a label.
    answer, audit : ndarray of bool
        What was decided.
    episode : ndarray of int
        In which episode.
    digest : list of str or None
        Of the case's content.
    group : list of str or None
        The region of the case, where audits were raised by region.
    rate : ndarray
        The share of answers audited in its region, set before the draw was known.
    held : ndarray of bool
        Whether the decision was made in shadow: nobody acted on it.
    model_version : list of str
        Of the model.
    clock_back : list of int or None
        By how many microseconds the clock stood before the last moment recorded.
    leaf : int
        Place of the first of them in the log; -1 where it is not kept.
    chain : str
        Root of the log up to the last of them.
    lease : int or None
        Number of the lease under which they were decided elsewhere; None where they were decided here.
    """

    seq: IntArray
    key: list[str]
    at: IntArray
    prediction: list[str]
    confidence: FloatArray
    drawn: FloatArray
    propensity: FloatArray
    answer: BoolArray
    audit: BoolArray
    episode: IntArray
    digest: list[str | None]
    group: list[str | None]
    rate: FloatArray
    held: BoolArray
    model_version: list[str]
    clock_back: list[int | None]
    leaf: int = -1
    chain: str = ""
    lease: int | None = None

    @property
    def moments(self) -> IntArray:
        """When each was made by the clock of whoever made it, in microseconds since 1970."""
        return self.at - np.array([back or 0 for back in self.clock_back], dtype=np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelBlock:
    """Labels in the order in which they came, after so many decisions.

    Parameters
    ----------
    after : int
        Decisions made before they came.
    key, label, judge, source : list of str
        Of which case, what, by whom, and why: asked, audit, gold or feedback.
    seq : ndarray of int
        The decision of each.
    wrong : ndarray of bool
        Whether the model's prediction differs.
    counts : ndarray of bool
        Whether it is the first by source asked or audit.
    truth : list of str or None
        Of gold cases, what is known to be right.
    gold : ndarray of bool
        Whether it is the first of a judge on a gold case; `wrong` is the judge's then.
    at : ndarray of int
        Microseconds since 1970, UTC.
    clock_back : list of int or None
        By how many microseconds the clock stood before the last moment recorded.
    leaf : int
        Place of the first of them in the log; -1 where it is not kept.
    chain : str
        Root of the log up to the last of them.
    """

    after: int
    key: list[str]
    label: list[str]
    judge: list[str]
    source: list[str]
    seq: IntArray
    wrong: BoolArray
    counts: BoolArray
    truth: list[str | None]
    gold: BoolArray
    at: IntArray
    clock_back: list[int | None]
    leaf: int = -1
    chain: str = ""


@dataclass(frozen=True, kw_only=True)
class DeletionBlock:
    """Cases whose content was deleted on request.

    Parameters
    ----------
    seq : tuple of int
        Their decisions.
    key : tuple of str
        Their names.
    at : int
        Microseconds since 1970, UTC.
    leaf : int
        Place of the first of them in the log.
    """

    seq: tuple[int, ...]
    key: tuple[str, ...]
    at: int
    leaf: int = -1


@dataclass(frozen=True, kw_only=True)
class LeaseBlock:
    """A lease that was granted.

    Parameters
    ----------
    lease : Lease
        With its place in the log.
    """

    lease: Lease

    @property
    def leaf(self) -> int:
        """Place of its row in the log."""
        return self.lease.leaf

    @property
    def at(self) -> int:
        """When it was granted."""
        return self.lease.granted


@dataclass(frozen=True, kw_only=True)
class HandInBlock:
    """What was handed in of a lease; the new ones of its cases are the next decisions of the log.

    Parameters
    ----------
    lease : int
        Number of the lease.
    at : int
        When, in microseconds since 1970.
    answers : int
        New cases that the decider answered.
    cases : int
        New cases.
    booked : int
        Answers that stand in no decision of the log, for their key was decided otherwise before.
    digest : str
        Hash of the receipts.
    leaf : int
        Place of its row in the log.
    """

    lease: int
    at: int
    answers: int
    cases: int
    booked: int
    digest: str
    leaf: int = -1


Block = DecisionBlock | LabelBlock | DeletionBlock | LeaseBlock | HandInBlock
"""What a log is read in."""
