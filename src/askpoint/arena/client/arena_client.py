"""A client whose methods are the requests of the game, too."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from urllib.parse import urlencode

from askpoint.arena.wire.campaign_cases import (
    FindQuestion,
    FindToCompare,
    ImageFile,
    OwnCase,
    RulingStatus,
    SubmittedCase,
)
from askpoint.arena.wire.campaigns import CampaignStatus
from askpoint.arena.wire.points import (
    PayoutStatus,
    PointsAccount,
    PostedTransaction,
    StatementLine,
)
from askpoint.arena.wire.tags import LabelProposal, OrganiserTagItem, TagItem
from askpoint.client.connection import join_path
from askpoint.client.session import Client
from askpoint.wire.review import ClaimedCase, HeldCase

__all__ = ["ArenaClient"]

_PLACES = {"organiser": "run", "player": "play", "judge": "judge"}


class ArenaClient(Client):
    """Plays, judges and organises campaigns in the name of a token's owner.

    It is made as `askpoint.client.session.Client` is, and can do all that it does. Each method returns
    records of `askpoint.arena.wire`.

    Examples
    --------
    >>> from askpoint import ArenaClient
    >>> with ArenaClient("https://x.org", "askpoint_...") as client:  # doctest: +SKIP
    ...     print(client.account().balances)
    {'main': 910}
    """

    def account(self) -> PointsAccount:
        """Return whom the token stands for, what it opens, and the points on its account."""
        return self._connection.fetch(PointsAccount, "account")

    def statement(self, workspace: str = "") -> Iterator[StatementLine]:
        """Yield the own account's lines, the newest first; of several workspaces, name one."""
        return self._connection.list_records(StatementLine, "statement", {"workspace": workspace})

    def payouts(self, workspace: str = "") -> Iterator[PayoutStatus]:
        """Yield the own payouts, the newest first; with `workspace`, those of one."""
        return self._connection.list_records(PayoutStatus, "payouts", {"workspace": workspace})

    def withdraw(self, key: str = "", workspace: str = "") -> PayoutStatus:
        """Plan a payout of all whole cents; with the same `key`, once. Of several workspaces, name one."""
        path = f"payouts?{urlencode({'workspace': workspace})}" if workspace else "payouts"
        return self._connection.send(PayoutStatus, path, None, key)

    def campaigns(self) -> Iterator[CampaignStatus]:
        """Yield the campaigns that the token opens."""
        return self._connection.list_records(CampaignStatus, _PLACES[self.account().role])

    def rules(self, campaign: str) -> CampaignStatus:
        """Return a campaign as its players see it."""
        return self._connection.fetch(CampaignStatus, join_path("play", campaign))

    def try_case(
        self, campaign: str, case: str | bytes | dict[str, float | str], key: str = ""
    ) -> OwnCase:
        """Try a case on the model; with the same `key`, once. An image is given by its bytes.

        With all of its request an image may have a megabyte, so 700 kB.
        """
        if isinstance(case, bytes):
            case = {"image": f"data:image/*;base64,{base64.b64encode(case).decode()}"}
        path = join_path("play", campaign, "cases")
        return self._connection.send(OwnCase, path, {"case": case}, key)

    def own_cases(self, campaign: str) -> Iterator[OwnCase]:
        """Yield a player's cases, the newest first."""
        return self._connection.list_records(OwnCase, join_path("play", campaign, "cases"))

    def own_case(self, campaign: str, case: str) -> OwnCase:
        """Return a player's case as it stands."""
        return self._connection.fetch(OwnCase, join_path("play", campaign, "cases", case))

    def own_image(self, campaign: str, case: str) -> ImageFile:
        """Return the image that a player's case is."""
        return self._connection.fetch(
            ImageFile, join_path("play", campaign, "cases", case, "image")
        )

    def submit(self, campaign: str, case: str) -> OwnCase:
        """Submit a tried case."""
        return self._connection.send(OwnCase, join_path("play", campaign, "cases", case, "submit"))

    def drop(self, campaign: str, case: str) -> OwnCase:
        """Put a tried case aside."""
        return self._connection.send(OwnCase, join_path("play", campaign, "cases", case, "drop"))

    def appeal(self, campaign: str, case: str, why: str) -> OwnCase:
        """Appeal against a ruling, once."""
        return self._connection.send(
            OwnCase, join_path("play", campaign, "cases", case, "appeal"), {"why": why}
        )

    def items(self, campaign: str) -> Iterator[TagItem]:
        """Yield the items of a tag challenge with their labels, as players see them."""
        return self._connection.list_records(TagItem, join_path("play", campaign, "items"))

    def propose(self, campaign: str, number: int, label: str, key: str = "") -> LabelProposal:
        """Propose a better label for an item; with the same `key`, once."""
        path = join_path("play", campaign, "items", str(number), "proposals")
        return self._connection.send(LabelProposal, path, {"label": label}, key)

    def own_proposals(self, campaign: str) -> Iterator[LabelProposal]:
        """Yield a player's proposals, the newest first."""
        return self._connection.list_records(
            LabelProposal, join_path("play", campaign, "proposals")
        )

    def claim(self, campaign: str) -> ClaimedCase | None:
        """Claim the next case of a judge's queue; None where there is none."""
        return self._connection.send(HeldCase, join_path("judge", campaign, "claim")).held

    def held_case(self, campaign: str) -> ClaimedCase | None:
        """Return the case that a judge holds."""
        return self._connection.fetch(HeldCase, join_path("judge", campaign, "case")).held

    def held_image(self, campaign: str) -> ImageFile:
        """Return the image that the case which a judge holds is."""
        return self._connection.fetch(ImageFile, join_path("judge", campaign, "case", "image"))

    def vote(self, campaign: str, case: str, choice: str) -> None:
        """Vote on the case that a judge holds."""
        self._connection.send(
            HeldCase, join_path("judge", campaign, "vote"), {"case": case, "choice": choice}
        )

    def skip(self, campaign: str, case: str) -> None:
        """Give the case back for good."""
        self._connection.send(HeldCase, join_path("judge", campaign, "skip"), {"case": case})

    def rest(self, campaign: str, case: str) -> None:
        """Give the case back to the queue."""
        self._connection.send(HeldCase, join_path("judge", campaign, "rest"), {"case": case})

    def find_to_compare(self, campaign: str) -> FindToCompare | None:
        """Return the find that a judge is asked about, beside others."""
        return self._connection.fetch(FindQuestion, join_path("judge", campaign, "find")).asked

    def answer_find(self, campaign: str, case: str, same: int) -> FindToCompare | None:
        """Say that a find is new (0) or the same as the one in a place, from 1 on; return the next question."""
        answer = {"case": case, "same": same}
        return self._connection.send(
            FindQuestion, join_path("judge", campaign, "find"), answer
        ).asked

    def campaign(self, campaign: str) -> CampaignStatus:
        """Return a campaign as its organiser sees it."""
        return self._connection.fetch(CampaignStatus, join_path("run", campaign))

    def cases(self, campaign: str, *, waiting: bool = False) -> Iterator[SubmittedCase]:
        """Yield the submitted cases; only those that wait for the organiser, if so asked."""
        query = {"waiting": "true"} if waiting else {}
        return self._connection.list_records(
            SubmittedCase, join_path("run", campaign, "cases"), query
        )

    def image(self, campaign: str, case: str) -> ImageFile:
        """Return the image that a submitted case is, for its organiser."""
        return self._connection.fetch(ImageFile, join_path("run", campaign, "cases", case, "image"))

    def delete_image(self, campaign: str, case: str) -> SubmittedCase:
        """Delete the image that a submitted case is, for good."""
        return self._connection.send(
            SubmittedCase, join_path("run", campaign, "cases", case, "image", "delete")
        )

    def rulings(self, campaign: str, state: str = "") -> Iterator[RulingStatus]:
        """Yield what judges rule on, in the queue's order; of one state, if so asked."""
        query = {"state": state} if state else {}
        return self._connection.list_records(
            RulingStatus, join_path("run", campaign, "rulings"), query
        )

    def decide(self, campaign: str, case: str, choice: str, key: str = "") -> RulingStatus:
        """Decide a referred or appealed case; that is final."""
        path = join_path("run", campaign, "rulings", case)
        return self._connection.send(RulingStatus, path, {"choice": choice}, key)

    def tagged_items(self, campaign: str) -> Iterator[OrganiserTagItem]:
        """Yield the items of a tag challenge as their organiser sees them."""
        return self._connection.list_records(OrganiserTagItem, join_path("run", campaign, "items"))

    def proposals(self, campaign: str) -> Iterator[LabelProposal]:
        """Yield all proposals in a tag challenge, with what judges preferred."""
        return self._connection.list_records(LabelProposal, join_path("run", campaign, "proposals"))

    def fund(self, campaign: str, points: int, key: str = "") -> CampaignStatus:
        """Add points to a budget, or take them out; with the same `key`, once."""
        return self._connection.send(
            CampaignStatus, join_path("run", campaign, "funds"), {"points": points}, key
        )

    def change_state(self, campaign: str, state: str, key: str = "") -> CampaignStatus:
        """Make a campaign "open" or "closed"."""
        return self._connection.send(
            CampaignStatus, join_path("run", campaign, "state"), {"state": state}, key
        )

    def ledger(self, campaign: str) -> Iterator[PostedTransaction]:
        """Yield a campaign's transactions, in their order."""
        return self._connection.list_records(
            PostedTransaction, join_path("run", campaign, "ledger")
        )
