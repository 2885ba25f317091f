"""Tables of predictions and votes as seventy strangers leave them, and what each must be read as.

Each function makes one file: its rows, how it is saved, what it must be read as, and which options may rightly be
asked for instead. The manifest stands with the file, so it is written before anything reads it.
"""

from __future__ import annotations

from importlib import import_module

from stranger_cases import FILES

__all__ = ["FILES"]

for part in ("queues", "notebooks", "sheets", "votes"):  # each adds its files
    import_module(f"stranger_{part}")
