"""Records of wire types from JSON objects."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

__all__ = ["decode_record"]

_T = TypeVar("_T")


def decode_record(kind: type[_T], values: dict[str, Any]) -> _T:
    """Return the record that a JSON object holds; fields of a newer server are left out."""
    return kind(**{name: read(values[name]) for name, read in _readers_of(cast("Hashable", kind))})


@functools.cache
def _readers_of(kind: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """How each field of a type is read: hints are text, and to evaluate them takes longer than all else."""
    hints = get_type_hints(kind)
    return tuple((field.name, _reader(hints[field.name])) for field in fields(kind))


def _reader(hint: Any) -> Callable[[Any], Any]:
    kinds = [part for part in (hint, *get_args(hint)) if isinstance(part, type)]
    if datetime in kinds:
        return lambda value: None if value is None else datetime.fromisoformat(value)
    record = next((kind for kind in kinds if is_dataclass(kind)), None)
    if record is None:
        return lambda value: value
    if get_origin(hint) is list:
        return lambda value: (
            None if value is None else [decode_record(record, one) for one in value]
        )
    return lambda value: None if value is None else decode_record(record, value)
