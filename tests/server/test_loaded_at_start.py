"""What a server loads before it answers: who starts one waits for it, and so does each test that does."""

from __future__ import annotations

import subprocess
import sys

_START = """
import sys
from askpoint.server.boot import set_up
from askpoint.server.options import Options

set_up(Options(database="sqlite:///" + sys.argv[1] + "/x.sqlite3", secret="s" * 50, sockets=sys.argv[1]))
from django.urls import get_resolver

_ = get_resolver().url_patterns
print(*sorted({"sklearn", "pandas", "scipy.stats", "statsmodels", "pyarrow", "duckdb"} & set(sys.modules)))
"""


def test_pages_and_api_load_no_estimator(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _START, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
