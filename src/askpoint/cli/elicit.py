"""``askpoint elicit``: what mistakes cost, found out by asking which of two is better."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, Literal

import click

from askpoint.answers.elicitation.answer import ElicitationAnswer, answer_elicitation
from askpoint.answers.elicitation.opening import open_session, reopen_session
from askpoint.cli.columns import names_of, probability_columns, probability_options
from askpoint.cli.report import print_report, report_options
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import InputError
from askpoint.records.artefacts import check_writable, read_text, write_text
from askpoint.records.costs import write_costs
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.reports.elicitation.asking import Scene
from askpoint.reports.elicitation.document import elicit_document
from askpoint.reports.elicitation.json import elicit_object
from askpoint.reports.elicitation.questions import guess_text, question_text
from askpoint.reports.words import plural

__all__ = ["elicit_command"]

_KEYS = {
    "mistakes": {"a": True, "b": False, "e": None},
    "omega": {"y": True, "n": False, "e": None},
}
_PROMPTS = {
    "mistakes": "a, b, e (about equal), s (stop here) or q (leave)",
    "omega": "y, n, e (about equal), s (stop here) or q (leave)",
}


@click.command("elicit", context_settings={"show_default": True})
@click.argument("log", type=click.Path())
@click.option("--label", default="label", metavar="COLUMN", help="True class; may be empty.")
@probability_options
@click.option(
    "--together",
    multiple=True,
    metavar="NAMES",
    help="Classes on which a mistake costs the same, with commas, so that fewer questions are "
    "needed; may be given several times.",
)
@click.option(
    "--questions",
    type=click.IntRange(0),
    default=20,
    help="Choices between two outcomes, at most; with 0 all mistakes cost the same.",
)
@click.option(
    "--consistency-questions",
    type=click.IntRange(0),
    default=4,
    help="Clear choices after those, which the answers should foretell.",
)
@click.option(
    "--price-questions",
    type=click.IntRange(1),
    default=10,
    help="Choices between letting the system decide and a person's check.",
)
@click.option(
    "--radius",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Stop the choices between outcomes when no share of cost can lie farther off than this.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, help="Of sides, repeats and the simulated person."
)
@click.option("--minutes", type=click.FloatRange(0), help="A person's time for a case, to be told.")
@click.option(
    "--people-right", type=click.FloatRange(0, 1), help="Share that people get right, to be told."
)
@click.option(
    "--consequence", default="", metavar="TEXT", help="What happens after a mistake, to be told."
)
@click.option("--check-cost", type=click.FloatRange(0), help="What one check costs, to be told.")
@click.option("--unit", default="", metavar="TEXT", help="Of that money, such as EUR.")
@click.option(
    "--out", type=click.Path(), default="costs.json", help="Where the costs are written to."
)
@click.option(
    "--session",
    type=click.Path(),
    help="Where the answers are kept after each question; an interview that was left goes on there. "
    "By default the name of --out with .session.json.",
)
@click.option(
    "--answers", type=click.Path(), metavar="FILE", help="Replay a session instead of asking."
)
@click.option(
    "--simulate",
    metavar="CHECKS",
    help="Let a simulated person answer, to whom a mistake is worth CHECKS checks: one number, or "
    "one for each class (ham=5,spam=2).",
)
@report_options
def elicit_command(log: str, **options: Any) -> None:
    """Find out what mistakes cost, by some thirty easy questions about a LOG.

    LOG is a file as for `askpoint value`, with probabilities. Answer with a, b, y, n or e (about
    equal) and the enter key; q leaves, and the same command goes on later. The result is a
    costs.json that `askpoint value --costs` reads.
    """
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
            "--session to start anew"
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
            reason = error if isinstance(error, InputError) else f"{text!r} is no number"
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
        click.echo(f"{text!r} is none of these", err=True)


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
    document = elicit_document(answer, "" if refused else shlex.join(words), scene)
    click.echo("no costs written" if refused else f"costs written to {options['out']}", err=True)
    print_report(document, lambda: elicit_object(answer), options)
