"""Where a deployment is, in a folder, in memory or in PostgreSQL; how one is made and found again."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from askpoint.errors import InputError, LogError, NoDeploymentError
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import secret_hash
from askpoint.live.policy import Policy
from askpoint.records.artefacts import make_folder, read_text
from askpoint.records.signatures import KEY_BYTES
from askpoint.records.stores.archive import Archive, durable_bytes
from askpoint.records.stores.database import Database
from askpoint.records.stores.postgres_addresses import is_address, read_address
from askpoint.records.stores.sqlite import FILE, SqliteDatabase
from askpoint.records.stores.tables import check_format
from askpoint.records.stores.transactions import StoreLedger

__all__ = ["SIGNING", "Books", "Place", "find_place", "make_place", "open_place"]

SIGNING = "signing.key"
"""The file of the key that signs heads: 32 random bytes."""


class Books(Protocol):
    """Who reads and writes the tables of a place: one transaction at a time."""

    document: Any
    secret: bytes
    standing: Any

    def begin(self) -> Any:
        """Return a transaction on what is there now, whoever wrote last."""

    def end(self, transaction: Any, /) -> bool:
        """Write what it changed; return whether anything did."""

    def keep(self, transaction: Any, /) -> None:
        """Go on from a transaction that is committed."""


class Place(NamedTuple):
    """A deployment's database, and what stands beside it.

    Attributes
    ----------
    name : str
        Of it, for messages.
    database : Database
        Where its tables are.
    ledger : Books
        Which reads and writes them.
    archive : Archive or None
        The files of days that are over, in a folder.
    signing : bytes
        The key that signs heads; empty where it is not at hand.
    """

    name: str
    database: Database
    ledger: Books
    archive: Archive | None
    signing: bytes = b""


def open_place(
    where: str | os.PathLike[str], policy: Policy | PolicyDocument | None, secret: bytes | None
) -> Place:
    """Find the deployment that is there, or make that of a policy."""
    place = os.fspath(where)
    if policy is None:
        return find_place(place)
    if secret is None:
        raise InputError(
            "a policy comes with its secret: give secret=..., of which it holds the hash"
        )
    return make_place(place, _document_of(policy), secret)


def _document_of(policy: Policy | PolicyDocument) -> PolicyDocument:
    if isinstance(policy, PolicyDocument):
        return policy
    is_fresh = policy.state is policy.document.state
    return policy.document if is_fresh else policy.successor()


def make_place(where: str, document: PolicyDocument, secret: bytes) -> Place:
    """Make the deployment of a policy; where one is already, it must be the same."""
    if secret_hash(secret) != document.secret_hash:
        raise InputError("this secret is not the one that the policy promised by its hash")
    if where == ":memory:":
        return _create_place(where, SqliteDatabase(None), document, secret, None, _new_key())
    if is_address(where):
        return _make_in_postgres(where, document, secret)
    folder = Path(where)
    if (folder / "policy.json").exists():
        place = find_place(where)
        _check_same(place, document, "deploy into a new folder")
        return place
    make_folder(folder)
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):  # of an attempt that was broken off
        (folder / name).unlink(missing_ok=True)
    durable_bytes(folder / "secret.key", secret, mode=0o600)
    signing = _new_key()
    durable_bytes(folder / SIGNING, signing, mode=0o600)
    database = SqliteDatabase(folder)
    archive = Archive(folder, document.id)
    place = _create_place(str(folder), database, document, secret, archive, signing)
    # last: whoever finds it finds all of a deployment
    durable_bytes(folder / "policy.json", document.to_json().encode())
    return place


def _create_place(
    name: str,
    database: SqliteDatabase,
    document: PolicyDocument,
    secret: bytes,
    archive: Archive | None,
    signing: bytes,
) -> Place:
    ledger = StoreLedger(database, document, secret)
    with database.writing():
        database.create()
        ledger.create()
    return Place(name, database, ledger, archive, signing)


def _new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def _check_same(place: Place, document: PolicyDocument, or_else: str) -> None:
    if place.ledger.document.digest != document.digest:
        place.database.close()
        raise InputError(
            f"{place.name} holds a policy already, another one; decide with it, or {or_else}"
        )


def _make_in_postgres(where: str, document: PolicyDocument, secret: bytes) -> Place:
    from askpoint.records.stores.postgres import PostgresDatabase

    address = read_address(where)
    database = PostgresDatabase(address)
    ledger, signing = StoreLedger(database, document, secret), _new_key()
    with database.writing():
        is_new = database.is_new
        if is_new:
            database.create()
            ledger.create(document.to_json(), secret, signing)
    if is_new:
        return Place(str(address), database, ledger, None, signing)
    database.close()
    place = find_place(where)
    name = f"{address.name or 'posts'}-2"
    _check_same(place, document, f"give this one a name of its own: ...?deployment={name}")
    return place


def _find_in_postgres(where: str) -> Place:
    from askpoint.records.stores.postgres import PostgresDatabase

    address = read_address(where)
    database = PostgresDatabase(address)
    with database.reading() as reader:
        ((name,),) = reader.execute("SELECT to_regclass('meta')")
        if name is not None:
            check_format(reader)
        select = "SELECT policy, secret, signing FROM meta"
        found = [] if name is None else reader.execute(select)
    if not found:
        database.close()
        raise NoDeploymentError(
            f"{address} holds no deployment; name the address that askpoint deploy made (another one in the "
            "same database ends with ?deployment=NAME), or give a policy"
        )
    ((policy, secret, signing),) = found
    document = PolicyDocument.from_json(policy)
    ledger = StoreLedger(database, document, bytes(secret or b""))  # a stranger's copy has none
    return Place(str(address), database, ledger, None, bytes(signing or b""))


def find_place(where: str) -> Place:
    """Open the deployment that is there."""
    if where == ":memory:":
        raise InputError(
            "a deployment in memory begins with a policy: Deployment(':memory:', policy)"
        )
    if is_address(where):
        return _find_in_postgres(where)
    folder = Path(where)
    if not (folder / "policy.json").is_file():
        raise NoDeploymentError(
            f"{folder} holds no policy.json; name the folder that askpoint deploy made, or give a policy"
        )
    document = PolicyDocument.from_json(read_text(folder / "policy.json"))
    if not (folder / FILE).is_file():
        raise LogError(
            f"{folder} holds a policy and no {FILE}, in which its decisions are; restore the folder from a "
            "copy, or deploy into a new one"
        )
    secret, signing = (
        path.read_bytes() if path.is_file() else b""
        for path in (folder / "secret.key", folder / SIGNING)
    )
    database = SqliteDatabase(folder)
    with database.reading() as reader:
        check_format(reader)
    ledger = StoreLedger(database, document, secret)
    return Place(str(folder), database, ledger, Archive(folder, document.id), signing)
