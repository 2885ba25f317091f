"""An interview about what mistakes cost: what `askpoint elicit` does."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, Literal

import click

from askpoint.answers.elicitation.answer import ElicitationAnswer, answer_elicitation
from askpoint.answers.elicitation.opening import open_session, reopen_session
from askpoint.cli.columns import names_of, probability_columns
from askpoint.cli.report import print_report
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import InputError
from askpoint.records.artefacts import check_writable, read_text, write_text
from askpoint.records.costs import write_costs
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.reports.elicitation.asking import Scene, check_missed
from askpoint.reports.elicitation.document import elicit_document, following_answer
from askpoint.reports.elicitation.json import elicit_object
from askpoint.reports.elicitation.questions import guess_text, question_text
from askpoint.reports.words import plural

__all__ = ["ask_costs"]

_KEYS = {
    "mistakes": {"a": True, "b": False, "e": None},
    "omega": {"y": True, "n": False, "e": None},
}
_PROMPTS = {
    "mistakes": "a, b, e (about equal), s (stop here) or q (leave)",
    "omega": "y, n, e (about equal), s (stop here) or q (leave)",
}


def ask_costs(log: str, options: dict[str, Any]) -> None:
    """Ask, or replay answers, and write the costs that follow."""
    out, session_file = options["out"], options["session"]
    if session_file is None:
        session_file = str(Path(out).with_suffix(".session.json"))
    if options["answers"] is not None and options["simulate"] is not None:
        raise InputError("answers come from --answers or from --simulate, not from both")
    for path in (out, session_file, options["html"]):
        if path is not None:
            check_writable(path)
    classes = names_of(options["classes"])
    proba = probability_columns(options["proba"])
    records = read_log(log, label=options["label"], proba=proba, classes=classes)
    scene = Scene(*(options[name] for name in Scene._fields))
    check_missed(scene, records.classes, "the class in --missed")
    if options["answers"] is not None:
        answer = answer_elicitation(records, answers=read_text(options["answers"]))
    elif options["simulate"] is not None:
        answer = answer_elicitation(records, simulate=options["simulate"], **_settings(options))
        _keep(answer.session, session_file)
    else:
        session = _open(records, scene, session_file, options)
        if session is None or _interview(session, scene, session_file) == "left":
            click.echo(f"left; the same command goes on from {session_file}", err=True)
            return
        answer = answer_elicitation(records, answers=session)
    if not answer.decides_alone:
        write_costs(answer.found.costs, out)
    _report(answer, scene, log, options)


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "groups": [names.split(",") for names in options["together"]],
        "n_questions": options["questions"],
        "n_checks": options["consistency_questions"],
        "radius": options["radius"],
        "n_omega_questions": options["price_questions"],
        "seed": options["seed"],
    }


def _keep(session: ElicitSession, file: str) -> None:
    write_text(file, session.to_json() + "\n")


def _open(
    records: PredictionLog, scene: Scene, file: str, options: dict[str, Any]
) -> ElicitSession | None:
    """Go on with a session that was left, or start one by its first guess."""
    settings = _settings(options)
    if not Path(file).exists():
        return _start_from_guess(records, scene, settings, file)
    session = reopen_session(read_text(file), records)
    given = {name: session.settings[name] for name in settings}
    if given != settings:
        raise InputError(
            f"{file} holds a session with other settings ({given}): give those, or another "
            "--session to start over"
        )
    click.echo(
        f"going on from {file}: {plural(len(session.log), 'choice', 'choices')} made, at most "
        f"{plural(session.remaining, 'question', 'questions')} left",
        err=True,
    )
    return session


def _start_from_guess(
    records: PredictionLog, scene: Scene, settings: dict[str, Any], file: str
) -> ElicitSession | None:
    """Start a session by the direct question; None where somebody leaves before it."""
    session = open_session(records, **settings)
    click.echo("\n" + guess_text(session, scene) + "\n", err=True)
    while True:
        text = _key("a number, ? (cannot say) or q (leave)")
        if text == "q":
            return None
        try:
            guess = None if text == "?" else float(text)
            session = open_session(records, guess=guess, **settings)
        except ValueError as error:  # no number, or one that is refused
            reason = error if isinstance(error, InputError) else f"{text!r} is not a number"
            click.echo(str(reason), err=True)
        else:
            _keep(session, file)
            return session


def _interview(session: ElicitSession, scene: Scene, file: str) -> Literal["ended", "left"]:
    """Put one question after the other; the session is kept after each answer."""
    try:
        while not session.done:
            number, left = len(session.log) + 1, session.remaining
            click.echo(f"\nChoice {number}, at most {left - 1} after it", err=True)
            click.echo(question_text(session, scene) + "\n", err=True)
            key = _ask_choice(session)
            if key == "q":
                return "left"
            if key == "s":
                return "ended"
            _keep(session, file)
    except click.Abort:
        click.echo(f"\nkept in {file}; the same command goes on", err=True)
        raise
    return "ended"


def _ask_choice(session: ElicitSession) -> str:
    stage = session.estimate.stage
    keys = _KEYS[stage]
    while True:
        text = _key(_PROMPTS[stage])
        if text in keys:
            session.answer(keys[text])
            return text
        if text in ("s", "q"):
            return text
        click.echo(f"{text!r} is not one of these", err=True)


def _key(prompt: str) -> str:
    answer: str = click.prompt(prompt, err=True, type=str)
    return answer.strip().lower()


def _report(answer: ElicitationAnswer, scene: Scene, log: str, options: dict[str, Any]) -> None:
    flags = [
        part
        for name, usual in (("label", "label"), ("proba", None), ("classes", None))
        if options[name] != usual
        for part in (f"--{name}", options[name])
    ]
    words = ["askpoint", "value", log, *flags, "--costs", options["out"]]
    refused = bool(answer.decides_alone)
    following = None if answer.decides_alone else following_answer(answer)
    document = elicit_document(answer, "" if refused else shlex.join(words), scene, following)
    click.echo("no costs written" if refused else f"costs written to {options['out']}", err=True)
    print_report(document, lambda: elicit_object(answer, following), options)
