"""What the tests of examinations share: a stream, its truth, and people who judge it all."""

from __future__ import annotations

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.examinations import services
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.services import balance_of
from askpoint.server.jobs.services import run_next
from server.works import WORKS

__all__ = [
    "INSULTS",
    "STREAM",
    "answered",
    "drawn",
    "judge_all",
    "reserved",
    "table",
    "truth",
    "url",
    "words",
    "work",
]

STREAM = [f"{'badword' if i % 5 == 0 else 'hm' if i % 5 == 1 else 'mild'} {i}" for i in range(60)]


def work():
    """Do the jobs that are due."""
    while run_next(WORKS):
        pass


def answered(stage, answers, sample=STREAM):
    answers(stage)
    row = services.bring_sample(stage.id, sample)
    work()
    row.refresh_from_db()
    assert (row.state, row.trouble) == ("answered", "")
    return row


def drawn(stage, n=10, method="random", sample=STREAM):
    return stage.examine(sample, n, method, n_bins=1 if n < 20 else 10)


def truth(case):
    """What people say: "hm" is offensive, and every fourth mild case, too."""
    number = int(case.split()[1]) if case.split()[-1].isdecimal() else 1
    return "offensive" if "bad" in case or "hm" in case or number % 4 == 2 else "clean"


INSULTS = (
    "how brave of you to sing",
    "people like them should stay at home",
    "what a face, and what a hat",
    "they never did an honest day of work",
)  # no two of one family


def judge_all(stage, say=truth, names=("bob", "beth", "ben"), most=10_000):
    """Let judges answer whatever waits."""
    for _ in range(most):
        claimed = [(name, judging.claim(stage.id, name)) for name in names]
        if not any(ruling for _, ruling in claimed):
            return
        for name, ruling in claimed:
            if ruling is not None:
                judging.vote(stage.id, name, ruling.pk, say(ruling.content))


def reserved(stage):
    return balance_of("main", LedgerAccount("reserved", stage.id))


def table(sections, title):
    """The rows of a table, by their first cell."""
    for section in sections:
        for block in section.blocks:
            if getattr(block, "title", None) == title:
                return {row[0]: row[1:] for row in block.rows}
    raise AssertionError([item.title for item in sections])


def words(sections):
    return " ".join(
        f"{section.title} {getattr(block, 'text', '')}"
        for section in sections
        for block in section.blocks
    )


def url(stage, rest=""):
    return f"/run/{stage.id}/examination/{rest}"
