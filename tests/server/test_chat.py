"""A chat model at an OpenAI-compatible address, which behaves as badly as real ones."""

from __future__ import annotations

import itertools
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.errors import InputError
from askpoint.server.classifiers.chat import Chat, label_of, load_chat, read_rubric
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.scorer import FaultError

RUBRIC = (("clean", "hurts nobody"), ("offensive", "belittles somebody"))


def said(text, ended="stop"):
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": ended}]}


class Service:
    """A real HTTP server; `says` gives each answer in turn: a status and a body."""

    def __init__(self):
        self.asked, self.says, self._guard = [], iter(()), threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with service._guard:
                    service.asked.append((self.path, body))
                    status, answer, *pause = next(service.says)
                answer = answer(body) if callable(answer) else answer
                time.sleep(pause[0] if pause else 0)
                whole = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                cut = status == 206  # announces more than it sends
                self.send_header("Content-Length", str(len(whole) + (99 if cut else 0)))
                self.end_headers()
                self.wfile.write(whole)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service(monkeypatch):
    monkeypatch.setattr("askpoint.server.classifiers.chat._PAUSE", 0.01)
    found = Service()
    yield found
    found.close()


def asking(service, samples=5, seconds=5.0):
    chat = Chat("some-model", RUBRIC, samples)
    return load_chat(
        {
            "target": service.url,
            "seconds": seconds,
            "networks": ["127.0.0.1"],
            "chat": json.loads(json.dumps(chat.to_dict())),  # as the database returns it
        }
    )


def test_the_share_of_answers_is_the_probability(service):
    words = ["offensive", "Offensive.", "“clean”", " OFFENSIVE\n", "<think>clean?</think>offensive"]
    service.says = iter([(200, said(word)) for word in words])
    found = asking(service)(["you there"])
    assert found == {"probabilities": [[0.2, 0.8]], "version": "some-model, 5 samples"}
    path, body = service.asked[0]
    assert path == "/v1/chat/completions"
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("some-model", 1.0, 16)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == "you there"
    assert "offensive: belittles somebody" in body["messages"][0]["content"]


def test_several_cases_keep_apart(service):
    def answer(body):
        return said("clean" if body["messages"][1]["content"] == "case one" else "offensive")

    service.says = itertools.repeat((200, answer))
    found = asking(service, samples=3)(["case one", "case two"])
    assert found["probabilities"] == [[1.0, 0.0], [0.0, 1.0]]
    assert len(service.asked) == 6


BAD = [
    ((429, {"error": "slow down"}), "busy"),
    ((500, b"<html>oops</html>"), "failed"),
    ((200, b"{not json"), "bad-answer"),
    ((200, {"choices": []}), "bad-answer"),
    ((200, []), "bad-answer"),
    ((200, said(None)), "bad-answer"),
    ((200, said("It is offensive because", "length")), "bad-answer"),
    ((200, said("not offensive")), "bad-answer"),
    ((206, said("clean")), "unreachable"),  # cut on its way
]


@pytest.mark.parametrize(("bad", "kind"), BAD)
def test_what_passes_is_asked_again_and_what_stays_is_a_fault(bad, kind, service):
    service.says = itertools.chain([bad], itertools.repeat((200, said("clean"))))
    assert asking(service)(["one"])["probabilities"] == [[1.0, 0.0]]
    assert len(service.asked) == 6
    service.asked.clear()
    service.says = itertools.repeat(bad)
    with pytest.raises(FaultError) as caught:
        asking(service)(["one"])
    assert caught.value.kind == kind
    assert len(service.asked) <= 15  # five samples, each at most three times


@pytest.mark.parametrize("status", [400, 401, 404, 307])
def test_a_refusal_is_not_asked_again(status, service):
    service.says = itertools.repeat((status, {"error": {"message": "no such model"}}))
    with pytest.raises(FaultError) as caught:
        asking(service)(["one"])
    assert caught.value.kind == "refused"
    assert len(service.asked) <= 5


def test_a_slow_model_takes_no_more_than_its_time(service):
    service.says = itertools.repeat((200, said("clean"), 3))
    begun = time.monotonic()
    with pytest.raises(FaultError) as caught:
        asking(service, samples=2, seconds=0.5)(["one"])
    assert caught.value.kind == "timeout"
    assert time.monotonic() - begun < 1.5


def test_a_rubric_is_read_line_by_line():
    assert read_rubric("clean: hurts nobody\n\noffensive: belittles: somebody\n") == (
        ("clean", "hurts nobody"),
        ("offensive", "belittles: somebody"),
    )
    for text in ("", "clean: x", "clean", "a: x\nA.: y", "a: x\nb:"):
        with pytest.raises(InputError, match="rubric"):
            read_rubric(text)
    for changes in ({"model": " "}, {"samples": 0}, {"samples": 21}, {"temperature": 3.0}):
        with pytest.raises(InputError):
            Chat(**{"model": "m", "rubric": RUBRIC, **changes})


def test_an_answer_is_the_name_of_one_class_alone():
    classes = ("hate", "no hate")
    assert label_of(said("No hate."), classes) == "no hate"
    for text in ("hate or no hate", "hateful", "", "I say: hate"):
        with pytest.raises(FaultError):
            label_of(said(text), classes)


def test_an_organiser_registers_a_chat_model(service, stage, enter, monkeypatch, tmp_path):
    import tempfile
    from dataclasses import replace

    from django.conf import settings

    service.says = itertools.repeat((200, said("offensive")))
    given = {
        "name": "a chat model",
        "adapter": "chat",
        "target": service.url,
        "chat_model": "some-model",
        "rubric": "clean: hurts nobody\noffensive: belittles somebody",
        "samples": "3",
        "trial": "you fool",
        "expected": "offensive",
        "seconds": "20",
    }
    with tempfile.TemporaryDirectory(prefix="ask") as sockets:
        options = replace(settings.ASKPOINT, sockets=sockets, model_networks=("127.0.0.1",))
        monkeypatch.setattr(settings, "ASKPOINT", options)
        olga = enter(stage.olga)
        answer = olga.post("/run/models/", {**given, "rubric": ""})
        assert answer.status_code == 422
        assert b"rubric has two classes" in answer.content
        for wrong in ({"tokens": "4001"}, {"temperature": "2.1"}, {"samples": "21"}):
            assert olga.post("/run/models/", {**given, **wrong}).status_code == 422
        given |= {"temperature": "0", "tokens": "400"}
        assert olga.post("/run/models/", given).status_code == 302
    row = Classifier.objects.get(adapter="chat")
    assert row.classes == ["clean", "offensive"]
    assert Chat(**row.chat) == Chat("some-model", RUBRIC, 3, 0.0, 400)
    body = service.asked[-1][1]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 400)
    # severity by the rubric's costs, times how often a mistake repeats
    draft = {"title": "Chat", "wanted": "Find it.", "classifier": row.pk, "kind": "cases"}
    olga.post("/run/", draft)
    campaign = Campaign.objects.get(title="Chat")
    assert terms_of(campaign.terms).scheme == "cost-times-share"
    page = olga.get(f"/run/{campaign.pk}/terms/").content
    assert b"times the share of the model" in page
    assert b"cost-times-share" not in olga.get(f"/run/{stage.id}/terms/").content
