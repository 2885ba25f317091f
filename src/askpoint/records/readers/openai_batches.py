"""Output of OpenAI's Batch API, or chat completions a line: the answer and how probable its tokens were."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.records.label_words import MOST_LABELS
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.score_rows import read_rows
from askpoint.records.readers.sources import Source
from askpoint.records.readers.stated_confidence import abstains

__all__ = ["read_openai_batch", "sniff_openai_batch"]


def sniff_openai_batch(source: Source) -> float | None:
    """Say how sure it is that a file is the output of a batch, or of chat completions."""
    row = source.first_row
    if "custom_id" in row and ("response" in row or "error" in row):
        return 0.97
    kind = str(row.get("object", ""))
    chat, answered = "choices" in row and kind.startswith("chat.completion"), "output" in row
    return 0.9 if chat or (answered and kind == "response") else None


class _BatchRow(NamedTuple):
    item: str
    answer: str | None
    confidence: float | None


def read_openai_batch(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read answers, each with the probability of its tokens as confidence; nothing is labelled."""
    del choices
    rows = [_read(row, place) for s in sources for place, row in enumerate(read_rows(s))]
    files = [source.name for source in sources]
    given = [row for row in rows if row.answer is not None]
    if not given:
        raise LogError(f"{files[0]} is the output of a batch in which nothing was answered")
    if all(row.confidence is None for row in given):
        raise LogError(
            f"{files[0]} has answers without log probabilities: ask for them with logprobs, so that there "
            "is a confidence; or write answers and labels to a table, for --prediction and --label"
        )
    labels = {str(row.answer) for row in given}
    if len(labels) > MOST_LABELS:
        raise LogError(
            f"{files[0]} has {len(labels)} different answers, too many for classes (at most {MOST_LABELS})"
        )
    states = [
        "answered" if r.answer is not None and r.confidence is not None else "declined"
        for r in rows
    ]
    kept = [row for row, state in zip(rows, states, strict=True) if state == "answered"]
    frame = pl.DataFrame({
        "id": [row.item for row in kept],
        "prediction": [row.answer for row in kept],
        "confidence": [row.confidence for row in kept],
    })  # fmt: skip
    return Reading(
        "predictions",
        "OpenAI batch",
        tuple(files),
        frame,
        items=len(rows),
        id="custom_id",
        prediction="message content",
        confidence="logprobs",
        classes=tuple(sorted(set(frame["prediction"]))),
        states=pl.Series("state", states, dtype=pl.String),
        doubts=(
            Doubt("the confidence is the probability of all tokens of the answer", "--confidence"),
            Doubt("no case has a label: bring some with --labels FILE", "--label"),
        ),
    )


def _read(row: dict[str, Any], place: int) -> _BatchRow:
    item = str(row.get("custom_id") or row.get("id") or place)
    response = row.get("response")
    body = (response or {}).get("body") if "custom_id" in row else row
    parts = (body or {}).get("choices") or []
    if parts:
        message = parts[0].get("message") or {}
        content, refusal = message.get("content"), message.get("refusal")
        logprobs = (parts[0].get("logprobs") or {}).get("content")
    else:
        content, refusal, logprobs = _read_output((body or {}).get("output"))
    answer = content.strip() if isinstance(content, str) else None
    if refusal or not answer or abstains(answer):
        return _BatchRow(item, None, None)
    tokens = list(_tokens(logprobs or []))
    return _BatchRow(item, answer, math.exp(min(sum(tokens), 0.0)) if tokens else None)


def _read_output(output: Any) -> tuple[Any, Any, Any]:
    """Return the text, the refusal and the tokens of the last message of the Responses API."""
    messages = [part for part in output or [] if part.get("type") == "message"]
    parts = (messages[-1].get("content") or []) if messages else []
    texts = [part for part in parts if part.get("type") == "output_text"]
    refusal = next((part.get("refusal") for part in parts if part.get("type") == "refusal"), None)
    if not texts:
        return None, refusal, None
    return texts[0].get("text"), refusal, texts[0].get("logprobs")


def _tokens(logprobs: Sequence[dict[str, Any]]) -> Iterator[float]:
    for token in logprobs:
        if str(token.get("token", "")).strip():
            yield float(token["logprob"])
