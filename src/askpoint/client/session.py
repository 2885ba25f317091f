"""One token, one server: each request of the API is a method."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx

import askpoint.client.records as records
from askpoint.errors import AskpointError, InputError, ModelError, RuleError, ServerError

__all__ = ["Client"]

_T = TypeVar("_T")
_PAUSES = (0.2, 1.0)  # seconds before a request is sent again
_PLACES = {"organiser": "run", "player": "play", "judge": "judge"}
_PART = 200


class Client:
    """Talks to a server in the name of a token's owner.

    A request that got no answer is sent again, twice at most: with the same Idempotency-Key, so it acts
    once. Each method returns records of `askpoint.client.records`.

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
    ...     print(client.account().balance)
    910
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        seconds: float = 15.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        if not address.startswith(("https://", "http://")):
            raise InputError(f"a server's address starts with https:// or http://, got {address!r}")
        if not token.isascii() or not token.isprintable() or not token:
            raise InputError(
                "a token is one line of letters, digits and signs, as its page showed it"
            )
        self._wire = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=seconds,
            transport=transport,
        )

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
        """Let the connection go."""
        self._wire.close()

    def account(self) -> records.Account:
        """Return whom the token stands for, and what it opens."""
        return records.record_of(records.Account, self._get("account"))

    def statement(self) -> Iterator[records.Line]:
        """Yield the own account's lines, the newest first."""
        return self._list("statement", records.Line)

    def payouts(self) -> Iterator[records.Payout]:
        """Yield the own payouts, the newest first."""
        return self._list("payouts", records.Payout)

    def withdraw(self, key: str = "") -> records.Payout:
        """Plan a payout of all whole cents; with the same `key`, once."""
        return records.record_of(records.Payout, self._post("payouts", None, key))

    def campaigns(self) -> Iterator[records.Campaign]:
        """Yield the campaigns that the token opens."""
        return self._list(_PLACES[self.account().role], records.Campaign)

    def rules(self, campaign: str) -> records.Campaign:
        """Return a campaign as its players see it."""
        return records.record_of(records.Campaign, self._get(_path("play", campaign)))

    def try_case(
        self, campaign: str, case: str | bytes | dict[str, float | str], key: str = ""
    ) -> records.Played:
        """Try a case on the model; with the same `key`, once. An image is given by its bytes.

        With all of its request an image may have a megabyte, so 700 kB.
        """
        if isinstance(case, bytes):
            case = {"image": f"data:image/*;base64,{base64.b64encode(case).decode()}"}
        path = _path("play", campaign, "cases")
        return records.record_of(records.Played, self._post(path, {"case": case}, key))

    def own_cases(self, campaign: str) -> Iterator[records.Played]:
        """Yield a player's cases, the newest first."""
        return self._list(_path("play", campaign, "cases"), records.Played)

    def own_case(self, campaign: str, case: str) -> records.Played:
        """Return a player's case as it stands."""
        found = self._get(_path("play", campaign, "cases", case))
        return records.record_of(records.Played, found)

    def own_image(self, campaign: str, case: str) -> records.Picture:
        """Return the image that a player's case is."""
        found = self._get(_path("play", campaign, "cases", case, "image"))
        return records.record_of(records.Picture, found)

    def submit(self, campaign: str, case: str) -> records.Played:
        """Submit a tried case."""
        found = self._post(_path("play", campaign, "cases", case, "submit"))
        return records.record_of(records.Played, found)

    def drop(self, campaign: str, case: str) -> records.Played:
        """Put a tried case aside."""
        found = self._post(_path("play", campaign, "cases", case, "drop"))
        return records.record_of(records.Played, found)

    def appeal(self, campaign: str, case: str, why: str) -> records.Played:
        """Appeal against a ruling, once."""
        found = self._post(_path("play", campaign, "cases", case, "appeal"), {"why": why})
        return records.record_of(records.Played, found)

    def items(self, campaign: str) -> Iterator[records.Item]:
        """Yield the items of a tag challenge with their labels, as players see them."""
        return self._list(_path("play", campaign, "items"), records.Item)

    def propose(self, campaign: str, number: int, label: str, key: str = "") -> records.Proposal:
        """Propose a better label for an item; with the same `key`, once."""
        path = _path("play", campaign, "items", str(number), "proposals")
        return records.record_of(records.Proposal, self._post(path, {"label": label}, key))

    def own_proposals(self, campaign: str) -> Iterator[records.Proposal]:
        """Yield a player's proposals, the newest first."""
        return self._list(_path("play", campaign, "proposals"), records.Proposal)

    def claim(self, campaign: str) -> records.Held | None:
        """Claim the next case of a judge's queue; None where there is none."""
        return _held(self._post(_path("judge", campaign, "claim")))

    def held(self, campaign: str) -> records.Held | None:
        """Return the case that a judge holds."""
        return _held(self._get(_path("judge", campaign, "case")))

    def held_image(self, campaign: str) -> records.Picture:
        """Return the image that the case which a judge holds is."""
        found = self._get(_path("judge", campaign, "case", "image"))
        return records.record_of(records.Picture, found)

    def vote(self, campaign: str, case: str, choice: str) -> None:
        """Vote on the case that a judge holds."""
        self._post(_path("judge", campaign, "vote"), {"case": case, "choice": choice})

    def skip(self, campaign: str, case: str) -> None:
        """Give the case back for good."""
        self._post(_path("judge", campaign, "skip"), {"case": case})

    def rest(self, campaign: str, case: str) -> None:
        """Give the case back to the queue."""
        self._post(_path("judge", campaign, "rest"), {"case": case})

    def campaign(self, campaign: str) -> records.Campaign:
        """Return a campaign as its organiser sees it."""
        return records.record_of(records.Campaign, self._get(_path("run", campaign)))

    def cases(self, campaign: str, *, waiting: bool = False) -> Iterator[records.Case]:
        """Yield the submitted cases; only those that wait for the organiser, if so asked."""
        query = {"waiting": "true"} if waiting else {}
        return self._list(_path("run", campaign, "cases"), records.Case, query)

    def image(self, campaign: str, case: str) -> records.Picture:
        """Return the image that a submitted case is, for its organiser."""
        found = self._get(_path("run", campaign, "cases", case, "image"))
        return records.record_of(records.Picture, found)

    def delete_image(self, campaign: str, case: str) -> records.Case:
        """Delete the image that a submitted case is, for good."""
        found = self._post(_path("run", campaign, "cases", case, "image", "delete"))
        return records.record_of(records.Case, found)

    def rulings(self, campaign: str, state: str = "") -> Iterator[records.Ruled]:
        """Yield what judges rule on, in the queue's order; of one state, if so asked."""
        query = {"state": state} if state else {}
        return self._list(_path("run", campaign, "rulings"), records.Ruled, query)

    def decide(self, campaign: str, case: str, choice: str, key: str = "") -> records.Ruled:
        """Decide a referred or appealed case; that is final."""
        path = _path("run", campaign, "rulings", case)
        return records.record_of(records.Ruled, self._post(path, {"choice": choice}, key))

    def tagged_items(self, campaign: str) -> Iterator[records.RunItem]:
        """Yield the items of a tag challenge as their organiser sees them."""
        return self._list(_path("run", campaign, "items"), records.RunItem)

    def proposals(self, campaign: str) -> Iterator[records.Proposal]:
        """Yield all proposals in a tag challenge, with what judges preferred."""
        return self._list(_path("run", campaign, "proposals"), records.Proposal)

    def fund(self, campaign: str, points: int, key: str = "") -> records.Campaign:
        """Add points to a budget, or take them out; with the same `key`, once."""
        found = self._post(_path("run", campaign, "funds"), {"points": points}, key)
        return records.record_of(records.Campaign, found)

    def change_state(self, campaign: str, state: str, key: str = "") -> records.Campaign:
        """Make a campaign "open" or "closed"."""
        found = self._post(_path("run", campaign, "state"), {"state": state}, key)
        return records.record_of(records.Campaign, found)

    def ledger(self, campaign: str) -> Iterator[records.Transaction]:
        """Yield a campaign's transactions, in their order."""
        return self._list(_path("run", campaign, "ledger"), records.Transaction)

    def classifiers(self) -> Iterator[records.Classifier]:
        """Yield the classifiers in use that the token opens."""
        return self._list("classifiers", records.Classifier)

    def classifier(self, classifier: str) -> records.Classifier:
        """Return how a classifier in use stands."""
        return records.record_of(records.Classifier, self._get(_path("classifiers", classifier)))

    def decide_cases(
        self,
        classifier: str,
        items: Iterable[Mapping[str, Any]],
        *,
        model_version: str = "",
        key: str = "",
    ) -> list[records.Decided]:
        """Have cases decided, 1,000 at most; each `key` of an item decides once, for ever.

        An item has a key, and either probabilities or prediction and confidence; and if it likes
        case, its content for people, and group.
        """
        body = {"items": [dict(item) for item in items], "model_version": model_version}
        said = self._post(_path("classifiers", classifier, "decisions"), body, key)
        return [records.record_of(records.Decided, item) for item in said["decisions"]]

    def label_cases(
        self, classifier: str, items: Iterable[Mapping[str, Any]], key: str = ""
    ) -> records.Taken:
        """Tell what people found, 1,000 labels at most: each a key and a label, and if known its judge."""
        body = {"items": [dict(item) for item in items]}
        found = self._post(_path("classifiers", classifier, "labels"), body, key)
        return records.record_of(records.Taken, found)

    def labels(self, classifier: str) -> Iterator[records.Labelled]:
        """Yield the labels of a classifier in use, in the order in which they came."""
        return self._list(_path("classifiers", classifier, "labels"), records.Labelled)

    def bring_labels(self, classifier: str, text: str, kind: str = "csv") -> records.Brought:
        """Bring labels as CSV or JSON lines (``kind="jsonl"``): all lines that can be taken are."""
        body = {"kind": kind, "text": text}
        found = self._post(_path("classifiers", classifier, "labels", "file"), body)
        return records.record_of(records.Brought, found)

    def label_file(self, classifier: str, kind: str = "csv") -> str:
        """Return all labels of a classifier as CSV, or as JSON lines (``kind="jsonl"``)."""
        path = _path("classifiers", classifier, "labels", "file")
        return self._answer("GET", path, params={"kind": kind}).text

    def wanted(self, classifier: str) -> Iterator[records.Wanted]:
        """Yield the cases that wait for a label, the oldest first."""
        return self._list(_path("classifiers", classifier, "wanted"), records.Wanted)

    def claim_label(self) -> records.Held | None:
        """Claim the next case that a reviewer is to label, of all that they review; None where nothing waits."""
        return _held(self._post("review/claim"))

    def label_held(self, case: str, choice: str) -> None:
        """Label the case that a reviewer holds."""
        self._post("review/vote", {"case": case, "choice": choice})

    def skip_held(self, case: str) -> None:
        """Give the case that a reviewer holds back for good."""
        self._post("review/skip", {"case": case})

    def leave_held(self, case: str) -> None:
        """Give the case that a reviewer holds back to the queue."""
        self._post("review/rest", {"case": case})

    def forget(self, classifier: str, keys: Iterable[str]) -> int:
        """Delete the contents of cases; how many there were."""
        body = {"keys": list(keys)}
        return int(self._post(_path("classifiers", classifier, "forget"), body)["deleted"])

    def _list(self, path: str, kind: type[_T], query: dict[str, str] | None = None) -> Iterator[_T]:
        offset = 0
        while True:
            said = self._get(path, {**(query or {}), "limit": _PART, "offset": offset})
            yield from (records.record_of(kind, item) for item in said["items"])
            offset += _PART
            if offset >= said["count"]:
                return

    def _get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        return self._ask("GET", path, params=query or {})

    def _post(self, path: str, body: Any = None, key: str = "") -> Any:
        headers = {"Idempotency-Key": key or secrets.token_urlsafe(24)}
        if body is None:
            return self._ask("POST", path, headers=headers)
        return self._ask("POST", path, headers=headers, json=body)

    def _ask(self, method: str, path: str, **more: Any) -> Any:
        return self._answer(method, path, **more).json()

    def _answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        for pause in (*_PAUSES, None):
            try:
                answer = self._wire.request(method, path, **more)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                if pause is None or isinstance(error, httpx.InvalidURL):
                    raise ServerError(
                        f"the server does not answer ({type(error).__name__}); is the address "
                        "right? What was asked acts once, so try again with the same key"
                    ) from None
                time.sleep(pause)
            else:
                break
        if answer.is_success:
            return answer
        raise _error_of(answer)


def _path(*parts: str) -> str:
    return "/".join(quote(part, safe="") for part in parts)


def _held(said: dict[str, Any]) -> records.Held | None:
    return None if said["held"] is None else records.record_of(records.Held, said["held"])


def _error_of(answer: httpx.Response) -> AskpointError:
    try:
        said = answer.json()
        rule, detail = str(said["type"]), str(said["detail"])
    except (json.JSONDecodeError, KeyError, TypeError):
        return ServerError(
            f"what answers with {answer.status_code} is no server of askpoint, or it failed"
        )
    if rule == "model":
        return ModelError(detail)
    if answer.is_server_error:
        return ServerError(detail)
    return InputError(detail) if rule in ("input", "json") else RuleError(rule, detail)
