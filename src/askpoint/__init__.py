"""askpoint: which decisions may your model take alone, and what will that cost you?

A shop window: names only. Each is loaded from the module that defines it when it is first
asked for, so that ``import askpoint`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from askpoint.errors import (
        AskpointError as AskpointError,
        CostsError as CostsError,
        InputError as InputError,
        LogError as LogError,
        NotEstimableError as NotEstimableError,
        ObjectiveError as ObjectiveError,
        SketchError as SketchError,
        UnknownColumnError as UnknownColumnError,
        UnmetError as UnmetError,
    )
    from askpoint.measures.costs import CostMatrix as CostMatrix

_WINDOW = {
    "AskpointError": "askpoint.errors",
    "CostMatrix": "askpoint.measures.costs",
    "CostsError": "askpoint.errors",
    "InputError": "askpoint.errors",
    "LogError": "askpoint.errors",
    "NotEstimableError": "askpoint.errors",
    "ObjectiveError": "askpoint.errors",
    "SketchError": "askpoint.errors",
    "UnknownColumnError": "askpoint.errors",
    "UnmetError": "askpoint.errors",
}

__all__ = list(_WINDOW)

if not TYPE_CHECKING:  # hidden from type checkers, so that they still see a wrong name

    def __getattr__(name: str) -> Any:
        if name not in _WINDOW:
            raise AttributeError(f"module 'askpoint' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_WINDOW[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
