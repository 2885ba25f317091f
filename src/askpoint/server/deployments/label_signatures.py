"""The secret by which an owner's labelling tool signs the labels that it sends."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook, WebhookVerificationError

from askpoint.errors import InputError, RuleError
from askpoint.server.deployments.labelling import IncomingLabel
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.journal.services import note

__all__ = ["check_signature", "close_hook", "name_tool", "open_hook"]

_SHOWN = 6  # of a secret's random name, which tells two tools apart and signs nothing by itself


def _secret(row: Deployment) -> str:
    """Return the secret: it follows from the server's own, and is stored nowhere."""
    digest = salted_hmac("askpoint.labels", f"{row.pk}\0{row.hook}", algorithm="sha256").digest()
    return "whsec_" + base64.b64encode(digest).decode()


@transaction.atomic
def open_hook(deployment: str) -> str:
    """Make a secret in place of the one that was; return it, for the only time."""
    row = lock_deployment(deployment)
    row.hook = secrets.token_hex(16)
    row.save(update_fields=["hook"])
    note("secret for labels made", campaign=row.pk)
    return _secret(row)


@transaction.atomic
def close_hook(deployment: str) -> None:
    """Stop accepting signed labels."""
    row = lock_deployment(deployment)
    if row.hook:
        row.hook = ""
        row.save(update_fields=["hook"])
        note("secret for labels removed", campaign=row.pk)


def check_signature(deployment: str, body: bytes, headers: Mapping[str, str]) -> Deployment:
    """Return the classifier for which a message is signed, lately, as Standard Webhooks says.

    Raises
    ------
    RuleError
        ``signature``: there is no such classifier or secret, the signature is none of it, or the message
        is older or newer than five minutes.
    """
    row = Deployment.objects.filter(pk=deployment).exclude(hook="").first()
    against = row or Deployment(pk=deployment, hook=secrets.token_hex(16))
    try:
        Webhook(_secret(against)).verify(body, dict(headers), json_parse=False)
    except (WebhookVerificationError, ValueError) as error:
        why = str(error) if isinstance(error, WebhookVerificationError) else "no signature"
        raise RuleError(
            "signature",
            f"the message is not signed as Standard Webhooks says, by the secret of this classifier, within "
            f"the last five minutes ({why.lower()}); its owner makes a secret on the page Work",
        ) from None
    return against


def name_tool(row: Deployment, items: Sequence[IncomingLabel]) -> list[IncomingLabel]:
    """Return what a tool sent under the tool's own name: it says nothing of known answers, nor as somebody else.

    Parameters
    ----------
    row : Deployment
        The classifier whose secret signed.
    items : sequence of IncomingLabel
        Labels.

    Raises
    ------
    InputError
        If one of them is of a gold case.
    """
    gold = next((item.key for item in items if item.source == "gold"), None)
    if gold is not None:
        raise InputError(
            f"a labelling tool labels cases that were asked or audited; {gold[:80]!r} comes as a gold case. "
            "An owner brings known answers, signed in or by a token"
        )
    tool = f"tool:{row.hook[:_SHOWN]}:"
    return [item._replace(judge=f"{tool}{item.judge}"[:150]) for item in items]
