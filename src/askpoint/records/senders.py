"""Ways to tell somebody: a signed webhook, a chat room, mail, a file, a note in a git repository.

Webhooks are those of Standard Webhooks: the same message has the same webhook-id, however often it is sent.
Mail goes by the server that the variable ASKPOINT_SMTP names, smtp://USER:PASSWORD@HOST:PORT or smtps://...;
without it by the one on this machine.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import smtplib
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote, urlsplit

from askpoint.errors import InputError
from askpoint.records.notifications import Notification
from askpoint.records.notifier_addresses import check_mail, check_web

__all__ = ["add_note", "append_line", "post_chat", "post_webhook", "send_mail", "webhook_secret"]

_SECONDS = 10.0
_SMTP = "ASKPOINT_SMTP"
_NOTES = "askpoint"


def webhook_secret(key: bytes, address: str) -> str:
    """Return by what webhooks to an address are signed: it follows from a key, and is stored nowhere."""
    digest = hmac.new(key, b"askpoint webhook\0" + address.encode(), hashlib.sha256).digest()
    return "whsec_" + base64.b64encode(digest).decode()


def post_webhook(address: str, notification: Notification) -> None:
    """Post a message as JSON, signed if there is a secret."""
    body = json.dumps(notification.to_dict()).encode()
    _post(address, body, _signature(notification, body))


def _signature(notification: Notification, body: bytes) -> dict[str, str]:
    if not (notification.id and notification.secret):
        return {}
    moment = str(int(time.time()))
    key = base64.b64decode(notification.secret.removeprefix("whsec_"))
    signed = f"{notification.id}.{moment}.".encode() + body
    mark = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    return dict(zip(names, (notification.id, moment, f"v1,{mark}"), strict=True))


def post_chat(address: str, notification: Notification) -> None:
    """Post a message as text, as Slack, Mattermost, Rocket.Chat and Google Chat take it."""
    text = f"*{notification.subject}*\n{notification.text}"
    _post(address, json.dumps({"text": text}).encode(), {})


def _post(address: str, body: bytes, headers: Mapping[str, str]) -> None:
    check_web(address)
    request = urllib.request.Request(  # noqa: S310 - checked above
        address, data=body, headers={"Content-Type": "application/json", **headers}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=_SECONDS):  # noqa: S310
        pass


def send_mail(address: str, notification: Notification) -> None:
    """Send a message by mail."""
    check_mail(address)
    server = urlsplit(os.environ.get(_SMTP) or "smtp://localhost:25")
    if server.scheme not in {"smtp", "smtps"} or not server.hostname:
        raise InputError(f"{_SMTP} is smtp://USER:PASSWORD@HOST:PORT, or smtps://...")
    mail = EmailMessage()
    mail["Subject"], mail["To"] = " ".join(notification.subject.split()), address
    mail["From"] = os.environ.get("ASKPOINT_MAIL_FROM") or f"askpoint@{server.hostname}"
    if notification.id:  # the same message twice is one to whoever reads it
        mail["Message-ID"] = f"<{notification.id}@askpoint>"
    mail.set_content(notification.text)
    safe = ssl.create_default_context()
    with _connect(server.scheme, server.hostname, server.port or 0, safe) as wire:
        if server.scheme == "smtp" and (wire.ehlo(), wire.has_extn("starttls"))[1]:
            wire.starttls(context=safe)
        if server.username:
            wire.login(unquote(server.username), unquote(server.password or ""))
        wire.send_message(mail)


def _connect(scheme: str, host: str, port: int, safe: ssl.SSLContext) -> smtplib.SMTP:
    if scheme == "smtps":
        return smtplib.SMTP_SSL(host, port, timeout=_SECONDS, context=safe)
    return smtplib.SMTP(host, port, timeout=_SECONDS)


def append_line(address: str, notification: Notification) -> None:
    """Add a message to a file of JSON lines."""
    with Path(address).open("a", encoding="utf-8") as file:
        file.write(json.dumps(notification.to_dict(), ensure_ascii=False) + "\n")


def add_note(address: str, notification: Notification) -> None:
    """Add a message as a note to the newest commit of a git repository, under refs/notes/askpoint."""
    line = json.dumps(notification.to_dict(), sort_keys=True)
    command = ["git", "-C", address, "notes", f"--ref={_NOTES}", "append", "-m", line, "HEAD"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        raise InputError("git is not installed here") from None
    if done.returncode:
        raise InputError(f"git says: {done.stderr.strip() or done.returncode}")
