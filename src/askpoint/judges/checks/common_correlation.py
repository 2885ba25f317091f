"""How strongly errors that judges share correlate in real panels."""

from __future__ import annotations

__all__ = ["COMMON_CORRELATION"]

COMMON_CORRELATION = 0.32
"""Error correlation of five base models on LLMBar; other real panels of models show .25 to .52."""
