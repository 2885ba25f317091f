"""What a gate can fail on beside a number, by name."""

from __future__ import annotations

__all__ = ["FAULTS"]

FAULTS = ("alarm", "drift")
