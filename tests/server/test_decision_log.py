"""The log of a classifier: signed heads, proofs, salts and leases, with a deployment's own rules."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from askpoint import InputError, LeasedDecider, LeaseGrant, LeaseReceipts, RuleError
from askpoint.client.session import Client
from askpoint.errors import LogError
from askpoint.live import receipts as receipts_module
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.heads import Head
from askpoint.records.signatures import is_signed
from askpoint.records.stores.proofs import is_growth
from askpoint.records.stores.table_verification import verify_log
from askpoint.server.api.tokens import make_token
from askpoint.server.deployments import decision_log
from askpoint.server.deployments.audit import receipt_problems
from askpoint.server.deployments.decision_log import (
    grant_lease,
    hand_in_lease,
    leases_out,
    prove_case,
    publish_heads,
    sign_log,
)
from askpoint.server.deployments.decisions import IncomingCase, decide
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import (
    DeletedContent,
    Event,
    GrantedLease,
    Label,
    LeaseHandIn,
    LogNode,
    Policy,
    Receipt,
    SignedHead,
    Snapshot,
)
from askpoint.server.deployments.policies import secret_of
from askpoint.server.deployments.policy_state import clear_states, document_of, load_state
from askpoint.server.deployments.policy_tables import PolicyTables
from askpoint.server.labelling.models import Case
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from server.in_use import InUse, posts
from server.serving import Serving

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def in_use(stand_on_each):
    return stand_on_each(InUse)


def cases(n, name="k", **more):
    sure, _ = posts(n, 5)
    return [
        IncomingCase(f"{name}{i}", prediction="hate", confidence=sure[i], case={"text": f"{i}", "n": 1e22}, **more)
        for i in range(n)
    ]  # fmt: skip


def tables_of(policy):
    return PolicyTables(policy.pk, document_of(policy))


def problems(policy):
    return list(receipt_problems(policy))


def test_a_case_is_proved_to_whom_it_is_about(in_use):
    decide(in_use.id, cases(700), "7")
    in_use.label(in_use.decide(20, "later"))
    asked = Case.objects.filter(key__startswith="k", content__isnull=False).first()
    record = prove_case(in_use.id, asked.key)
    again = DecisionRecord.from_json(record.to_json())
    assert again.find_difference() == ""
    assert is_signed(record.head)
    row = record.decision
    assert (row["key"], row["action"], row["version"]) == (asked.key, "ask", 1)
    assert json.loads(record.content)["text"] == asked.key[1:]
    alone = Receipt.objects.filter(key__startswith="k", action=0).first()
    assert prove_case(in_use.id, alone.key).content is None  # nobody looked at it: it is not kept
    assert prove_case(in_use.id, alone.key).salt is not None
    with pytest.raises(InputError, match="never decided"):
        prove_case(in_use.id, "nobody")
    assert LogNode.objects.filter(level=8).count() == 2
    assert problems(in_use.policy) == []


@pytest.mark.parametrize("micros", [0, 1, 499_999, 999_499, 999_500, 999_999])
def test_a_moment_is_read_as_it_was_written(in_use, micros):
    """SQLite rounds to milliseconds, and so up into the next second."""
    decide(in_use.id, cases(2), "7")
    moment = timezone.now().replace(microsecond=micros)
    Receipt.objects.update(at=moment)
    whole = int(moment.replace(microsecond=0).timestamp())
    read = tables_of(in_use.policy).execute("SELECT DISTINCT at FROM decisions")
    assert read == [(1_000_000 * whole + micros,)]


def test_heads_are_of_one_log_that_grows(in_use):
    decide(in_use.id, cases(300), "7")
    first = sign_log(in_use.id)
    assert sign_log(in_use.id) == first
    in_use.label(in_use.decide(40, "later"))
    second = sign_log(in_use.id)
    assert second.size > first.size
    tables, document = tables_of(in_use.policy), document_of(in_use.policy)
    assert is_growth(tables, document, first.log_root, second.log_root)
    with transaction.atomic():
        found = verify_log(tables, document, None, [first.log_root])
    assert found.difference is None
    assert found.replay.head == f"{second.root}@{second.size}"
    with pytest.raises(RuleError, match="no version 7"):
        sign_log(in_use.id, 7)
    other = first.log_root._replace(root="0" * 64)
    with transaction.atomic():
        assert "first" in verify_log(tables, document, None, [other]).difference.what


def test_endpoints_that_chose_it_get_a_head_each_day(in_use, monkeypatch):
    make_endpoint("main", in_use.wanda, "https://auditor.example/heads", ["log.head"])
    decide(in_use.id, cases(5), "7")
    publish_heads()
    publish_heads()
    decide(in_use.id, cases(5, "later"), "7")
    publish_heads()  # a day has not passed
    assert SignedHead.objects.count() == 1
    later = timezone.now() + timedelta(days=1, minutes=1)
    monkeypatch.setattr(decision_log.timezone, "now", lambda: later)
    publish_heads()
    publish_heads()
    assert SignedHead.objects.count() == 2
    told = [Head.from_json(row.body) for row in Delivery.objects.order_by("pk")]
    assert [head.size for head in told] == list(SignedHead.objects.values_list("size", flat=True))
    assert all(is_signed(head) for head in told)
    monkeypatch.setattr(decision_log, "can_check", lambda: False)
    SignedHead.objects.all().delete()
    publish_heads()
    assert not SignedHead.objects.exists()


def test_deleting_a_content_is_a_row_of_the_log_and_takes_the_salt(in_use):
    decide(in_use.id, cases(30), "7")
    before = Receipt.objects.get(key="k3")
    assert before.salt is not None
    forget(in_use.id, ["k3", "k4"])
    forget(in_use.id, ["k3"])
    assert DeletedContent.objects.count() == 2
    assert Receipt.objects.get(key="k3").salt is None
    assert prove_case(in_use.id, "k3").salt is None
    clear_states()  # another process takes it in, too
    decide(in_use.id, cases(30) + cases(1, "new"), "7")
    assert Receipt.objects.count() == 31
    assert problems(in_use.policy) == []
    for field, row in (("seq", 9), ("at", 5), ("leaf", 3)):
        one = DeletedContent.objects.order_by("seq").first()
        DeletedContent.objects.filter(pk=one.pk).update(**{field: row})
        assert problems(in_use.policy)
        DeletedContent.objects.filter(pk=one.pk).update(**{field: getattr(one, field)})
    assert problems(in_use.policy) == []


def leased(in_use, folder, n=60, answers=20, name="edge"):
    grant = grant_lease(in_use.id, "edge-7", answers=answers)
    decider = LeasedDecider(LeaseGrant.from_json(grant.to_json()), folder / f"{name}.receipts")
    sure, _ = posts(n, 8)
    decider.decide(
        [f"{name}-{i}" for i in range(n)], prediction=["hate"] * n, confidence=sure,
        content=[f"case {i}" for i in range(n)],
    )  # fmt: skip
    return grant, decider.receipts()


def test_a_decider_elsewhere_takes_a_lease_and_hands_it_in(in_use, tmp_path):
    in_use.decide(20)
    grant, receipts = leased(in_use, tmp_path)
    assert grant.lease.answers == 20
    (out,) = leases_out(in_use.row)
    assert (out.decider, out.answers) == ("edge-7", 20)
    assert load_state(in_use.policy).replay.state.booked == 20
    clear_states()  # a process that was not there when it was granted
    made, conflicts = hand_in_lease(in_use.id, receipts)
    assert (made.decided, made.answered, made.booked, conflicts) == (60, 20, 0, ())
    assert load_state(in_use.policy).replay.state.booked == 0
    assert leases_out(in_use.row) == []
    again, _ = hand_in_lease(in_use.id, LeaseReceipts.from_json(receipts.to_json()))
    assert (again.decided, again.events) == (60, ())
    assert Receipt.objects.filter(lease=1).count() == 60
    waits = Case.objects.filter(key__startswith="edge-")
    assert {one.purpose for one in waits} <= {"asked", "audit"}
    assert waits.filter(content__isnull=False).count() == waits.count() >= 40
    assert prove_case(in_use.id, "edge-5").decision["lease"] == 1
    clear_states()
    in_use.decide(5, "later")
    assert problems(in_use.policy) == []


def test_what_is_no_hand_in_of_a_lease_is_refused_and_stays_booked(in_use, tmp_path):
    in_use.decide(20)
    grant, receipts = leased(in_use, tmp_path)
    _, others = leased(in_use, tmp_path, name="other")
    plain = json.loads(receipts.to_json())
    for change in ({"lease": 2}, {"lease": 9}, {"policy": "elsewhere"}, {"signature": "0" * 64}):
        with pytest.raises(RuleError) as refused:
            hand_in_lease(in_use.id, LeaseReceipts.from_json(json.dumps(plain | change)))
        assert refused.value.rule == "no-lease"
    case = plain["cases"][0]
    for wrong, message in (
        ([["k" * 10_000, *case[1:]]], "1 to 200 characters"),
        ([case] * 20_001, "at most 20,000 at once"),
    ):
        with pytest.raises(InputError, match=message):
            hand_in_lease(in_use.id, LeaseReceipts.from_json(json.dumps(plain | {"cases": wrong})))
    late = [[*case[:5], grant.lease.expires + 1, *case[6:]] for case in plain["cases"]]
    cases_late = LeaseReceipts.from_json(json.dumps(plain | {"cases": late})).cases
    with pytest.raises(InputError, match="outside of the time"):
        hand_in_lease(in_use.id, LeaseReceipts.sign(grant, cases_late))
    assert load_state(in_use.policy).replay.state.booked == 40
    hand_in_lease(in_use.id, receipts)
    fewer = LeaseReceipts.sign(grant, receipts.cases[:-1])
    with pytest.raises(RuleError, match="other receipts"):
        hand_in_lease(in_use.id, fewer)
    decide(in_use.id, [IncomingCase("other-0", prediction="fine", confidence=0.5)], "7")
    made, (conflict,) = hand_in_lease(in_use.id, others)
    assert (made.conflicts, conflict.case.key) == (1, "other-0")
    assert problems(in_use.policy) == []


def test_a_lease_is_granted_only_where_all_is_decided(in_use):
    from askpoint.server.deployments.policies import set_mode

    for name, seconds in (("", 60), ("x" * 201, 60), ("edge", 0), ("edge", 1e9)):
        with pytest.raises(InputError):
            grant_lease(in_use.id, name, seconds=seconds)
    set_mode(in_use.id, "shadow")
    with pytest.raises(RuleError, match="does not decide all cases"):
        grant_lease(in_use.id, "edge")


FORGED = [
    (Receipt, {"salt": b"another salt....", "leaf": 700, "lease": 1, "clock_back": 5, "digest": "0" * 64, "group": "x", "held": True, "at": timezone.now(), "episode": 4, "rate": 0.5, "propensity": 0.5, "chain": "0" * 64}),
    (Label, {"n": 900, "leaf": 3, "label": "fine", "judge": "x", "source": "feedback", "after": 3, "chain": "0" * 64}),
    (Event, {"n": 77, "leaf": 3, "seq": 5, "kind": "opened", "numbers": {"threshold": 0.1}, "at": timezone.now()}),
    (GrantedLease, {"decider": "x", "episode": 3, "threshold": 0.1, "rate": 0.9, "answers": 30, "granted": 5, "expires": 9, "leaf": 3, "number": 8}),
    (LeaseHandIn, {"lease": 9, "at": 5, "answers": 3, "cases": 3, "booked": 3, "digest": "0" * 64, "leaf": 3}),
    (LogNode, {"level": 16, "place": 9, "hash": b"0" * 32}),
    (SignedHead, {"size": 3, "root": "0" * 64, "at": 5, "signer": "0" * 64, "signature": "0" * 128}),
]  # fmt: skip


@pytest.mark.whole
def test_each_column_of_each_table_is_in_the_log(in_use, tmp_path):
    decide(in_use.id, cases(260), "7")
    for day in range(4):
        in_use.label(in_use.decide(120, f"day {day}", day, broken=day > 0))
    assert Event.objects.exists()
    in_use.propose(why="again")
    _, receipts = leased(in_use, tmp_path, answers=None)
    hand_in_lease(in_use.id, receipts)
    sign_log(in_use.id)
    assert problems(in_use.policy) == []
    for model, columns in FORGED:
        row = model.objects.filter(policy=in_use.policy).order_by("pk").first()
        if model is Receipt:
            row = Receipt.objects.filter(policy=in_use.policy, key__startswith="k", action=1)[3]
        for name, value in columns.items():
            before = getattr(row, name)
            assert before != value, (model, name)
            model.objects.filter(pk=row.pk).update(**{name: value})
            try:
                assert problems(in_use.policy), (model, name)
            finally:
                model.objects.filter(pk=row.pk).update(**{name: before})
    held = Case.objects.filter(key__startswith="k", content__isnull=False).first()
    Case.objects.filter(pk=held.pk).update(content={"text": "another"})
    assert "not that of its digest" in problems(in_use.policy)[0]
    Case.objects.filter(pk=held.pk).update(content=held.content)
    assert problems(in_use.policy) == []
    assert Policy.objects.count() >= 1
    assert secret_of(in_use.policy)


def test_all_of_it_goes_over_http(in_use, tmp_path):
    in_use.decide(30)
    token = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    with Serving([]) as server, Client(server.address, token) as program:
        head = Head.from_json(program.download_head(in_use.id))
        assert is_signed(head)
        assert program.download_head(in_use.id, 1) == program.download_head(in_use.id)
        record = DecisionRecord.from_json(program.download_record(in_use.id, "monday-3"))
        assert record.head == head
        text = program.take_lease(in_use.id, "edge", answers=5, key="once")
        assert program.take_lease(in_use.id, "edge", answers=5, key="once") == text
        (out,) = program.leases(in_use.id)
        assert (out.number, out.decider, out.answers) == (1, "edge", 5)
        decider = LeasedDecider(LeaseGrant.from_json(text), tmp_path / "receipts")
        sure, _ = posts(30, 3)
        decider.decide([f"e{i}" for i in range(30)], prediction=["hate"] * 30, confidence=sure)
        for _ in range(2):
            made = program.hand_in(in_use.id, decider.receipts().to_json())
            assert (made.decided, made.answered, made.refused) == (30, 5, [])
        assert program.leases(in_use.id) == []
        with pytest.raises(InputError, match="no receipts"):
            program.hand_in(in_use.id, "{}")
        with pytest.raises(RuleError):
            program.download_head(in_use.id, 9)
    assert problems(in_use.policy) == []


def test_the_example_of_the_docs_runs(in_use, capsys):
    code = re.findall(r"```py\n(.*?)```", (DOCS / "how-to" / "gateway.md").read_text(), re.DOTALL)
    (example,) = [one for one in code if "take_lease" in one]
    token = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    said = {"address": "", "token": token, "classifier": in_use.id}
    with Serving([]) as server:
        exec(example, said | {"address": server.address})  # noqa: S102
    assert capsys.readouterr().out == "1\n"


def test_owners_download_heads_and_records_on_pages(in_use, enter):
    decide(in_use.id, cases(3), "7")
    browser = enter(in_use.wanda)
    page = f"/classifiers/{in_use.id}/log/"
    head = browser.post(page)
    assert is_signed(Head.from_json(head.content.decode()))
    assert head["Content-Disposition"] == f'attachment; filename="{in_use.id}-head.json"'
    assert Head.from_json(head.content.decode()).root in browser.get(page).content.decode()
    record = browser.post(f"/classifiers/{in_use.id}/cases/k1/", {"record": "1"})
    assert DecisionRecord.from_json(record.content.decode()).find_difference() == ""


def test_where_nothing_can_sign_the_page_says_so(in_use, enter, monkeypatch):
    def refuse(*_):
        raise InputError("signed heads are an extra part")

    monkeypatch.setattr(decision_log, "sign_head", refuse)
    decide(in_use.id, cases(1), "7")
    browser = enter(in_use.wanda)
    for page in ("log/", "cases/k0/"):
        said = browser.post(f"/classifiers/{in_use.id}/{page}", {"record": "1"}, follow=True)
        assert "igned heads are an extra part" in said.content.decode()


@pytest.mark.parametrize(("nudge", "is_same"), [(1e-14, True), (1e-6, False)])
def test_the_rounding_of_another_processor_stops_no_server(in_use, monkeypatch, nudge, is_same):
    """What two machines beside one database compute differs in the last digits: the numbers that stand there count."""
    for day in range(4):
        in_use.label(in_use.decide(150, f"day {day}", day, broken=day > 0))
    events = Event.objects.count()
    assert events
    head = load_state(in_use.policy).replay.head

    def labels(*given):
        state, made = applied(*given)
        nudged = [
            one._replace(
                numbers={
                    name: value * (1 + nudge) if isinstance(value, float) else value
                    for name, value in one.numbers.items()
                }
            )
            for one in made
        ]
        return state, nudged

    applied = receipts_module.apply_labels
    monkeypatch.setattr(receipts_module, "apply_labels", labels)
    clear_states()
    Snapshot.objects.all().delete()
    assert (problems(in_use.policy) == []) is is_same
    if is_same:
        assert load_state(in_use.policy).replay.head == head
        in_use.decide(5, "later")
        assert Event.objects.count() == events
    else:
        with pytest.raises(LogError, match="do not lead to"):
            load_state(in_use.policy)
