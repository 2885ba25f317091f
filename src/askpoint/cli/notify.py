"""``askpoint notify``: send what people have not heard yet of a deployment, or try whether they can be told."""

from __future__ import annotations

import inspect

import click

from askpoint.cli.folders import at_option, moment, open_deployment, place_of
from askpoint.errors import InputError
from askpoint.records.notifiers import NOTIFIERS, find_notifier

__all__ = ["notify_command"]


@click.command("notify")
@click.argument("dir", type=click.Path())
@click.argument("recipients", metavar="RECIPIENTS", nargs=-1, required=True)
@click.option("--test", is_flag=True, help="Send a test message at once, and nothing else.")
@click.option("--secret", is_flag=True, help="Print by what webhooks to each address are signed.")
@at_option
def notify_command(
    dir: str,  # noqa: A002  # the name that users read
    recipients: tuple[str, ...],
    at: str | None,
    *,
    test: bool,
    secret: bool,
) -> int:
    """Send the new events of a deployment to recipients.

    DIR is the deployment. Each of RECIPIENTS gets each event in order, at least once.

    Give each as NOTIFIER=ADDRESS, as for `askpoint watch --notify`. Run it each minute. A new recipient
    gets what happens from now onwards. A message that cannot be sent is tried again after a minute, then
    after longer times up to a day; then this exits with 1.
    """
    from askpoint.cli.messages import say_undelivered, set_up_logs
    from askpoint.reports.words import plural

    set_up_logs()
    senders = {recipient: find_notifier(recipient) for recipient in recipients}
    with open_deployment(place_of(dir)) as deployment:
        if secret:
            for recipient in recipients:
                name, _, address = recipient.partition("=")
                if name != "webhook":
                    raise InputError(f"only webhooks are signed, and {recipient} is not a webhook")
                click.echo(f"{deployment.webhook_secret(address)}  {address}")
            return 0
        if test:
            from askpoint.records.notifications import Notification

            subject = f"{deployment.document.id}: a test"
            words = f"{subject}. If you can read this, notifications about the policy in {deployment.name} reach you."
            for recipient, send in senders.items():
                send(Notification(kind="test", subject=subject, text=words))
                click.echo(f"{recipient}: sent")
            return 0
        made = deployment.notify(*recipients, at=moment(at))
    for one in made:
        click.echo(f"{one.recipient}: {plural(one.sent, 'message', 'messages')} sent")
        if one.problem:
            say_undelivered(one)
    return int(any(one.problem for one in made))


_NAMES = f"NOTIFIER is one of {', '.join(NOTIFIERS.own)}, or a plugin's."
notify_command.help = f"{inspect.cleandoc(notify_command.help or '')}\n\n{_NAMES}"
