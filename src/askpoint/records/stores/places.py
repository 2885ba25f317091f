"""Where a deployment is, in a folder or in memory; how one is made and found again."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

from askpoint.errors import InputError, LogError
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import secret_hash
from askpoint.records.artefacts import make_folder, read_text
from askpoint.records.signatures import KEY_BYTES
from askpoint.records.stores.archive import Archive, durable_bytes
from askpoint.records.stores.sqlite import FILE, SqliteDatabase
from askpoint.records.stores.tables import check_format
from askpoint.records.stores.transactions import Ledger

__all__ = ["SIGNING", "Place", "find_place", "make_place"]

SIGNING = "signing.key"
"""The file of the key that signs heads: 32 random bytes."""


class Place(NamedTuple):
    """A deployment's database, and what stands beside it.

    Attributes
    ----------
    name : str
        Of it, for messages.
    database : SqliteDatabase
        Where its tables are.
    ledger : Ledger
        Which reads and writes them.
    archive : Archive or None
        The days that are over, in a folder.
    signing : bytes
        The key that signs heads; empty where it is not at hand.
    """

    name: str
    database: SqliteDatabase
    ledger: Ledger
    archive: Archive | None
    signing: bytes = b""


def make_place(where: str, document: PolicyDocument, secret: bytes) -> Place:
    """Make the deployment of a policy; where one is already, it must be the same."""
    if secret_hash(secret) != document.secret_hash:
        raise InputError("this secret is not the one that the policy promised by its hash")
    if where == ":memory:":
        return _created(where, SqliteDatabase(None), document, secret, None, _new_key())
    folder = _folder(where)
    if (folder / "policy.json").exists():
        place = find_place(where)
        if place.ledger.document.digest != document.digest:
            raise InputError(
                f"{folder} holds a policy already, another one; decide with it, or deploy into a new folder"
            )
        return place
    make_folder(folder)
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):  # of an attempt that was broken off
        (folder / name).unlink(missing_ok=True)
    durable_bytes(folder / "secret.key", secret, mode=0o600)
    signing = _new_key()
    durable_bytes(folder / SIGNING, signing, mode=0o600)
    database = SqliteDatabase(folder)
    archive = Archive(folder, document.id)
    place = _created(str(folder), database, document, secret, archive, signing)
    # last: whoever finds it finds all of a deployment
    durable_bytes(folder / "policy.json", document.to_json().encode())
    return place


def _created(
    name: str,
    database: SqliteDatabase,
    document: PolicyDocument,
    secret: bytes,
    archive: Archive | None,
    signing: bytes,
) -> Place:
    ledger = Ledger(database, document, secret)
    with database.writing():
        database.create()
        ledger.create()
    return Place(name, database, ledger, archive, signing)


def _new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def _folder(where: str) -> Path:
    """Refuse the address of a server, of which a folder would else be made."""
    kind, mark, _ = where.partition("://")
    if mark:
        raise InputError(
            f"a deployment lies in a folder of this machine or in ':memory:', not yet at {kind}://...; for "
            "several machines, run askpoint serve on PostgreSQL and decide through its API"
        )
    return Path(where)


def find_place(where: str) -> Place:
    """Open the deployment in a folder."""
    if where == ":memory:":
        raise InputError(
            "a deployment in memory begins with a policy: Deployment(':memory:', policy)"
        )
    folder = _folder(where)
    if not (folder / "policy.json").is_file():
        raise InputError(
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
    ledger = Ledger(database, document, secret)
    return Place(str(folder), database, ledger, Archive(folder, document.id), signing)
