"""Families guessed from names."""

from __future__ import annotations

import csv
import gzip

import pytest

from askpoint.judges.family_names import families_by_name


@pytest.mark.parametrize(
    ("judges", "families"),
    [
        (["gpt-4o", "gpt-4o-mini", "gpt-4.1"], ["openai"] * 3),
        (["o1", "o3-mini"], ["openai"] * 2),
        (["Claude-3", "sonnet 4", "my haiku"], ["anthropic"] * 3),
        (["Gemini pro", "PaLM2"], ["google"] * 2),
        (["meta-llama/Llama-3", "vicuna-13b"], ["meta"] * 2),
        (["mistral-7b", "mixtral-8x7b"], ["mistral"] * 2),
        (["phi-3", "phi4"], ["microsoft"] * 2),
        (["amazon.nova pro", "titan text"], ["amazon"] * 2),
        (["command-r", "cohere judge"], ["cohere"] * 2),
        (["acme/a", "acme:b"], ["acme"] * 2),  # before the separator
        (["strict run 1", "strict run 2"], ["strict"] * 2),
        (["strict_seed1", "strict_seed2"], ["strict"] * 2),
        (["strict-prompt-1", "strict-prompt-2"], ["strict"] * 2),
    ],
)
def test_one_family(judges, families):
    assert list(families_by_name(judges).values()) == families


@pytest.mark.parametrize(
    "judges",
    [
        ["judge1", "judge2"],
        ["worker_12", "worker_13"],
        ["ann", "bob"],
        ["novak", "nova"],  # one alone is no family, and novak is a person
        ["gpt-4 against claude", "gpt-4 against llama"],  # two vendors each: nobody's
        ["run 1", "run 2"],  # nothing is left of the name
        ["leo3", "o3d"],
        [],
    ],
)
def test_no_family(judges):
    assert families_by_name(judges) == {}


def test_all_variants_of_a_real_panel_are_told_apart(data):
    with gzip.open(data / "panels" / "llmbar.judges.csv.gz", "rt") as file:
        rows = {row["worker"]: row["base_model"] for row in csv.DictReader(file)}
    vendor = {"ChatGPT": "openai", "ChatGPT-0301": "openai", "GPT-4": "openai"}
    vendor |= {"LLaMA2": "meta", "PaLM2": "google", "Falcon": "tii"}
    assert families_by_name(list(rows)) == {judge: vendor[base] for judge, base in rows.items()}
