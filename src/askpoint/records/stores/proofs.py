"""Proofs from the tables of a deployment: a row is in its log, and a log grew from another."""

from __future__ import annotations

from askpoint.errors import InputError
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.documents import PolicyDocument
from askpoint.live.heads import Head, LogRoot
from askpoint.live.log_rows import decision_texts
from askpoint.live.merkle import consistency_path, inclusion_path, is_consistent
from askpoint.records.stores.archive import Archive, list_parts
from askpoint.records.stores.database import StoreReader
from askpoint.records.stores.heads import StoredTree
from askpoint.records.stores.tables import DecisionRow, decision_block

__all__ = ["is_growth", "prove_decision"]


def prove_decision(
    reader: StoreReader, document: PolicyDocument, archive: Archive | None, key: str, head: Head
) -> DecisionRecord:
    """Return the row of a case, what was kept of its content, and the way to a head.

    Raises
    ------
    InputError
        If the case was never decided.
    """
    select = f"SELECT {', '.join(DecisionRow._fields)} FROM decisions WHERE key IN"  # noqa: S608
    found = list(reader.find(select, [key]))
    if not found:
        raise InputError(
            f"the case {key[:80]!r} was never decided here; name its key as it was decided"
        )
    row = DecisionRow._make(found[0])
    path = inclusion_path(row.leaf, head.size, StoredTree(reader, document))
    content = row.content
    if content is None and row.salt is not None and archive is not None:
        content = dict(archive.contents(list_parts(reader), [row.seq])).get(row.seq)
    return DecisionRecord(
        row=decision_texts(document, decision_block(found))[0],
        leaf=row.leaf,
        path=tuple(one.hex() for one in path),
        head=head,
        content=content,
        salt=None if row.salt is None else row.salt.hex(),
    )


def is_growth(reader: StoreReader, document: PolicyDocument, old: LogRoot, new: LogRoot) -> bool:
    """Return whether the log of a root is the beginning of that of another one, by the hashes kept."""
    if not 0 < old.size <= new.size:
        return False
    path = consistency_path(old.size, new.size, StoredTree(reader, document))
    roots = bytes.fromhex(old.root), bytes.fromhex(new.root)
    return is_consistent(old.size, new.size, path, *roots)
