"""Leases of a deployment: granted, used elsewhere, handed in once; and all that goes wrong on the way."""

from __future__ import annotations

import json
import threading

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError, RuleError, StoreError
from askpoint.live.leases.lease import LeaseGrant
from askpoint.live.leases.lease_receipts import LeaseReceipts
from askpoint.records import leased_decider as module
from askpoint.records.leased_decider import LeasedDecider
from askpoint.records.stores.deployment import Deployment
from live.worlds import cases
from records.posts import SECRET, document
from records.test_service import same_as_its_replay, service  # noqa: F401

C, WRONG, _ = cases(3000, 3)
NOW = 1_000_000_000_000


def some(first, n):
    return [f"k{i}" for i in range(first, first + n)], C[first : first + n]


def decided(grant, first, n, **options):
    """A decider that has decided some cases."""
    decider = LeasedDecider(grant)
    keys, confidence = some(first, n)
    made = decider.decide(keys, prediction="no", confidence=confidence, at=NOW, **options)
    return decider, made


def label_all(service):  # noqa: F811
    wanted = service.wanted_keys()
    service.label(wanted, [bool(not WRONG[int(key[1:])]) for key in wanted], at=NOW)


def test_a_decider_elsewhere_is_part_of_the_same_life(service):  # noqa: F811
    grant = service.lease("edge-1", answers=20, at=NOW)
    assert grant.lease.answers == 20
    assert service.policy.state.booked == 20
    assert [lease.decider for lease in service.open_leases()] == ["edge-1"]
    decider, made = decided(grant, 0, 100, content=[f"text {i}" for i in range(100)])
    assert (made.action == "answer").sum() == 20 - decider.left
    assert made.propensity[made.action == "answer"].tolist() == [grant.lease.rate] * (
        20 - decider.left
    )
    assert set(made.seq.tolist()) == {-1}
    service.decide("here", prediction="no", confidence=0.9, at=NOW)
    found = service.hand_in(decider.receipts(), NOW + 5)
    assert (found.decided, found.answered) == (100, 20 - decider.left)
    frame = service.decisions()
    assert frame["key"].to_list() == ["here", *some(0, 100)[0]]
    elsewhere = frame.filter(pl.col("lease") == 1)
    assert elsewhere["action"].to_list() == made.action.tolist()
    assert elsewhere["audit"].to_list() == made.audit.tolist()
    assert elsewhere["propensity"].to_list() == made.propensity.tolist()
    assert set(elsewhere["clock_back"]) == {5}
    assert elsewhere["content"].to_list() == [f"text {i}" for i in range(100)]
    assert service.troubles().clock_back == 0  # no clock went back
    wanted = [key for key, action, audit in zip(made.key, made.action, made.audit, strict=True)
              if action == "ask" or audit]  # fmt: skip
    assert set(wanted) <= set(service.wanted_keys())
    label_all(service)
    assert service.policy.state.booked == 0
    assert service.open_leases() == []
    again = service.decide("k3", prediction="no", confidence=C[3], content="text 3", at=NOW)
    assert (again.action, again.seq) == (made.action[3], frame["seq"][4])
    service.prove("k3") if service.name != ":memory:" else None
    same_as_its_replay(service)


def test_the_same_receipts_change_nothing_the_second_time(service):  # noqa: F811
    grant = service.lease("edge", answers=20, at=NOW)
    receipts = decided(grant, 0, 50)[0].receipts()
    first = service.hand_in(receipts, NOW)
    state = service.policy.state
    again = service.hand_in(LeaseReceipts.from_json(receipts.to_json()), NOW + 7)
    assert again[:3] == first[:3]
    assert service.policy.state.decided == state.decided
    with pytest.raises(RuleError, match="other receipts of lease 1 came before"):
        service.hand_in(decided(grant, 0, 40)[0].receipts(), NOW)
    assert "other receipts of lease 1" in service.dead()["error"].item()
    same_as_its_replay(service)


def test_late_receipts_count_and_those_of_after_the_end_do_not(service):  # noqa: F811
    grant = service.lease("edge", answers=20, seconds=60, at=NOW)
    late = decided(grant, 0, 50)[0].receipts()
    minute = 60_000_000
    assert (
        service.hand_in(late, NOW + 600 * minute).decided == 50
    )  # decided in time, handed in ten hours later
    other = service.lease("edge", answers=20, seconds=60, at=NOW + 600 * minute)
    decider = LeasedDecider(other)
    with pytest.raises(InputError, match="the lease 2 of edge is over"):
        decider.decide("k60", prediction="no", confidence=0.9, at=other.lease.expires + 1)
    case = decided(grant, 60, 1)[0].receipts().cases[0]._replace(at=other.lease.expires + 1)
    receipts = LeaseReceipts.sign(other, [case])
    with pytest.raises(InputError, match="was decided outside of the time of lease 2"):
        service.hand_in(receipts, other.lease.expires + 2)
    assert service.policy.state.booked == 20  # as if lost
    line, error = service.dead().select("line", "error").row(0)
    assert LeaseReceipts.from_json(line) == receipts
    assert "outside of the time" in error
    same_as_its_replay(service)


def test_strangers_hand_in_nothing(service):  # noqa: F811
    grant = service.lease("edge", answers=20, at=NOW)
    with Deployment(":memory:", document(), secret=SECRET) as own:
        twin = own.lease("edge", answers=20, at=NOW)
        assert twin.secret == grant.secret  # a copy of the policy with its secret is no stranger
    plain = json.loads(grant.to_json())
    guessed = LeaseGrant.from_json(json.dumps({**plain, "secret": "00" * 32}))
    unknown = LeaseGrant.from_json(json.dumps({**plain, "lease": {**plain["lease"], "number": 7}}))
    for stranger, message in (
        (guessed, "not signed by who holds it"),
        (unknown, "there is no lease 7"),
    ):
        with pytest.raises(RuleError, match=message) as caught:
            service.hand_in(decided(stranger, 0, 5)[0].receipts(), NOW)
        assert caught.value.rule == "no-lease"
    assert service.dead().height == 2
    assert service.policy.state.decided == document().state.decided
    assert service.policy.state.booked == 20
    same_as_its_replay(service)


def test_a_key_that_two_deciders_had(service):  # noqa: F811
    first, second = (service.lease("edge", answers=20, at=NOW) for _ in range(2))
    one = decided(first, 0, 50)[0].receipts()
    keys, confidence = some(40, 50)
    other = LeasedDecider(second)
    changed = np.where(np.arange(50) == 9, 0.98765, confidence)  # k49 comes as another case
    other.decide(keys, prediction="no", confidence=changed, at=NOW)
    service.hand_in(one, NOW)
    found = service.hand_in(other.receipts(), NOW)
    assert (found.decided, found.repeated, found.conflicts) == (40, 9, 1)
    assert "k49" in service.dead()["line"].item()
    assert found.booked == 1
    assert service.policy.state.booked == 1
    assert service.decisions().height == 90
    same_as_its_replay(service)


def test_many_deciders_at_once_take_no_more_than_there_is(service):  # noqa: F811
    most = service.policy
    room = int(most.terms.answer_below * most.state.answers + most.terms.budget)
    done = []

    def work(thread):
        grant = service.lease(f"edge-{thread}", answers=9, at=NOW)
        decider = LeasedDecider(grant)
        keys = [f"{thread}-{i}" for i in range(30)]
        decider.decide(keys, prediction="no", confidence=C[:30], at=NOW)
        done.append(service.hand_in(decider.receipts(), NOW))
        done.append(service.hand_in(decider.receipts(), NOW))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 40
    assert service.decisions().height == 600
    assert 0 <= service.policy.state.booked <= room
    same_as_its_replay(service)


def test_a_journal_keeps_what_a_killed_decider_had_decided(tmp_path, monkeypatch):
    with Deployment(tmp_path / "posts", document(), secret=SECRET) as service:  # noqa: F811
        grant = service.lease("edge", answers=20)
        path = tmp_path / "edge.journal"
        decider = LeasedDecider(grant, path)
        keys, confidence = some(0, 30)
        made = decider.decide(keys, prediction="no", confidence=confidence)
        one = decider.decide("one", prediction="yes", confidence=0.55, content="t", group="de")
        assert (one.action, one.audit, one.propensity) == ("ask", False, 1.0)
        with path.open("ab") as file:
            file.write(b'["cut off","no",0.')  # killed while it wrote: nobody was told
        again = LeasedDecider(grant, path)
        assert again.left == decider.left
        assert (
            again.decide(keys, prediction="no", confidence=confidence).action.tolist()
            == made.action.tolist()
        )
        again.decide("two", prediction="yes", confidence=0.55)
        assert LeasedDecider(grant, path).receipts() == again.receipts()

        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(module.os, "fsync", full)
        with pytest.raises(StoreError, match=r"No space left on device.*were not decided"):
            again.decide("three", prediction="yes", confidence=0.55)
        monkeypatch.undo()
        assert "three" not in [case.key for case in again.receipts().cases]
        other = service.lease("edge", answers=20)
        with pytest.raises(InputError, match="is the journal of another lease"):
            LeasedDecider(other, path)
        assert not again.is_over
        assert (
            LeasedDecider(service.lease("old", answers=1, at=NOW)).is_over is False
        )  # the later moment counts
        assert service.hand_in(again.receipts()).decided == 32


def test_a_copy_without_the_secret_leases_nothing(tmp_path):
    Deployment(tmp_path / "posts", document(), secret=SECRET).close()
    (tmp_path / "posts" / "secret.key").unlink()
    with (
        Deployment(tmp_path / "posts") as copy,
        pytest.raises(InputError, match=r"holds no secret\.key"),
    ):
        copy.lease("edge")


def test_another_process_goes_on_with_leases(tmp_path):
    with Deployment(tmp_path / "posts", document(), secret=SECRET) as one:
        grant = one.lease("edge", answers=20, at=NOW)
        with Deployment(tmp_path / "posts") as two:
            assert two.policy.state.booked == 20
            two.hand_in(decided(grant, 0, 50)[0].receipts(), NOW)
            assert two.lease("edge", answers=1, at=NOW).lease.number == 2
        assert one.policy.state.booked == 1
        same_as_its_replay(one)
