"""All readers, a record each, and which of them reads what is given."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from askpoint.errors import AskpointError, LogError
from askpoint.records.readers.reading import Choices, Doubt, Kind, Reading
from askpoint.records.readers.sources import Source, find_sources
from askpoint.records.readers.tables import read_tables, sniff_table
from askpoint.registry import Records

__all__ = ["READERS", "Reader", "find_reader", "list_readers", "read_files"]


class Reader(NamedTuple):
    """How files of one origin are known and read.

    Attributes
    ----------
    name : str
        What wrote them.
    kinds : tuple of str
        What they can be.
    sniff : callable
        From a file, how sure it is that this reader can read it, or None.
    read : callable
        From files and choices, their reading.
    shapes : tuple of str, optional
        The shapes that its files have (`Source.shape`); others are not sniffed at. By default any.
    """

    name: str
    kinds: tuple[Kind, ...]
    sniff: Callable[[Source], float | None]
    read: Callable[[Sequence[Source], Choices], Reading]
    shapes: tuple[str, ...] | None = None


_JSON = ("json", "jsonl")


def _tool(
    name: str,
    kinds: tuple[Kind, ...],
    module: str,
    place: str,
    shapes: tuple[str, ...] | None = _JSON,
) -> Reader:
    """Return the reader of a tool's logs, whose file is imported once a log may be its own."""

    def call(verb: str, *words: Any) -> Any:
        return getattr(importlib.import_module(f"{__package__}.{module}"), f"{verb}_{place}")(
            *words
        )

    return Reader(name, kinds, partial(call, "sniff"), partial(call, "read"), shapes)


READERS = (
    _tool("Inspect", ("evaluation",), "inspect_logs", "inspect", None),
    _tool("lm-evaluation-harness", ("evaluation",), "lm_eval", "lm_eval"),
    _tool("promptfoo", ("evaluation",), "promptfoo", "promptfoo", (*_JSON, "text")),
    _tool("DeepEval", ("evaluation",), "deepeval", "deepeval"),
    _tool("HELM", ("evaluation",), "helm", "helm"),
    _tool("OpenAI evals", ("evaluation",), "openai_evals", "openai_evals"),
    _tool("Every Eval Ever", ("evaluation",), "every_eval_ever", "every_eval"),
    _tool("OpenInference", ("evaluation",), "openinference", "openinference"),
    _tool("OpenTelemetry", ("evaluation",), "opentelemetry", "opentelemetry"),
    _tool("Label Studio", ("evaluation",), "label_studio", "label_studio"),
    _tool("Langfuse", ("evaluation",), "langfuse", "langfuse", (*_JSON, "text")),
    _tool("LangSmith", ("evaluation", "votes"), "langsmith", "langsmith", (*_JSON, "text")),
    _tool("Phoenix", ("evaluation",), "phoenix", "phoenix", (*_JSON, "text")),
    _tool("MLflow", ("evaluation",), "mlflow_logs", "mlflow"),
    _tool("Argilla", ("predictions", "evaluation"), "argilla", "argilla"),
    _tool("Prodigy", ("votes", "predictions"), "prodigy", "prodigy"),
    _tool("OpenAI batch", ("predictions",), "openai_batches", "openai_batch"),
    _tool("SageMaker Ground Truth", ("predictions",), "sagemaker", "sagemaker"),
    _tool("approvals", ("approvals",), "approval_logs", "approval_log"),
    _tool(
        "traces with approvals",
        ("approvals",),
        "approval_traces",
        "approval_trace",
        (*_JSON, "text", "parquet"),
    ),
    Reader("table", ("predictions", "votes", "approvals"), sniff_table, read_tables),
)


def list_readers() -> tuple[Reader, ...]:
    """Return all readers, those of plugins before the one of plain tables."""
    added: Records[str, Reader] = Records("readers", {})
    return (*READERS[:-1], *added.values(), READERS[-1])


def read_files(paths: Sequence[str | Path | Source], choices: Choices | None = None) -> Reading:
    """Read files by what they hold, whatever their names are.

    Raises
    ------
    LogError
        If they cannot be read, or could be read in two ways: the message names the option that
        settles it.
    """
    sources = find_sources(paths)
    readers = [find_reader(source) for source in sources]
    others: list[str] = []
    logs = {reader.name for reader in readers} - {"table"}
    if len(logs) == 1 and any(isinstance(p, str | Path) and Path(p).is_dir() for p in paths):
        # a tool's folder holds other JSON, too
        pairs = list(zip(sources, readers, strict=True))
        kept = [(s, r) for s, r in pairs if r.name != "table" or s.shape not in ("json", "jsonl")]
        others = [source.name for source, reader in pairs if (source, reader) not in kept]
        sources, readers = [s for s, _ in kept], [r for _, r in kept]
    different = list(dict.fromkeys(reader.name for reader in readers))
    if len(different) > 1:
        raise LogError(
            f"the files are of several kinds ({', '.join(different)}: {sources[0].name}, "
            f"{next(s.name for s, r in zip(sources, readers, strict=True) if r.name != different[0])}"
            "): give those of one kind"
        )
    reader, choices = readers[0], Choices() if choices is None else choices
    if reader.name == "table":
        return reader.read(sources, choices)
    try:
        reading = reader.read(sources, choices)
    except AskpointError:
        raise
    except _ELSEWHERE as error:
        raise LogError(
            f"{sources[0].name}{' and others' * (len(sources) > 1)}: not as {reader.name} writes its "
            f"logs, or of a version that is not known here ({_reason(error)})"
        ) from None
    if not others:
        return reading
    left_out = Doubt(f"no logs of {reader.name}, left out: {', '.join(others[:5])}")
    return replace(reading, doubts=(*reading.doubts, left_out))


# what comes of parts that are not where a tool puts them, or are of another type
_ELSEWHERE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!r}"
    return " ".join(str(error).split())


def find_reader(source: Source) -> Reader:
    """Return the reader that is surest of a file.

    Raises
    ------
    LogError
        If none can read it.
    """
    sure = {}
    for reader in list_readers():
        if reader.shapes is not None and source.shape not in reader.shapes:
            continue
        try:
            sure[reader] = reader.sniff(source)
        except AskpointError:
            raise
        except _ELSEWHERE:
            continue
    found = {reader: value for reader, value in sure.items() if value is not None}
    if not found:
        raise LogError(
            f"{source.name} is of no kind that is known here; known are tables (CSV, xlsx, Parquet, "
            f"Feather, JSON) and logs of {', '.join(reader.name for reader in list_readers()[:-1])}"
        )
    return max(found, key=lambda reader: found[reader])
