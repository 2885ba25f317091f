"""What wings and strangers' packages add to askpoint: one `Plugin` each, found by its entry point.

A package names its record in its own ``pyproject.toml``::

    [project.entry-points."askpoint"]
    weather = "weather_askpoint:PLUGIN"

The record names what it adds as ``"module:attribute"``, so that nothing is imported before it is used. The
wings of this package, `askpoint.arena` and `askpoint.papers`, are found in the same way; where one of
them was taken away, its entry point leads nowhere, and nothing of it is mentioned any more.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from askpoint.errors import PluginError

__all__ = [
    "GROUP",
    "KINDS",
    "Places",
    "Plugin",
    "Records",
    "find_plugins",
    "list_names",
    "list_problems",
    "load_record",
    "load_servers",
]

GROUP = "askpoint"
"""Of the entry points."""

_Record = TypeVar("_Record")
_Key = TypeVar("_Key")
_References = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """All that one package adds, each as a name and where it is defined, ``"module:attribute"``.

    Parameters
    ----------
    name : str
        Of the plugin, in messages and in the documentation.
    commands : mapping
        Subcommands of ``askpoint``: a `click.Command` each.
    names : mapping
        Names that ``askpoint.NAME`` shows.
    readers, judge_methods, confidence_measures, objectives, reward_designs : mapping
        Records of the library: what a file holds, who evaluates judges, how sure a model is, what a
        threshold is chosen for, what a find brings.
    events, notifiers : mapping
        Records of a policy in use: what can happen, an alarm with the watch that raises it; who is told and
        how.
    reports : mapping
        How an answer is said in a notebook, by the type of the answer: a pair of functions, to a document
        and to an object.
    server : str, default=""
        What it adds to the server: one `askpoint.server.extensions.ServerParts`.

    Examples
    --------
    >>> Plugin(name="weather", readers={"weather": "weather_askpoint:READER"}).readers["weather"]
    'weather_askpoint:READER'
    """

    name: str
    commands: _References = field(default_factory=dict)
    names: _References = field(default_factory=dict)
    readers: _References = field(default_factory=dict)
    judge_methods: _References = field(default_factory=dict)
    confidence_measures: _References = field(default_factory=dict)
    objectives: _References = field(default_factory=dict)
    reward_designs: _References = field(default_factory=dict)
    events: _References = field(default_factory=dict)
    notifiers: _References = field(default_factory=dict)
    reports: _References = field(default_factory=dict)
    server: str = ""


KINDS = tuple(part.name for part in fields(Plugin) if part.name not in ("name", "server"))
"""What a plugin can add by name."""

_problems: dict[str, None] = {}  # ordered, each once


@functools.cache
def find_plugins() -> tuple[Plugin, ...]:
    """Return the plugins that are installed, in the order of their entry points' names.

    One that cannot be loaded is left out, and named by `list_problems`.
    """
    found: list[Plugin] = []
    taken: set[tuple[str, str]] = set()
    for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda one: one.name):
        if _was_taken_away(entry.module):
            continue
        try:
            plugin = _check_plugin(entry.load(), entry.value, taken)
        except Exception as error:  # noqa: BLE001 - a stranger's package may fail as it likes
            _note(f"plugin {entry.name!r} is left out: {type(error).__name__}: {error}")
        else:
            taken |= _names_of(plugin)
            found.append(plugin)
    return tuple(found)


def _names_of(plugin: Plugin) -> set[tuple[str, str]]:
    return {(kind, name) for kind in KINDS for name in getattr(plugin, kind)}


def _check_plugin(plugin: Any, where: str, taken: set[tuple[str, str]]) -> Plugin:
    if not isinstance(plugin, Plugin):
        raise PluginError(f"{where} must be a Plugin; got {plugin!r:.80}")
    twice = _names_of(plugin) & taken
    if twice:
        kind, name = min(twice)
        raise PluginError(f"its {kind} {name!r} is there already")
    return plugin


def _was_taken_away(module: str) -> bool:
    """Tell whether an entry point names a wing of ours that is not there."""
    if not module.startswith("askpoint."):
        return False
    try:
        return importlib.util.find_spec(module) is None
    except ModuleNotFoundError:
        return True


def _note(problem: str) -> None:
    _problems[" ".join(problem.split())] = None


def list_problems() -> tuple[str, ...]:
    """Return what of the plugins asked for so far could not be loaded, a line each."""
    return tuple(_problems)


def _references(kind: str) -> dict[str, tuple[str, str]]:
    """Return plugin and place of each record of a kind, by the record's name."""
    return {
        name: (plugin.name, where)
        for plugin in find_plugins()
        for name, where in getattr(plugin, kind).items()
    }


def _load(kind: str, name: str, plugin: str, where: str) -> Any:
    module, _, attribute = where.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:
        problem = (
            f"plugin {plugin!r}: its {kind} {name!r} is left out: {type(error).__name__}: {error}"
        )
        _note(problem)
        raise PluginError(" ".join(problem.split())) from error


def list_names(kind: str) -> tuple[str, ...]:
    """Return the names that plugins add of one kind, without importing what they stand for."""
    return tuple(_references(kind))


def load_record(kind: str, name: str) -> Any:
    """Return what a plugin adds under a name, None where none does.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    name : str
        The record's.

    Raises
    ------
    PluginError
        If it cannot be imported.
    """
    known = _references(kind)
    return _load(kind, name, *known[name]) if name in known else None


def load_servers() -> dict[str, Any]:
    """Return what each plugin adds to the server, by the plugin's name."""
    found = {}
    for plugin in find_plugins():
        if plugin.server:
            try:
                found[plugin.name] = _load("server", "parts", plugin.name, plugin.server)
            except PluginError:
                continue
    return found


class Places(Mapping[_Key, Any], Generic[_Key]):
    """Names, and where what they stand for is defined: each is imported when it is first asked for.

    Parameters
    ----------
    places : mapping
        ``"module:attribute"`` of each name.

    Examples
    --------
    >>> Places({"root": "math:sqrt"})["root"](9)
    3.0
    """

    def __init__(self, places: Mapping[_Key, str]) -> None:
        self._places = dict(places)

    def __getitem__(self, name: _Key) -> Any:
        """Return what a name stands for."""
        module, _, attribute = self._places[name].partition(":")
        return getattr(importlib.import_module(module), attribute)

    def __iter__(self) -> Iterator[_Key]:
        """Yield the names."""
        return iter(self._places)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)


class Records(Mapping[_Key, _Record], Generic[_Key, _Record]):
    """The records of one kind by name: the core's own first, then those of the plugins.

    A plugin's record is imported when it is first asked for; one that cannot be is left out, and named by
    `list_problems`. A name of the core cannot be taken by a plugin.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    own : mapping
        The core's; `Places` where their names are asked for without them.
    key : callable, default=str
        From a plugin's name, the name here: ``int`` where the records are numbered.

    Examples
    --------
    >>> Records("readers", {"csv": "a reader"})["csv"]
    'a reader'
    """

    def __init__(
        self, kind: str, own: Mapping[_Key, _Record], key: Callable[[str], Any] = str
    ) -> None:
        self.kind = kind
        self.own = own
        self._key = key
        self._added: dict[_Key, _Record] | None = None

    def _places(self) -> Iterator[tuple[_Key, str, str, str]]:
        for name, (plugin, where) in _references(self.kind).items():
            try:
                key = self._key(name)
            except ValueError:
                _note(f"plugin {plugin!r}: its {self.kind} {name!r} is left out: not a number")
                continue
            if key in self.own:
                _note(f"plugin {plugin!r}: its {self.kind} {name!r} is there already")
            else:
                yield key, name, plugin, where

    def _load_plugins(self) -> dict[_Key, _Record]:
        if self._added is None:
            self._added = {}
            for key, name, plugin, where in self._places():
                with contextlib.suppress(PluginError):  # noted
                    self._added[key] = _load(self.kind, name, plugin, where)
        return self._added

    def __getitem__(self, name: _Key) -> _Record:
        """Return the record of a name."""
        if name in self.own:
            return self.own[name]
        return self._load_plugins()[name]

    def __iter__(self) -> Iterator[_Key]:
        """Yield the names."""
        yield from self.own
        yield from self._load_plugins()

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.own) + len(self._load_plugins())

    def names(self) -> tuple[_Key, ...]:
        """Return the names without importing any plugin's record."""
        return (*self.own, *(key for key, *_ in self._places()))
