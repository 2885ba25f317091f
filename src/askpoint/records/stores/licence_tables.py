"""The tables of licences: actions, entries in their order, and the state to which these lead."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from askpoint.errors import InputError, LogError, NoDeploymentError
from askpoint.live.canonical import canonical_json, chain_hash, is_same_but_rounding
from askpoint.live.licences.action import Action
from askpoint.live.licences.book import Book
from askpoint.live.licences.gateway import LicenceStore
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import Unit
from askpoint.records.artefacts import make_folder, read_text
from askpoint.records.stores.archive import durable_bytes
from askpoint.records.stores.database import Database, StoreReader
from askpoint.records.stores.places import Place
from askpoint.records.stores.postgres_addresses import is_address, read_address
from askpoint.records.stores.sqlite import FILE, SqliteDatabase
from askpoint.records.stores.tables import FORMAT, check_format

__all__ = ["LicenceLedger", "LicenceTransaction", "leads_to", "open_licences", "read_entries"]

_SCHEMA = (
    """CREATE TABLE meta (id {long} PRIMARY KEY, format {long} NOT NULL, version {long} NOT NULL,
    last_at {long} NOT NULL, policy TEXT NOT NULL, secret {blob}, house TEXT NOT NULL, chain TEXT NOT NULL,
    entries {long} NOT NULL, actions {long} NOT NULL)""",
    "CREATE TABLE units (name TEXT PRIMARY KEY, content TEXT NOT NULL)",
    """CREATE TABLE actions (n {long} PRIMARY KEY, key TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, digest TEXT NOT NULL,
    ran {long} NOT NULL, status TEXT NOT NULL, content TEXT NOT NULL, arguments TEXT)""",
    "CREATE INDEX actions_digest ON actions (digest)",
    "CREATE INDEX actions_status ON actions (status)",
    "CREATE TABLE entries (n {long} PRIMARY KEY, content TEXT NOT NULL, chain TEXT NOT NULL)",
)
_SECRET = 32  # bytes


class LicenceTransaction(LicenceStore):
    """The part of a book that jobs need; what they changed of it is written at the end, at once."""

    def __init__(self, database: Database, policy: LicencePolicy) -> None:
        ((last_at, house, chain, version, entries, actions),) = database.execute(
            "SELECT last_at, house, chain, version, entries, actions FROM meta"
        )
        super().__init__(policy, House(**json.loads(house)), last_at, chain)
        self.database, self.version = database, version
        self._n_entries, self._n_actions = entries, actions
        self._entries: list[tuple[int, str, str]] = []
        self._arguments: dict[str, str | None] = {}  # of new actions, in their order
        self._actions: dict[str, Action] = {}
        self._units: dict[str, Unit] = {}
        self._new_units: set[str] = set()
        self._runs: dict[str, list[tuple[str, str]]] = {}  # by digest, units and keys

    def prefetch(self, keys: Sequence[str], units: Sequence[str], digests: Sequence[str]) -> None:
        """Load what many jobs need at once: 40 of them take three statements, not 120."""
        self.load_actions(list(dict.fromkeys(keys)))
        self.load_units(dict.fromkeys(units))
        self._runs.update({digest: [] for digest in digests})
        self._find_runs(list(self._runs))

    def _find_runs(self, digests: Sequence[str]) -> None:
        rows = self.database.find(
            "SELECT digest, unit, ran, key FROM actions WHERE digest IN", digests
        )
        for digest, unit, ran, key in rows:
            if ran:
                self._runs.setdefault(digest, []).append((unit, key))

    def read_actions(self, keys: Sequence[str]) -> Iterable[Action]:
        """Return the actions that the tables have of some keys."""
        rows = self.database.find("SELECT key, content FROM actions WHERE key IN", keys)
        return [Action(**json.loads(content)) for _, content in rows]

    def read_units(self, names: Sequence[str]) -> Iterable[tuple[str, Unit]]:
        """Return the units that the tables have of some names."""
        rows = self.database.find("SELECT name, content FROM units WHERE name IN", names)
        return [(name, Unit.from_dict(json.loads(content))) for name, content in rows]

    def read_runs(self, unit: str, digest: str) -> set[str]:
        """Return the keys of actions of a unit with a digest that ran."""
        if digest not in self._runs:
            self._runs[digest] = []
            self._find_runs([digest])
        return {key for name, key in self._runs[digest] if name == unit}

    def read_versions(self, agent: str) -> set[str]:
        """Return the versions in which an agent's units were last seen."""
        rows = self.database.execute("SELECT name, content FROM units")
        found = {name: json.loads(content)["version"] for name, content in rows}
        found |= {name: unit.version for name, unit in self.book.units.items()}
        return {version for name, version in found.items() if name.startswith(f"{agent} | ")}

    def write_entry(self, entry: str, chain: str) -> None:
        """Append an entry, at the end."""
        self._entries.append((self._n_entries, entry, chain))
        self._n_entries += 1

    def write_unit(self, name: str, unit: Unit, *, is_new: bool) -> None:
        """Keep a unit as it is at the end."""
        self._units[name] = unit
        if is_new:
            self._new_units.add(name)

    def write_action(self, action: Action, arguments: str | None, *, is_new: bool) -> None:
        """Keep an action as it is at the end."""
        self._actions[action.key] = action
        if is_new:
            self._arguments[action.key] = arguments

    def write(self) -> bool:
        """Write what jobs changed; whether they changed anything."""
        if not self._entries:
            return False
        self.database.insert("entries", ("n", "content", "chain"), self._entries)
        self._write_units()
        self._write_actions()
        house = canonical_json(self.book.house.to_dict())
        self.database.execute(
            "UPDATE meta SET version = ?, last_at = ?, house = ?, chain = ?, entries = ?, actions = ?",
            (self.version + 1, self.last_at, house, self.chain, self._n_entries, self._n_actions),
        )
        return True

    def _write_units(self) -> None:
        rows = {name: canonical_json(unit.to_dict()) for name, unit in self._units.items()}
        new = [(name, said) for name, said in rows.items() if name in self._new_units]
        old = [(said, name) for name, said in rows.items() if name not in self._new_units]
        if new:
            self.database.insert("units", ("name", "content"), new)
        if old:
            self.database.change("UPDATE units SET content = ? WHERE name = ?", old)

    def _write_actions(self) -> None:
        said = {
            key: (int(one.verdict == "allow"), one.status, canonical_json(one.to_dict()))
            for key, one in self._actions.items()
        }
        new = [
            (self._n_actions + i, key, one.unit, one.digest, *said[key], arguments)
            for i, (key, arguments) in enumerate(self._arguments.items())
            for one in (self._actions[key],)
        ]
        if new:
            fields = ("n", "key", "unit", "digest", "ran", "status", "content", "arguments")
            self.database.insert("actions", fields, new)
            self._n_actions += len(new)
        old = [(*row, key) for key, row in said.items() if key not in self._arguments]
        if old:
            statement = "UPDATE actions SET ran = ?, status = ?, content = ? WHERE key = ?"
            self.database.change(statement, old)


class LicenceLedger:
    """Reads and writes the tables of licences; one transaction at a time."""

    def __init__(self, database: Database, document: LicencePolicy, secret: bytes) -> None:
        self.document, self.secret = document, secret
        self.standing = None
        self._database = database

    def create(self) -> None:
        """Make the tables, within a transaction."""
        self._database.create(_SCHEMA)
        house, begin = (
            canonical_json(House().to_dict()),
            chain_hash("", self.document.digest.encode()),
        )
        self._database.insert(
            "meta",
            (
                "id",
                "format",
                "version",
                "last_at",
                "policy",
                "secret",
                "house",
                "chain",
                "entries",
                "actions",
            ),
            [(1, FORMAT, 0, 0, self.document.to_json(), self.secret, house, begin, 0, 0)],
        )

    def begin(self) -> LicenceTransaction:
        """Return a transaction on what is there now, whoever wrote last."""
        check_format(self._database)
        return LicenceTransaction(self._database, self.document)

    def end(self, transaction: LicenceTransaction) -> bool:
        """Write what its jobs changed; whether they changed anything."""
        return transaction.write()

    def keep(self, transaction: LicenceTransaction) -> None:
        """Nothing is kept beside the tables."""


def open_licences(
    where: str | os.PathLike[str], policy: LicencePolicy | None, secret: bytes | None
) -> Place:
    """Find the licences that are there, or make those of a policy."""
    place = os.fspath(where)
    secret = secrets.token_bytes(_SECRET) if secret is None else secret
    if place == ":memory:":
        if policy is None:
            raise InputError("licences in memory begin with a policy: Licences(':memory:', policy)")
        return _make_place(place, SqliteDatabase(None), policy, secret)
    if is_address(place):
        from askpoint.records.stores.postgres import PostgresDatabase

        address = read_address(place)
        return _make_place(str(address), PostgresDatabase(address), policy, secret)
    folder = Path(place)
    if not (folder / "policy.json").is_file():
        if policy is None:
            raise NoDeploymentError(
                f"{folder} holds no policy.json; name the folder in which the licences are, or give a policy"
            )
        make_folder(folder)
    else:
        there = LicencePolicy.from_json(read_text(folder / "policy.json"))
        if not (folder / FILE).is_file():
            raise LogError(
                f"{folder} holds a policy and no {FILE}, in which its licences are; restore the folder from a copy"
            )
        _check_same(str(folder), there, policy)
        policy = there
    database = SqliteDatabase(folder)
    (folder / FILE).chmod(0o600)  # it holds the secret
    made = _make_place(str(folder), database, policy, secret)
    if not (folder / "policy.json").is_file():
        durable_bytes(folder / "policy.json", made.ledger.document.to_json().encode())
    return made


def _make_place(
    name: str, database: Database, policy: LicencePolicy | None, secret: bytes
) -> Place:
    with database.writing():
        is_new = database.is_new
        if is_new and policy is not None:
            LicenceLedger(database, policy, secret).create()
    if is_new and policy is None:
        database.close()
        raise NoDeploymentError(
            f"{name} holds no licences; name the address that holds them, or give a policy"
        )
    with database.reading() as reader:
        check_format(reader)
        ((text, kept),) = reader.execute("SELECT policy, secret FROM meta")
    there = LicencePolicy.from_json(text)
    try:
        _check_same(name, there, policy)
    except InputError:
        database.close()
        raise
    return Place(name, database, LicenceLedger(database, there, bytes(kept)), None)


def _check_same(name: str, there: LicencePolicy, policy: LicencePolicy | None) -> None:
    if policy is not None and policy.digest != there.digest:
        raise InputError(
            f"{name} holds licences of another policy already; open it without one, or begin in a new place: evidence "
            "that was earned under other terms does not count"
        )


def leads_to(
    book: Book, units: Mapping[str, str], actions: Mapping[str, str], house: str = ""
) -> bool:
    """Return whether a book is what stands in the tables, but for the rounding of another processor."""
    made = {name: unit.to_dict() for name, unit in book.units.items()}
    receipts = {key: one.to_dict() for key, one in book.actions.items()}
    again = [made, receipts, *([book.house.to_dict()] if house else [])]
    try:
        kept = [{name: json.loads(text) for name, text in one.items()} for one in (units, actions)]
        whole = [*kept, *([json.loads(house)] if house else [])]
    except (TypeError, ValueError):
        return False
    return is_same_but_rounding(whole, json.loads(canonical_json(again)))


def read_entries(reader: StoreReader) -> Iterable[dict[str, Any]]:
    """Yield all entries in their order.

    Raises
    ------
    LogError
        If their hashes are not those that were written.
    """
    ((policy, last),) = reader.execute("SELECT policy, chain FROM meta")
    chain = chain_hash("", LicencePolicy.from_json(policy).digest.encode())
    for n, content, kept in list(reader.stream("SELECT n, content, chain FROM entries ORDER BY n")):
        chain = chain_hash(chain, content.encode())
        if chain != kept:
            raise LogError(f"entry {n} of the licences was changed; restore them from a copy")
        yield json.loads(content)
    if chain != last:
        raise LogError("the last entries of the licences are missing; restore them from a copy")
