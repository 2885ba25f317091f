"""Twenty days of a moderation team, with a new slur from day 12 on.

    python examples/policy_in_use.py FOLDER [POSTS_A_DAY [POSTS.csv]]

A model of posts goes into use, once with 300 labels and once with nothing but a price: it decides
each morning, a person answers each evening what it asks, and an island of posts with a slur that
the model does not know begins on day 12. FOLDER gets both deployments, the page before, at and
after the alarm, and what the evidence did as SVG. Posts are made up, or come from a file with the
columns text and label (of Davidson et al. 2017, for example; "neither" is harmless).
"""

import contextlib
import io
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import polars as pl
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from askpoint.cli.main import main
from askpoint.displays.live import EvidenceDisplay
from askpoint.live.documents import PolicyDocument
from askpoint.live.history import history_of
from askpoint.live.worth import LivePrices
from askpoint.records.stores.deployment import Deployment

DAYS, CHANGE, LABELS, TRAINING, RHO = 20, 12, 300, 4000, 0.05
SLUR, ISLAND = "zorble", 0.15  # share of the posts that carry it, in words that look harmless


def askpoint(*words):
    """Run one command; return what it prints and its exit code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main.main([str(word) for word in words])
        except SystemExit as end:
            return out.getvalue() + err.getvalue(), end.code
    return out.getvalue(), 0


def made_up_posts(n, rng):
    """Posts of words; harmful ones use other words more often."""
    words = np.array([f"w{i}" for i in range(400)])
    harmful = rng.random(n) < 0.4
    tilt = np.exp(np.linspace(-1.1, 1.1, len(words)))
    kinds = [tilt[::-1] / tilt.sum(), tilt / tilt.sum()]
    texts = [" ".join(rng.choice(words, 14, p=kinds[int(bad)])) for bad in harmful]
    return pl.DataFrame({"text": texts, "label": np.where(harmful, "harmful", "neither")})


def split(a_day, path, rng):
    """Posts to train on, 300 labelled ones, and those of the days."""
    n = TRAINING + LABELS + DAYS * a_day
    posts = made_up_posts(n, rng) if path is None else pl.read_csv(path)
    fine = pl.col("label") == "neither"
    posts = posts.sample(n, shuffle=True, seed=0).with_columns(
        label=pl.when(fine).then(pl.lit("fine")).otherwise(pl.lit("harmful"))
    )
    return posts[:TRAINING], posts[TRAINING : TRAINING + LABELS], posts[TRAINING + LABELS :]


def with_island(posts, a_day, rng, model):
    """The days; from day 12 on some posts carry the slur in words of which the model is sure."""
    fine = posts.filter(pl.col("label") == "fine")["text"]
    sure = fine.filter(model(fine) < 0.1).to_numpy()
    for day in range(1, DAYS + 1):
        slur = pl.Series((rng.random(a_day) < ISLAND) & (day >= CHANGE))
        meant = pl.Series(rng.choice(sure, a_day)) + f" {SLUR}"
        yield posts[(day - 1) * a_day : day * a_day].with_columns(
            key=pl.Series([f"day{day}-{i}" for i in range(a_day)]),
            text=pl.when(slur).then(meant).otherwise("text"),
            label=pl.when(slur).then(pl.lit("harmful")).otherwise("label"),
        )


def live_through(folder, deploy, days, model):
    """Deploy, decide each morning, label each evening; write pages around the alarm."""
    policy = folder / "policy.json"
    print(askpoint("deploy", *deploy, "--out", policy)[0].split("\n\n")[1].split("\n", 1)[1])
    alarms, lost = [], 0
    for day, posts in enumerate(days, start=1):
        p = model(posts["text"])
        batch = folder / "batch.parquet"
        posts.select("key", "text").with_columns(proba_fine=1 - p, proba_harmful=p).write_parquet(
            batch
        )
        morning, evening = f"2026-03-{day:02}T08:00", f"2026-03-{day:02}T18:00"
        out = folder / "today.parquet"
        askpoint("decide", policy, batch, "--at", morning, "--content", "text", "--out", out)
        askpoint("watch", folder, "--to-label", folder / "next.csv", "--at", morning)
        found = pl.read_csv(folder / "next.csv").select("key").join(posts, on="key", how="left")
        found.select("key", "label", judge=pl.lit("Ada")).write_csv(folder / "labels.csv")
        told, code = askpoint("label", policy, folder / "labels.csv", "--at", evening)
        assert code == 0, told
        made = pl.read_parquet(out).join(posts, on="key")
        wrong = made.filter(
            (pl.col("action") == "answer") & (pl.col("prediction") != pl.col("label"))
        )
        lost += len(wrong)
        text, code = askpoint("watch", folder, "--json", "--at", evening)
        seen = json.loads(text)
        alarms.append(code)
        if day in {CHANGE - 1, CHANGE + 1, DAYS} or (code and sum(alarms) == 1):
            askpoint("watch", folder, "--at", evening, "--html", folder / f"day-{day:02}.html")
            low, high = seen["mistakes"]
            print(
                f"day {day}: {seen['answered_recently'] / seen['recent_decisions']:.0%} of the last "
                f"{seen['recent_decisions']:,} cases answered; {lost} mistakes passed so far, they say {low:.0f} "
                f"to {high:.0f}; exit code {code}"
            )
    return alarms


folder, a_day = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
path = sys.argv[3] if len(sys.argv) > 3 else None
rng = np.random.default_rng(3)
training, log, rest = split(a_day, path, rng)
words = TfidfVectorizer(min_df=2, sublinear_tf=True)
fitted = LogisticRegression(C=8, max_iter=500).fit(
    words.fit_transform(training["text"]), training["label"]
)


def model(texts):
    """Probability that a post is harmful."""
    return fitted.predict_proba(words.transform(texts))[:, 1]


days = list(with_island(rest, a_day, rng, model))
p = model(log["text"])
log.with_columns(proba_fine=1 - p, proba_harmful=p).write_csv(folder / "log.csv")
notice = ["--detect", 0.15, "--within", DAYS * a_day / 8, "--planned-decisions", DAYS * a_day]
for name, begin in {
    "from-a-log": [folder / "log.csv"],
    "from-nothing": ["--classes", "fine,harmful"],
}.items():
    print(f"\n{name}")
    here = folder / name
    here.mkdir()
    live_through(here, [*begin, "--rho", RHO, *notice], days, model)
    shutil.copytree(here, folder / f"{name}-copy")
    print(askpoint("verify", folder / f"{name}-copy")[0].split("\n")[0])
    document = PolicyDocument.from_json((here / "policy.json").read_text())
    with Deployment(here) as deployment:
        history = history_of(document, deployment.blocks(), LivePrices(check=RHO))
    EvidenceDisplay(history).plot().figure_.savefig(folder / f"{name}.svg")
