"""`askpoint examine`: numbers against plain Python, and each bad input against one plain line."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from cli.mastheads import masthead

N, DRAWN = 2000, 200
AXES = {"rows": "truth", "columns": "decision"}
OWN = {"id", "label", "judge", "order", "bin", "size", "inclusion", "seed", "digest"}


def make_log(n=N, seed=0):
    """A model that is mostly sure, and does not know that the north is different."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        spam = round(rng.random() ** 4, 3)
        place = rng.choice(["north", "south", "east", "west"])
        truth = "spam" if rng.random() < max(spam, 0.6 * (place == "north")) else "ham"
        rows.append(
            {
                "id": f"case {i}",
                "label": truth,
                "proba_ham": 1 - spam,
                "proba_spam": spam,
                "place": place,
                "note": f"some words on number {i % 7}",
            }
        )
    return rows


ROWS = make_log()
TRUTH = {row["id"]: row["label"] for row in ROWS}


def wrong(row):
    return (row["proba_spam"] > 0.5) != (row["label"] == "spam")


@pytest.fixture
def log(shell):
    return shell.write("log.csv", ROWS)


def read(path):
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def draw(shell, log, *words):
    out = str(shell.folder / "sample.csv")
    shell.said("examine", log, "--out", out, "--n", DRAWN, *words)
    return read(out)


def judge(rows, n=None, judge=""):
    """The same rows with the truth filled in on the first n."""
    filled = []
    for row in rows:
        if n is None or int(row["order"]) <= n:
            row = row | {"label": TRUTH[row["id"]], "judge": judge}
        filled.append(row)
    return filled


def answer(shell, log, rows, *words):
    judged = shell.write("judged.csv", rows)
    return shell.json("examine", log, "--judged", judged, *words)


def without_reason(value, path=""):
    """Where an object has null and no reason for it beside or above."""
    if isinstance(value, list):
        return [at for i, part in enumerate(value) for at in without_reason(part, f"{path}[{i}]")]
    if not isinstance(value, dict):
        return []
    reasons = value.get("reasons", {})
    found = [f"{path}.{key}" for key, part in value.items() if part is None and key not in reasons]
    for key, part in value.items():
        below = without_reason(part, f"{path}.{key}")
        found += [at for at in below if at.removeprefix(f"{path}.") not in reasons]
    return found


def test_the_file_for_judges(shell, log):
    rows = draw(shell, log)
    assert set(rows[0]) >= OWN
    assert not {"proba_ham", "proba_spam"} & set(rows[0])
    assert {row["label"] for row in rows} == {row["judge"] for row in rows} == {""}
    cost = {row["id"]: min(row["proba_ham"], row["proba_spam"]) for row in ROWS}
    in_bin = Counter(min(int(cost[i] / 0.05), 9) for i in cost)
    drawn = Counter(int(row["bin"]) - 1 for row in rows)
    assert drawn.keys() == in_bin.keys()
    for row in rows:
        assert float(row["low"]) - 1e-9 <= cost[row["id"]] <= float(row["high"]) + 1e-9
        b = int(row["bin"])
        assert float(row["inclusion"]) == pytest.approx(drawn[b - 1] / int(row["size"]))
    assert max(drawn.values()) == DRAWN // 10
    assert sorted(int(row["order"]) for row in rows) == list(range(1, len(rows) + 1))


def test_the_same_seed_draws_the_same(shell, log):
    one, two, other = (draw(shell, log, "--seed", seed) for seed in (3, 3, 4))
    assert one == two
    assert {row["id"] for row in one} != {row["id"] for row in other}


@pytest.mark.parametrize("method", ["stratified", "neyman", "random"])
def test_the_estimate_is_the_weighted_mean(shell, log, method):
    rows = judge(draw(shell, log, "--method", method))
    found = answer(shell, log, rows)
    bad = {row["id"]: wrong(row) for row in ROWS}
    by_bin: dict[str, list[dict]] = {}
    for row in rows:
        by_bin.setdefault(row["bin"], []).append(row)
    total = sum(
        int(part[0]["size"]) * sum(bad[row["id"]] for row in part) / len(part)
        for part in by_bin.values()
    )
    assert found["mistakes"]["estimate"]["value"] == pytest.approx(total / N)
    lower, upper = found["mistakes"]["estimate"]["interval"]
    assert lower < sum(bad.values()) / N < upper
    assert found["mistakes"]["found"] == pytest.approx(sum(bad[r["id"]] for r in rows) / len(rows))
    low, high = found["mistakes"]["looking"]
    assert low <= lower
    assert upper <= high
    assert found["method"] == method
    assert found["n_judged"] == found["n_drawn"] == len(rows)
    assert sum(part["mistakes"] for part in found["bins"]) == sum(found["severities"])
    assert without_reason(found) == []


def test_quadrants_of_the_judged(shell, log):
    rows = judge(draw(shell, log))
    found = answer(shell, log, rows, "--sure-below", 0.1)
    of = {row["id"]: row for row in ROWS}
    counts = Counter()
    for row in rows:
        item = of[row["id"]]
        unsure = min(item["proba_ham"], item["proba_spam"]) > 0.1
        counts[unsure, wrong(item)] += 1
    assert {name: part["n_cases"] for name, part in found["quadrants"].items()} == {
        "known known": counts[False, False],
        "known unknown": counts[True, True],
        "unknown known": counts[True, False],
        "unknown unknown": counts[False, True],
    }
    assert found["bounds"]["estimated"] == 0.1


def test_an_examination_judged_in_part(shell, log):
    rows = judge(draw(shell, log), n=60)
    found = answer(shell, log, rows)
    assert (found["n_judged"], found["n_drawn"]) == (60, len(rows))
    assert not found["stop"]["enough"]
    assert found["stop"]["further"] > 0
    text = shell.said("examine", log, "--judged", shell.write("judged.csv", rows))
    assert "Not yet" in text
    enough = shell.said(
        "examine", log, "--judged", shell.write("judged.csv", judge(rows)), "--width", "0.9"
    )
    assert "Yes, you may stop" in enough


def test_no_more_cases_are_asked_for_than_there_are(shell):
    rows = ROWS[:60]
    log, out = shell.write("few.csv", rows), shell.folder / "s.csv"
    shell.said("examine", log, "--out", out, "--n", 20, "--method", "random")
    judged = shell.write("j.csv", judge(read(out)))
    text = " ".join(shell.said("examine", log, "--judged", judged).split())
    assert "All 60 cases of the log would have to be judged" in text


def test_the_first_case_alone_is_not_estimable_by_bins(shell, log):
    found = answer(shell, log, judge(draw(shell, log), n=1))
    assert found["mistakes"]["estimate"] is None
    assert "judged" in found["mistakes"]["reasons"]["estimate"]
    assert without_reason(found) == []


def test_the_most_uncertain_say_nothing_of_the_others(shell, log):
    rows = judge(draw(shell, log, "--method", "uncertainty"))
    found = answer(shell, log, rows)
    assert found["mistakes"]["estimate"] is None
    assert "picked, not drawn" in found["mistakes"]["reasons"]["estimate"]
    text = shell.said("examine", log, "--judged", shell.folder / "judged.csv")
    assert "No estimate for all cases" in text
    assert "That is not known" in text
    assert without_reason(found) == []


def test_several_judges_decide_by_majority(shell, log):
    rows = draw(shell, log)
    ann, bob = judge(rows, judge="Ann"), judge(rows, judge="Bob")
    cleo = [row | {"judge": "Cleo", "label": "ham"} for row in rows]
    alone, three = answer(shell, log, ann), answer(shell, log, ann + bob + cleo)
    assert three["mistakes"] == alone["mistakes"]
    assert (three["n_judges"], alone["n_judges"]) == (3, 1)
    agreed = sum(TRUTH[row["id"]] == "ham" for row in rows)
    assert three["agreement"] == {"judged_by_several": len(rows), "all_agree": agreed}
    assert alone["reasons"]["agreement"]
    text = shell.said("examine", log, "--judged", shell.folder / "judged.csv")
    assert "The majority decided" in " ".join(text.split())


def test_the_planted_region_is_named(shell, log):
    found = shell.json("examine", log)
    assert found["n_labelled"] == N
    assert found["n_mistakes"] == sum(map(wrong, ROWS)) == sum(found["severities"])
    region = found["regions"]["confirmed"][0]
    assert region["region"] == "place is 'north'"
    inside = sum(row["place"] == "north" for row in ROWS) / N
    assert region["share"] == pytest.approx(inside)
    assert found["regions"]["sought_in"] == ["place", "note"]
    assert without_reason(found) == []
    text = shell.said("examine", log)
    assert "place is 'north'" in text
    assert "complement each other" in text


def test_a_log_labelled_in_part_says_so(shell):
    rows = [row | {"label": row["label"] if i % 2 else ""} for i, row in enumerate(ROWS)]
    log = shell.write("log.csv", rows)
    text = shell.said("examine", log)
    assert "Only 50.0" in text
    assert "draw an examination" in " ".join(text.split())


def test_a_log_without_features_or_too_few_for_regions(shell):
    plain = [{k: row[k] for k in ("id", "label", "proba_ham", "proba_spam")} for row in ROWS]
    text = shell.said("examine", shell.write("plain.csv", plain))
    assert "No region was sought" in text
    few = shell.json("examine", shell.write("few.csv", ROWS[:20]))
    assert few["regions"]["confirmed"] is None
    assert "collect at least" in few["regions"]["reasons"]["confirmed"]
    assert without_reason(few) == []


def test_costs_count(shell, log):
    costs = AXES | {
        "classes": ["ham", "spam"],
        "cost": {"ham": {"ham": 0, "spam": 5}, "spam": {"ham": 1, "spam": 0}},
        "unit": "EUR",
    }
    path = shell.write("costs.json", json.dumps(costs))
    rows = judge(draw(shell, log, "--costs", path))
    found = answer(shell, log, rows, "--costs", path)
    assert found["unit"] == "EUR"
    of = {row["id"]: row for row in ROWS}
    bad = [of[row["id"]] for row in rows if wrong(of[row["id"]])]
    paid = sum(5 if row["label"] == "ham" else 1 for row in bad)
    assert found["cost"]["found"] == pytest.approx(paid / len(rows))
    refusal = shell.refusal("examine", log, "--judged", shell.folder / "judged.csv")
    assert "give the costs (--costs, --by) by which the examination was drawn" in refusal


def test_decisions_that_were_made(shell):
    rows = [row | {"blocked": "spam" if row["proba_spam"] > 0.2 else "ham"} for row in ROWS]
    found = shell.json("examine", shell.write("log.csv", rows), "--decision", "blocked")
    assert found["n_mistakes"] == sum(row["blocked"] != row["label"] for row in rows)


def test_the_page(shell, log, reader):
    page, before = shell.folder / "page.html", shell.folder / "before.html"
    rows = judge(draw(shell, log))
    judged = shell.write("j.csv", rows)
    result = shell.run("examine", log, "--judged", judged, "--html", page)
    assert result.exit_code == 0
    text = page.read_text(encoding="utf-8")
    for words in ("Enough judged?", "Known and unknown", "unknown unknowns", "data:image"):
        assert words in text
    assert "<script" not in text
    large, found = masthead(page), shell.json("examine", log, "--judged", judged)
    assert large["cases judged"] == (str(len(rows)), f"of {N:,}")
    wrong = 100 * found["mistakes"]["estimate"]["value"]
    assert float(large["decided wrongly"][0].removesuffix("%")) == pytest.approx(wrong, abs=0.05)
    shell.said("examine", log, "--html", before)
    found = shell.json("examine", log)
    assert masthead(before)["of them decided wrongly"] == (str(found["n_mistakes"]), "")
    assert "place is &#39;north&#39;" in before.read_text(encoding="utf-8")
    assert reader.problems(page) == []


# Bad input


def refused(shell, log, rows, *words):
    return shell.refusal("examine", log, "--judged", shell.write("bad.csv", rows), *words)


def test_a_case_left_out(shell, log):
    rows = judge(draw(shell, log))
    rows[3]["label"] = ""
    text = refused(shell, log, rows)
    assert repr(rows[3]["id"]) in text
    assert "left out" in text


def test_a_case_judged_twice_with_other_labels(shell, log):
    rows = judge(draw(shell, log))
    rows.append(rows[3] | {"label": "ham" if rows[3]["label"] == "spam" else "spam"})
    assert "was judged twice" in refused(shell, log, rows)


def test_a_tie(shell, log):
    rows = judge(draw(shell, log), judge="Ann")
    other = "ham" if rows[3]["label"] == "spam" else "spam"
    rows.append(rows[3] | {"label": other, "judge": "Bob"})
    assert "tied between judges" in refused(shell, log, rows)


def test_a_row_that_was_not_drawn(shell, log):
    rows = judge(draw(shell, log))
    drawn = {row["id"] for row in rows}
    other = next(row["id"] for row in ROWS if row["id"] not in drawn)
    rows.append(rows[0] | {"id": other, "order": len(rows) + 1})
    assert f"the case {other!r} was not drawn" in refused(shell, log, rows)


def test_a_row_taken_out(shell, log):
    assert "is missing; keep every row" in refused(shell, log, judge(draw(shell, log))[:-1])


def test_another_log(shell, log):
    rows = judge(draw(shell, log))
    other = shell.write("other.csv", make_log(seed=1))
    assert "drawn from another log" in refused(shell, other, rows)


def test_a_label_that_is_no_class(shell, log):
    rows = judge(draw(shell, log))
    rows[0]["label"] = "eggs"
    assert "labelled 'eggs', which is not among the classes 'ham', 'spam'" in refused(
        shell, log, rows
    )


def test_nothing_judged(shell, log):
    assert "no case of the examination was judged" in refused(shell, log, draw(shell, log))


def test_more_than_there_are(shell, log):
    text = shell.refusal("examine", log, "--out", shell.folder / "s.csv", "--n", N + 1)
    assert f"the log has only {N}" in text
    assert not (shell.folder / "s.csv").exists()


def test_too_few_for_the_bins(shell, log):
    assert "too few for 10 bins" in shell.refusal(
        "examine", log, "--out", shell.folder / "s.csv", "--n", 5
    )


def test_empty_and_short_bins_are_reported(shell):
    rows = [row | {"proba_spam": 0.01, "proba_ham": 0.99} for row in ROWS[:1000]]
    rows += [row | {"proba_spam": 0.4, "proba_ham": 0.6} for row in ROWS[1000:1003]]
    log = shell.write("log.csv", rows)
    out = shell.folder / "sample.csv"
    said = shell.said("examine", log, "--out", out, "--n", 100)
    assert "13 of 1,003 cases drawn" in said
    assert "nothing was drawn elsewhere in their place" in said
    found = answer(shell, log, judge(read(out)))
    assert sum(part["n_cases"] == 0 for part in found["bins"]) == 8
    assert without_reason(found) == []
    text = shell.said("examine", log, "--judged", shell.folder / "judged.csv")
    assert "8 bins are empty" in text
    assert "1 bin held no more cases" in text


def test_only_one_class_found(shell, log):
    rows = [row | {"label": "ham", "judge": ""} for row in draw(shell, log)]
    found = answer(shell, log, rows)
    assert {name for part in found["bins"] for name, n in part["classes"].items() if n} == {"ham"}
    assert without_reason(found) == []


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"cost": {"ham": {"ham": 0}}}, "costs must name their axes"),
        (AXES | {"classes": ["ham", "spam"], "cost": {"ham": {"ham": 0, "spam": 1}}}, "'spam'"),
        (
            AXES | {"classes": ["n", "y"], "cost": {"n": {"n": 0, "y": 1}, "y": {"n": 1, "y": 0}}},
            "the costs do not fit the log",
        ),
    ],
)
def test_costs_that_do_not_fit(shell, log, costs, message):
    path = shell.write("costs.json", json.dumps(costs))
    assert message in shell.refusal("examine", log, "--costs", path)


def test_probabilities_and_classes_that_do_not_match(shell, log):
    assert shell.refusal("examine", log, "--classes", "ham,spam,eggs")
    rows = [row | {"proba_ham": 0.9, "proba_spam": 0.9} for row in ROWS[:20]]
    assert "sum" in shell.refusal("examine", shell.write("bad.csv", rows))


def test_a_log_without_labels(shell):
    rows = [{k: v for k, v in row.items() if k != "label"} for row in ROWS[:50]]
    text = shell.refusal("examine", shell.write("log.csv", rows))
    assert "draw an examination" in text


def test_options_that_contradict(shell, log):
    out = shell.folder / "s.csv"
    assert "add one of them" in shell.refusal("examine", log, "--out", out, "--judged", out)
    assert "before judging" in shell.refusal("examine", log, "--out", out, "--json")
    assert "before judging" in shell.refusal("examine", log, "--out", out, "--html", out)
    assert "cannot be written" in shell.refusal("examine", log, "--out", "no/such/s.csv")
    assert "wholly uncertain" in shell.refusal("examine", log, "--sure-below", 2)
    assert "width 0" in refused(shell, log, judge(draw(shell, log)), "--width", 0)
