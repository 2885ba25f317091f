"""Columns that are named for a machine, as gpt_4 or model_output, and those named for what a case may be, as is_bot."""

from __future__ import annotations

from askpoint.records.readers.evidence.columns import Column

__all__ = ["MODELS", "is_named_for_a_machine", "is_of_the_case"]

MODELS = frozenset(
    ["claude", "sonnet", "haiku", "opus", "mistral", "mixtral", "llama", "gemini", "gemma", "qwen", "deepseek", "grok",
     "phi", "command"]
)  # fmt: skip
# people command, too, and call a column so
_MACHINES = MODELS - {"command"} | {"model", "ai", "llm", "gpt", "bot", "classifier", "machine"}
_BEGINS = frozenset({"is", "was", "has"})
_ENDS = frozenset({"generated", "written", "made", "created", "failure", "failed", "breakdown"})


def is_named_for_a_machine(column: Column) -> bool:
    """Tell whether a column's name has a machine's, and does not say of the case what it may be."""
    return bool(_MACHINES & set(column.tokens)) and not is_of_the_case(column)


def is_of_the_case(column: Column) -> bool:
    """Tell whether a name says what a case may be, as is_bot, ai_generated and machine_failure do."""
    return column.tokens[:1] != () and (
        column.tokens[0] in _BEGINS or bool(_ENDS & set(column.tokens))
    )
