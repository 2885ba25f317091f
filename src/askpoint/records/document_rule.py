"""Documents that come to be decided: their fields are read, and one number of each document decides."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, UnknownColumnError
from askpoint.live.batches import DecisionBatch
from askpoint.live.group_scale import GroupScale
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.log_columns import find_columns
from askpoint.records.batches import version_of
from askpoint.records.document_logs import number_documents
from askpoint.records.logs import log_of_rows
from askpoint.records.tables import open_table
from askpoint.records.texts import simple_column
from askpoint.value.document_rule import release_score

__all__ = ["RELEASED", "read_document_batch", "read_fields"]

RELEASED = "right"
"""What is decided of a document, that no field is wrong; labels say whether that was right."""

_VERSION = "model_version"


def read_document_batch(
    source: Any,
    model: Mapping[str, Any],
    *,
    content: str | None = None,
    version: str | None = None,
    measure: str = "max_probability",
    **columns: Any,
) -> DecisionBatch:
    """Read documents for their policy: a table with one row per field, all fields of a document in it.

    The key of a case is the name of the document. `columns` are proba, prediction and confidence as for `read_log`.

    Raises
    ------
    InputError
        If a column is not there, or a row names no document.
    """
    rule = model["documents"]
    table = open_table(source)
    found = find_columns(table.columns, label=None, **columns)._replace(id=None)
    named = [name for name in (rule["document"], rule["by"], content) if name is not None]
    for name in named:
        if name not in table.columns:
            raise UnknownColumnError(name, table.columns)
    extra = [name for name in (*named, _VERSION) if name in table.columns]
    frame = table.read(list(dict.fromkeys([*found.wanted, *extra])))
    log = log_of_rows(frame, found, None if len(found.proba) > 1 else rule["classes"])
    confidence = log.scores("max_probability" if log.proba is None else measure)
    names, document = number_documents(frame[rule["document"]])
    kinds: list[str | None] = [None] * len(document)
    if rule["by"] is not None:
        kinds = simple_column(frame[rule["by"]]).cast(pl.String).replace("", None).to_list()
    texts = None if content is None else frame[content].cast(pl.String).to_list()
    return _batch(
        model,
        names,
        document,
        kinds,
        confidence.astype(np.float64),
        version_of(frame, version),
        texts,
    )


def read_fields(
    model: Mapping[str, Any],
    keys: list[str],
    fields: Any,
    *,
    version: str | None = None,
    one: bool = False,
) -> DecisionBatch:
    """Return documents by their fields: a mapping of kind to confidence, or pairs, of one document or of each.

    Raises
    ------
    InputError
        If the policy is not of documents, or a document has no fields.
    """
    if model.get("documents") is None:
        raise InputError(
            "fields are those of a document, and this policy decides single cases: give confidence=... or "
            "probabilities=..."
        )
    each: Sequence[Any] = [fields] if one else list(fields)
    if len(each) != len(keys):
        raise InputError(f"give the fields of each of {len(keys)} documents; got {len(each)}")
    kinds: list[str | None] = []
    confidence: list[float] = []
    document: list[int] = []
    for place, (key, given) in enumerate(zip(keys, each, strict=True)):
        pairs: Iterable[tuple[Any, Any]] = given.items() if isinstance(given, Mapping) else given
        told = [(kind, sure) for kind, sure in pairs]
        if not told:
            raise InputError(
                f"the document {key!r} has no fields; give what the model read in it, or leave it out"
            )
        for kind, sure in told:
            kinds.append(None if kind is None else str(kind))
            confidence.append(_number(key, sure))
            document.append(place)
    version = model.get("version", "") if version is None else version
    return _batch(model, keys, np.array(document), kinds, np.array(confidence), version, None)


def _batch(
    model: Mapping[str, Any],
    names: list[str],
    document: IntArray,
    kinds: Sequence[str | None],
    confidence: FloatArray,
    version: str,
    texts: Sequence[str | None] | None,
) -> DecisionBatch:
    scale = GroupScale.from_dict(model["documents"]["scale"])
    score = release_score(1 - scale.right_at(confidence, kinds), document)
    n = np.bincount(document)
    content: list[str | None] | None = None
    if texts is not None:
        told: list[list[str | None]] = [[] for _ in names]
        for place, text in zip(document.tolist(), texts, strict=True):
            told[place].append(text)
        content = [json.dumps(one, ensure_ascii=False) for one in told]
    return DecisionBatch(
        list(names),
        [RELEASED] * len(names),
        score.tolist(),
        content,
        version,
        [f"{fields} fields" for fields in n.tolist()],
    )


def _number(key: str, sure: Any) -> float:
    try:
        found = float(sure)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found):
        raise InputError(
            f"a field of the document {key!r} has no finite confidence; got {sure!r:.80}"
        )
    return found
