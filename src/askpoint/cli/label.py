"""``askpoint label``: tell a policy what people found."""

from __future__ import annotations

import logging

import click

from askpoint.cli.folders import at_option, clock_text, open_deployment, place_of, stated_moment
from askpoint.cli.parameters import SOURCE

__all__ = ["label_command"]


@click.command("label")
@click.argument("decisions", type=click.Path())
@click.argument("labels", type=SOURCE)
@at_option
def label_command(decisions: str, labels: str, at: str | None) -> None:
    """Add labels to a deployment.

    DECISIONS is the folder, or a file in it, or an address in PostgreSQL. LABELS is a file with the columns key and
    label, and where they are known judge and source (asked, audit, feedback or gold); rows
    without a label are left out. Gold cases are cases whose truth is known, unmarked in people's
    queue: their source is gold, the column truth has what is right, and they tell whether people
    drifted or the model.
    """
    place = place_of(decisions)
    from askpoint.cli.messages import say, say_event, set_up_logs
    from askpoint.records.label_rows import read_given_labels
    from askpoint.reports.words import count, plural

    set_up_logs()
    with open_deployment(place) as deployment:
        rows = read_given_labels(labels, list(deployment.document.model["classes"]))
        outcome, clock_back = deployment.label_rows(rows, stated_moment(at))
    counted = 0 if outcome is None else outcome.counted
    rest = len(rows.key) - counted
    text = f"{count(counted)} of {plural(len(rows.key), 'label counts', 'labels count')}"
    if rest:
        text += (
            f"; {count(rest)} kept only: of cases that have a label already, or that were neither "
            "asked nor audited (user reports are not evidence)"
        )
    click.echo(f"{text}.")
    for event in () if outcome is None else outcome.events:
        say_event(event)
    if clock_back:
        say(clock_text(clock_back), "clock_back", level=logging.WARNING, microseconds=clock_back)
