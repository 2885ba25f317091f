"""On Zen 4 the command line sets NumPy's switch for itself, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from askpoint.cli.cpu_features import slow_features


def processor(vendor="AuthenticAMD", family=25, flags="fpu avx2 avx512f avx512vl"):
    one = f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nflags\t\t: {flags}\n"
    return f"{one}\n{one}"


@pytest.mark.parametrize(
    ("about", "numpy", "expected"),
    [
        (processor(), "2.4.6", "X86_V4 AVX512_ICL"),
        (processor(), "2.10.0rc1", "X86_V4 AVX512_ICL"),
        (processor(), "2.3.1", "AVX512_SKX AVX512_ICL"),
        (processor(flags="fpu avx2"), "2.4.6", ""),  # Zen 3
        (processor(family=26), "2.4.6", ""),  # Zen 5
        (processor(vendor="GenuineIntel", family=6), "2.4.6", ""),
        ("", "2.4.6", ""),
    ],
)
def test_which_processors(about, numpy, expected):
    assert slow_features(about, numpy) == expected


def test_the_names_are_numpys_own():
    """NumPy warns of names that it does not know."""
    import numpy as np

    env = os.environ | {"NPY_DISABLE_CPU_FEATURES": slow_features(processor(), np.__version__)}
    words = [sys.executable, "-W", "error", "-c", "import numpy"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or "Runtime" not in done.stderr, done.stderr
    assert "not part of the dispatched" not in done.stderr


@pytest.mark.parametrize("own", [{}, {"NPY_DISABLE_CPU_FEATURES": ""}], ids=["none", "set"])
def test_it_is_set_before_numpy_is_there_and_only_if_nobody_did(own):
    code = (
        "import os, sys; from pathlib import Path; import askpoint.cli.cpu_features as s\n"
        f"about, read = {processor()!r}, Path.read_text\n"
        "Path.read_text = lambda p, *a, **k: about if 'cpuinfo' in str(p) else read(p, *a, **k)\n"
        "assert 'numpy' not in sys.modules\n"
        "s.disable_slow_features(); print(os.environ.get('NPY_DISABLE_CPU_FEATURES'))\n"
    )
    env = {key: value for key, value in os.environ.items() if not key.startswith("NPY_")} | own
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    assert (done.stdout.strip() == "") if own else done.stdout.strip().endswith("AVX512_ICL")
