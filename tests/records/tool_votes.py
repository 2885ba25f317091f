"""Tables of votes in the shapes of many tools, made after their documentation, each with what it must be read as."""

from __future__ import annotations

import random

from records.made_files import Made
from records.tool_shapes import N, counted, lines, of, table

__all__ = ["SHAPES"]


def mturk(rng: random.Random) -> Made:
    rows = [
        {
            "HITId": f"H{i:03d}",
            "AssignmentId": f"A{i}{w}",
            "WorkerId": f"W{w}",
            "WorkTimeInSeconds": rng.randrange(5, 90),
            "Input.image": f"http://x/{i}.png",
            "Answer.category.label": rng.choice(["Cat", "Cat", "Dog"]) if i % 2 else "Dog",
            "Approve": "",
            "Reject": "",
        }
        for i in range(40)
        for w in "123"
    ]
    return Made("mturk.csv", table(rows), "votes", 40, judges=("W1", "W2", "W3"))


def toloka(rng: random.Random) -> Made:
    rows = [
        {
            "INPUT:image": f"i{i}.jpg",
            "OUTPUT:result": rng.choice(["OK", "OK", "BAD"]) if i % 3 else "BAD",
            "GOLDEN:result": ("BAD" if i % 3 == 0 else "OK") if i % 4 == 0 else "",
            "ASSIGNMENT:worker_id": f"w{w}",
            "ASSIGNMENT:assignment_id": f"a{i}-{w}",
        }
        for i in range(40)
        for w in range(3)
    ]
    golds = ["BAD" if i % 3 == 0 else "OK" for i in range(0, 40, 4)]
    return Made(
        "toloka.tsv",
        table(rows, "\t"),
        "votes",
        40,
        judges=("w0", "w1", "w2"),
        gold="GOLDEN:result",
        label_counts=counted(golds),
    )


def triplets(rng: random.Random) -> Made:
    rows = [
        {"worker": f"w{w}", "task": f"t{i}", "response": rng.choice([0, 1, 1]) if i % 2 else 0}
        for i in range(50)
        for w in range(4)
    ]
    return Made("triplets.csv", table(rows), "votes", 50, judges=("w0", "w1", "w2", "w3"))


def arena(rng: random.Random) -> Made:
    rows = [
        {
            "question_id": f"q{i}",
            "model_a": "alpha",
            "model_b": "beta",
            "gpt4_winner": rng.choice(["model_a", "model_b", "tie"]),
            "claude_winner": rng.choice(["model_a", "model_b", "tie"]),
            "human_winner": rng.choice(["model_a", "model_b"]) if i % 2 else "",
        }
        for i in range(N)
    ]
    return Made(
        "arena.csv",
        table(rows),
        "votes",
        N,
        judges=("gpt4_winner", "claude_winner"),
        gold="human_winner",
        label_counts=of(rows, "human_winner"),
    )


def braintrust(rng: random.Random) -> Made:
    rows = [
        {
            "id": f"e{i}",
            "input": f"q {i}",
            "output": f"answer {i} in words",
            "expected": f"other {i} of words",
            "scores": {"factual_gpt": rng.choice([0, 1]), "factual_claude": rng.choice([0, 1, 1])},
        }
        for i in range(N)
    ]
    return Made(
        "braintrust.jsonl",
        lines(rows),
        "votes",
        N,
        judges=("scores.factual_gpt", "scores.factual_claude"),
    )


def doccano(rng: random.Random) -> Made:
    rows = [
        {
            "id": i,
            "text": f"text {i}",
            "ann1": rng.choice(["pos", "neg"]),
            "ann2": rng.choice(["pos", "neg"]),
            "Comments": [],
        }
        for i in range(N)
    ]
    return Made("doccano.jsonl", lines(rows), "votes", N, judges=("ann1", "ann2"))


SHAPES = (mturk, toloka, triplets, arena, braintrust, doccano)
