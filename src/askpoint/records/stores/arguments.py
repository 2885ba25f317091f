"""What callers of a deployment hand in and get back: one case, or columns of them, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.confidence import confidence_scores
from askpoint.measures.inputs import as_probabilities
from askpoint.records.stores.tables import DecisionRow

__all__ = [
    "Decided",
    "as_decided",
    "as_micros",
    "as_texts",
    "check_texts",
    "read_confidence",
    "with_calls",
]

_LONGEST = 10_000  # characters of a key
_LATEST = 253_402_300_800_000_000  # the year 10000, in microseconds


class Decided(NamedTuple):
    """What was decided: of one case, or an array of each column.

    Attributes
    ----------
    key : str or list of str
        Name of the case.
    action : str or ndarray of str
        answer (the model decides alone), ask (the case goes to review) or hold (nobody acts on it).
    audit : bool or ndarray of bool
        Whether an answer goes to review afterwards.
    propensity : float or ndarray
        The chance that the case is labelled: 1 where it asks, else the audit rate.
    episode : int or ndarray of int
        1, and one more after each closing.
    seq : int or ndarray of int
        Number of the decision; -1 of a case outside of the rollout, or that waits for a rung.
    call : str, ndarray of object, or None
        By a ladder's policy: the rung whose output the case waits for, else None. Its action is call, and nothing
        is decided of it.
    """

    key: Any
    action: Any
    audit: Any
    propensity: Any
    episode: Any
    seq: Any
    call: Any = None

    @property
    def answer(self) -> Any:
        """Whether the model decides alone: one bool, or an array."""
        return self.action == "answer"


def read_confidence(
    classes: Sequence[str],
    names: list[str],
    prediction: Any,
    confidence: Any,
    probabilities: Any,
    *,
    one: bool,
    measure: str = "max_probability",
) -> tuple[list[str], list[float]]:
    """Return what the model says of each case, and how sure it is by the policy's measure."""
    n = len(names)
    if (confidence is None) == (probabilities is None):
        raise InputError("give how sure the model is, once: confidence=... or probabilities=...")
    if probabilities is not None:
        table = np.atleast_2d(np.asarray(probabilities))
        if table.dtype.kind in "bSU":
            raise InputError(f"probabilities must be numbers; got {probabilities!r:.80}")
        if table.shape != (n, len(classes)):
            raise InputError(
                f"probabilities are one row for each of {n} cases and one column for each class "
                f"({', '.join(classes)}); got an array of shape {table.shape}"
            )
        if prediction is not None:
            raise InputError("the prediction follows from probabilities: leave it out")
        chance = as_probabilities(table, n_classes=len(classes))
        likeliest = [classes[i] for i in chance.argmax(axis=1).tolist()]
        return likeliest, confidence_scores(chance, measure).tolist()
    if np.asarray(confidence).dtype.kind in "bSU":
        raise InputError(f"confidence must be a number for each case; got {confidence!r:.80}")
    try:
        sure = [float(confidence)] if one else np.asarray(confidence, dtype=np.float64).tolist()
    except (TypeError, ValueError):
        raise InputError(
            f"confidence must be a number for each case; got {confidence!r:.80}"
        ) from None
    if not isinstance(sure, list) or len(sure) != n:
        raise InputError(f"give one confidence for each of {n} cases")
    said = as_texts(prediction, n, "prediction", one=one)
    sure = [value + 0.0 for value in sure]  # no negative zero: a database has one zero
    return [classes[0]] * n if said is None else [str(name) for name in said], sure


def as_decided(
    names: list[str], parts: Iterable[Sequence[DecisionRow | None]], *, one: bool
) -> Decided:
    """Return decisions in the caller's shape: of one case, or an array of each column."""
    if one:
        ((row,),) = parts
        if row is None:
            return Decided(names[0], "hold", audit=False, propensity=0.0, episode=0, seq=-1)
        return Decided(names[0], row.action, bool(row.audit), row.propensity, row.episode, row.seq)
    columns = [
        _columns_of(rows) for rows in parts
    ]  # rows go as they come: they are ten times as large
    return Decided(names, *map(np.concatenate, zip(*columns, strict=True)))


def with_calls(made: Decided, calls: Sequence[str | None], *, one: bool) -> Decided:
    """Return decisions beside cases that wait for a rung."""
    if one:
        return made if calls[0] is None else made._replace(action="call", call=calls[0])
    waits = np.array([call is not None for call in calls], dtype=np.bool_)
    return made._replace(
        action=np.where(waits, "call", made.action), call=np.array(calls, dtype=object)
    )


def _columns_of(rows: Sequence[DecisionRow | None]) -> list[Any]:
    known = [
        (row.action, row.audit, row.propensity, row.episode, row.seq) if row else _HELD
        for row in rows
    ]
    columns = list(zip(*known, strict=True)) or [()] * 5
    kinds = (np.str_, np.bool_, np.float64, np.int64, np.int64)
    return [np.array(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)]


_HELD = ("hold", 0, 0.0, 0, -1)


def as_texts(given: Any, n: int, name: str, *, one: bool = False) -> list[Any] | None:
    """Return one value for each of n cases; a text alone is that of each."""
    if given is None:
        return None
    if isinstance(given, str):
        return [given] * n
    values = list(given) if not one else [given]
    if len(values) != n:
        raise InputError(f"give one {name} for each of {n} cases; got {len(values)}")
    return values


def check_texts(values: Sequence[Any], name: str, *, is_name: bool = True) -> None:
    """Refuse what cannot be written: no text, half a character, a character NUL, a key without end."""
    for value in values:
        if value is None and not is_name:
            continue
        if not isinstance(value, str) or (is_name and not value):
            raise InputError(f"each case has a {name}, a text that is not empty; got {value!r:.80}")
        if is_name and len(value) > _LONGEST:
            raise InputError(
                f"a {name} has at most {_LONGEST:,} characters; got {len(value):,}: {value!r:.80}...; give a "
                "name of the case, or a hash of it"
            )
        if "\0" in value or not _is_utf8(value):
            raise InputError(
                f"the {name} {value!r:.80} cannot be written as UTF-8 text; leave out the character"
            )


def _is_utf8(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_micros(at: int | datetime | None) -> int | None:
    """Return a moment in microseconds since 1970."""
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise InputError("a moment needs a time zone: datetime.now(UTC), for example")
        at = round((at.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1e6)
    if at is not None and not 0 <= at < _LATEST:
        raise InputError(
            f"a moment must be between 1970 and 9999, in microseconds since 1970; got {at}"
        )
    return at
