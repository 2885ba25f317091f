"""One token, one server: each request of the API is a method."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from askpoint.client.connection import Connection, join_path
from askpoint.wire.agents import ActionReceipt, AgentEvents, AgentStatus, ReadEvents
from askpoint.wire.classifiers import (
    CaseDecision,
    CaseDecisions,
    ClassifierStatus,
    DeletedCases,
    ProposedVersion,
    UploadedImage,
    WaitingCase,
)
from askpoint.wire.content import ImageCase
from askpoint.wire.labels import (
    LabelImport,
    LabelResult,
    OpinionsAsked,
    SecondOpinions,
    StoredLabel,
    StoredRuling,
    WaitingAppeal,
)
from askpoint.wire.leases import HandInResult, LeaseOut, LeasesOut
from askpoint.wire.review import ClaimedCase, HeldCase
from askpoint.wire.token_account import TokenAccount

__all__ = ["Client"]


class Client:
    """A client of a server's API, which acts for the owner of its token.

    A request that got no answer is sent again, twice at most: with the same Idempotency-Key, so it acts
    once. Each method returns records of `askpoint.wire`.

    Parameters
    ----------
    address : str
        Where the server is: https://NAME.
    token : str
        From the page *Tokens*.
    seconds : float, default=15
        How long to wait for an answer.
    transport : httpx.BaseTransport, optional
        Another way to the server, for tests.

    Raises
    ------
    InputError
        If what was given cannot be used.
    RuleError
        If the rules do not allow it; its `rule` is the `type` of the refusal.
    ModelError
        If the model that is played against does not answer.
    ServerError
        If the server does not, or fails.

    Examples
    --------
    >>> from askpoint import Client
    >>> with Client("https://askpoint.example.org", "askpoint_...") as client:  # doctest: +SKIP
    ...     print(client.account().role)
    owner
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        seconds: float = 15.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._connection = Connection(address, token, seconds, transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.http.close()

    def account(self) -> TokenAccount:
        """Return whom the token stands for, and what it opens."""
        return self._connection.fetch(TokenAccount, "account")

    def classifiers(self) -> Iterator[ClassifierStatus]:
        """Yield the classifiers that the token opens."""
        return self._connection.list_records(ClassifierStatus, "classifiers")

    def classifier(self, classifier: str) -> ClassifierStatus:
        """Return the status of a classifier."""
        return self._connection.fetch(ClassifierStatus, join_path("classifiers", classifier))

    def decide_cases(
        self,
        classifier: str,
        items: Iterable[Mapping[str, Any]],
        *,
        model_version: str = "",
        key: str = "",
    ) -> list[CaseDecision]:
        """Decide cases, at most 1,000; each `key` of an item is decided once.

        An item has a key, and probabilities, or prediction and confidence, or the outputs of a ladder's rungs. It may
        have case, its content for people, and group. Where the action is `call`, run that rung and send the item again
        with its output beside the others.
        """
        body = {"items": [dict(item) for item in items], "model_version": model_version}
        path = join_path("classifiers", classifier, "decisions")
        return self._connection.send(CaseDecisions, path, body, key).decisions

    def upload_image(self, classifier: str, content: bytes) -> ImageCase:
        """Upload an image, by its bytes; what comes back is sent as the `case` of a decision within a day.

        With all of its request an image may have a megabyte, so 700 kB.
        """
        body = {"image": f"data:image/*;base64,{base64.b64encode(content).decode()}"}
        path = join_path("classifiers", classifier, "images")
        return self._connection.send(UploadedImage, path, body).case

    def label_cases(
        self, classifier: str, items: Iterable[Mapping[str, Any]], key: str = ""
    ) -> LabelResult:
        """Add labels, at most 1,000: each a key and a label, and if known its judge."""
        body = {"items": [dict(item) for item in items]}
        return self._connection.send(
            LabelResult, join_path("classifiers", classifier, "labels"), body, key
        )

    def labels(self, classifier: str) -> Iterator[StoredLabel]:
        """Yield the labels of a classifier, in the order in which they came."""
        return self._connection.list_records(
            StoredLabel, join_path("classifiers", classifier, "labels")
        )

    def upload_labels(self, classifier: str, text: str, kind: str = "csv") -> LabelImport:
        """Upload labels as CSV or JSON lines (``kind="jsonl"``): all lines that can be taken are."""
        body = {"kind": kind, "text": text}
        return self._connection.send(
            LabelImport, join_path("classifiers", classifier, "labels", "file"), body
        )

    def download_labels(self, classifier: str, kind: str = "csv") -> str:
        """Return all labels of a classifier as CSV, or as JSON lines (``kind="jsonl"``)."""
        path = join_path("classifiers", classifier, "labels", "file")
        return self._connection.request("GET", path, params={"kind": kind}).text

    def wanted_cases(self, classifier: str) -> Iterator[WaitingCase]:
        """Yield the cases that wait for a label, the oldest first."""
        return self._connection.list_records(
            WaitingCase, join_path("classifiers", classifier, "wanted")
        )

    def agents(self) -> Iterator[AgentStatus]:
        """Yield the agents that the token's owner owns."""
        return self._connection.list_records(AgentStatus, "agents")

    def agent(self, agent: str) -> AgentStatus:
        """Return the status of an agent's licences."""
        return self._connection.fetch(AgentStatus, join_path("agents", agent))

    def propose_action(
        self,
        agent: str,
        key: str,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> ActionReceipt:
        """Ask whether an action may run: its `verdict` is allow, ask or deny; the same key is answered as before.

        More may be version, timeout_hours, silence_rejects, and context for approvers: why, diff, consequences.
        """
        body = {"key": key, "tool": tool, "arguments": arguments, **more}
        return self._act(agent, "actions", body)

    def action(self, agent: str, key: str) -> ActionReceipt:
        """Return what has been decided about an action."""
        path = join_path("agents", agent, "action")
        return self._connection.fetch(ActionReceipt, path, {"key": key})

    def withdraw_action(self, agent: str, key: str) -> ActionReceipt:
        """Take back a request that has no answer yet."""
        return self._act(agent, "withdraw", {"key": key})

    def undo_action(self, agent: str, key: str, harm: str | None = None) -> ActionReceipt:
        """Report that an action was undone, or what harm it did."""
        return self._act(agent, "undo", {"key": key, "harm": harm})

    def tell_outcome(self, agent: str, key: str, status: str, note: str = "") -> ActionReceipt:
        """Report whether a tool succeeded or failed; this is not a label."""
        return self._act(agent, "outcome", {"key": key, "status": status, "note": note})

    def _act(self, agent: str, what: str, body: Mapping[str, Any]) -> ActionReceipt:
        return self._connection.send(ActionReceipt, join_path("agents", agent, what), body)

    def agent_events(self, agent: str, start: int = 0, limit: int = 500) -> list[dict[str, Any]]:
        """Return requests and decisions of some actions as events of AAIS 1.0."""
        path = join_path("agents", agent, "events")
        return self._connection.fetch(AgentEvents, path, {"start": start, "limit": limit}).events

    def read_agent_events(self, agent: str, events: Iterable[Mapping[str, Any]]) -> ReadEvents:
        """Let an agent's licences learn from another program's requests and decisions, as AAIS 1.0 has them."""
        body = {"events": [dict(event) for event in events]}
        return self._connection.send(ReadEvents, join_path("agents", agent, "events"), body)

    def revoke_licence(self, agent: str, unit: str, why: str = "") -> AgentStatus:
        """End the licence of a unit, now."""
        body = {"unit": unit, "why": why}
        return self._connection.send(AgentStatus, join_path("agents", agent, "revoke"), body)

    def sign_licence(self, agent: str, unit: str) -> AgentStatus:
        """Sign that a unit may earn a licence where its terms ask for that."""
        return self._connection.send(
            AgentStatus, join_path("agents", agent, "sign"), {"unit": unit}
        )

    def declare_minor_version(self, agent: str, version: str, of: str) -> AgentStatus:
        """Declare that a version to come changes little, so that licences continue at level 1."""
        body = {"version": version, "of": of}
        return self._connection.send(AgentStatus, join_path("agents", agent, "minor-version"), body)

    def claim_label(self) -> ClaimedCase | None:
        """Claim the next case that a reviewer is to label, of all that they review; None where nothing waits."""
        return self._connection.send(HeldCase, "review/claim").held

    def label_held(self, case: str, choice: str, note: str = "") -> None:
        """Label the case that a reviewer holds, with a note for the owner or none."""
        body = {"case": case, "choice": choice, "note": note}
        self._connection.send(HeldCase, "review/vote", body)

    def take_back_label(self, case: str) -> ClaimedCase | None:
        """Take back what a reviewer said of a case, while it does not count yet; returns the case, held again."""
        return self._connection.send(HeldCase, "review/undo", {"case": case}).held

    def leave_unsure(self, case: str, reason: str, note: str = "") -> None:
        """Leave the case that a reviewer holds to others: `unclear`, `guideline` (it does not say), `several` or `broken`."""
        body = {"case": case, "reason": reason, "note": note}
        self._connection.send(HeldCase, "review/not-sure", body)

    def leave_held(self, case: str) -> None:
        """Give the case that a reviewer holds back to the queue."""
        self._connection.send(HeldCase, "review/rest", {"case": case})

    def forget(self, classifier: str, keys: Iterable[str]) -> int:
        """Delete the contents of cases; how many there were."""
        body = {"keys": list(keys)}
        path = join_path("classifiers", classifier, "forget")
        return self._connection.send(DeletedCases, path, body).deleted

    def propose_asking(self, classifier: str, incident: int, region: int = 1) -> ProposedVersion:
        """Propose a version that asks in a region of an incident whatever the confidence; a person activates it."""
        path = join_path("classifiers", classifier, "incidents", str(incident), "ask-where")
        return self._connection.send(ProposedVersion, path, {"region": region})

    def ask_opinions(self, classifier: str, keys: Iterable[str]) -> int:
        """Send labelled cases to another reviewer each; how many are sent."""
        body, path = {"keys": list(keys)}, join_path("classifiers", classifier, "second-opinions")
        return self._connection.send(OpinionsAsked, path, body).asked

    def opinions(self, classifier: str) -> SecondOpinions:
        """Return what second reviewers say of the labelled cases that were sent to them."""
        path = join_path("classifiers", classifier, "second-opinions")
        return self._connection.fetch(SecondOpinions, path)

    def appeals(self, classifier: str) -> Iterator[WaitingAppeal]:
        """Yield the reviewers' appeals that wait for a ruling, the oldest first."""
        path = join_path("classifiers", classifier, "appeals")
        return self._connection.list_records(WaitingAppeal, path)

    def rule_on_case(self, classifier: str, key: str, label: str, why: str) -> StoredRuling:
        """Say what a labelled case is, and why: that answers the appeals on it, and the label stays."""
        path = join_path("classifiers", classifier, "rulings")
        return self._connection.send(StoredRuling, path, {"key": key, "label": label, "why": why})

    def download_head(self, classifier: str, version: int | None = None) -> str:
        """Return the signed head of a version's log, by default of the one in use: a line for whoever checks later."""
        query = {} if version is None else {"version": version}
        path = join_path("classifiers", classifier, "head")
        return self._connection.request("GET", path, params=query).text

    def download_record(self, classifier: str, key: str) -> str:
        """Return the decision record of a case: a file that `askpoint verify` takes, without the server."""
        path = join_path("classifiers", classifier, "record")
        return self._connection.request("GET", path, params={"key": key}).text

    def take_lease(
        self,
        classifier: str,
        decider: str,
        *,
        answers: int | None = None,
        seconds: float = 600,
        deciders: int = 1,
        key: str = "",
    ) -> str:
        """Take a lease: what `LeaseGrant.from_json` reads; with the same `key` the same one."""
        body = {"decider": decider, "answers": answers, "seconds": seconds, "deciders": deciders}
        path = join_path("classifiers", classifier, "leases")
        headers = {"Idempotency-Key": key or secrets.token_urlsafe(24)}
        return self._connection.request("POST", path, json=body, headers=headers).text

    def leases(self, classifier: str) -> list[LeaseOut]:
        """Return the leases of which no receipts came yet."""
        path = join_path("classifiers", classifier, "leases")
        return self._connection.fetch(LeasesOut, path).leases

    def hand_in(self, classifier: str, text: str) -> HandInResult:
        """Hand in what `LeasedDecider.receipts().to_json()` says; the same again changes nothing."""
        path = join_path("classifiers", classifier, "leases", "receipts")
        return self._connection.send(HandInResult, path, {"text": text})
