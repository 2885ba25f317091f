"""`askpoint judges` on panels and labels that are odd: said in the first lines, and no number of theirs moves."""

from __future__ import annotations

import numpy as np
import pytest

N = 1000
WORDS = ("fail", "pass")


def panel(seed=1):
    """The truth of a thousand items and three honest judges."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(N) < 0.6).astype(int)
    votes = {
        name: np.where(rng.random(N) < right, truth, 1 - truth)
        for name, right in (("ann", 0.755), ("bob", 0.8), ("cid", 0.85))
    }
    return truth, votes


def rows(votes, words=WORDS):
    """A row an item, an empty cell where a vote is -1."""
    return [
        {"task": f"i{i}"} | {name: words[v[i]] if v[i] >= 0 else "" for name, v in votes.items()}
        for i in range(N)
    ]


def labels(truth, items, words=WORDS):
    return [{"task": f"i{i}", "label": words[truth[i]]} for i in items]


@pytest.fixture
def drawn():
    return np.random.default_rng(0).choice(N, 80, replace=False).tolist()


def test_constants_copies_and_opposites_change_no_number(shell, drawn):
    truth, votes = panel()
    gold = shell.write("gold.csv", labels(truth, drawn))
    plain = shell.write("plain.csv", rows(votes))
    more = votes | {
        "ann 2": votes["ann"], "ann 3": votes["ann"], "yes": np.ones(N, int), "no bob": 1 - votes["bob"],
    }  # fmt: skip
    odd = shell.write("odd.csv", rows(more))
    for words in ((), ("--gold", gold)):
        one, other = shell.json("judges", plain, *words), shell.json("judges", odd, *words)
        for key in ("dawid_skene", "with_gold", "band", "effective_judges"):
            assert one[key] == other[key], key
        assert other["judges"] == list(more)
        assert other["redundant"] == {
            "constant": {"yes": "pass"},
            "copies": {"ann 2": "ann", "ann 3": "ann"},
            "opposites": {"no bob": "bob"},
        }
    said = " ".join(shell.said("judges", odd).split())
    assert "Constant, worth 0 and left out of every number: yes (always pass)." in said
    assert (
        "Copies, which tell nothing new and are left out: ann 2 (of ann), ann 3 (of ann)." in said
    )
    assert "Opposites, left out: no bob (of bob)." in said
    counted = shell.json("judges", odd, "--no-family")
    assert counted["redundant"]["copies"] == counted["redundant"]["opposites"] == {}
    assert counted["redundant"]["constant"] == {"yes": "pass"}  # nobody's family


def test_three_equal_columns_are_not_perfect(shell):
    """Truth 75.5%: all three columns used to be told as right on 100%."""
    truth, votes = panel()
    equal = {"a": votes["ann"], "b": votes["ann"], "c": votes["ann"]} | votes
    del equal["ann"]
    told = shell.json("judges", shell.write("votes.csv", rows(equal)))["dawid_skene"]["accuracy"]
    right = {w: np.mean(votes["ann"][truth == k] == k) for k, w in enumerate(WORDS)}
    assert set(told) == {"a", "bob", "cid"}
    for word, share in told["a"].items():
        assert share == pytest.approx(right[word], abs=0.06)


def test_three_stray_votes_are_never_the_headline(shell):
    truth, votes = panel()
    del truth
    votes = {name: v.copy() for name, v in votes.items()} | {
        "dan": votes["ann"].copy(),
        "eve": votes["bob"].copy(),
    }
    rng = np.random.default_rng(3)
    for name in ("dan", "eve"):
        votes[name][rng.random(N) < 0.3] = 0
    votes["cid"][:3] = 2
    path = shell.write("votes.csv", rows(votes, ("B", "C", "Z")))
    said = " ".join(shell.said("judges", path).split())
    assert "Less than 1% of 5,000 votes: 'Z' (3)." in said
    assert "add --missing Z; if it is one, --labels B,C,Z." in said
    assert "Z is the true label" not in said
    assert shell.json("judges", path)["stray_labels"] == {"Z": 3}
    named = " ".join(shell.said("judges", path, "--labels", "B,C,Z").split())
    assert "Less than 1%" not in named
    assert "Z is the true label" not in named
    assert "Z is the true label" in " ".join(shell.said("judges", path, "--positive", "Z").split())


@pytest.mark.parametrize("word", ["tie", "draw-ish"])
def test_a_label_that_nobody_labelled_is_said_so(shell, drawn, word):
    """Called tie it is an abstention; else it is never labelled, not right on 0 to 100%."""
    truth, votes = panel()
    rng = np.random.default_rng(4)
    votes = {name: np.where(rng.random(N) < 0.1, 2, v) for name, v in votes.items()}
    path = shell.write("votes.csv", rows(votes, ("A", "B", word)))
    gold = shell.write("gold.csv", labels(truth, drawn, ("A", "B")))
    told = shell.json("judges", path, "--gold", gold)
    said = " ".join(shell.said("judges", path, "--gold", gold).split())
    if word == "tie":
        assert told["labels"] == ["A", "B"]
        assert told["abstentions"] == ["tie"]
        assert "Counted as no vote: 'tie', which none of 80 labels by people says." in said
        few = shell.write("few.csv", labels(truth, drawn[:29], ("A", "B")))
        assert shell.json("judges", path, "--gold", few)["labels"] == ["A", "B", "tie"]
    else:
        assert told["never_labelled"] == [word]
        of = told["with_gold"]
        assert {row[word] for row in of["accuracy"].values()} == {None}
        assert {row[word] for row in of["interval"]["accuracy"].values()} == {None}
        assert of["interval"]["prevalence"][word][1] < 0.2
        assert f"Never labelled among 80 labels by people: {word}." in said
        assert "never labelled" in said.split("Judge by judge")[1]
        assert "(0 to 100)" not in said


def test_one_judge_in_two_orders_only(shell):
    rng = np.random.default_rng(5)
    given = rng.integers(0, 2, N)
    swapped = np.where(rng.random(N) < 0.25, 1 - given, given)
    first = (given == 0) | (rng.random(N) < 0.2)
    swapped = np.where(first, swapped, given)  # changes go to the first place
    path = shell.write("votes.csv", rows({"gpt AB": given, "gpt BA": swapped}, ("A", "B")))
    said = " ".join(shell.said("judges", path).split())
    assert "gpt was asked in both orders: the swap changes" in said
    assert "go to the answer that stands first." in said
    told = shell.json("judges", path)
    (orders,) = told["orders"]
    assert orders["n_changed"] == int((given != swapped).sum())
    assert told["families"] == {"gpt": ["gpt AB", "gpt BA"]}
    assert told["band"] is None
    assert shell.json("judges", path, "--no-family")["families"] is None


def test_a_judge_who_voted_once(shell, drawn):
    truth, votes = panel()
    once = np.full(N, -1)
    once[7] = 1
    path = shell.write("votes.csv", rows(votes | {"once": once}))
    gold = shell.write("gold.csv", labels(truth, drawn))
    told = shell.json("judges", path, "--gold", gold)
    assert told["redundant"] == {"constant": {}, "copies": {}, "opposites": {}}
    plain = shell.json("judges", shell.write("plain.csv", rows(votes)), "--gold", gold)
    for label in WORDS:
        low, high = plain["with_gold"]["interval"]["prevalence"][label]
        moved = told["with_gold"]["prevalence"][label] - plain["with_gold"]["prevalence"][label]
        assert abs(moved) < (high - low) / 2


def test_labels_on_items_that_nobody_voted_on(shell, drawn):
    truth, votes = panel()
    path = shell.write("votes.csv", rows(votes))
    extra = [{"task": f"other {i}", "label": "pass"} for i in range(5)]
    some = shell.write("some.csv", [*labels(truth, drawn), *extra])
    assert shell.json("judges", path, "--gold", some)["n_gold_unjudged"] == 5
    assert "5 gold labels are of items that nobody judged" in " ".join(
        shell.said("judges", path, "--gold", some).split()
    )
    none = shell.write("none.csv", extra)
    assert "none of the 5 gold labels matches an item with votes" in shell.refusal(
        "judges", path, "--gold", none
    )


def test_gold_that_contradicts_itself(shell):
    truth, votes = panel()
    path = shell.write("votes.csv", rows(votes))
    again = {"task": "i3", "label": WORDS[1 - truth[3]]}
    gold = shell.write("gold.csv", [*labels(truth, range(40)), again])
    assert "of 'i3'; keep one" in shell.refusal("judges", path, "--gold", gold)


def test_a_gate_with_a_copy_and_a_constant_proposes_items(shell, drawn):
    truth, votes = panel()
    more = votes | {"ann 2": votes["ann"], "yes": np.ones(N, int)}
    path = shell.write("votes.csv", rows(more))
    gold = shell.write("gold.csv", labels(truth, drawn))
    share = shell.json("judges", path, "--gold", gold)["with_gold"]["prevalence"]["pass"]
    result = shell.run("gate", path, "--gold", gold, "--at-least", f"{share:.3f}", "--json")
    assert result.exit_code == 3, result.output


def test_judges_to_keep_are_a_guess_while_the_labels_are_few(shell):
    """Of judges who are about as good, those chosen on few labels are the lucky ones."""
    truth, votes = panel()
    more = {
        f"{judge} {i}": np.where(np.random.default_rng(i).random(N) < 0.1, 1 - v, v)
        for i in range(3)
        for judge, v in votes.items()
    }
    path = shell.write("votes.csv", rows(more))
    drawn = np.random.default_rng(3).choice(N, 40, replace=False)
    said = " ".join(
        shell.said("judges", path, "--gold", shell.write("gold.csv", labels(truth, drawn))).split()
    )
    assert "Not decided yet which judges to keep. Best guess: " in said
    assert "More labels would show what the others add." in said


def test_the_first_screen_says_whom_to_keep(shell, drawn):
    truth, votes = panel()
    more = votes | {"ann 2": votes["ann"], "yes": np.ones(N, int), "no bob": 1 - votes["bob"]}
    path = shell.write("votes.csv", rows(more))
    gold = shell.write("gold.csv", labels(truth, drawn))
    first = shell.said("judges", path, "--gold", gold).split("Judge by judge")[0]
    said = " ".join(first.split())
    assert "These votes save labels: with them 80 labels tell as much about 'pass' as" in said
    assert "Which judges to keep" in said
    told = shell.json("judges", path, "--gold", gold)["worth"]
    verdicts = {one["judge"]: (one["verdict"], one["why"]) for one in told["judges"]}
    assert verdicts["ann 2"] == ("drop", "copy of ann")
    assert verdicts["yes"] == ("drop", "constant: always pass")
    assert verdicts["no bob"] == ("drop", "opposite of bob")
    assert verdicts["cid"] == ("keep", "needed")
    kept = shell.json("judges", path, "--gold", gold)["worth"]["keep"]
    names = ", ".join(kept)
    assert any(
        each in said for each in (f"Keep {names}: ", f"Keep all {len(kept)}", f"guess: {names}")
    )
    assert told["factor"] == pytest.approx(told["n_plain"] / 80)
    alone = shell.json("judges", path)
    assert alone["worth"] is None
    assert alone["reasons"]["worth"] == "no gold labels were given"


def test_where_every_item_has_a_label_no_judge_is_called_useless(shell):
    """Nothing is left to tell of these items, which says nothing of the judges."""
    truth, votes = panel()
    path = shell.write("votes.csv", rows(votes))
    gold = shell.write("gold.csv", labels(truth, range(N)))
    said = " ".join(shell.said("judges", path, "--gold", gold).split())
    assert "Every item has a label, so votes can save none here." in said
    assert "tells nothing about" not in said
    assert "without the judges" not in said
    verdicts = shell.json("judges", path, "--gold", gold)["worth"]["judges"]
    assert {one["verdict"] for one in verdicts} == {"not known"}


def test_picked_labels_drop_no_judge_before_others_are_drawn(shell):
    """Complaints make every judge look useless: that is said beside it, with what to do."""
    rng = np.random.default_rng(77)
    truth = rng.random(1000) < 0.62
    votes = {
        name: np.where(rng.random(1000) < p, truth, ~truth)
        for name, p in (("ann", 0.86), ("bob", 0.78))
    }
    wrong = np.flatnonzero(votes["ann"] != truth)
    picked = [
        *rng.choice(wrong, 60, replace=False),
        *rng.choice(np.setdiff1d(np.arange(1000), wrong), 20, replace=False),
    ]

    def cells(which):
        return np.where(which, "pass", "fail").tolist()

    path = shell.write("votes.csv", [
        {"task": f"t{i}", "ann": a, "bob": b}
        for i, (a, b) in enumerate(zip(cells(votes["ann"]), cells(votes["bob"]), strict=True))
    ])  # fmt: skip
    said = {}
    drawn = rng.permutation(1000)[:80]
    for name, which in (("picked", picked), ("drawn", drawn)):
        gold = shell.write(
            f"{name}.csv", [{"task": f"t{i}", "label": cells(truth)[i]} for i in which]
        )
        said[name] = " ".join(
            shell.said("judges", path, "--positive", "pass", "--gold", gold).split()
        )
    assert "before you drop a judge" in said["picked"]
    assert "without the judges" not in said["picked"]
    assert "These votes save labels" in said["drawn"]
