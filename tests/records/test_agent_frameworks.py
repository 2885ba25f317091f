"""Licences in the loops of agents' frameworks, with a stub model: the programs of docs/how-to/agent-loops.md.

None of them is a dependency: the build runs this file in an environment of its own (`make .venv/agents/ready`);
without it a test is skipped where its framework is not installed.
"""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
from pathlib import Path

import pytest

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.stores.licences import Licences

POLICY = LicencePolicy(
    (ActionClass("refund", "up to 50", (("amount", "max", 50),)),),
    limit=0.2, labels=LabelRules(settle_hours=0.0, bulk=999), in_flight=999,
)  # fmt: skip


REQUIRED = "agents" in os.environ.get("ASKPOINT_REQUIRE", "").split(",")
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "agent-loops.md"


def bring(name):
    """Import a framework; without it skip, or fail where it must be there."""
    return __import__(name) if REQUIRED else pytest.importorskip(name, reason=f"no {name}")


def program(title, licences):
    """Run the program under a title of the page; what it defines."""
    part = PAGE.read_text("utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    said = {"licences": licences, "pause": 0.01, "asyncio": asyncio}
    (block,) = re.findall(r"```py\n(.*?)```", part, re.DOTALL)
    exec(block, said)  # noqa: S102 - our own
    return said


def answer_later(licences, key, kind):
    """Let an approver decide about an action as soon as it waits."""

    def run():
        for _ in range(1000):
            if any(key in (None, action.key) for action, _ in licences.wanted_actions()):
                found = next(one for one, _ in licences.wanted_actions() if key in (None, one.key))
                licences.decide(found.key, kind, by="ann", seconds=9.0)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.fixture
def licences():
    """Small refunds are licensed, large ones are not."""
    with Licences(":memory:", POLICY, secret=b"sixteen or more bytes") as service:
        for i in range(40):
            made = service.propose(
                f"e{i}", agent="bot", tool="refund", arguments={"amount": 1, "n": i}
            )
            if made.verdict == "ask" or made.is_audit:
                service.decide(made.key, "approve", by="ann", seconds=9.0)
        yield service


def test_langgraph_interrupts_where_there_is_no_licence(licences):
    bring("langchain")
    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    paid = []

    def refund(amount: float) -> str:
        """Pay money back."""
        paid.append(amount)
        return "paid"

    class Stub(GenericFakeChatModel):
        def bind_tools(self, *_, **__):
            return self

    asks = program("LangChain and LangGraph", licences)[
        "asks"
    ]  # again when LangGraph runs the node again

    def call(key, amount):
        return {"name": "refund", "args": {"amount": amount}, "id": key}

    said = [AIMessage("", tool_calls=[call("c1", 20.0)]), AIMessage("", tool_calls=[call("c2", 500.0), call("c3", 30.0)]),
            AIMessage("", tool_calls=[call("c4", 600.0)]), AIMessage("done")]  # fmt: skip
    rule = {"allowed_decisions": ["approve", "reject"], "when": asks}
    agent = create_agent(
        Stub(messages=iter(said)), [refund], checkpointer=InMemorySaver(),
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"refund": rule})],
    )  # fmt: skip
    thread = {"configurable": {"thread_id": "1"}}
    state = agent.invoke({"messages": [{"role": "user", "content": "go"}]}, thread)
    assert paid == [20.0]  # alone
    (request,) = state["__interrupt__"][0].value["action_requests"]
    assert request["args"] == {"amount": 500.0}
    licences.decide("c2", "approve", by="ann", seconds=9.0)
    state = agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), thread)
    assert sorted(paid) == [20.0, 30.0, 500.0]
    assert state["__interrupt__"]
    licences.decide("c4", "reject", by="ann", seconds=9.0)
    state = agent.invoke(Command(resume={"decisions": [{"type": "reject"}]}), thread)
    assert 600.0 not in paid
    assert state["messages"][-1].content == "done"
    assert [licences.action(f"c{i}").status for i in (1, 2, 3, 4)] == [
        "allowed",
        "approved",
        "allowed",
        "rejected",
    ]
    licences.verify()


def test_openai_agents_asks_where_there_is_no_licence(licences):
    agents = bring("agents")
    from agents.items import ModelResponse
    from agents.usage import Usage
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    paid = []

    needs = program("OpenAI Agents", licences)["needs"]

    @agents.function_tool(needs_approval=needs)
    def refund(amount: float) -> str:
        """Pay money back."""
        paid.append(amount)
        return "paid"

    def call(key, amount):
        return ResponseFunctionToolCall(
            type="function_call", name="refund", call_id=key, arguments=f'{{"amount": {amount}}}'
        )

    text = ResponseOutputText(type="output_text", text="done", annotations=[])
    end = ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[text]
    )
    said = iter([[call("c1", 20.0)], [call("c2", 500.0)], [call("c3", 600.0)], [end]])

    class Stub(agents.Model):
        async def get_response(self, *_, **__):
            return ModelResponse(output=next(said), usage=Usage(), response_id=None)

        def stream_response(self, *_, **__):
            raise NotImplementedError

    agents.set_tracing_disabled(disabled=True)

    async def run():
        agent = agents.Agent(name="bot", model=Stub(), tools=[refund])
        result = await agents.Runner.run(agent, "go")
        assert paid == [20.0]
        for approves in (True, False):
            (item,) = result.interruptions
            state, key = result.to_state(), item.raw_item.call_id
            licences.decide(key, "approve" if approves else "reject", by="ann", seconds=9.0)
            (state.approve if approves else state.reject)(item)
            result = await agents.Runner.run(agent, state)
        return result.final_output

    assert asyncio.run(run()) == "done"
    assert paid == [20.0, 500.0]
    assert [licences.action(f"c{i}").status for i in (1, 2, 3)] == [
        "allowed",
        "approved",
        "rejected",
    ]
    licences.verify()


def test_inspect_escalates_where_there_is_no_licence(licences, tmp_path, monkeypatch):
    bring("inspect_ai")
    import tiktoken

    class Counter:  # the real one fetches a table from the net
        def encode(self, text, **_):
            return text.split()

    for name in ("get_encoding", "encoding_for_model"):
        monkeypatch.setattr(tiktoken, name, lambda *_: Counter())
    from inspect_ai import Task, eval as evaluate
    from inspect_ai.approval import Approval, ApprovalPolicy, approver
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import tool

    paid = []

    @tool
    def refund():
        async def execute(amount: float) -> str:
            """Pay money back.

            Args:
                amount: How much.
            """
            paid.append(amount)
            return "paid"

        return execute

    @approver
    def person():
        async def approve(message, call, view, history):
            kind = "approve" if call.arguments["amount"] == 500 else "reject"
            licences.decide(call.id, kind, by="ann", seconds=9.0)
            return Approval(decision=kind)

        return approve

    licensed = program("Inspect", licences)["licensed"]
    said = [
        ModelOutput.for_tool_call("mockllm/model", "refund", {"amount": amount})
        for amount in (20, 500, 600)
    ]
    model = get_model(
        "mockllm/model", custom_outputs=[*said, ModelOutput.from_content("mockllm/model", "done")]
    )
    task = Task(
        [Sample("go")], solver=[use_tools(refund()), generate()],
        approval=[ApprovalPolicy(licensed(), "*"), ApprovalPolicy(person(), "*")],
    )  # fmt: skip
    (log,) = evaluate(task, model=model, display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    assert paid == [20, 500]
    found = [event for event in log.samples[0].events if event.event == "approval"]
    assert [event.decision for event in found] == [
        "approve", "escalate", "approve", "escalate", "reject",
    ]  # fmt: skip
    licences.verify()


def test_the_claude_sdk_asks_the_door_about_each_tool(licences):
    sdk = bring("claude_agent_sdk")
    import typing

    from claude_agent_sdk._internal.query import Query

    can_use_tool = program("Claude Agent SDK", licences)["can_use_tool"]
    hints = typing.get_type_hints(can_use_tool)
    taken, made = typing.get_args(sdk.CanUseTool)
    assert [hints["name"], typing.get_origin(taken[1]), hints["context"]] == [
        taken[0],
        dict,
        taken[2],
    ]
    assert set(typing.get_args(hints["return"])) == set(typing.get_args(typing.get_args(made)[0]))
    sdk.ClaudeAgentOptions(can_use_tool=can_use_tool)
    written = []

    class Pipe:
        async def write(self, text):
            written.append(text)

    def ask(key, amount):
        request = {
            "subtype": "can_use_tool", "tool_name": "refund", "input": {"amount": amount},
            "tool_use_id": key, "permission_suggestions": [],
        }  # fmt: skip
        query = Query(Pipe(), is_streaming_mode=True, can_use_tool=can_use_tool)
        asyncio.run(query._handle_control_request({"request_id": key, "request": request}))
        import json

        return json.loads(written[-1])["response"]["response"]

    assert ask("c1", 20) == {"behavior": "allow", "updatedInput": {"amount": 20}}
    for key, kind, behavior in (("c2", "approve", "allow"), ("c3", "reject", "deny")):
        thread = answer_later(licences, key, kind)
        assert ask(key, 500)["behavior"] == behavior
        thread.join()
    licences.verify()


@pytest.mark.parametrize(("kind", "said"), [("approve", "ran"), ("reject", "refused")])
def test_mcp_consent_is_a_queue_and_never_licensed(licences, kind, said):
    bring("mcp")
    from mcp import Client
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from pydantic import BaseModel

    class Consent(BaseModel):
        sure: bool

    server = MCPServer("shop")

    async def wipe(ctx):
        """Delete all."""
        answer = await ctx.elicit("Delete all orders?", Consent)
        return "ran" if answer.action == "accept" and answer.data.sure else "refused"

    wipe.__annotations__ = {
        "ctx": Context,
        "return": str,
    }  # texts of local names mean nothing there
    server.tool()(wipe)
    elicit = program("MCP", licences)["elicit"]

    async def run():
        async with Client(server, elicitation_callback=elicit, mode="legacy") as client:
            return await client.call_tool("wipe", {})

    thread = answer_later(licences, None, kind)
    result = asyncio.run(run())
    thread.join()
    assert result.content[0].text == said
    (unit,) = [one for one in licences.units() if one.tool == "mcp consent"]
    assert (unit.state, unit.asked) == ("never", 1)
