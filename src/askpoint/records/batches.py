"""Cases that come to be decided: their keys, and what the model says of them."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.live.batches import DecisionBatch
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.log_columns import find_columns
from askpoint.records.deployments.suspicions import Suspicion, match_regions
from askpoint.records.logs import log_of_rows
from askpoint.records.tables import open_table
from askpoint.records.texts import simple_column

if TYPE_CHECKING:
    from askpoint.records.panel_votes import PanelReader

__all__ = ["check_key", "json_lines", "read_batch", "text_column", "version_of"]

_VERSION = "model_version"


def read_batch(
    source: Any,
    model: Mapping[str, Any],
    *,
    key: str = "key",
    content: str | None = None,
    version: str | None = None,
    group: str | None = None,
    suspicions: Sequence[Suspicion] = (),
    **columns: Any,
) -> DecisionBatch:
    """Read cases from a file or a dataframe, for a policy's `model`.

    The region of a case stands in the column `group`, or is the first of the suspicions it lies in.
    `columns` are proba, prediction and confidence as for `read_log`. The version of the model comes
    from `version`, else from the column model_version.
    """
    table = open_table(source)
    reader: PanelReader | None = None
    if model.get("panel") is not None:
        from askpoint.records.panel_votes import PanelReader

        reader = PanelReader.from_dict(model["panel"])
        wanted = _panel_columns(table.columns, reader, columns)
    else:
        found = find_columns(table.columns, label=None, **columns)._replace(id=None)
        wanted = list(found.wanted)
    sought = [condition.column for one in suspicions for condition in one.conditions]
    check_key(key, table.columns)
    for name in filter(None, (content, group, *sought)):
        if name not in table.columns:
            raise UnknownColumnError(name, table.columns)
    extra = [name for name in (key, content, group, _VERSION, *sought) if name in table.columns]
    frame = table.read(list(dict.fromkeys([*wanted, *extra])))
    classes: list[str] = model["classes"]
    if reader is not None:
        said = reader.opine(frame)
        answers, confidence = [classes[code] for code in said.prediction], said.confidence
    else:
        # columns that name their classes are compared with the policy's, not renamed to them
        log = log_of_rows(frame, found, None if len(found.proba) > 1 else classes)
        names = np.array(_policy_names(log.classes, classes), dtype=object)
        measure = "max_probability" if log.proba is None else model["measure"]
        answers, confidence = names[log.prediction].tolist(), log.scores(measure)
    return DecisionBatch(
        text_column(frame[key]),
        answers,
        confidence.astype(np.float64).tolist(),
        None if content is None else frame[content].cast(pl.String).to_list(),
        version_of(frame, version),
        match_regions(frame, suspicions) if group is None else _regions(frame[group]),
    )


def check_key(key: str, columns: Sequence[str]) -> None:
    """Refuse cases that nothing names: a case is decided once, by its name."""
    if key not in columns:
        raise LogError(
            f"the cases have no column {key!r} that names them, so that each is decided once; they have "
            f"{', '.join(columns[:20])}. Name the column with --key, in Python with key"
        )


def _panel_columns(
    names: Sequence[str], reader: PanelReader, columns: Mapping[str, Any]
) -> list[str]:
    """Return the judges' columns; a panel takes no other model's answers."""
    if any(columns.values()):
        raise InputError(
            "the policy is one of a panel: it reads its judges' columns, so leave out --proba, --prediction "
            "and --confidence"
        )
    for judge in reader.judges:
        if judge not in names:
            raise UnknownColumnError(judge, names)
    return list(reader.judges)


def json_lines(text: str) -> pl.DataFrame:
    """Rows of JSON lines as a dataframe."""
    try:
        return pl.read_ndjson(io.StringIO(text), infer_schema_length=None)
    except (pl.exceptions.PolarsError, ValueError) as error:
        raise LogError(
            f"these lines are not JSON objects: {' '.join(str(error).split())}"
        ) from None


def text_column(column: pl.Series) -> list[str]:
    """Names of cases as texts; none may be missing."""
    texts = simple_column(column).cast(pl.String)
    missing = texts.is_null() | (texts == "")
    if missing.any():
        raise LogError(
            f"the column {column.name!r} names no case in row {int(missing.to_numpy().argmax())}; "
            "a key decides once, and labels come by it: give each case one"
        )
    return texts.to_list()


def _regions(column: pl.Series) -> list[str | None]:
    return simple_column(column).cast(pl.String).replace("", None).to_list()


def _policy_names(found: Sequence[str], classes: Sequence[str]) -> list[str]:
    """The classes of a batch by the policy's names."""
    codes = class_codes(found, classes)
    strange = [name for name, code in zip(found, codes, strict=True) if code is None]
    if strange or len(found) > len(classes):
        raise InputError(
            f"the batch speaks of the class {strange[0] if strange else found[-1]!r}, the policy of "
            f"{', '.join(map(repr, classes))}; deploy a new policy for another model"
        )
    return [classes[code] for code in codes if code is not None]


def version_of(frame: pl.DataFrame, stated: str | None) -> str:
    """Return the version of the model: as stated, or as its column says."""
    if stated is not None or _VERSION not in frame.columns:
        return stated or ""
    versions = simple_column(frame[_VERSION]).cast(pl.String).fill_null("").unique().to_list()
    if len(versions) > 1:
        raise LogError(
            f"the column {_VERSION!r} names {len(versions)} versions, {versions[0]!r} and "
            f"{versions[1]!r} among them; a policy is for one: split the batch"
        )
    return str(versions[0])
