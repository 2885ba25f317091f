"""All readers, a record each, and which of them reads what is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from askpoint.errors import AskpointError, LogError
from askpoint.records.readers.approval_logs import read_approval_log, sniff_approval_log
from askpoint.records.readers.argilla import read_argilla, sniff_argilla
from askpoint.records.readers.deepeval import read_deepeval, sniff_deepeval
from askpoint.records.readers.every_eval_ever import read_every_eval, sniff_every_eval
from askpoint.records.readers.helm import read_helm, sniff_helm
from askpoint.records.readers.inspect_logs import read_inspect, sniff_inspect
from askpoint.records.readers.label_studio import read_label_studio, sniff_label_studio
from askpoint.records.readers.langfuse import read_langfuse, sniff_langfuse
from askpoint.records.readers.langsmith import read_langsmith, sniff_langsmith
from askpoint.records.readers.lm_eval import read_lm_eval, sniff_lm_eval
from askpoint.records.readers.mlflow_logs import read_mlflow, sniff_mlflow
from askpoint.records.readers.openai_batches import read_openai_batch, sniff_openai_batch
from askpoint.records.readers.openai_evals import read_openai_evals, sniff_openai_evals
from askpoint.records.readers.openinference import read_openinference, sniff_openinference
from askpoint.records.readers.opentelemetry import read_opentelemetry, sniff_opentelemetry
from askpoint.records.readers.phoenix import read_phoenix, sniff_phoenix
from askpoint.records.readers.prodigy import read_prodigy, sniff_prodigy
from askpoint.records.readers.promptfoo import read_promptfoo, sniff_promptfoo
from askpoint.records.readers.reading import Choices, Doubt, Kind, Reading
from askpoint.records.readers.sagemaker import read_sagemaker, sniff_sagemaker
from askpoint.records.readers.sources import Source, find_sources
from askpoint.records.readers.tables import read_tables, sniff_table
from askpoint.registry import Records

__all__ = ["READERS", "Reader", "list_readers", "read_files"]


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
    """

    name: str
    kinds: tuple[Kind, ...]
    sniff: Callable[[Source], float | None]
    read: Callable[[Sequence[Source], Choices], Reading]


READERS = (
    Reader("Inspect", ("evaluation",), sniff_inspect, read_inspect),
    Reader("lm-evaluation-harness", ("evaluation",), sniff_lm_eval, read_lm_eval),
    Reader("promptfoo", ("evaluation",), sniff_promptfoo, read_promptfoo),
    Reader("DeepEval", ("evaluation",), sniff_deepeval, read_deepeval),
    Reader("HELM", ("evaluation",), sniff_helm, read_helm),
    Reader("OpenAI evals", ("evaluation",), sniff_openai_evals, read_openai_evals),
    Reader("Every Eval Ever", ("evaluation",), sniff_every_eval, read_every_eval),
    Reader("OpenInference", ("evaluation",), sniff_openinference, read_openinference),
    Reader("OpenTelemetry", ("evaluation",), sniff_opentelemetry, read_opentelemetry),
    Reader("Label Studio", ("evaluation",), sniff_label_studio, read_label_studio),
    Reader("Langfuse", ("evaluation",), sniff_langfuse, read_langfuse),
    Reader("LangSmith", ("evaluation", "votes"), sniff_langsmith, read_langsmith),
    Reader("Phoenix", ("evaluation",), sniff_phoenix, read_phoenix),
    Reader("MLflow", ("evaluation",), sniff_mlflow, read_mlflow),
    Reader("Argilla", ("predictions", "evaluation"), sniff_argilla, read_argilla),
    Reader("Prodigy", ("votes", "predictions"), sniff_prodigy, read_prodigy),
    Reader("OpenAI batch", ("predictions",), sniff_openai_batch, read_openai_batch),
    Reader("SageMaker Ground Truth", ("predictions",), sniff_sagemaker, read_sagemaker),
    Reader("approvals", ("approvals",), sniff_approval_log, read_approval_log),
    Reader("table", ("predictions", "votes", "approvals"), sniff_table, read_tables),
)


def list_readers() -> tuple[Reader, ...]:
    """Return all readers, those of plugins before the one of plain tables."""
    added: Records[str, Reader] = Records("readers", {})
    return (*READERS[:-1], *added.values(), READERS[-1])


def read_files(paths: Sequence[str | Path], choices: Choices | None = None) -> Reading:
    """Read files by what they hold, whatever their names are.

    Raises
    ------
    LogError
        If they cannot be read, or could be read in two ways: the message names the option that
        settles it.
    """
    sources = find_sources(paths)
    readers = [_reader(source) for source in sources]
    others: list[str] = []
    logs = {reader.name for reader in readers} - {"table"}
    if len(logs) == 1 and any(Path(path).is_dir() for path in paths):
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


def _reader(source: Source) -> Reader:
    sure = {}
    for reader in list_readers():
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
