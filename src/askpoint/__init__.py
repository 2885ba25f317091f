"""askpoint: which decisions may your model take alone, and what will that cost you?

Begin with `evaluate`. ``dir(askpoint)`` shows the dozen names that most programs need; all names are listed
in ``__init__.pyi``, and by subject in the reference. Each is loaded from the module that defines it when it
is first asked for, so that ``import askpoint`` stays quick. Wings and plugins add names of their own.
"""

from typing import Any

import lazy_loader

_getattr, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
_FRONT = (
    "AskAtMost",
    "AskpointError",
    "CheckCost",
    "MaxError",
    "Policy",
    "ScoreSketch",
    "SelectiveClassifier",
    "VoteSketch",
    "evaluate",
    "read_log",
    "read_votes",
    "report",
)


def __dir__() -> list[str]:
    return list(_FRONT)


def __getattr__(name: str) -> Any:
    try:
        return _getattr(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ModuleNotFoundError(
            f"askpoint.{name} draws, which is an extra part: pip install 'askpoint[plots]'",
            name=error.name,
        ) from None
    except AttributeError:
        if name.startswith("_"):
            raise
        from askpoint.registry import load_record

        found = load_record("names", name)
        if found is None:
            raise
        return found
