"""One token, one server: each request of the API is a method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from askpoint.client.connection import Connection, join_path
from askpoint.wire.classifiers import (
    CaseDecision,
    CaseDecisions,
    ClassifierStatus,
    DeletedCases,
    WaitingCase,
)
from askpoint.wire.labels import LabelImport, LabelResult, StoredLabel
from askpoint.wire.review import ClaimedCase, HeldCase
from askpoint.wire.token_account import TokenAccount

__all__ = ["Client"]


class Client:
    """Talks to a server in the name of a token's owner.

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
        """Let the connection go."""
        self._connection.http.close()

    def account(self) -> TokenAccount:
        """Return whom the token stands for, and what it opens."""
        return self._connection.fetch(TokenAccount, "account")

    def classifiers(self) -> Iterator[ClassifierStatus]:
        """Yield the classifiers in use that the token opens."""
        return self._connection.list_records(ClassifierStatus, "classifiers")

    def classifier(self, classifier: str) -> ClassifierStatus:
        """Return how a classifier in use stands."""
        return self._connection.fetch(ClassifierStatus, join_path("classifiers", classifier))

    def decide_cases(
        self,
        classifier: str,
        items: Iterable[Mapping[str, Any]],
        *,
        model_version: str = "",
        key: str = "",
    ) -> list[CaseDecision]:
        """Have cases decided, 1,000 at most; each `key` of an item decides once, for ever.

        An item has a key, and either probabilities or prediction and confidence; and if it likes
        case, its content for people, and group.
        """
        body = {"items": [dict(item) for item in items], "model_version": model_version}
        path = join_path("classifiers", classifier, "decisions")
        return self._connection.send(CaseDecisions, path, body, key).decisions

    def label_cases(
        self, classifier: str, items: Iterable[Mapping[str, Any]], key: str = ""
    ) -> LabelResult:
        """Tell what people found, 1,000 labels at most: each a key and a label, and if known its judge."""
        body = {"items": [dict(item) for item in items]}
        return self._connection.send(
            LabelResult, join_path("classifiers", classifier, "labels"), body, key
        )

    def labels(self, classifier: str) -> Iterator[StoredLabel]:
        """Yield the labels of a classifier in use, in the order in which they came."""
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

    def wanted(self, classifier: str) -> Iterator[WaitingCase]:
        """Yield the cases that wait for a label, the oldest first."""
        return self._connection.list_records(
            WaitingCase, join_path("classifiers", classifier, "wanted")
        )

    def claim_label(self) -> ClaimedCase | None:
        """Claim the next case that a reviewer is to label, of all that they review; None where nothing waits."""
        return self._connection.send(HeldCase, "review/claim").held

    def label_held(self, case: str, choice: str) -> None:
        """Label the case that a reviewer holds."""
        self._connection.send(HeldCase, "review/vote", {"case": case, "choice": choice})

    def skip_held(self, case: str) -> None:
        """Give the case that a reviewer holds back for good."""
        self._connection.send(HeldCase, "review/skip", {"case": case})

    def leave_held(self, case: str) -> None:
        """Give the case that a reviewer holds back to the queue."""
        self._connection.send(HeldCase, "review/rest", {"case": case})

    def forget(self, classifier: str, keys: Iterable[str]) -> int:
        """Delete the contents of cases; how many there were."""
        body = {"keys": list(keys)}
        path = join_path("classifiers", classifier, "forget")
        return self._connection.send(DeletedCases, path, body).deleted
