"""The terms of licences: what policy.json holds of them."""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from askpoint.errors import InputError
from askpoint.live.canonical import canonical_json
from askpoint.live.licences.action_classes import ActionClass, classes_from
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.certificate import grant_bound
from askpoint.live.licences.label_rules import LabelRules
from askpoint.measures.mixture_sequence import log_gamma_mixture

__all__ = ["AIMS", "LicencePolicy", "is_within"]

AIMS = ("promise", "money")
"""What a licence follows from: evidence that holds whenever somebody looks, or what is expected to cost least."""
_FORMAT = 2


@dataclass(frozen=True)
class LicencePolicy:
    """What a licence takes, what ends it, and what bounds it by hand.

    Parameters
    ----------
    classes : tuple of ActionClass
        The first that matches wins; what none matches is always asked.
    limit : float, default=0.05
        On the share of bad actions, of classes without a price.
    check : float, optional
        What one approval costs: a class with the price `bad` has the limit check / bad.
    delta : float, default=0.05
        The chance that a unit at its limit or worse ever earns a licence while it stays as it is.
    watch_delta : float, default=0.05
        The chance that the watch ever ends the licence of a unit that stays below its limit.
    mistake_budget : float, default=20
        Audited mistakes of a unit that may pass beside those within its limit, before its licence ends.
    house_budget : float, optional
        The same over all units together; by default only each unit has one.
    revocations : int, default=3
        After so many lost licences in one version, none until a person signs.
    sign : bool, default=False
        Whether a person signs every grant before it holds.
    day_actions, day_money : float, optional
        Most that a unit does alone in a day (UTC): actions, and money as `amount` of its class says.
    in_flight : int, default=40
        Most actions alone since the oldest audit that awaits its label.
    timeout_hours : float, default=24
        How long an asked action waits for its approver, unless the proposal says otherwise.
    max_label_delay_hours : float, default=72
        How long an audit waits for its reader; then it counts as a mistake.
    measures_reading : bool, default=False
        Whether a licence counts what approvers overlook, as golden actions measure it: without golden actions there
        is none then.
    overlooked : float, optional
        Share of bad actions that approvers are believed to overlook. Golden actions watch it: where they overlook .03
        more, all is audited as at level 1, until a person signs for the house.
    without_each_approver : bool, default=False
        Whether a licence by promise takes its evidence also without the decisions of each approver in turn: of one who
        lets bad actions pass on purpose, too. Pass `approvers` with each proposal, and let only whom the receipt names
        decide it (`WithoutEach`).
    aim : {"promise", "money"}, default="promise"
        Of classes that state none. Money: a unit acts alone while that is expected to cost less than asking, which
        promises nothing about its rate; the watch and the allowance hold all the same.
    audits : AuditLadder
        How often what acts alone is audited.
    labels : LabelRules
        Which decisions are labels.

    Examples
    --------
    >>> from askpoint.live.licences.action_classes import ActionClass
    >>> policy = LicencePolicy((ActionClass("refund", bad=40.0),), check=2.0)
    >>> policy.limit_of(policy.classes[0])
    0.05
    >>> LicencePolicy.from_json(policy.to_json()) == policy
    True
    """

    classes: tuple[ActionClass, ...]
    limit: float = 0.05
    check: float | None = None
    delta: float = 0.05
    watch_delta: float = 0.05
    mistake_budget: float = 20.0
    house_budget: float | None = None
    revocations: int = 3
    sign: bool = False
    day_actions: float | None = None
    day_money: float | None = None
    in_flight: int = 40
    timeout_hours: float = 24.0
    max_label_delay_hours: float = 72.0
    measures_reading: bool = False
    overlooked: float | None = None
    without_each_approver: bool = False
    aim: str = "promise"
    audits: AuditLadder = field(default_factory=AuditLadder)
    labels: LabelRules = field(default_factory=LabelRules)

    def __post_init__(self) -> None:
        for name in ("limit", "delta", "watch_delta"):
            if not 0 < _number(name, getattr(self, name)) < 1:
                raise InputError(f"{name} must be between 0 and 1; got {getattr(self, name):g}")
        for name in ("check", "day_actions", "day_money", "in_flight", "timeout_hours", "max_label_delay_hours",
                     "revocations"):  # fmt: skip
            value = getattr(self, name)
            if value is not None and not 0 < _number(name, value) < math.inf:
                raise InputError(f"{name} is above 0; got {value:g}")
        if self.overlooked is not None and not 0 <= _number("overlooked", self.overlooked) < 0.9:
            raise InputError(f"overlooked must be between 0 and .9; got {self.overlooked:g}")
        if self.aim not in AIMS:
            raise InputError(f"an aim is {' or '.join(AIMS)}; got {self.aim!r:.40}")
        for name in ("mistake_budget", "house_budget"):
            budget = getattr(self, name)
            if budget is not None and not is_within(
                _number(name, budget) - self.audits.rate(1), 0.0, self.delta, 1
            ):
                raise InputError(
                    f"with a {name} of {budget:g} no licence could ever begin at a delta of {self.delta:g}: 20 does, "
                    "and is what was simulated"
                )
        for i, one in enumerate(self.classes):
            for other in self.classes[:i]:
                if (
                    one.name == other.name
                    and other.conditions
                    and _may_overlap(one.tool, other.tool)
                ):
                    raise InputError(
                        f"two classes of {one.tool!r:.60} are called {one.name!r:.60}; name them apart"
                    )
            if one.after is not None and not any(
                (other.tool, other.name) == (one.tool, one.after) for other in self.classes[:i]
            ):
                raise InputError(
                    f"the class {one.name!r:.60} of {one.tool!r:.60} comes after {one.after!r:.60}, which is not an earlier "
                    "class of the same tool"
                )
            if not 0 < self.limit_of(one) < 1:
                raise InputError(
                    f"the class {one.name!r:.60} of {one.tool!r:.60} has the price {one.bad:g}: it must be above that "
                    f"of a check, {self.check:g}"
                )

    def limit_of(self, kind: ActionClass | None) -> float:
        """Return the limit of a class: with the aim money, less what is audited all the same."""
        is_priced = kind is not None and kind.bad is not None and self.check is not None
        limit = self.check / kind.bad if is_priced else self.limit  # type: ignore[union-attr, operator]
        return limit * (1 - self.audits.least) if self.aim_of(kind) == "money" else limit

    def delta_of(self, kind: ActionClass | None) -> float:
        """Return the chance that a unit of a class, at its limit or worse, ever earns a licence."""
        share = None if kind is None else kind.delta_share
        return self.delta if share is None else self.delta * share

    def price_of(self, kind: ActionClass | None) -> float:
        """Return what a bad action of a class costs, in checks: stated, or what the limit stands for."""
        is_priced = kind is not None and kind.bad is not None and self.check is not None
        return kind.bad / self.check if is_priced else 1 / self.limit  # type: ignore[union-attr, operator]

    def aim_of(self, kind: ActionClass | None) -> str:
        """Return what a licence of a class follows from."""
        return self.aim if kind is None or kind.aim is None else kind.aim

    def cautious_steps(self, kind: ActionClass | None) -> tuple[ActionClass, ...]:
        """Return the classes that must be licensed before a class acts alone, the most cautious first."""
        found: list[ActionClass] = []
        while kind is not None and kind.after is not None:
            tool, name = kind.tool, kind.after
            kind = next(one for one in self.classes if (one.tool, one.name) == (tool, name))
            found.insert(0, kind)
        return tuple(found)

    def find_place(self, tool: str, arguments: Mapping[str, Any] | None) -> int | None:
        """Return which class an action is of; None if no declared one matches."""
        places = range(len(self.classes))
        return next((i for i in places if self.classes[i].matches(tool, arguments)), None)

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of its JSON."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """Return it as policy.json."""
        terms = {one.name: getattr(self, one.name) for one in fields(self)}
        terms |= {"classes": [one.to_dict() for one in self.classes], "labels": asdict(self.labels)}
        terms["audits"] = asdict(self.audits)
        if (
            not self.without_each_approver
        ):  # as it was before there was such a term: so its digest stays
            del terms["without_each_approver"]
        said = {name: value for name, value in terms.items() if value is not None}
        return canonical_json({"format": _FORMAT, "licence": said})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read policy.json.

        Raises
        ------
        InputError
            If it holds no licence, or a term that is unknown or cannot be; it says which.
        """
        try:
            given = json.loads(text)
        except ValueError as error:
            raise InputError(f"the policy is not JSON: {error}") from None
        terms = given.get("licence") if isinstance(given, dict) else None
        if not isinstance(terms, dict):
            raise InputError(
                'the policy holds no licence; it begins with {"format": 2, "licence": {"classes": [...]}}, as '
                "askpoint approvals LOG --policy FILE writes it"
            )
        if given.get("format") != _FORMAT:
            raise InputError(f"the policy is of format {given.get('format')!r:.40}, not {_FORMAT}")
        known = {one.name for one in fields(cls)}
        strange = sorted(set(terms) - known)
        if strange:
            raise InputError(
                f"a licence has no term {strange[0]!r:.60}; it has {', '.join(sorted(known))}"
            )
        rules = _part(terms, "labels", LabelRules)
        audits = _part(terms, "audits", AuditLadder)
        if "rates" in audits:
            audits["rates"] = tuple(audits["rates"]) if isinstance(audits["rates"], list) else ()
        for name, value in (rules | audits).items():
            if name != "rates":
                _number(name, value)
        return cls(
            **{
                **terms,
                "classes": classes_from(terms.get("classes")),
                "labels": LabelRules(**rules),
                "audits": AuditLadder(**audits),
            }
        )


def _part(terms: Mapping[str, Any], name: str, kind: type) -> dict[str, Any]:
    """Return a part of the terms that has names of its own."""
    given, known = terms.get(name, {}), {one.name for one in fields(kind)}
    if not isinstance(given, dict) or set(given) - known:
        raise InputError(f"{name} of a licence have {', '.join(sorted(known))}; got {given!r:.80}")
    return dict(given)


def is_within(allowed: float, seen: float, delta: float, episode: int) -> bool:
    """Say whether an allowance still covers what audits have seen, with the confidence of an episode (A4).

    Parameters
    ----------
    allowed : float
        Limit times the sum of audit rates, and the budget, less the rate of the action that is next.
    seen : float
        The sum of audited mistakes.
    delta : float
        Over all episodes.
    episode : int
        1, 2, ...
    """
    if allowed <= seen:
        return False
    return float(log_gamma_mixture(allowed, seen)) >= math.log(grant_bound(delta, episode))


def _may_overlap(one: str, other: str) -> bool:
    """Say whether a tool might fit two patterns, by what stands before their first wildcard."""
    begins = [re.split(r"[*?\[]", pattern)[0] for pattern in (one, other)]
    if one == begins[0]:
        return fnmatch.fnmatchcase(one, other)
    if other == begins[1]:
        return fnmatch.fnmatchcase(other, one)
    return begins[0].startswith(begins[1]) or begins[1].startswith(begins[0])


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} must be a number; got {value!r:.40}")
    return float(value)
