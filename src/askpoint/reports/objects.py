"""Answers as JSON holds them; what is undefined is null, with a reason beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from askpoint.measures.intervals import Interval

__all__ = ["as_json", "record", "with_reasons"]


def as_json(value: Any) -> Any:
    """Return a value as JSON holds it: intervals as pairs, dataclasses and named tuples by field."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): as_json(part) for key, part in value.items()}
    if isinstance(value, Interval):
        return [float(value.lower), float(value.upper)]
    if _fields(value):
        return record(value)
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    return value


def record(value: Any, *names: str, why: str | None = None) -> dict[str, Any]:
    """Return attributes by name, by default all fields; undefined ones with the value's reason."""
    names = names or tuple(name for name in _fields(value) if name != "reason")
    content = {name: as_json(getattr(value, name)) for name in names}
    reason = getattr(value, "reason", None) if why is None else why
    return content if reason is None else with_reasons(content, reason)


def with_reasons(content: Mapping[str, Any], why: str) -> dict[str, Any]:
    """Say beside a content why some of it is undefined."""
    return {**content, "reasons": {key: why for key, part in content.items() if part is None}}


def _fields(value: Any) -> tuple[str, ...]:
    if dataclasses.is_dataclass(value):
        return tuple(field.name for field in dataclasses.fields(value))
    return tuple(getattr(value, "_fields", ()))
