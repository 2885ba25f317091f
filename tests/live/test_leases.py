"""Leases, by themselves: what is granted, booked, decided elsewhere, and taken in."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from askpoint.errors import InputError, RuleError
from askpoint.live.batches import DecisionBatch
from askpoint.live.blocks import HandInBlock, LeaseBlock
from askpoint.live.budget import is_within_budget, mistakes_allowed, mistakes_at_most
from askpoint.live.draws import audit_draws
from askpoint.live.gateway import KnownCase
from askpoint.live.hand_ins import EarlierCase, check_receipts, take_receipts
from askpoint.live.leases import granting
from askpoint.live.leases.deciding import LeaseBook
from askpoint.live.leases.granting import answers_to_lease, book_lease, free_lease, grant_lease
from askpoint.live.leases.lease import LeaseGrant, lease_secret
from askpoint.live.leases.lease_receipts import LeasedCase, LeaseReceipts
from askpoint.live.policy import Policy
from askpoint.live.receipts import Replay
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms
from askpoint.live.verification import verify
from live.replays import replay_blocks
from live.worlds import MONEY, cases, live

SECRET = b"sixteen or more bytes"
HOUR = 3_600_000_000


@pytest.fixture(scope="module")
def document():
    c, wrong, _ = cases(800)
    model = {"version": "7", "classes": ["no", "yes"]}
    return Policy.from_log(c, ~wrong, MONEY, secret=SECRET, name="posts", model=model).document


def granted(replay, **options):
    """A lease of the policy as of now, booked; and as its decider gets it."""
    lease = grant_lease(
        replay.state,
        replay.document.terms,
        **{
            "number": replay.granted + 1,
            "decider": "edge",
            "granted": HOUR,
            "expires": 2 * HOUR,
            **options,
        },
    )
    replay.grant(LeaseBlock(lease=replace(lease, leaf=replay.tree.size)))
    lease = replay.leases[lease.number]
    document = replay.document
    secret = lease_secret(SECRET, document.id, lease.number)
    return LeaseGrant(
        lease=lease,
        policy=document.id,
        secret=secret,
        model=dict(document.model),
        evidence=dict(document.evidence),
    )


def batch_of(n, first=0, **columns):
    c, _, _ = cases(3000, 5)
    keys = [f"k{i}" for i in range(first, first + n)]
    made = DecisionBatch(keys, ["no"] * n, c[first : first + n].tolist(), model_version="7")
    return replace(made, **columns)


def taken(replay, grant, receipts, known=None, at=3 * HOUR):
    check_receipts(receipts, grant.lease, SECRET, replay.document.id)
    return take_receipts(replay, grant.lease, receipts, known or {}, SECRET, at)


def test_what_is_granted_is_booked_and_never_more_than_the_budget_holds(document):
    replay = Replay(document)
    terms, state = document.terms, document.state
    room = mistakes_allowed(state, terms) - mistakes_at_most(state, terms) - 1
    assert answers_to_lease(state, terms) == int(room) > 10
    first = granted(replay)
    assert first.lease.answers == -(-int(room) // 8)
    assert granted(replay, deciders=4).lease.answers == -(-(int(room) - first.lease.answers) // 32)
    rest = granted(replay, answers=10**6)
    assert replay.state.booked == int(room)
    assert is_within_budget(replay.state, terms)
    assert not is_within_budget(replace(replay.state, booked=replay.state.booked + 1), terms)
    none = granted(replay)  # nothing is left: it may decide nothing alone
    assert (none.lease.answers, none.lease.threshold) == (0, None)
    assert rest.lease.threshold == state.threshold
    free = free_lease(replay.state, rest.lease, rest.lease.answers)
    assert answers_to_lease(free, terms) == rest.lease.answers
    assert free_lease(replace(free, episode=2), rest.lease, 5).booked == free.booked


def test_a_closed_or_waiting_policy_leases_no_answers_and_without_a_budget_all(document):
    state, terms = document.state, document.terms
    for other in (replace(state, threshold=None), replace(state, waiting=True)):
        assert answers_to_lease(other, terms) == 0
    assert answers_to_lease(state, replace(terms, has_budget=False)) == 1_000_000
    raised = replace(state, raised_until=state.decided + 5)
    how = {"number": 1, "decider": "x", "granted": 0, "expires": 1}
    assert grant_lease(raised, terms, **how).rate == 2 * terms.rate
    assert grant_lease(state, terms, **how).rate == terms.rate
    for wrong, message in (
        ({"answers": -1}, "0 or more answers"),
        ({"deciders": 0}, "deciders are 1 or more"),
        ({"expires": 0}, "ends after it begins"),
    ):
        with pytest.raises(InputError, match=message):
            grant_lease(state, terms, **{**how, **wrong})


def test_a_book_decides_by_threshold_draw_and_count(document):
    replay = Replay(document)
    grant = granted(replay, answers=30)
    book = LeaseBook(grant)
    batch = batch_of(200)
    made = book.decide(batch, HOUR)
    draws = audit_draws(grant.secret, "posts", batch.key)
    left = 30
    for case, c, draw in zip(made, batch.confidence, draws, strict=True):
        answers = c >= grant.lease.threshold and left > 0
        left -= answers
        assert case.action == ("answer" if answers else "ask")
        assert case.audit == (answers and draw < grant.lease.rate)
    assert book.left == left == 0
    assert sum(case.audit for case in made) > 0
    one_by_one = LeaseBook(grant)
    for i in range(200):
        one_by_one.decide(batch.part(slice(i, i + 1)), HOUR)
    assert one_by_one.cases == book.cases
    assert book.decide(batch, 2 * HOUR) == made  # a key decides once
    with pytest.raises(RuleError, match="was decided with something else under this lease"):
        book.decide(replace(batch, confidence=[0.9] * 200), HOUR)
    with pytest.raises(RuleError, match="'twin' was decided with something else"):
        book.decide(DecisionBatch(["twin"] * 2, ["no", "yes"], [0.9] * 2, model_version="7"), HOUR)
    for at in (HOUR - 1, 2 * HOUR + 1):
        with pytest.raises(InputError, match="the lease 1 of edge is over, or not yet begun"):
            book.decide(batch_of(1, 900), at)
    with pytest.raises(InputError, match="which is not among the classes"):
        book.decide(batch_of(1, 900, prediction=["maybe"]), HOUR)

    def refuse(cases):
        raise OSError(f"{len(cases)} cases cannot be kept")

    with pytest.raises(OSError, match="5 cases cannot be kept"):
        book.decide(batch_of(5, 900), HOUR, refuse)
    assert len(book.cases) == 200
    assert LeaseBook(grant, list(book.cases.values())[:60]).left == 30 - sum(
        case.action == "answer" for case in made[:60]
    )


def test_under_a_lease_without_answers_every_case_goes_to_review(document):
    made = LeaseBook(granted(Replay(document), answers=0)).decide(batch_of(50), HOUR)
    assert {(case.action, case.audit) for case in made} == {("ask", False)}


def test_other_secrets_for_other_leases_and_keys(document):
    secrets = {
        lease_secret(SECRET, name, n) for name in ("posts", "posts\x1flease") for n in (1, 2)
    }
    assert len(secrets) == 4
    assert "sixteen" not in repr(granted(Replay(document)))


def test_a_lease_and_its_receipts_are_files(document):
    grant = granted(Replay(document))
    assert LeaseGrant.from_json(grant.to_json()) == grant
    book = LeaseBook(grant)
    book.decide(batch_of(40, content=[f"text {i}" for i in range(40)], group=["de"] * 40), HOUR)
    receipts = book.receipts()
    assert LeaseReceipts.from_json(receipts.to_json()) == receipts
    assert receipts.batch().content[3] == "text 3"
    for bad in (
        "",
        "[]",
        "{}",
        '{"kind":"askpoint lease"}',
        grant.to_json().replace("lease", "lies"),
    ):
        with pytest.raises(InputError, match="this is not a lease"):
            LeaseGrant.from_json(bad)
    plain = json.loads(grant.to_json())
    for change in ({"kind": "x"}, {"secret": ""}):
        with pytest.raises(InputError, match="this is not a lease"):
            LeaseGrant.from_json(json.dumps({**plain, **change}))
    plain = json.loads(receipts.to_json())
    case = plain["cases"][0]
    for change in (
        {"kind": "x"},
        {"lease": "1"},
        {"cases": [case[:-1]]},
        {"cases": [[1, *case[1:]]]},
        {"cases": [[*case[:6], "hold", False]]},
        {"policy": 3},
        {"cases": 7},
    ):
        with pytest.raises(InputError, match="holds no receipts of a lease"):
            LeaseReceipts.from_json(json.dumps({**plain, **change}))


def test_receipts_that_are_not_of_the_lease_are_refused(document):
    replay = Replay(document)
    grant, other = granted(replay, answers=20), granted(replay)
    book = LeaseBook(grant)
    book.decide(batch_of(100), HOUR)
    receipts = book.receipts()
    check_receipts(receipts, grant.lease, SECRET, "posts")
    stranger = replace(grant, secret=b"another secret, guessed")
    for forged in (
        LeaseReceipts.sign(stranger, receipts.cases),
        LeaseReceipts.sign(other, receipts.cases),
        replace(receipts, cases=receipts.cases[:-1]),
        replace(receipts, policy="mail"),
    ):
        with pytest.raises(RuleError, match="not signed by who holds it"):
            check_receipts(forged, grant.lease, SECRET, "posts")
    first = receipts.cases[0]
    answered = next(i for i, case in enumerate(receipts.cases) if case.action == "answer")
    asked = next(i for i, case in enumerate(receipts.cases) if case.action == "ask")
    for cases_, message in (
        ([first, first], "hold a key twice"),
        ([first._replace(at=HOUR - 1)], "outside of the time of lease 1"),
        ([first._replace(at=2 * HOUR + 1)], "outside of the time of lease 1"),
        ([receipts.cases[answered]._replace(action="ask", audit=False)], "was decided as ask, and lease 1 says answer"),
        ([receipts.cases[asked]._replace(action="answer")], "was decided as answer, and lease 1 says ask"),
        ([*receipts.cases, LeasedCase("more", "no", 0.99, None, None, HOUR, "answer", False)], "lease 1 says ask"),
        ([receipts.cases[answered]._replace(audit=not receipts.cases[answered].audit)], "lease 1 says answer"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            check_receipts(LeaseReceipts.sign(grant, cases_), grant.lease, SECRET, "posts")


def test_what_is_handed_in_is_in_the_state_as_if_decided_here(document):
    """With all that a lease allows and the same draws, elsewhere is here."""
    terms = document.terms
    c, _, draw = cases(300, 5)
    lease = grant_lease(
        document.state, terms, number=1, decider="x", granted=0, expires=1, answers=300
    )
    lease = replace(lease, answers=300)
    here, made, _ = decide_cases(document.state, terms, c[:40], draw[:40])
    there, also, _ = decide_cases(
        book_lease(document.state, lease), terms, c[:40], draw[:40], None, None, lease.rule()
    )
    assert np.array_equal(made.answer, also.answer)
    assert np.array_equal(made.audit, also.audit)
    assert np.array_equal(made.propensity, also.propensity)
    assert there.booked == 300 - made.answer.sum() > 0
    assert there.pending.rows().tolist() == here.pending.rows().tolist()
    for name in ("decided", "answered", "asked", "audited", "answers", "age", "unheard"):
        assert getattr(here, name) == getattr(there, name)


def test_a_hand_in_frees_what_was_not_used_and_verifies(document):
    replay = Replay(document)
    grants = [granted(replay, answers=n) for n in (25, 25, 10)]
    books = [LeaseBook(grant) for grant in grants]
    for i, book in enumerate(books):
        book.decide(batch_of(60, 100 * i), HOUR + i)
    assert replay.state.booked == 60
    blocks = [LeaseBlock(lease=grant.lease) for grant in grants]
    for grant, book, lost in zip(grants, books, (0, 0, 10), strict=True):
        if lost:
            continue
        made = taken(replay, grant, book.receipts())
        assert made.block.answers == sum(c.action == "answer" for c in book.cases.values())
        assert made.outcome.replay.state.booked == replay.state.booked - 25
        assert [b.lease for b in made.outcome.blocks] == [grant.lease.number]
        backs = {back for block in made.outcome.blocks for back in block.clock_back}
        assert backs == {2 * HOUR - grant.lease.number + 1}
        blocks += [made.block, *made.outcome.blocks]
        replay = made.outcome.replay
    assert replay.state.booked == 10  # of the lease that was lost
    assert (replay.granted, replay.handed_in) == (3, 2)
    found = verify(document, blocks, None, SECRET)
    assert found.difference is None
    assert found.replay.head == replay.head
    assert replay_blocks(document, blocks).state.booked == 10
    assert verify(document, blocks, None, None).difference is None


def test_a_stranger_names_what_of_leases_is_not_as_it_was(document):
    replay = Replay(document)
    grant = granted(replay, answers=25)
    book = LeaseBook(grant)
    book.decide(batch_of(60), HOUR)
    made = taken(replay, grant, book.receipts())
    lease, hand_in, block = LeaseBlock(lease=grant.lease), made.block, *made.outcome.blocks
    other = LeaseBlock(lease=replace(grant.lease, number=2, leaf=2))

    def said(*blocks):
        return str(verify(document, blocks, None, SECRET).difference)

    assert said(lease, hand_in, block) == "None"
    for forged in (
        replace(grant.lease, threshold=0.5),
        replace(grant.lease, rate=0.5),
        replace(grant.lease, answers=10**5),
        replace(grant.lease, episode=2),
        replace(grant.lease, number=2),
        replace(grant.lease, expires=grant.lease.granted),  # of no lease that can be granted
    ):
        assert "is not what the policy grants there" in said(LeaseBlock(lease=forged))
    again = replace(hand_in, leaf=hand_in.leaf + 1)
    assert "the lease 1 was not out" in said(lease, hand_in, again)
    assert "the lease 2 was not out" in said(lease, replace(hand_in, lease=2))
    for wrong in ({"answers": 26}, {"answers": -1}, {"booked": 9}, {"booked": -1}):
        assert "the lease 1 had 25 answers" in said(
            lease, replace(hand_in, **{"answers": 25, **wrong})
        )
    assert "the lease 1 was not handed in before" in said(lease, replace(block, leaf=2))
    drawn = replace(block, drawn=audit_draws(SECRET, "posts", block.key))
    assert "draw is" in said(lease, hand_in, drawn)
    assert "rate is" in said(lease, hand_in, replace(block, rate=block.rate + 0.1))
    assert "hash" in said(lease, replace(hand_in, digest="x"), block)
    assert "hand_ins, at decision" in said(other, hand_in) or "leases" in said(other, hand_in)
    assert isinstance(hand_in, HandInBlock)


def test_a_sum_that_another_processor_rounds_otherwise_is_no_forgery(document, monkeypatch):
    """All that the budget holds was leased; computed again, it holds a little less than a whole answer more."""
    replay = Replay(document)
    room = answers_to_lease(replay.state, document.terms)
    sums = mistakes_at_most(replay.state, document.terms)
    allowed = mistakes_allowed(replay.state, document.terms)

    def seen(off):
        monkeypatch.setattr(granting, "mistakes_at_most", lambda *_: allowed - 1 - room + off)
        block = LeaseBlock(lease=replace(grant, leaf=replay.tree.size))
        return verify(document, [block], None, SECRET).difference

    grant = grant_lease(
        replay.state, document.terms, number=1, decider="a", granted=1, expires=HOUR, answers=room
    )
    assert sums >= 0
    assert grant.answers == room > 0
    assert seen(1e-12) is None
    assert seen(1e-3) is not None


def test_keys_that_were_decided_before_keep_their_decision(document):
    replay = Replay(document)
    grant = granted(replay, answers=25)
    book = LeaseBook(grant)
    cases_ = book.decide(batch_of(60, content=[f"text {i}" for i in range(60)]), HOUR)
    answered = [case for case in cases_ if case.action == "answer"]
    asked = [case for case in cases_ if case.action == "ask"]

    def earlier(case, *, is_answered, confidence=None):
        known = KnownCase(case.prediction, confidence or case.confidence, None, case.group, None)
        return EarlierCase(known, is_answered)

    known = {
        answered[0].key: earlier(answered[0], is_answered=True, confidence=0.123),  # another case
        asked[0].key: earlier(asked[0], is_answered=True, confidence=0.123),
    }
    made = taken(replay, grant, book.receipts(), known)
    assert [conflict.case.key for conflict in made.conflicts] == sorted(
        known, key=[case.key for case in cases_].index
    )
    assert (made.repeated, made.block.booked, made.block.cases) == (0, 1, 58)
    state = made.outcome.replay.state
    assert state.booked == replay.state.booked - 25 + 1
    plain = LeaseBook(grant)
    again = plain.decide(batch_of(60), HOUR)
    answered = [case for case in again if case.action == "answer"]
    known = {
        answered[0].key: earlier(
            answered[0], is_answered=True
        ),  # answered there as well: one answer
        answered[1].key: earlier(
            answered[1], is_answered=False
        ),  # asked here, and answered elsewhere
    }
    made = taken(replay, grant, plain.receipts(), known)
    assert (made.repeated, made.block.booked, made.block.answers) == (2, 1, len(answered) - 2)
    assert made.conflicts == ()
    alone = taken(replay, grant, LeaseBook(grant).receipts())
    assert (alone.block.cases, alone.outcome.blocks) == (0, ())


def test_a_lease_of_an_episode_that_is_over_moves_nothing_of_the_new_one(document):
    terms = document.terms
    lease = grant_lease(
        document.state, terms, number=1, decider="x", granted=0, expires=1, answers=40
    )
    state = book_lease(document.state, lease)
    c, wrong, draw = cases(900, 4, drift=0)
    state, _, events = live(terms, c, wrong, draw, state=state)
    assert {event.kind for event in events} & {"alarm", "budget_spent"}
    assert (state.episode, state.booked) == (2, 0)
    n = 30
    after, made, _ = decide_cases(state, terms, c[:n], draw[:n], None, None, lease.rule())
    assert made.answer.sum() > 0
    assert set(made.episode.tolist()) == {1}
    assert (after.answers, after.booked) == (state.answers, 0)
    assert after.answered == state.answered + made.answer.sum()
    mine = after.pending.rows()[-(made.audit | ~made.answer).sum() :]
    assert set(mine["episode"].tolist()) == {1}


def test_whatever_becomes_of_leases_what_was_agreed_is_kept(document):
    """All leases are lost, and all of their answers wrong: the total stays below limit and budget."""
    terms = Terms("promise", 0.1, rate=0.2, planned_decisions=4000)
    rng = np.random.default_rng(3)
    c, wrong, draw = cases(4000, 8)
    state, _, _ = live(terms, c[:1500], wrong[:1500], draw[:1500])
    assert state.threshold is not None
    p = np.minimum(0.5, 1.2 * (1 - c) ** 1.5)
    number, worst, answers, expected = 0, 0, state.answers, 0.0
    for start in range(1500, 4000, 50):
        lease = grant_lease(state, terms, number=number, decider="x", granted=0, expires=1)
        state = book_lease(state, lease)
        worst += lease.answers
        rows = slice(start, start + 50)
        _, made, _ = decide_cases(state, terms, c[rows], draw[rows])
        answers += int(made.answer.sum())
        expected += float(p[rows][made.answer].sum())
        state, _, _ = live(terms, c[rows], rng.random(50) < p[rows], draw[rows], state=state)
        if state.episode > 1:
            break
        assert expected + worst <= terms.limit * answers + terms.budget
    assert worst > 10
