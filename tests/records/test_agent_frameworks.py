"""Licences in the loops of agents' frameworks, with a stub model; skipped where a framework is not installed.

None of them is a dependency: they were run in an environment of their own.
"""

from __future__ import annotations

import asyncio

import pytest

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.stores.licences import Licences

POLICY = LicencePolicy(
    (ActionClass("refund", "up to 50", (("amount", "max", 50),)),),
    limit=0.2, labels=LabelRules(settle_hours=0.0, bulk=999), in_flight=999,
)  # fmt: skip


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
    pytest.importorskip("langchain.agents.middleware", reason="langchain is not installed")
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

    def asks(request):
        call = request.tool_call
        made = licences.propose(call["id"], agent="bot", tool=call["name"], arguments=call["args"])
        return made.status != "allowed"  # the same when LangGraph runs the node again

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
    agents = pytest.importorskip("agents", reason="openai-agents is not installed")
    from agents.items import ModelResponse
    from agents.usage import Usage
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    paid = []

    async def needs(_context, arguments, call_id):
        made = licences.propose(call_id, agent="bot", tool="refund", arguments=arguments)
        return made.status != "allowed"

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
