"""The core runs without its wings, and names nothing of them: a copy of the source that lacks both."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from audit import SOURCE

WINGS = ("arena", "papers")
OF_THE_GAME = re.compile(
    r"\b(campaign|player|payout|probe|points|beat the machine)s?\b", re.IGNORECASE
)


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """The source without wings, and a folder to work in."""
    home = tmp_path_factory.mktemp("core")
    ignored = shutil.ignore_patterns(*WINGS)  # what is compiled already stays so
    shutil.copytree(SOURCE, home / "src" / "askpoint", ignore=ignored)
    for wing in WINGS:
        assert not (home / "src" / "askpoint" / wing).exists()
    return Core(home)


class Core:
    """Runs the command of the copy."""

    def __init__(self, home):
        self.home = home
        self.environment = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "",  # the copy is compiled once, and not by each command
            "PYTHONPATH": str(home / "src"),
            "PYTHONWARNINGS": "error",
        }

    def run(self, *words):
        done = subprocess.run(
            [sys.executable, "-m", "askpoint", *map(str, words)],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "plugin" not in done.stderr
        return done.stdout

    def write(self, name, rows):
        with (self.home / name).open("w", newline="") as file:
            table = csv.DictWriter(file, rows[0])
            table.writeheader()
            table.writerows(rows)
        return name


def posts(n, seed):
    """Cases with what a model says of them, and the truth."""
    rng = random.Random(seed)
    rows = []
    for number in range(n):
        confidence, said = 0.5 + 0.5 * rng.random() ** 0.5, rng.random() < 0.5
        wrong = rng.random() < min(0.5, 1.2 * (1 - confidence) ** 1.5)
        hate = confidence if said else 1 - confidence
        rows.append(
            {
                "key": f"{seed}-{number}",
                "label": "hate" if said != wrong else "fine",
                "proba_fine": 1 - hate,
                "proba_hate": hate,
            }
        )
    return rows


def without(rows, *names):
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


def test_its_help_names_no_command_that_is_not_there(core):
    said = core.run("--help")
    assert "value" in said
    assert not re.search(r"^  (simulate|papers)\b", said, re.MULTILINE)


def test_a_log_is_evaluated_examined_and_put_to_use(core):
    log = core.write("log.csv", posts(600, 1))
    assert json.loads(core.run("value", log, "--rho", "0.1", "--json"))["n_items"] == 600
    core.run("examine", log, "--out", "sample.csv", "--n", "50")
    core.run("deploy", log, "--rho", "0.1", "--out", "posts/policy.json")
    batch = core.write("batch.csv", without(posts(200, 2), "label"))
    core.run("decide", "posts/policy.json", batch)
    core.run("watch", "posts", "--to-label", "next.csv")
    truth = {row["key"]: row["label"] for row in posts(200, 2)}
    with (core.home / "next.csv").open() as file:
        wanted = list(csv.DictReader(file))
    assert wanted
    labels = core.write(
        "labels.csv", [{"key": it["key"], "label": truth[it["key"]]} for it in wanted]
    )
    core.run("label", "posts", labels)
    core.run("verify", "posts")


@pytest.mark.whole
def test_judges_are_evaluated_and_costs_elicited(core):
    rng = random.Random(3)
    truth = [rng.random() < 0.4 for _ in range(300)]
    rows = [
        {"item": i, **{f"judge_{j}": int(right ^ (rng.random() < 0.15)) for j in "abc"}}
        for i, right in enumerate(truth)
    ]
    votes = core.write("votes.csv", rows)
    assert json.loads(core.run("judges", votes, "--json"))["n_items"] == 300
    log = core.write("log.csv", posts(600, 1))
    core.run("elicit", log, "--simulate", "5")
    assert json.loads((core.home / "costs.json").read_text())["classes"] == ["fine", "hate"]


@pytest.mark.whole
def test_the_demo_tells_its_story(core):
    assert "askpoint FILE" in core.run("demo", "--folder", "demo")


class _Links(HTMLParser):
    """The links of a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag == "a" and (address := dict(attrs).get("href")):
            self.found.append(address)


def links_of(page):
    parser = _Links()
    parser.feed(page)
    return parser.found


def form_of(page):
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    return {} if token is None else {"csrfmiddlewaretoken": token[1]}


def crawl(visitor, start):
    """Open every page that can be reached by links; return their words by address."""
    waiting, pages = [start], {}
    while waiting:
        address = waiting.pop()
        answer = visitor.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        kind = answer.headers["content-type"]
        pages[address] = answer.text if kind.startswith("text/html") else ""
        for link in links_of(pages[address]):
            there = urlsplit(urljoin(str(answer.url), link))
            whole = there._replace(fragment="").geturl()
            if there.netloc == urlsplit(start).netloc and whole not in {*pages, *waiting}:
                waiting.append(whole)
    return pages


def words_of(page):
    return re.sub(
        r"<[^>]+>", " ", re.sub(r"<(style|script|svg).*?</\1>", " ", page, flags=re.DOTALL)
    )


@pytest.mark.whole
def test_a_server_with_a_classifier_in_use_names_nothing_that_is_missing(core):
    from server.running import Server

    server = Server(core.home, None, "--workers", "1", source=core.home / "src").wait()
    try:
        with httpx.Client(follow_redirects=True, timeout=60) as visitor:
            page = visitor.get(server.first_link).text
            assert not OF_THE_GAME.search(words_of(page)), page
            name = {"name": "wanda", "password": "correct horse battery"}
            page = visitor.post(server.first_link, data={**name, **form_of(page)}).text
            assert "<h1>Classifiers</h1>" in page
            new = visitor.get(f"{server.address}/classifiers/").text
            core.write("log.csv", posts(600, 1))
            made = visitor.post(
                f"{server.address}/classifiers/",
                data={**NEW, **form_of(new)},
                files={"file": ("log.csv", (core.home / "log.csv").read_bytes())},
            )
            assert made.status_code == 200, words_of(made.text)
            used = visitor.post(
                str(made.url), data={"action": "adopt", "seen": "0", **form_of(made.text)}
            )
            assert used.status_code == 200
            pages = crawl(visitor, f"{server.address}/")
            assert len(pages) >= 10, sorted(pages)
            named = {
                address: found[0]
                for address, page in pages.items()
                if (found := OF_THE_GAME.search(words_of(page)))
            }
            assert not named
    finally:
        server.stop()


NEW = {
    "title": "Which posts can stay?",
    "aim": "money",
    "checks": "20",
    "audits": "10",
    "planned_decisions": "40000",
    "max_label_delay": "2000",
    "why": "the first",
}


def test_the_check_can_fail():
    assert OF_THE_GAME.search(words_of("<p>Your campaigns</p>"))
    assert not OF_THE_GAME.search(words_of("<svg>points</svg><p class='points'>a</p>"))
    assert Path(SOURCE / "arena").exists()
