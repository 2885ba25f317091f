"""A decision record and its head: what was made is read again, and each thing changed is named."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from askpoint.errors import InputError
from askpoint.live.canonical import canonical_json, content_digest
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.heads import Head, read_root

SALT, CONTENT = "ab" * 16, "the post"
ROW = {
    "action": "answer", "at": 1, "audit": False, "clock_back": 0, "confidence": 0.9,
    "digest": content_digest(CONTENT, bytes.fromhex(SALT)), "drawn": 0.3, "episode": 1, "group": None,
    "key": "a", "lease": None, "model_version": "7", "policy": "posts", "prediction": "fine",
    "propensity": 0.1, "rate": 0.1, "row": "decision", "seq": 0, "version": 1, "would": None,
}  # fmt: skip


def sha(text):
    return hashlib.sha256(text).digest()


def record(**changed):
    """A log of two rows, hashed by hand as RFC 6962 says: leaf 0 is another, leaf 1 the decision."""
    text = canonical_json(ROW)
    other, leaf = sha(b"\x00first"), sha(b"\x00" + text.encode())
    root = sha(b"\x01" + other + leaf).hex()
    head = Head(policy="posts", size=2, root=root, at=5, secret_hash="cd" * 32, signer="ef" * 32)
    made = DecisionRecord(
        row=text, leaf=1, path=(other.hex(),), head=head, content=CONTENT, salt=SALT
    )
    return replace(made, **changed)


def test_what_was_made_is_read_again():
    made = record()
    assert made.find_difference() == ""
    assert made.decision == ROW
    assert DecisionRecord.from_json(made.to_json()) == made
    bare = record(content=None, salt=None)
    assert DecisionRecord.from_json(bare.to_json()).find_difference() == ""


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"row": "{"}, "not JSON"),
        ({"row": canonical_json({**ROW, "row": "label"})}, "not that of a decision"),
        ({"row": canonical_json([])}, "not that of a decision"),
        ({"row": canonical_json({**ROW, "action": "deny"})}, "'deny' is not one of answer"),
        ({"row": canonical_json({**ROW, "policy": "others"})}, "another policy"),
        ({"row": canonical_json({**ROW, "confidence": 0.8})}, "not in the log of this head"),
        ({"path": ("xx",)}, "not a hash"),
        ({"path": ()}, "not in the log of this head"),
        ({"leaf": 0}, "not in the log of this head"),
        ({"content": "another post"}, "the content is not that"),
        ({"salt": "00"}, "the content is not that"),
        ({"salt": None}, "the content is not that"),
    ],
)
def test_each_thing_changed_is_named(changed, named):
    assert named in record(**changed).find_difference()


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.pop("kind"),
        lambda plain: plain.update(kind="another"),
        lambda plain: plain.update(leaf=1.0),
        lambda plain: plain.update(row=7),
        lambda plain: plain.update(salt="xyz"),
        lambda plain: plain.update(more=1),
        lambda plain: plain["head"].pop("kind"),
        lambda plain: plain["head"].update(size="2"),
        lambda plain: plain["head"].update(root="00"),
    ],
)
def test_a_file_that_is_none(change):
    plain = json.loads(record().to_json())
    change(plain)
    with pytest.raises(InputError, match="that askpoint wrote"):
        DecisionRecord.from_json(json.dumps(plain))


@pytest.mark.parametrize("text", ["", "[]", "null", "7"])
def test_a_text_that_is_no_record(text):
    with pytest.raises(InputError, match="not a decision record"):
        DecisionRecord.from_json(text)


def test_a_head_is_read_from_its_file_and_its_message():
    head = record().head
    assert Head.from_json(head.to_json()) == head
    message = {"type": "log.head", "data": {**head.to_dict(), "version": 1}}
    assert Head.from_json(json.dumps(message)) == head
    assert json.loads(head.text)["root"] == head.root
    assert "signature" not in json.loads(head.text)
    assert read_root(f" {head.log_root} ") == head.log_root


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"type": "log.head"}', '{"type": "log.head", "data": 1}']
)
def test_a_text_that_is_no_head(text):
    with pytest.raises(InputError, match="not a head that askpoint wrote"):
        Head.from_json(text)


@pytest.mark.parametrize("text", ["", "ab@1", "ab" * 32, f"{'ab' * 32}@-1", f"{'zz' * 32}@3"])
def test_a_root_that_is_none(text):
    with pytest.raises(InputError, match="64 hexadecimal digits"):
        read_root(text)
