"""Ask a model within its time, and register one with a trial case."""

from __future__ import annotations

import functools
import secrets
import threading
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from askpoint.errors import InputError, ModelError
from askpoint.measures.model_answer import ModelAnswer
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.cases import image_data, image_of, model_input
from askpoint.server.classifiers.chat import Chat
from askpoint.server.classifiers.faults import fault_error
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import ModelBox, Scorer, socket_path
from askpoint.server.classifiers.scorer_sockets import talk
from askpoint.server.classifiers.set_aside_cases import check_not_set_aside
from askpoint.server.images.services import any_content
from askpoint.server.journal.services import note
from askpoint.server.options import Options
from askpoint.server.outgoing import OutgoingError, read_url

__all__ = ["ask", "ask_many", "model_box", "read_features", "register", "try_out"]

_LONGEST = 30.0
_TURN = 0.5  # seconds that are waited for a turn


def ask(classifier: Classifier, case: Any, sent_by: str = "") -> ModelAnswer:
    """Ask a model about one case, which somebody sent.

    Raises
    ------
    ModelError
        If it is down, slow, says something that is no answer, or stopped at this very case before.
    """
    check_not_set_aside(classifier, model_input(case))
    return ask_many(classifier, [case], sent_by)[0]


def ask_many(classifier: Classifier, cases: Sequence[Any], sent_by: str = "") -> list[ModelAnswer]:
    """Ask a model about several cases at once, within the time of one.

    Raises
    ------
    ModelError
        As `ask`; then there is no answer to any.
    """
    path = socket_path(settings.ASKPOINT.sockets, str(classifier.pk))
    if not _turns().acquire(timeout=_TURN):
        raise fault_error("busy")
    try:
        return _ask(path, list(map(_input_of, cases)), classifier.seconds, sent_by)
    finally:
        _turns().release()


def _input_of(case: Any) -> Any:
    """Return what a model gets: of a page its text, of an image its content."""
    image = image_of(case)
    if image is None:
        return model_input(case)
    found = any_content(image["sha256"])
    if found is None:
        raise fault_error("no-image")
    return image_data(*found)


@functools.cache
def _turns() -> threading.BoundedSemaphore:
    """Half of a process's threads may wait for models; the others answer those who do not."""
    return threading.BoundedSemaphore(max(1, settings.ASKPOINT.threads // 2))


def _ask(path: str, cases: Sequence[Any], seconds: float, sent_by: str = "") -> list[ModelAnswer]:
    found = talk(path, {"cases": list(cases), "from": sent_by}, seconds)
    if "fault" in found:
        raise fault_error(found["fault"], found["detail"])
    return [
        ModelAnswer(tuple(row), decision, found["version"])
        for row, decision in zip(found["probabilities"], found["decisions"], strict=True)
    ]


def register(
    workspace: str,
    owner: User,
    *,
    name: str,
    adapter: str,
    target: str,
    classes: Sequence[str],
    trial: Any,
    expected: str,
    features: Sequence[dict[str, Any]] = (),
    pages: bool = False,
    images: bool = False,
    chat: Chat | None = None,
    seconds: float = 1.5,
) -> Classifier:
    """Register a model after it has answered a trial case as expected.

    Parameters
    ----------
    workspace : str
        Whose model it is.
    owner : User
        An organiser there.
    name : str
        What people see.
    adapter, target : str
        "callable" and one of the functions that the command line allows, or "http" or "chat" and
        an address.
    classes : sequence of str
        In the order of the model's probabilities.
    trial : str or dict
        A case that the model gets right without doubt; an image with its content, as
        `askpoint.server.classifiers.cases.image_data` makes it.
    expected : str
        The class that it must decide for; so a wrong order of classes is found.
    features : sequence of dict, default=()
        The columns of a row; none for a text.
    pages : bool, default=False
        Whether a case is a web page, which players bring by its address; the model gets its text.
    images : bool, default=False
        Whether a case is an image, which players bring as a file.
    chat : Chat, optional
        How a chat model is asked; its rubric names the classes.
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
    if adapter != "callable":
        _check_address(target)
    if chat is not None and tuple(classes) != chat.classes:
        raise InputError(
            f"the rubric names {', '.join(chat.classes)}, and the classes are {', '.join(classes)}: "
            "they are to be the same, in one order"
        )
    if (adapter == "chat") != (chat is not None):
        raise InputError("a chat model has a name and a rubric, and other models have none")
    if pages + images + bool(features) > 1:
        raise InputError("a case is a row of features, a web page or an image: one of them")
    if len(set(classes)) < 2 or len(set(classes)) < len(classes):
        raise InputError(f"a model has at least two different classes; got {', '.join(classes)}")
    if not 0 < seconds <= _LONGEST:
        raise InputError(f"a model may take up to {_LONGEST:g} seconds; got {seconds:g}")
    classifier = Classifier(
        workspace_id=workspace,
        name=name,
        owner=owner,
        adapter=adapter,
        target=target,
        cases="row" if features else "page" if pages else "image" if images else "text",
        features=list(features),
        classes=list(classes),
        chat={} if chat is None else chat.to_dict(),
        seconds=seconds,
        made=timezone.now(),
    )
    try:
        answer = try_out(classifier, trial)
    except ModelError as error:
        more = f": {error.detail}" if error.detail else ""
        raise ModelError(f"{error}{more}", error.kind, error.detail) from None
    if answer.decision != expected:
        shown = ", ".join(
            f"{name} {p:.3f}" for name, p in zip(classes, answer.probabilities, strict=True)
        )
        raise InputError(
            f"for the trial case the model says {shown}, and {expected!r} was expected: are the "
            "classes in the order of its probabilities?"
        )
    with transaction.atomic():
        classifier.save()
        note("model registered", workspace=workspace, about=name, model=classifier.pk, kind=adapter)
    return classifier


def model_box(options: Options) -> ModelBox:
    """Return the box around functions: what the server keeps to itself they must not read."""
    files = [key.partition("=")[2] for key in options.model_keys]
    hidden = [
        options.folder,
        *options.openid,
        *(file for file in files if not file.startswith("env:")),
    ]
    if options.database.startswith("sqlite:///"):
        hidden.append(options.database.removeprefix("sqlite:///"))
    return ModelBox(options.model_sandbox, options.model_reads, tuple(filter(None, hidden)))


def try_out(classifier: Classifier, case: Any) -> ModelAnswer:
    """Ask a model that is not registered yet, in a process made for that and ended at once."""
    options = settings.ASKPOINT
    config = classifier.scorer()
    if "refused" in config:
        raise InputError(config["refused"])
    path = socket_path(options.sockets, f"trial-{secrets.token_hex(4)}")
    scorer = Scorer(config, path, options.model_python, options.model_variables, model_box(options))
    try:
        wrong = scorer.wait_until_ready()
        if wrong:
            raise ModelError(f"the model cannot be loaded, and the server's log says why: {wrong}")
        return _ask(path, [case], classifier.seconds)[0]
    finally:
        scorer.stop()


def _check_address(target: str) -> None:
    try:
        read_url(target)
    except OutgoingError as error:
        raise InputError(f"{error}; got {target!r:.80}") from None


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
