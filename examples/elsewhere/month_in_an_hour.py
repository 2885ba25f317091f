"""A month of a service in an hour: forty callers, weekends without labels, a silent swap, a kill of everything, an island.

    python examples/elsewhere/month_in_an_hour.py FOLDER [--where postgresql://HOST/DB?deployment=NAME] [--posts POSTS.csv]
        [--days 30] [--per-day 400] [--seconds 0]

The service of docs/how-to/service.md (FastAPI, under uvicorn, four processes) decides posts that forty threads send. A person
labels each evening what it asks, but not on weekends. On day 12 another model is put behind it in silence, for three
days. On day 16 all of its processes are killed while posts come in. From day 20 on an island of posts with a slur that the
model does not know begins. Each evening `askpoint watch` writes figures, page and heads, and sends mail. At the end a
stranger verifies a copy without secrets with the head of the evening before, and again after one action in it was changed;
what was agreed is printed beside the truth. Needs uvicorn.
"""

import argparse
import atexit
import contextlib
import io
import json
import os
import queue
import re
import shutil
import signal
import socket
import socketserver
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from askpoint import Deployment, Policy, Terms
from askpoint.cli.main import main
from askpoint.records.stores.postgres_addresses import read_address

CALLERS, SWAP, KILL, ISLAND = 40, range(12, 15), 16, 20
SECRET, SLUR, SHARE = b"a month in an hour", "zorble", 0.15
PRICE = 0.05  # a check, in mistakes


class Mail(socketserver.StreamRequestHandler):
    """A mail server that keeps subjects."""

    subjects: ClassVar[list[str]] = []

    def handle(self):
        """Speak as much SMTP as a sender needs."""
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            word = line.split(b" ")[0].strip().upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                name = b""
                while (line := self.rfile.readline()) != b".\r\n":
                    if line[:1] in {b" ", b"\t"} and name == b"subject":  # a long one goes on
                        self.subjects[-1] += line.decode().rstrip()
                        continue
                    name = line.lower().partition(b":")[0]
                    if name == b"subject":
                        self.subjects.append(line.decode().partition(":")[2].strip())
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")


class Service:
    """The service of the page, in processes of its own."""

    def __init__(self, folder, where):
        page = Path(__file__).parents[2] / "docs" / "how-to" / "service.md"
        code = page.read_text("utf-8").split("```{code-block} python\n# service.py\n")[1]
        (folder / "service.py").write_text(code.split("```")[0])
        self.folder, self.environment = folder, {**os.environ, "DEPLOYMENT": str(where)}
        self.start()

    def start(self):
        """Start it, and wait until it answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = [
            "-m",
            "uvicorn",
            "service:app",
            "--workers",
            "4",
            "--port",
            str(self.port),
            "--log-level",
            "error",
        ]
        self.process = subprocess.Popen(
            [sys.executable, *words], cwd=self.folder, env=self.environment, start_new_session=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(600):
            with contextlib.suppress(OSError):
                return self.ask("status")
            time.sleep(0.1)
        raise TimeoutError("the service does not answer")

    def kill(self):
        """Kill all of its processes at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def ask(self, path, body=None):
        """Send one request."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)

    def send(self, path, bodies):
        """Send requests from forty threads, each again until it is answered; return the answers by key."""
        waiting, answers = queue.Queue(), {}
        for body in bodies:
            waiting.put(body)

        def call():
            while True:
                try:
                    body = waiting.get_nowait()
                except queue.Empty:
                    return
                while body["key"] not in answers:
                    try:
                        answers[body["key"]] = self.ask(path, body)
                    except (OSError, ValueError):  # killed, or starting: send it again
                        time.sleep(0.2)

        threads = [threading.Thread(target=call) for _ in range(CALLERS)]
        for thread in threads:
            thread.start()
        yield
        for thread in threads:
            thread.join()
        yield answers


def dashboard_metrics(folder):
    """Metrics that panels of the example dashboard ask for, and those of them that a month's last figures hold."""
    board = json.loads(
        (Path(__file__).parents[1] / "operations" / "grafana.json").read_text("utf-8")
    )
    asks = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    wanted = set(re.findall(r"askpoint_\w+", asks))
    text = (folder / "month.prom").read_text("utf-8")
    return wanted, wanted & set(re.findall(r"^(askpoint_\w+)\{", text, re.MULTILINE))


def copy_for_a_stranger(where, folder):
    """Copy a deployment without its secrets; return where the copy is, and how to run a statement on its tables."""
    if "://" not in str(where):
        keys = shutil.ignore_patterns("secret.key", "signing.key")
        copy = shutil.copytree(where, folder / "copy", ignore=keys)

        def change(statement):
            with contextlib.closing(sqlite3.connect(copy / "state.sqlite")) as there, there:
                there.execute(statement)

        return copy, change
    import psycopg

    found = read_address(where)
    address, ours, theirs = found.conninfo, found.schema, f"{found.schema}_copy"

    def change(statement):
        with psycopg.connect(address) as there:
            there.execute(f'SET search_path = "{theirs}"')
            there.execute(statement)

    with psycopg.connect(address) as there:
        there.execute(f'DROP SCHEMA IF EXISTS "{theirs}" CASCADE; CREATE SCHEMA "{theirs}"')
        query = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
        for (table,) in there.execute(query, (ours,)).fetchall():
            there.execute(
                f'CREATE TABLE "{theirs}".{table} (LIKE "{ours}".{table} INCLUDING ALL); '
                f'INSERT INTO "{theirs}".{table} TABLE "{ours}".{table}'
            )
    change("UPDATE meta SET secret = NULL, signing = NULL")
    return where.replace(f"deployment={found.name}", f"deployment={found.name}_copy"), change


def askpoint(*words):
    """Run one command; return what it prints and its exit code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main.main([str(word) for word in words])
        except SystemExit as end:
            return out.getvalue() + err.getvalue(), end.code
    return out.getvalue(), 0


def read_posts(path, n):
    """Posts with a label: fine or harmful."""
    if path is None:
        rng = np.random.default_rng(5)
        harmful = rng.random(n) < 0.4
        words = [
            " ".join(f"w{k}" for k in rng.poisson(20 + 9 * bad, 8)) for bad in harmful
        ]  # fmt: skip
        return pl.DataFrame({"text": words, "label": np.where(harmful, "harmful", "fine")})
    posts = pl.read_csv(path).sample(n, shuffle=True, seed=0, with_replacement=False)
    fine = pl.col("label") == "neither"
    return posts.select(
        "text", label=pl.when(fine).then(pl.lit("fine")).otherwise(pl.lit("harmful"))
    )


def fit(posts, **options):
    """A model of posts: the chance that each is harmful."""
    words = TfidfVectorizer(min_df=2, sublinear_tf=True, **options)
    model = LogisticRegression(C=8, max_iter=500).fit(
        words.fit_transform(posts["text"]), posts["label"]
    )
    return lambda texts: model.predict_proba(words.transform(texts))[:, 1]


def month(folder, where, days, per_day, path, seconds):
    """Live through a month."""
    rng = np.random.default_rng(7)
    posts = read_posts(path, 2500 + days * per_day)
    training, log, rest = posts[:2000], posts[2000:2500], posts[2500:]
    model, other = fit(training), fit(training[:150])
    terms = Terms(
        "money", PRICE, rate=0.1, planned_decisions=days * per_day, max_label_delay=4 * per_day
    )
    p = model(log["text"])
    right = (p > 0.5) == (log["label"] == "harmful").to_numpy()
    classes = {"classes": ["fine", "harmful"]}
    policy = Policy.from_log(
        np.maximum(p, 1 - p), right, terms, secret=SECRET, name="month", model=classes
    )
    Deployment(where, policy, secret=SECRET).close()
    mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)
    threading.Thread(target=mail.serve_forever, daemon=True).start()
    os.environ["ASKPOINT_SMTP"] = f"smtp://127.0.0.1:{mail.server_address[1]}"
    fine = rest.filter(pl.col("label") == "fine")["text"]
    sure = fine.filter(pl.Series(model(fine) < 0.1)).to_numpy()
    service = Service(folder, where)
    atexit.register(service.kill)
    truth, lost, answered, heads = {}, 0, 0, folder / "heads.jsonl"
    for day in range(1, days + 1):
        begin = time.monotonic()
        today = rest[(day - 1) * per_day : day * per_day]
        slur = pl.Series((rng.random(per_day) < SHARE) & (day >= ISLAND))
        meant = pl.Series(rng.choice(sure, per_day)) + f" {SLUR}"
        texts = today.select(pl.when(slur).then(meant).otherwise("text").alias("text"))["text"]
        label = today.select(
            pl.when(slur).then(pl.lit("harmful")).otherwise("label").alias("label")
        )["label"]
        p = (other if day in SWAP else model)(texts)
        said = np.where(p > 0.5, "harmful", "fine")
        keys = [f"day{day}-{i}" for i in range(per_day)]
        truth |= dict(zip(keys, label, strict=True))
        cases = [
            {
                "key": key,
                "prediction": str(name),
                "confidence": float(max(q, 1 - q)),
                "content": text,
            }
            for key, name, q, text in zip(keys, said, p, texts, strict=True)
        ]
        sending = service.send("decide", cases)
        next(sending)
        if day == KILL:
            time.sleep(1)
            service.kill()
            service.start()
        made = next(sending)
        lost += sum(
            made[k]["action"] == "answer" and truth[k] != str(s)
            for k, s in zip(keys, said, strict=True)
        )
        answered += sum(one["action"] == "answer" for one in made.values())
        weekend = day % 7 in {6, 0}
        if not weekend:
            with Deployment(where) as reader:
                wanted = reader.wanted_keys()
            labels = [{"key": key, "label": truth[key], "by": "Ada"} for key in wanted]
            labelling = service.send("label", labels)
            next(labelling)
            next(labelling)
        page = folder / f"day-{day:02}.html"
        told, code = askpoint(
            "watch", where, "--html", page, "--metrics", folder / "month.prom", "--publish", f"file={heads}",
            "--notify", "mail=team@example.org",
        )  # fmt: skip
        assert code in {0, 1}, told
        found = json.loads(askpoint("watch", where, "--json")[0])
        low, high = found["mistakes"] or (0, 0)
        state = "closed" if found["threshold"] is None else f"from {found['threshold']:.3f} on"
        kinds = [e["kind"] for e in found["events"] if e["decision"] > (day - 1) * per_day]
        print(
            f"day {day:2}{' weekend' if weekend else ''}: {state}, {answered:,} answered so far, {lost} of them wrong, the "
            f"page says {low:.0f} to {high:.0f} {' '.join(sorted(set(kinds)))}", flush=True,
        )  # fmt: skip
        time.sleep(max(0.0, seconds - (time.monotonic() - begin)))
    service.kill()
    yesterday = folder / "yesterday.json"
    yesterday.write_text(heads.read_text().splitlines()[-2])
    copy, change = copy_for_a_stranger(where, folder)
    print(askpoint("verify", copy, "--head", yesterday)[0].split("\n")[0])
    change(
        "UPDATE decisions SET answer = 1 - answer WHERE seq = (SELECT max(seq) / 2 FROM decisions)"
    )
    print(askpoint("verify", copy, "--head", yesterday)[0].split("\n")[0])
    wanted, there = dashboard_metrics(folder)
    print(
        f"dashboard: {len(there)} of {len(wanted)} metrics {' '.join(sorted(wanted - there))}".rstrip()
    )
    spent, bound = lost + PRICE * (days * per_day - answered), PRICE * days * per_day + terms.budget
    print(f"mail: {len(Mail.subjects)} ({'; '.join(dict.fromkeys(Mail.subjects))})")
    print(
        f"agreed: never more than {terms.budget:g} mistakes behind asking everybody; the truth: {lost} mistakes and "
        f"{days * per_day - answered:,} checks are {spent - PRICE * days * per_day:+.0f} mistakes beside asking everybody"
    )
    assert spent <= bound
    mail.shutdown()
    return lost


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--where")
    parser.add_argument("--posts")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--per-day", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.0, help="of a day, at least")
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    month(
        options.folder, options.where or options.folder / "month", options.days, options.per_day, options.posts,
        options.seconds,
    )  # fmt: skip
