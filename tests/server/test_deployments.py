"""A classifier in use: decisions by the library's rule, receipts, labels, versions of the policy."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone

from askpoint import InputError, LivePrices, NotEstimableError, RuleError
from askpoint.live.documents import state_to_dict
from askpoint.live.policy import Policy
from askpoint.records.stores.table_verification import verify_log
from askpoint.server.deployments import decisions, policies, policy_state
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.labelling import IncomingLabel, forget, take_labels
from askpoint.server.deployments.models import Deployment, Label, Receipt, Snapshot
from askpoint.server.deployments.policies import secret_of
from askpoint.server.deployments.policy_state import document_of, load_state
from askpoint.server.deployments.policy_tables import PolicyTables
from askpoint.server.deployments.rows import micros
from askpoint.server.deployments.status_page import status_of
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case
from askpoint.wire.fields import MOST_ITEMS, MOST_LABELS
from live.memory_store import MemoryStore
from server.in_use import InUse, posts

USUAL = ("ask", "audit")


def verified(policy):
    """All receipts of a policy, computed again."""
    document = document_of(policy)
    with transaction.atomic():
        found = verify_log(PolicyTables(policy.pk, document), document, secret_of(policy))
    assert found.difference is None, str(found.difference)
    return found


def test_it_decides_as_the_library_does_and_any_process_goes_on(database, monkeypatch):
    del database
    in_use = InUse()
    alone = MemoryStore(Policy.from_document(document_of(in_use.policy)), secret_of(in_use.policy))
    for day in range(7):
        monkeypatch.setattr(policy_state, "_EVERY", 100)
        broken = day > 2
        made = in_use.decide(150, f"day{day}", seed=day, broken=broken)
        sure = posts(150, day, broken=broken)[0]
        same = alone.decide(
            [one.key for one in made],
            sure,
            prediction=[one.prediction for one in made],
            at=micros(Receipt.objects.latest("seq").at),
        )
        expected = [
            "audit" if audits else "answer" if answers else "ask"
            for answers, audits in zip(same.answer, same.audit, strict=True)
        ]
        assert [one.action for one in made] == expected
        assert [one.propensity for one in made] == same.propensity.tolist()
        policy_state.clear_states()  # as another process would
        told = in_use.label(made[:140])
        truths = {key: in_use.truth[key] == "hate" for key in (it.key for it in made[:140])}
        wanted = [key for key in alone.wanted_keys() if key in truths]
        assert told.counted == len(wanted)
        happened = alone.label({key: in_use.truth[key] for key in wanted})
        assert [one.kind for one in told.events] == [one.kind for one in happened]
    policy = in_use.policy
    assert state_to_dict(load_state(policy).replay.state) == state_to_dict(alone.policy.state)
    assert [row.kind for row in policy.events.all()] == [event.kind for event in alone.events]
    assert [event.kind for event in alone.events].count("budget_spent") == 1  # it closed
    assert Snapshot.objects.get(policy=policy).decided >= 900
    assert verified(policy).decisions == 1050
    told = status_of(in_use.row)
    assert told.worth == alone.policy.worth(LivePrices(check=0.1))
    assert told.history.n_wanted == len(alone.wanted_keys()) > 0
    assert [event.event.kind for event in told.closings] == ["budget_spent"]
    last = told.history.moments[-1]
    assert (last.decided, last.worth) == (1050, told.worth)


def test_a_key_decides_once_for_ever(in_use):
    first = in_use.decide(30)
    assert in_use.decide(30) == first
    assert Receipt.objects.count() == 30
    twice = [IncomingCase("twice", prediction="hate", confidence=0.9)] * 2
    one, other = decisions.decide(in_use.id, twice, "7")
    assert one == other
    assert decisions.decide(in_use.id, twice[:1], "7") == [one]
    for changed in ({"confidence": 0.91}, {"prediction": "fine"}, {"case": "x"}, {"group": "de"}):
        with pytest.raises(RuleError, match="twice") as refusal:
            decisions.decide(in_use.id, [twice[0]._replace(**changed)], "7")
        assert refusal.value.rule == "other-content"
    both = [twice[0]._replace(key="new"), twice[0]._replace(key="new", confidence=0.6)]
    with pytest.raises(RuleError, match="new"):
        decisions.decide(in_use.id, both, "7")
    assert not Receipt.objects.filter(key="new").exists()
    policies.adopt(in_use.id, in_use.wanda, in_use.propose().number, 1)
    assert in_use.decide(30) == first  # also under another policy
    assert in_use.decide(1, "later")[0].policy == f"{in_use.id}/2"


def test_probabilities_are_read_by_name_or_in_order(in_use):
    items = [
        IncomingCase("a", probabilities=[0.1, 0.9]),
        IncomingCase("b", probabilities={"hate": 0.2, "fine": 0.8}),
        IncomingCase("c", prediction="fine", confidence=0.8),
    ]
    made = decisions.decide(in_use.id, items, "7")
    assert [one.prediction for one in made] == ["hate", "fine", "fine"]
    rows = Receipt.objects.order_by("seq").values_list("confidence", flat=True)
    assert list(rows) == [0.9, 0.8, 0.8]


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (IncomingCase("a"), "either probabilities, or"),
        (IncomingCase("a", prediction="hate"), "either probabilities, or"),
        (IncomingCase("a", [0.5, 0.5], "hate", 0.5), "either probabilities, or"),
        (
            IncomingCase("a", probabilities=[0.2, 0.3, 0.5]),
            "no probabilities of the policy's classes",
        ),
        (IncomingCase("a", probabilities={"hate": 0.5, "spam": 0.5}), "choose a new policy"),
        (IncomingCase("a", probabilities=[0.5, 0.6]), "with the sum 1"),
        (IncomingCase("a", probabilities=[float("nan"), 0.6]), "with the sum 1"),
        (IncomingCase("a", prediction="spam", confidence=0.5), "'spam', which is not among"),
        (
            IncomingCase("a", prediction="hate", confidence=float("inf")),
            "confidence must be a number",
        ),
        (IncomingCase("", prediction="hate", confidence=0.5), "1 to 200 characters"),
    ],
)
def test_what_cannot_be_decided_is_refused_and_nothing_written(in_use, item, says):
    good = IncomingCase("good", prediction="hate", confidence=0.5)
    with pytest.raises(InputError, match=says):
        decisions.decide(in_use.id, [good, item], "7")
    assert not Receipt.objects.exists()


def test_another_version_of_the_model_is_refused(in_use):
    with pytest.raises(InputError, match="version '8' of the model"):
        decisions.decide(in_use.id, [IncomingCase("a", prediction="hate", confidence=0.5)], "8")


def test_in_shadow_it_decides_nothing_and_measures_all(sqlite):
    del sqlite
    in_use = InUse(mode="shadow")
    made = in_use.decide(200)
    assert {one.action for one in made} == {"hold"}
    assert {one.would for one in made} == {"answer", "ask", "audit"}
    assert in_use.label(made).counted == Case.objects.count() > 0
    told = status_of(in_use.row)
    assert (told.history.held, told.worth.decided) == (200, 200)
    verified(in_use.policy)


def test_a_share_is_drawn_by_key_and_what_was_decided_stays(sqlite):
    del sqlite
    in_use = InUse(mode="rollout")
    made = in_use.decide(300)
    held = {one.key for one in made if one.action == "hold"}
    assert 110 < len(held) < 190
    assert {(one.would, one.propensity) for one in made if one.key in held} == {(None, None)}
    assert in_use.policy.decided == 300 - len(held)
    assert in_use.decide(300) == made
    with pytest.raises(RuleError, match="never decided"):  # nothing was said that could be right
        take_labels(in_use.id, [IncomingLabel(min(held), "hate", "rosa")])
    policies.set_mode(in_use.id, "all")
    again = in_use.decide(300)
    assert "hold" not in {one.action for one in again}  # the share has grown
    kept = {one.key: one for one in made if one.key not in held}
    assert {one.key: one for one in again if one.key in kept} == kept  # for ever
    verified(in_use.policy)
    with pytest.raises(InputError, match="between 0 and 1"):
        policies.set_mode(in_use.id, "rollout", 1.0)


def test_the_first_label_of_who_was_sent_counts(in_use):
    made = in_use.decide(60)
    asked = next(one.key for one in made if one.action == "ask")
    answered = next(one.key for one in made if one.action == "answer")
    labels = [IncomingLabel(asked, "hate", "rosa"), IncomingLabel(answered, "fine", "rosa")]
    assert take_labels(in_use.id, labels)[:2] == (2, 1)
    assert take_labels(in_use.id, labels)[:2] == (0, 0)
    assert take_labels(in_use.id, [IncomingLabel(asked, "fine", "rudi")])[:2] == (1, 0)
    sources = list(Label.objects.values_list("source", "counts"))
    assert sources == [("asked", True), ("feedback", False), ("asked", False)]
    assert Case.objects.get(key=asked).labelled is not None
    with pytest.raises(InputError, match="leave the source empty"):
        take_labels(in_use.id, [IncomingLabel(answered, "fine", "rosa", "audit")])
    with pytest.raises(InputError, match="'spam'"):
        take_labels(in_use.id, [IncomingLabel(asked, "spam", "rosa")])
    with pytest.raises(RuleError, match="never decided, the first 'nowhere'") as refusal:
        take_labels(
            in_use.id,
            [IncomingLabel("nowhere", "hate", "rosa"), IncomingLabel(asked, "hate", "ruth")],
        )
    assert refusal.value.rule == "unknown-key"
    assert Label.objects.count() == 3
    verified(in_use.policy)


def test_items_of_known_truth_tell_whether_people_drift(in_use):
    in_use.decide(10)
    items = [IncomingLabel(f"known-{i}", "fine", "rosa", "gold", "hate") for i in range(25)]
    told = take_labels(in_use.id, [*items, items[0]])
    assert (told.kept, told.counted) == (25, 25)
    assert {event.kind for event in told.events} == {"people"}
    with pytest.raises(InputError, match="column truth"):
        take_labels(in_use.id, [IncomingLabel("known-0", "fine", "rudi", "gold")])
    verified(in_use.policy)


def test_contents_are_kept_of_what_people_label_and_deleted_on_request(in_use):
    made = in_use.decide(100)
    sent = {one.key for one in made if one.action in USUAL}
    assert {row.key: row.content for row in Case.objects.all()} == {
        key: f"the post {key}" for key in sent
    }
    key = min(sent)
    with pytest.raises(RuleError, match="nothing was deleted"):
        forget(in_use.id, [key, "nowhere"])
    assert (forget(in_use.id, [key]), forget(in_use.id, [key])) == (1, 0)
    assert Case.objects.get(key=key).content is None
    assert in_use.decide(100) == made  # the digest is still there
    verified(in_use.policy)


def test_labels_of_an_earlier_policys_cases_go_to_it(in_use):
    made = in_use.decide(60)
    policies.adopt(in_use.id, in_use.wanda, in_use.propose().number, 1)
    later = in_use.decide(60, "tuesday", 3)
    told = in_use.label([*made, *later])
    first, second = in_use.row.policies.all()
    assert (first.labels.count() > 0, second.labels.count() > 0) == (True, True)
    assert told.counted == first.labels.count() + second.labels.count()
    verified(first)
    verified(second)


def test_of_two_owners_who_adopt_at_once_one_is_told(database):
    del database
    in_use = InUse()
    numbers = [in_use.propose().number for _ in range(2)]

    def adopt(who, number):
        try:
            policies.adopt(in_use.id, who, number, 1)
        except RuleError as error:
            return error.rule
        finally:
            connections.close_all()
        return "adopted"

    with ThreadPoolExecutor() as pool:
        said = list(pool.map(adopt, (in_use.wanda, in_use.will), numbers))
    assert sorted(said) == ["adopted", "adopted-meanwhile"]
    assert in_use.row.adopted == numbers[said.index("adopted")]
    with pytest.raises(RuleError, match="is in use by now, which w"):
        policies.adopt(in_use.id, in_use.will, numbers[0], 1)


def test_only_a_person_goes_back_and_says_why(in_use):
    old = document_of(in_use.policy)
    policies.adopt(in_use.id, in_use.wanda, in_use.propose(rows=0).number, 1)
    with pytest.raises(RuleError, match="in use before"):
        policies.adopt(in_use.id, in_use.wanda, 1, 2)
    with pytest.raises(InputError, match="say why"):
        policies.go_back(in_use.id, in_use.wanda, " ", 1)
    with pytest.raises(RuleError, match="no version 9"):
        policies.go_back(in_use.id, in_use.wanda, "it was better", 9)
    back = policies.go_back(in_use.id, in_use.wanda, "it was better", 1)
    made = document_of(back)
    assert (back.number, back.parent, back.who, back.why) == (3, 2, "wanda", "it was better")
    assert state_to_dict(made.state) == state_to_dict(old.state)
    assert made.id != old.id  # other draws
    assert made.secret_hash != old.secret_hash
    assert made.previous == document_of(in_use.policy).digest
    policies.adopt(in_use.id, in_use.wanda, 3, 2)
    lines = LogLine.objects.filter(what="policy adopted").order_by("pk")
    assert [line.said["instead_of"] for line in lines] == [0, 1, 2]


def test_a_policy_without_evidence_is_refused(in_use):
    with pytest.raises(NotEstimableError, match="label at least 40"):
        in_use.propose(rows=20)
    with pytest.raises(InputError, match="not a policy that askpoint reads"):
        policies.propose_document(in_use.id, in_use.wanda, "a try", '{"format": 1}')
    given = document_of(in_use.policy)
    bare = replace(given, evidence={})
    with pytest.raises(InputError, match="no evidence for it"):
        policies.propose_document(in_use.id, in_use.wanda, "a try", bare.to_json())
    nameless = replace(given, model={})
    with pytest.raises(InputError, match="names no classes"):
        policies.propose_document(in_use.id, in_use.wanda, "a try", nameless.to_json())
    in_use.decide(100)
    waits = replace(given, state=load_state(in_use.policy).replay.state)
    with pytest.raises(InputError, match="labels elsewhere"):
        policies.propose_document(in_use.id, in_use.wanda, "a try", waits.to_json())
    changed = given.to_json().replace('"limit":0.1', '"limit":0.2')
    with pytest.raises(InputError, match="changed after it was made"):
        policies.propose_document(in_use.id, in_use.wanda, "a try", changed)
    taken = policies.propose_document(in_use.id, in_use.wanda, "from outside", given.to_json())
    assert document_of(taken).previous == given.digest
    assert json.loads(taken.document)["terms"] == json.loads(given.to_json())["terms"]


def test_without_a_policy_nothing_is_decided(sqlite, in_use):
    del sqlite
    row = policies.make_deployment("main", in_use.wanda, "Later")
    with pytest.raises(RuleError, match="must activate one first"):
        decisions.decide(row.pk, [IncomingCase("a", prediction="hate", confidence=0.5)])
    assert status_of(row) is None


def test_a_clock_that_was_set_back_stops_nobody(in_use):
    Deployment.objects.filter(pk=in_use.id).update(at=timezone.now() + timedelta(hours=2))
    in_use.label(in_use.decide(20))
    ahead = in_use.row.at
    assert {row.at for row in Receipt.objects.all()} == {ahead}
    verified(in_use.policy)


def test_what_is_written_is_never_taken_for_another_history(in_use):
    in_use.decide(10)
    row = in_use.policy
    in_use.decide(10, "later")
    load_state(in_use.policy)
    Receipt.objects.filter(seq__gte=10).delete()  # a backup was restored beside this process
    row.log = {**row.log, "peaks": ["0" * 64] * len(row.log["peaks"])}
    row.save()
    with pytest.raises(Exception, match="restore the server from a backup"):
        in_use.decide(1, "later")


def test_many_who_send_the_same_keys_agree(database):
    del database
    in_use = InUse()
    sure = posts(40)[0]

    def send(first):
        items = [
            IncomingCase(f"k{i}", prediction="hate", confidence=sure[i])
            for i in range(first, first + 20)
        ]
        try:
            return {one.key: one for one in decisions.decide(in_use.id, items, "7")}
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(send, [0, 10, 20, 0, 10, 20]))
    for one in found:
        for other in found:
            assert all(one[key] == other[key] for key in one.keys() & other.keys())
    assert list(Receipt.objects.order_by("seq").values_list("seq", flat=True)) == list(range(40))
    verified(in_use.policy)
    assert MOST_LABELS == MOST_ITEMS == 1000
