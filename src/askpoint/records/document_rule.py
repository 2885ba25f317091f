"""Documents that come to be decided: their fields are read, and one number of each document decides."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, UnknownColumnError
from askpoint.live.batches import DecisionBatch
from askpoint.live.group_scale import GroupScale
from askpoint.measures.inputs import FloatArray, IntArray, as_finite
from askpoint.measures.log_columns import find_columns
from askpoint.records.batches import version_of
from askpoint.records.cells import as_numbers
from askpoint.records.document_logs import number_documents
from askpoint.records.logs import log_of_rows
from askpoint.records.tables import open_table
from askpoint.records.texts import simple_column
from askpoint.value.document_rule import release_score

__all__ = ["RELEASED", "read_document_batch", "read_document_lines", "read_fields"]

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
    if found.proba:
        log = log_of_rows(frame, found, None if len(found.proba) > 1 else rule["classes"])
        confidence = log.scores(measure)
    else:  # what the model read is new in each document
        name = f"{found.confidence}"
        confidence = as_finite(as_numbers(frame[name]), f"the column {name!r}")
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
    has_kinds = model["documents"]["by"] is not None
    kinds: list[str | None] = []
    confidence: list[float] = []
    document: list[int] = []
    for place, (key, given) in enumerate(zip(keys, each, strict=True)):
        pairs: Iterable[Any] = given.items() if isinstance(given, Mapping) else given
        try:
            told = [(kind, sure) for kind, sure in pairs]
        except (TypeError, ValueError):
            raise InputError(
                f"the fields of the document {key!r} must be kinds with a confidence each, "
                f"{{'total': 0.97}} or [['total', 0.97]]; got {given!r:.80}"
            ) from None
        if not told:
            raise InputError(
                f"the document {key!r} has no fields; give what the model read in it, or leave it out"
            )
        for kind, sure in told:
            kinds.append(None if kind is None or not has_kinds else str(kind))
            confidence.append(_number(key, sure))
            document.append(place)
    version = model.get("version", "") if version is None else version
    return _batch(model, keys, np.array(document), kinds, np.array(confidence), version, None)


def read_document_lines(
    lines: Sequence[str],
    model: Mapping[str, Any],
    *,
    content: str | None = None,
    version: str | None = None,
) -> DecisionBatch:
    """Read documents for their policy from JSON lines, each a document with all its fields.

    A line of a single field is refused: no line tells whether more fields of its document follow.

    Raises
    ------
    InputError
        If a line is something else, or documents of several versions of the model come together.
    """
    column = model["documents"]["document"]
    keys, fields, texts, versions = [], [], [], set()
    for line in lines:
        try:
            given = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"a line holds one JSON object: {' '.join(str(error).split())}"
            ) from None
        told = given.get("fields") if isinstance(given, dict) else None
        name = given.get(column) if told is not None else None
        if not isinstance(told, dict | list) or not isinstance(name, str | int) or name == "":
            raise InputError(
                f"the policy decides whole documents: a line is one with all its fields, {_example(model)}; got {line:.80}"
            )
        keys.append(str(name))
        fields.append(told)
        versions.add(str(given.get(_VERSION, "") if version is None else version))
        texts.append(
            None if content is None else json.dumps(given.get(content), ensure_ascii=False)
        )
    if len(versions) > 1:
        raise InputError(
            f"documents that are decided together come from one version of the model; got {', '.join(sorted(versions))}"
        )
    made = read_fields(model, keys, fields, version=next(iter(versions), ""))
    return made if content is None else replace(made, content=texts)


def _example(model: Mapping[str, Any]) -> str:
    names = [name for name in GroupScale.from_dict(model["documents"]["scale"]).names if name]
    fields = dict.fromkeys(names[:2], 0.97) or {"total": 0.97}
    return json.dumps({model["documents"]["document"]: "17", "fields": fields}, ensure_ascii=False)


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
