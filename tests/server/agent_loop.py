"""The loop of docs/tutorials/agent.md with a stub model, which proposes what stands on standard input.

    python agent_loop.py PAGE ADDRESS AGENT TOKEN

Each line in is a JSON list of [key, tool, arguments]; "ready" is said whenever the model is asked for more, and "ran KEY"
when a tool runs.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from askpoint import Client


def say(line):
    """Write a line at once: tools run in threads, and a line is not to be torn."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Stub(GenericFakeChatModel):
    """A model that proposes what it is told."""

    def bind_tools(self, *_, **__):
        """Take any tools."""
        return self


def proposals():
    """Yield a message for each line."""
    say("ready")
    for line in sys.stdin:
        calls = [{"name": tool, "args": given, "id": key} for key, tool, given in json.loads(line)]
        yield AIMessage("", tool_calls=calls)
        say("ready")
    yield AIMessage("done")


def read_order(order: int) -> str:
    """Read an order."""
    say(f"ran {order}")
    return "read"


def refund(order: int, amount: float, to: str) -> str:
    """Pay money back."""
    say(f"ran {order}")
    return f"paid {amount} to {to}"


def send_reply(order: int, text: str, *, template: bool) -> str:
    """Answer a customer."""
    say(f"ran {order}")
    return text


def main(page: str, address: str, agent: str, token: str) -> None:
    """Run the program of the page."""
    (program,) = re.findall(r"```py\n(.*?)```", Path(page).read_text("utf-8"), re.DOTALL)
    with Client(address, token) as client:
        said = {"client": client, "agent": agent, "model": Stub(messages=proposals()),
                "tools": [read_order, refund, send_reply]}  # fmt: skip
        exec(program.replace("time.sleep(1)", "time.sleep(0.05)"), said)  # noqa: S102 - our own


if __name__ == "__main__":
    main(*sys.argv[1:])
