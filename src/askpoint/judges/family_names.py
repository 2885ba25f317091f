"""Families guessed from judges' names: a guess to be shown and confirmed, never applied in silence."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["VENDORS", "families_by_name"]

VENDORS = {
    "openai": r"gpt|chatgpt|davinci|\bo[1345](-|$)",
    "anthropic": r"claude|sonnet|opus|haiku",
    "google": r"gemini|palm|bard|gemma",
    "meta": r"llama|vicuna|alpaca",
    "mistral": r"mi[sx]tral|codestral",
    "qwen": r"qwen|qwq",
    "deepseek": r"deepseek",
    "xai": r"grok",
    "cohere": r"\bcommand-|cohere",
    "microsoft": r"\bphi-?\d",
    "amazon": r"\bnova\b|\btitan\b",
    "tii": r"falcon",
}
"""Words in a judge's name, whatever their case, that tell who made its base model."""

_VENDORS = {vendor: re.compile(words, re.IGNORECASE) for vendor, words in VENDORS.items()}
_OWNER = re.compile(r"^([^/:@#]+)[/:@#].")
_REPEAT = re.compile(
    r"^(.*?)[ _-]*(?:run|seed|rep|epoch|sample|prompt|swap|temp|trial)[ _-]?\d+$", re.IGNORECASE
)


def families_by_name(judges: Sequence[str]) -> dict[str, str]:
    """Guess which judges are made from one base model or are repeats of one judge.

    A name with the words of exactly one vendor belongs to that vendor; else what stands before
    ``/``, ``:``, ``@`` or ``#`` is the family; else the name without a last ``run 3``,
    ``seed_1`` and the like. A bare number at the end tells nothing (``judge1``, ``worker_12``).

    Parameters
    ----------
    judges : sequence of str

    Returns
    -------
    dict of judge to family
        Members of families of two judges or more, ready for the argument `families` of
        `evaluate_with_gold` and `evaluate_ensemble`.

    Notes
    -----
    A guess: show it to somebody before it is used. Vendors name models anew every month.

    Examples
    --------
    >>> from askpoint.judges.family_names import families_by_name
    >>> families_by_name(["gpt-4o", "o3-mini", "claude-opus", "bob run 1", "bob run 2"])
    {'gpt-4o': 'openai', 'o3-mini': 'openai', 'bob run 1': 'bob', 'bob run 2': 'bob'}
    """
    guessed = {judge: _family(judge) for judge in judges}
    members = list(guessed.values())
    return {
        judge: family
        for judge, family in guessed.items()
        if family is not None and members.count(family) > 1
    }


def _family(judge: str) -> str | None:
    vendors = [vendor for vendor, words in _VENDORS.items() if words.search(judge)]
    if len(vendors) == 1:
        return vendors[0]
    owner = _OWNER.match(judge)
    if owner:
        return owner[1]
    repeat = _REPEAT.match(judge)
    return repeat[1] if repeat and repeat[1] else None
