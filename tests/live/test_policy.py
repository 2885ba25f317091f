from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from askpoint.errors import InputError, NoDeploymentError, RuleError
from askpoint.live.documents import PolicyDocument, state_to_dict
from askpoint.live.draws import audit_draws
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.live.worth import LivePrices
from askpoint.value.classifier import SelectiveClassifier
from askpoint.value.priced import CheckCost
from live.memory_store import MemoryStore
from live.worlds import MONEY, cases

SECRET = b"sixteen or more bytes"


def policy(n=600, terms=MONEY):
    c, wrong, _ = cases(n)
    return Policy.from_log(c, ~wrong, terms, secret=SECRET, name="posts", model={"name": "m"})


def store(n=600, terms=MONEY):
    return MemoryStore(policy(n, terms), SECRET)


def test_decisions_are_those_of_the_threshold_and_the_draws():
    posts = store()
    threshold = posts.policy.state.threshold
    c, _, _ = cases(300, seed=9)
    keys = [f"k{i}" for i in range(300)]
    made = posts.decide(keys, c)
    draws = audit_draws(SECRET, "posts", keys)
    assert (made.answer == (c >= threshold)).all()
    assert (made.audit == (made.answer & (draws < 0.2))).all()
    wanted = {key for key, a, u in zip(keys, made.answer, made.audit, strict=True) if u or not a}
    assert set(posts.wanted_keys()) == wanted
    posts.label(dict.fromkeys(wanted, True))
    assert posts.wanted_keys() == []
    assert posts.policy.worth(LivePrices(10, 1)).answered == made.answer.sum()
    again = posts.decide(keys[::-1], c[::-1])
    assert (again.answer[::-1] == made.answer).all()
    assert posts.policy.state.decided == 300


def test_singly_or_in_a_batch_is_the_same():
    one, many = store(), store()
    c, wrong, _ = cases(120, seed=3)
    keys = [str(i) for i in range(120)]
    made = many.decide(keys, c)
    single = [one.decide([key], [x]).answer[0] for x, key in zip(c, keys, strict=True)]
    assert made.answer.tolist() == single
    labels = {key: not e for key, e in zip(keys, wrong, strict=True)}
    many.label(labels)
    for key, right in labels.items():
        one.label({key: right})
    assert state_to_dict(one.policy.state) == state_to_dict(many.policy.state)


def test_from_nothing_it_asks():
    new = MemoryStore(Policy.from_nothing(MONEY, secret=SECRET), SECRET)
    assert not new.decide(["a", "b"], [0.99, 0.999]).answer.any()


def test_a_disaster_is_told():
    posts = store(2000)
    c, _, _ = cases(3000, seed=5)
    told = []
    for start in range(0, 3000, 100):
        keys = [f"k{i}" for i in range(start, start + 100)]
        made = posts.decide(keys, c[start : start + 100])
        assert len(made.answer) == 100
        told += posts.label(dict.fromkeys(keys, False))
    assert {"alarm", "budget_spent"} & {event.kind for event in told}
    assert all(event in posts.events for event in told)


@pytest.mark.parametrize(
    ("values", "keys"), [([0.7], ["a"]), ([0.9, 0.8], ["c", "c"]), ([0.9, 0.7], ["c", "a"])]
)
def test_a_key_again_with_another_confidence_is_refused(values, keys):
    posts = store()
    posts.decide(["a"], [0.9])
    message = r"the key '.' was decided with other content: .* confidence 0.\d.* confidence 0.\d"
    with pytest.raises(RuleError, match=message):
        posts.decide(keys, values)
    assert posts.policy.state.decided == 1


def test_a_classifier_is_deployed_with_its_own_confidences():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 3))
    y = np.where(X[:, 0] + rng.normal(size=1500) > 0, "spam", "ham")
    model = SelectiveClassifier(LogisticRegression(), objective=CheckCost(0.2))
    model.fit(X[:500], y[:500])
    posts = Policy.from_classifier(
        model, X[500:1400], y[500:1400], MONEY, secret=SECRET, version="2"
    )
    made = model.decide(X[500:1400])
    plain = Policy.from_log(made.confidence, made.labels == y[500:1400], MONEY, secret=SECRET)
    assert state_to_dict(posts.state) == state_to_dict(plain.state)
    assert posts.document.model == {"version": "2", "classes": ["ham", "spam"]}
    keys = [f"k{i}" for i in range(100)]
    again = MemoryStore(plain, SECRET).decide(keys, model.predict_proba(X[1400:]).max(axis=1))
    sure = model.decide(X[1400:]).confidence
    assert (MemoryStore(posts, SECRET).decide(keys, sure).answer == again.answer).all()
    assert again.answer.any()


def test_labels_of_nobody_are_refused():
    with pytest.raises(
        InputError, match="1 of the labels name cases that were never decided, the first 'x'"
    ):
        store().label({"x": True})


def test_another_secret_is_refused():
    with pytest.raises(InputError, match="this secret is not the one that policy 'posts'"):
        MemoryStore(policy(), b"another secret, long")


def test_a_document_says_the_same_after_writing_and_reading():
    posts = store()
    c, _, _ = cases(400, seed=3)
    keys = [str(i) for i in range(400)]
    posts.decide(keys, c)
    next_version = posts.policy.successor()
    assert (next_version.version, next_version.previous) == (2, posts.policy.document.digest)
    for document in (posts.policy.document, next_version):
        read = PolicyDocument.from_json(document.to_json())
        assert read.to_json() == document.to_json()
        assert state_to_dict(read.state) == state_to_dict(document.state)
    again = Policy.from_document(PolicyDocument.from_json(next_version.to_json()))
    going_on = MemoryStore(again, SECRET)
    more = [f"more {key}" for key in keys]
    assert (going_on.decide(more, c).answer == posts.decide(more, c).answer).all()
    assert state_to_dict(going_on.policy.state) == state_to_dict(posts.policy.state)


def test_a_fresh_document_is_written_and_read():
    document = Policy.from_nothing(Terms("promise", 0.05), secret=SECRET).document
    assert PolicyDocument.from_json(document.to_json()).to_json() == document.to_json()


def test_a_policy_edited_by_hand_is_refused():
    text = policy().document.to_json()
    plain = json.loads(text)
    plain["terms"]["limit"] = 0.3
    edited = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    with pytest.raises(InputError, match="the policy was changed after it was made"):
        PolicyDocument.from_json(edited)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1, "id": "x"}'])
def test_what_is_no_policy_is_refused(text):
    with pytest.raises(InputError, match="this is not a policy that askpoint reads"):
        PolicyDocument.from_json(text)


def test_every_changed_byte_of_a_policy_is_found():
    data = policy().document.to_json().encode()
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(data) - 1, 100):
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(0, 7))
        with pytest.raises(InputError):
            PolicyDocument.from_json(changed.decode(errors="replace"))


def test_a_suspicion_raises_audits_and_lowers_them_nowhere():
    one, two = store(), store()
    c = np.full(400, 0.99)
    keys = [f"k{i}" for i in range(400)]
    group = ["slang" if i < 200 else None for i in range(400)]
    rate = np.where(np.arange(400) < 200, 0.6, MONEY.rate)
    plain = one.decide(keys, c, group=group)
    more = two.decide(keys, c, group=group, audit_rates={"slang": 0.6})
    assert more.answer.tolist() == plain.answer.tolist()
    assert more.propensity.tolist() == rate.tolist()
    assert (more.audit >= plain.audit).all()
    assert more.audit[200:].tolist() == plain.audit[200:].tolist()
    assert more.audit[:200].sum() > plain.audit[:200].sum()
    # the uniform sample stays what the usual rate draws
    states = one.policy.state, two.policy.state
    assert len({state.pending["uniform"].sum() for state in states}) == 1
    assert two.decide(keys[:1], c[:1], group=["slang"]).propensity.tolist() == [0.6]
    for bad in (0.1, 1.1):
        with pytest.raises(InputError, match=r"must be between the agreed 0\.2 and 1; got"):
            two.decide(["new"], [0.9], group=["slang"], audit_rates={"slang": bad})


def test_a_policy_says_in_a_line_how_it_decides():
    new = Policy.from_nothing(MONEY, secret=SECRET)
    assert repr(new) == "<Policy 'policy': every case goes to review, 0 cases so far>"
    posts = store()
    posts.decide([str(i) for i in range(1200)], cases(1200)[0])
    threshold = f"{posts.policy.state.threshold:.4g}"
    assert repr(posts.policy) == f"<Policy 'posts': decides alone from {threshold}, 1,200 cases so far>"  # fmt: skip


def test_a_log_says_how_many_rows_it_had_and_between_which_confidences():
    least, *_, most = np.sort(cases(600)[0])
    evidence = {"rows": 600, "labelled": 600, "confidence": [least, most]}
    assert policy().document.evidence == evidence
    with pytest.raises(InputError, match="there is no labelled item; give at least one"):
        Policy.from_log([], [], MONEY, secret=SECRET)  # from nothing begins otherwise


def test_the_policy_of_an_agents_licences_is_named_as_such():
    text = LicencePolicy(()).to_json()
    with pytest.raises(
        NoDeploymentError, match=r"the policy of an agent's licences, .* licence show"
    ):
        PolicyDocument.from_json(text)
