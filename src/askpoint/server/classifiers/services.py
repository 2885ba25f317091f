"""Ask a model within its time, and register one with a trial case."""

from __future__ import annotations

import json
import secrets
import socket
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from askpoint.errors import InputError, ModelError
from askpoint.game.feedback import Answer
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import Scorer, socket_path

__all__ = ["ask", "ask_many", "read_features", "register", "try_out"]

_LONGEST = 30.0


def ask(classifier: Classifier, case: Any) -> Answer:
    """Ask a model about one case.

    Raises
    ------
    ModelError
        If it is down, slow, or says something that is no answer.
    """
    return ask_many(classifier, [case])[0]


def ask_many(classifier: Classifier, cases: Sequence[Any]) -> list[Answer]:
    """Ask a model about several cases at once, within the time of one.

    Raises
    ------
    ModelError
        As `ask`; then there is no answer to any.
    """
    path = socket_path(settings.ASKPOINT.sockets, str(classifier.pk))
    return _ask(path, cases, classifier.seconds)


def _ask(path: str, cases: Sequence[Any], seconds: float) -> list[Answer]:
    ends = time.monotonic() + seconds
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
            wire.settimeout(seconds)
            wire.connect(path)
            wire.sendall(json.dumps({"cases": list(cases)}).encode() + b"\n")
            said = bytearray()
            while not said.endswith(b"\n"):
                wire.settimeout(max(0.001, ends - time.monotonic()))
                chunk = wire.recv(65536)
                if not chunk:
                    raise ModelError("the model stopped while it was asked; try again in a moment")
                said += chunk
    except TimeoutError:
        raise ModelError(
            f"the model did not answer within {seconds:g} seconds; try again in a moment"
        ) from None
    except OSError:
        raise ModelError("the model is not running just now; try again in a moment") from None
    found = json.loads(said)
    if "error" in found:
        raise ModelError(f"the model gave no usable answer: {found['error']}")
    return [
        Answer(tuple(row), decision, found["version"])
        for row, decision in zip(found["probabilities"], found["decisions"], strict=True)
    ]


def register(
    owner: User,
    *,
    name: str,
    adapter: str,
    target: str,
    classes: Sequence[str],
    trial: Any,
    expected: str,
    features: Sequence[dict[str, Any]] = (),
    seconds: float = 1.5,
) -> Classifier:
    """Register a model after it has answered a trial case as expected.

    Parameters
    ----------
    owner : User
        An organiser.
    name : str
        What people see.
    adapter, target : str
        "callable" and one of the functions that the command line allows, or "http" and an
        address.
    classes : sequence of str
        In the order of the model's probabilities.
    trial : str or dict
        A case that the model gets right without doubt.
    expected : str
        The class that it must decide for; so a wrong order of classes is found.
    features : sequence of dict, default=()
        The columns of a row; none for a text.
    seconds : float, default=1.5
        How long it may take.

    Raises
    ------
    InputError
        If it cannot be asked like this, or the classes are not as expected.
    ModelError
        If it gives no usable answer.
    """
    if adapter == "callable" and target not in settings.ASKPOINT.models:
        allowed = ", ".join(settings.ASKPOINT.models) or "none so far"
        raise InputError(
            f"the function {target!r} was not allowed when the server was started, with "
            f"--model MODULE:FUNCTION; allowed are: {allowed}"
        )
    if adapter == "http" and urlsplit(target).scheme not in ("http", "https"):
        raise InputError(f"the address of a model starts with http:// or https://, got {target!r}")
    if len(set(classes)) < 2 or len(set(classes)) < len(classes):
        raise InputError(f"a model has at least two different classes, got {', '.join(classes)}")
    if not 0 < seconds <= _LONGEST:
        raise InputError(f"a model may take up to {_LONGEST:g} seconds, got {seconds:g}")
    classifier = Classifier(
        name=name,
        owner=owner,
        adapter=adapter,
        target=target,
        cases="row" if features else "text",
        features=list(features),
        classes=list(classes),
        seconds=seconds,
        made=timezone.now(),
    )
    answer = try_out(classifier, trial)
    if answer.decision != expected:
        shown = ", ".join(
            f"{name} {p:.3f}" for name, p in zip(classes, answer.probabilities, strict=True)
        )
        raise InputError(
            f"for the trial case the model says {shown}, and {expected!r} was expected: are the "
            "classes in the order of its probabilities?"
        )
    classifier.save()
    return classifier


def try_out(classifier: Classifier, case: Any) -> Answer:
    """Ask a model that is not registered yet, in a process made for that and ended at once."""
    options = settings.ASKPOINT
    path = socket_path(options.sockets, f"trial-{secrets.token_hex(4)}")
    python = options.model_python if classifier.adapter == "callable" else ""
    scorer = Scorer(classifier.scorer(), path, python)
    try:
        wrong = scorer.started()
        if wrong:
            raise ModelError(f"the model cannot be loaded: {wrong}")
        return _ask(path, [case], classifier.seconds)[0]
    finally:
        scorer.stop()


def read_features(text: str) -> list[dict[str, Any]]:
    """Return the columns of a row, one a line: ``age: number`` or ``colour: red, green``.

    Raises
    ------
    InputError
        If a line is neither.
    """
    found: list[dict[str, Any]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, kind = (part.strip() for part in line.partition(":"))
        options = [option.strip() for option in kind.split(",")]
        if not (name and colon and kind and all(options)) or any(
            feature["name"] == name for feature in found
        ):
            raise InputError(
                f"a column is a line like 'age: number' or 'colour: red, green'; got {line!r}"
            )
        if kind == "number":
            found.append({"name": name, "kind": "number"})
        else:
            found.append({"name": name, "kind": "choice", "options": options})
    return found
