"""NumPy's sort on processors where its AVX-512 is the slow one: Zen 4 sorts six times faster without."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path

__all__ = ["disable_slow_features", "slow_features"]

_SETTING = "NPY_DISABLE_CPU_FEATURES"
_ZEN_4 = {
    "vendor_id": "AuthenticAMD",
    "cpu family": "25",
}  # Zen 3 is of this family, without AVX-512


def slow_features(processors: str, numpy: str) -> str:
    """Return what NumPy should leave alone, as its setting takes it; empty on most processors.

    Parameters
    ----------
    processors : str
        What Linux says in /proc/cpuinfo.
    numpy : str
        NumPy's version: 2.4 gave the features other names.
    """
    first = processors.partition("\n\n")[0].splitlines()
    facts = {
        name.strip(): value.strip() for name, _, value in (line.partition(":") for line in first)
    }
    if any(facts.get(name) != value for name, value in _ZEN_4.items()):
        return ""
    if "avx512f" not in facts.get("flags", "").split():
        return ""
    major, minor = (int(part) for part in numpy.split(".")[:2])
    return "X86_V4 AVX512_ICL" if (major, minor) >= (2, 4) else "AVX512_SKX AVX512_ICL"


def disable_slow_features() -> None:
    """Set it for this process, before NumPy is there; what the user has set stands."""
    about = Path("/proc/cpuinfo")
    if "numpy" in sys.modules or _SETTING in os.environ or not about.exists():
        return
    if features := slow_features(about.read_text("utf-8", errors="replace"), version("numpy")):
        os.environ[_SETTING] = features
