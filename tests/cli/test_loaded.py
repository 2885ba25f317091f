"""Which heavy packages each command loads: a new import is noticed here, before a user waits for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cli.conftest import Shell
from cli.deployments import day_of, log_of

HEAVY = {
    *(
        "django",
        "duckdb",
        "httpx",
        "ibis",
        "jinja2",
        "matplotlib",
        "narwhals",
        "ninja",
        "numpy",
        "pandas",
    ),
    *("polars", "pyarrow", "pyspark", "rich", "scipy.linalg", "scipy.optimize", "scipy.sparse"),
    *("scipy.special", "scipy.stats", "sklearn", "sqlite3", "statsmodels"),
}

_RUN = (
    "import sys\n"
    "from askpoint.cli.main import main\n"
    "lines = [line.split('\\t') for line in sys.stdin.read().splitlines()]\n"
    "for words in lines:\n"
    "    try: main(words)\n"
    "    except SystemExit as end: code = end.code\n"
    "    print('CODE', code, *words)\n"
    "    print('LOADED', *sorted(sys.modules))\n"
)


def run(folder, *commands):
    """Run commands in one fresh Python, and return the exit code of each, and what heavy is loaded after it."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN],
        input="\n".join("\t".join(map(str, words)) for words in commands),
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    lines = done.stdout.splitlines()
    codes = [int(line.split()[1]) for line in lines if line.startswith("CODE")]
    loaded = [HEAVY & set(line.split()) for line in lines if line.startswith("LOADED")]
    return list(zip(codes, loaded, strict=True)), done.stderr


@pytest.fixture(scope="module")
def posts(tmp_path_factory):
    return make_posts(tmp_path_factory.mktemp("posts"))


def make_posts(folder):
    """Write a log, votes of five judges and of two systems, costs, and a policy with a batch and labels."""
    shell = Shell(folder)
    log = log_of()
    shell.write("log.csv", log)
    shell.write(
        "proba.csv",
        [
            {"label": row["label"], "proba_no": 1 - p, "proba_yes": p}
            for i, row in enumerate(log)
            for p in [0.5 + (i % 50) / 101]
        ],
    )
    panel = (("ann", 1), ("bob", 3), ("cy", 4), ("dee", 5), ("eve", 6))
    for name, least in (("votes", 4), ("old", 3)):
        votes = [
            {"task": i, **{judge: "yes" if (i * k) % 7 < least else "no" for judge, k in panel}}
            for i in range(60)
        ]
        shell.write(f"{name}.csv", votes)
    actions = [
        {
            "tool": "refund",
            "decision": "approve" if i % 9 else "deny",
            "time": f"2026-03-0{1 + i % 5}",
        }
        for i in range(60)
    ]
    shell.write("actions.csv", actions)
    rows, truth = day_of(1)
    shell.write("batch.csv", rows)
    shell.write("labels.csv", [{"key": k, "label": v} for k, v in truth.items()])
    policy = ("deploy", "log.csv", "--rho", "0.1", "--audit", "0.2", "--out", "posts/policy.json")
    shell.write("terms.json", '{"format": 2, "licence": {"classes": [{"tool": "refund"}]}}')
    done, err = run(
        folder,
        ("licence", "open", "bot", "terms.json"),
        policy,
        ("decide", "posts", "batch.csv"),
        ("elicit", "proba.csv", "--simulate", "9", "--out", "costs.json"),
        ("examine", "proba.csv", "--out", "drawn.csv", "--n", "20", "--bins", "2"),
    )
    assert [code for code, _ in done] == [0, 0, 0, 0, 0], err
    return folder


def names_of_commands():
    from askpoint.cli.main import main

    return main.list_commands(None)


def test_help_of_every_command_and_refusals_load_none(tmp_path):
    helped = [(name, "--help") for name in names_of_commands()]
    done, err = run(
        tmp_path,
        ("--help",),
        ("--version",),
        *helped,
        ("papers", "run", "--help"),
        ("nonsuch",),
        ("value",),
        ("value", "nonsuch.csv"),
        ("nonsuch.csv",),
        ("judges", "nonsuch.csv"),
        ("examine", "nonsuch.csv"),
        ("watch", "nonsuch"),
        ("value", "log.csv", "--nonsuch"),
        ("judges", "votes.csv", "--at-least", "1"),
        ("value", "log.csv", "--measure", "nonsuch"),
        ("examine", "log.csv", "--method", "nonsuch"),
    )
    assert [code for code, _ in done] == [0, 0, *[0] * len(helped), 0, *[2] * 11], err
    assert [loaded for _, loaded in done if loaded] == []


_TABLE = {"narwhals", "numpy", "polars"}
_SCIENCE = {*_TABLE, "scipy.special"}
_SAID = {*_SCIENCE, "rich"}  # tables on a terminal
_PROGRAMMES = {"scipy.linalg", "scipy.optimize", "scipy.sparse"}  # linear ones, and rising curves
_STORE = {"numpy", "polars", "scipy.special", "sqlite3"}  # of a policy in use
_PAGE = {"jinja2", "matplotlib"}

MAY = {
    "value": (("value", "log.csv"), _SAID),
    "value as JSON": (("value", "log.csv", "--json"), _SCIENCE),
    "value with a page": (("value", "log.csv", "--html", "x.html"), _SAID | _PAGE),
    "a ladder": (("value", "log.csv", "--rung", "only=proba_*:0.01"), _SAID),
    "a promise": (
        ("value", "log.csv", "--max-error", "0.3", "--guarantee", "0.2"),
        _SAID | _PROGRAMMES | {"scipy.stats"},
    ),
    "judges": (("judges", "votes.csv"), _SAID | _PROGRAMMES),
    "compare": (("compare", "old.csv", "votes.csv"), _SAID | _PROGRAMMES),
    "gate": (("gate", "votes.csv", "--fail-on", "alarm"), _SAID | _PROGRAMMES),
    "a file": (("log.csv",), _SAID | {"sqlite3"}),
    "read": (("read", "log.csv"), _TABLE | {"sqlite3"}),
    "deploy": (
        ("deploy", "log.csv", "--rho", "0.1", "--out", "new/policy.json"),
        _SAID | _STORE | _PROGRAMMES,
    ),
    "decide": (("decide", "posts", "batch.csv"), _SCIENCE | _STORE),
    "label": (("label", "posts", "labels.csv"), _SCIENCE | _STORE),
    "watch": (("watch", "posts"), _STORE | {"rich"}),
    "prove": (("prove", "posts", "d1-0"), _STORE),
    "approvals": (
        ("approvals", "actions.csv", "--until", "2026-03-09"),
        {"numpy", "polars", "rich", "scipy.special"},
    ),
    "licence": (("licence", "show", "bot"), _STORE | {"rich"}),
    "verify": (("verify", "posts"), _STORE | _PROGRAMMES),
    "dead": (("dead", "posts"), _STORE),
    "elicit": (("elicit", "proba.csv", "--simulate", "9", "--session", "s.json"), _SAID),
    "examine": (("examine", "proba.csv"), _SAID | _PROGRAMMES),
    "a draw": (("examine", "proba.csv", "--out", "d.csv", "--n", "20", "--bins", "2"), _TABLE),
}


_ALWAYS = {"value as JSON", "judges", "decide", "read"}


@pytest.mark.parametrize(
    ("words", "may"),
    [
        pytest.param(*case, id=name, marks=[] if name in _ALWAYS else pytest.mark.whole)
        for name, case in MAY.items()
    ],
)
def test_a_command_loads_what_its_question_needs_and_no_more(posts, words, may):
    ((_, loaded),), err = run(posts, words)
    assert loaded == may, err
