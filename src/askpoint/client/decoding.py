"""Records of wire types from JSON objects."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

__all__ = ["decode_record"]

_T = TypeVar("_T")


def decode_record(kind: type[_T], values: dict[str, Any]) -> _T:
    """Return the record that a JSON object holds; fields of a newer server are left out."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: _decode(hints[name], values[name]) for name in names})


def _decode(hint: Any, value: Any) -> Any:
    kinds = [part for part in (hint, *get_args(hint)) if isinstance(part, type)]
    if value is None:
        return None
    if datetime in kinds:
        return datetime.fromisoformat(value)
    record = next((kind for kind in kinds if is_dataclass(kind)), None)
    if record is None:
        return value
    if get_origin(hint) is list:
        return [decode_record(record, item) for item in value]
    return decode_record(record, value)
