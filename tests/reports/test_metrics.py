"""OpenMetrics text, read by the grammar of its specification."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, strategies as st

from askpoint.reports.live.metrics import METRICS, MetricSample, metrics_text

# https://prometheus.io/docs/specs/om/open_metrics_spec/: metricset, ABNF
NAME, LABEL = r"[a-zA-Z_:][a-zA-Z0-9_:]*", r"[a-zA-Z_][a-zA-Z0-9_]*"
ESCAPED = r'(?:[^"\\\n]|\\\\|\\"|\\n)*'
NUMBER = r"(?:[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|[+-]?[iI]nf|NaN)"
LINE = re.compile(rf'({NAME})(?:\{{({LABEL}="{ESCAPED}"(?:,{LABEL}="{ESCAPED}")*)?\}})? ({NUMBER})')


def read(text):
    """Families by name: their kind and samples; fails where the text is not OpenMetrics."""
    assert text.endswith("# EOF\n")
    families, current = {}, None
    for line in text.split("\n")[:-2]:
        assert line, "no line is empty"
        if line.startswith("# "):
            _, what, name, *rest = line.split(" ", 3)
            assert what in {"TYPE", "UNIT", "HELP"}
            assert re.fullmatch(NAME, name)
            if what == "TYPE":
                assert name not in families, "a family stands together"
                families[name] = current = {"type": rest[0], "samples": {}, "name": name}
                assert rest[0] in {"counter", "gauge"}
            elif what == "UNIT":
                assert name.endswith(f"_{rest[0]}")
            assert current["name"] == name
            continue
        match = LINE.fullmatch(line)
        assert match, line
        name, labels, number = match.groups()
        suffix = "_total" if current["type"] == "counter" else ""
        assert name == current["name"] + suffix
        assert labels not in current["samples"], "a sample stands once"
        current["samples"][labels] = float(number)
        if current["type"] == "counter":
            assert float(number) >= 0
    return families


def unescaped(text):
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), text)


@given(policy=st.text(), value=st.floats(allow_nan=False))
def test_any_name_and_number_is_read_again(policy, value):
    text = metrics_text([MetricSample("askpoint_evidence_ratio", value, {"policy": policy})])
    ((labels, number),) = read(text)["askpoint_evidence_ratio"]["samples"].items()
    assert unescaped(labels.removeprefix('policy="')[:-1]) == policy
    assert number == value or (number == 0 and value == 0)


def test_families_stand_together_and_what_is_not_known_is_left_out():
    names = ("posts", "mails")
    samples = [
        MetricSample(f"askpoint_{one}", value, {"policy": policy})
        for policy in names
        for one, value in (("decisions", 10**12), ("threshold", None), ("open", 1), ("models", 2))
    ]
    families = read(metrics_text(samples))
    assert set(families) == {"askpoint_decisions", "askpoint_open", "askpoint_models"}
    assert all(len(family["samples"]) == 2 for family in families.values())
    assert set(families["askpoint_decisions"]["samples"].values()) == {1e12}
    assert read(metrics_text([])) == {}
    assert read(metrics_text([MetricSample("askpoint_evidence_ratio", math.inf, {})]))


@pytest.mark.parametrize("name", METRICS)
def test_each_metric_keeps_to_the_naming_rules(name):
    metric = METRICS[name]
    assert re.fullmatch(r"askpoint_[a-z_]+", name)
    assert not name.endswith(("_total", "_count", "_sum", "_bucket", "_info"))
    assert bool(metric.unit) == name.endswith("_seconds")
    assert "\n" not in metric.help
    assert metric.help.endswith(".")
