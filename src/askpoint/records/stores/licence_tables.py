"""The tables of licences: actions, entries in their order, and the state to which these lead."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from askpoint.errors import InputError, LogError, NoDeploymentError
from askpoint.live.canonical import canonical_json, chain_hash
from askpoint.live.licences.book import Action, Book, House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import Unit
from askpoint.records.artefacts import make_folder, read_text
from askpoint.records.stores.archive import durable_bytes
from askpoint.records.stores.database import Database, StoreReader
from askpoint.records.stores.places import Place
from askpoint.records.stores.postgres_addresses import is_address, read_address
from askpoint.records.stores.sqlite import FILE, SqliteDatabase
from askpoint.records.stores.tables import FORMAT, check_format

__all__ = ["LicenceLedger", "LicenceTransaction", "open_licences", "read_entries"]

_SCHEMA = (
    """CREATE TABLE meta (id {long} PRIMARY KEY, format {long} NOT NULL, version {long} NOT NULL,
    last_at {long} NOT NULL, policy TEXT NOT NULL, secret {blob}, house TEXT NOT NULL, chain TEXT NOT NULL)""",
    "CREATE TABLE units (name TEXT PRIMARY KEY, content TEXT NOT NULL)",
    """CREATE TABLE actions (n {long} PRIMARY KEY, key TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, digest TEXT NOT NULL,
    ran {long} NOT NULL, status TEXT NOT NULL, content TEXT NOT NULL, arguments TEXT)""",
    "CREATE INDEX actions_digest ON actions (digest)",
    "CREATE INDEX actions_status ON actions (status)",
    "CREATE TABLE entries (n {long} PRIMARY KEY, content TEXT NOT NULL, chain TEXT NOT NULL)",
)
_SECRET = 32  # bytes


class LicenceTransaction:
    """The part of a book that jobs need, and what they changed of it."""

    def __init__(self, database: Database, policy: LicencePolicy) -> None:
        self.database = database
        ((self.last_at, house, self._chain, self.version),) = database.execute(
            "SELECT last_at, house, chain, version FROM meta"
        )
        ((self._entries,),) = database.execute("SELECT count(*) FROM entries")
        ((self._actions,),) = database.execute("SELECT count(*) FROM actions")
        self.book = Book(policy, house=House(**json.loads(house)))
        self._written: list[tuple[int, str, str]] = []
        self._arguments: dict[str, str | None] = {}
        self._known: set[str] = set()

    def at(self, moment: int) -> tuple[int, int]:
        """Return the moment of the next entry, and by how much the clock stepped back before it."""
        return max(moment, self.last_at), max(0, self.last_at - moment)

    def find(self, key: str) -> Action | None:
        """Return an action; its unit is loaded with it."""
        self.load_actions([key])
        return self.book.actions.get(key)

    def load_actions(self, keys: Sequence[str]) -> None:
        """Load actions, and their units."""
        missing = [key for key in keys if key not in self.book.actions]
        for _, content in self.database.find(
            "SELECT key, content FROM actions WHERE key IN", missing
        ):
            action = Action(**json.loads(content))
            self.book.actions[action.key] = action
            self._known.add(action.key)
        self.load_units(self.book.actions[key].unit for key in keys if key in self.book.actions)

    def load_units(self, names: Iterable[str]) -> None:
        """Load units."""
        missing = [name for name in names if name not in self.book.units]
        for name, content in self.database.find(
            "SELECT name, content FROM units WHERE name IN", missing
        ):
            self.book.units[name] = Unit.from_dict(json.loads(content))

    def times_run(self, unit: str, digest: str) -> int:
        """Return how many actions of a unit with a digest ran so far."""
        rows = self.database.find(
            "SELECT digest, unit, ran, key FROM actions WHERE digest IN", [digest]
        )
        ran = {key for _, name, is_run, key in rows if name == unit and is_run}
        mine = {
            one.key
            for one in self.book.actions.values()
            if one.unit == unit and one.digest == digest and one.verdict == "allow"
        }
        return len(ran | mine)

    def enter(self, do: str, **given: Any) -> Any:
        """Do one step, and write it down with the state to which it led."""
        units, house = dict(self.book.units), self.book.house
        made = getattr(self.book, do)(**{k: v for k, v in given.items() if k != "arguments"})
        entry = canonical_json({"do": do, **{k: v for k, v in given.items() if k != "arguments"}})
        self._chain = chain_hash(self._chain, entry.encode())
        self.last_at = max(self.last_at, given.get("at", 0))
        row = (self._entries, entry, self._chain)
        self.database.insert("entries", ("n", "content", "chain"), [row])
        self._entries += 1
        for name, unit in self.book.units.items():
            if units.get(name) is not unit:
                self._write_unit(name, unit, is_new=name not in units)
        if isinstance(made, Action):
            self._write_action(made, given.get("arguments"))
        self.database.execute(
            "UPDATE meta SET version = ?, last_at = ?, house = ?, chain = ?",
            (
                self.version + 1,
                self.last_at,
                canonical_json(self.book.house.to_dict()),
                self._chain,
            ),
        )
        del house
        return made

    def _write_unit(self, name: str, unit: Unit, *, is_new: bool) -> None:
        content = canonical_json(unit.to_dict())
        if is_new:
            self.database.insert("units", ("name", "content"), [(name, content)])
        else:
            self.database.execute("UPDATE units SET content = ? WHERE name = ?", (content, name))

    def _write_action(self, action: Action, arguments: str | None) -> None:
        content, ran = canonical_json(asdict(action)), int(action.verdict == "allow")
        if action.key in self._known:
            self.database.execute(
                "UPDATE actions SET content = ?, ran = ?, status = ? WHERE key = ?",
                (content, ran, action.status, action.key),
            )
            return
        self._known.add(action.key)
        fields = ("n", "key", "unit", "digest", "ran", "status", "content", "arguments")
        row = (
            *(self._actions, action.key, action.unit, action.digest, ran, action.status, content),
            arguments,
        )
        self.database.insert("actions", fields, [row])
        self._actions += 1


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
            ("id", "format", "version", "last_at", "policy", "secret", "house", "chain"),
            [(1, FORMAT, 0, 0, self.document.to_json(), self.secret, house, begin)],
        )

    def begin(self) -> LicenceTransaction:
        """Return a transaction on what is there now, whoever wrote last."""
        check_format(self._database)
        return LicenceTransaction(self._database, self.document)

    def end(self, transaction: LicenceTransaction) -> bool:
        """Each step was written when it was done."""
        del transaction
        return True

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
        return _made(place, SqliteDatabase(None), policy, secret)
    if is_address(place):
        from askpoint.records.stores.postgres import PostgresDatabase

        address = read_address(place)
        return _made(str(address), PostgresDatabase(address), policy, secret)
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
    made = _made(str(folder), database, policy, secret)
    if not (folder / "policy.json").is_file():
        durable_bytes(folder / "policy.json", made.ledger.document.to_json().encode())
    return made


def _made(name: str, database: Database, policy: LicencePolicy | None, secret: bytes) -> Place:
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
    if policy is not None and policy != there:
        raise InputError(
            f"{name} holds licences of another policy already; open it without one, or begin in a new place: evidence "
            "that was earned under other terms does not count"
        )


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
