"""The engines by name: who only offers the names loads none of them."""

from __future__ import annotations

from askpoint.registry import Places

__all__ = ["ENGINES"]

ENGINES = Places(
    {
        "duckdb": "askpoint.records.engines:open_duckdb",
        "spark": "askpoint.records.engines:open_spark",
    }
)
"""What opens each engine."""
