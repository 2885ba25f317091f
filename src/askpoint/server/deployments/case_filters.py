"""Which decided cases are listed, as an address says it and as words say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from askpoint.errors import RuleError
from askpoint.live.ask_rules import AskRule
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policy_state import document_of

__all__ = ["FILTERS", "CaseFilter", "classes_of", "groups_of", "parse_filter", "regions_of"]

FILTERS: Mapping[str, str] = {
    "all": "All",
    "wrong": "Model wrong",
    "audited": "Audited",
    "review": "Sent to review",
    "alone": "Decided alone",
    "differ": "Reviewers differ",
    "unsure": "Not sure",
    "unsettled": "Unsettled",
}
"""What may be listed, and its word."""

_LONGEST_KEY, _LONGEST_GROUP = 200, 100


@dataclass(frozen=True)
class CaseFilter:
    """Which cases are listed: those for which all hold.

    Parameters
    ----------
    show : str
        One of `FILTERS`.
    version : int, optional
        Of the policy that decided.
    region : AskRule, optional
        What holds of their contents; a case whose content is not kept is in no region.
    label, answer : str, optional
        What people say, and the model: classes.
    since, until : date, optional
        First and last day of the decisions, in UTC.
    group : str, optional
        Given part of the cases.
    key : str, optional
        The whole key, or its beginning and then ``*``.
    deleted : bool
        Only those whose content was deleted.
    """

    show: str = "all"
    version: int | None = None
    region: AskRule | None = None
    label: str = ""
    answer: str = ""
    since: date | None = None
    until: date | None = None
    group: str = ""
    key: str = ""
    deleted: bool = False

    @property
    def words(self) -> list[str]:
        """What narrows the list, beside `show`; empty where nothing does."""
        said = {
            f"version {self.version}": self.version is not None,
            self.region.name if self.region else "": self.region is not None,
            f"label {self.label}": self.label,
            f"the model said {self.answer}": self.answer,
            f"from {_day(self.since)}": self.since,
            f"to {_day(self.until)}": self.until,
            f"group {self.group}": self.group,
            f"key {self.key}": self.key,
            "content deleted": self.deleted,
        }
        return [words for words, holds in said.items() if holds]

    def to_query(self, **more: Any) -> str:
        """Return what `parse_filter` reads, for an address."""
        said: dict[str, Any] = {
            "show": "" if self.show == "all" else self.show,
            "version": "" if self.version is None else self.version,
            "region": "" if self.region is None else self.region.name,
            "label": self.label,
            "answer": self.answer,
            "from": "" if self.since is None else self.since.isoformat(),
            "to": "" if self.until is None else self.until.isoformat(),
            "group": self.group,
            "key": self.key,
            "deleted": "1" if self.deleted else "",
        }
        return urlencode({**{name: it for name, it in said.items() if it != ""}, **more})


def _day(day: date | None) -> str:
    return "" if day is None else f"{day.day} {day:%b %Y} UTC"


def regions_of(row: Deployment) -> dict[str, AskRule]:
    """Return the regions that labels confirmed, by their names."""
    found = (one for one in row.regions.get("found", ()) if "conditions" in one)
    rules = (
        AskRule.from_plain({"name": it["name"], "conditions": it["conditions"]}) for it in found
    )
    return {rule.name: rule for rule in rules}


def classes_of(row: Deployment) -> list[str]:
    """Return the classes of all versions that were in use, those of the newest first."""
    used = row.policies.defer("told", "log").exclude(adopted=None).order_by("-number")
    names = (name for one in used for name in document_of(one).model["classes"])
    return list(dict.fromkeys(names))


def groups_of(row: Deployment) -> list[str]:
    """Return the groups by which a version in use decides; a new one may have come since."""
    used = row.policies.defer("told", "log").exclude(adopted=None).order_by("-number")
    scales = (document_of(one).group_scale for one in used)
    return list(dict.fromkeys(name for it in scales if it for name in it.names if name))


def parse_filter(row: Deployment, said: Mapping[str, str]) -> CaseFilter | None:
    """Read the filter of an address; None where it names what there never is.

    Raises
    ------
    RuleError
        ``bad-filter``, with what to write instead.
    """
    show, version, region = (said.get(name, "") for name in ("show", "version", "region"))
    if show not in ("", *FILTERS):
        return None
    if version and not (version.isdecimal() and len(version) < 10):
        return None
    regions = regions_of(row) if region else {}
    if region and region not in regions:  # a bookmark of one that labels confirm no longer
        raise RuleError(
            "bad-filter",
            f"Labels confirm no region “{region[:200]}” any more: it was found again from newer ones, or is no longer there.",
        )
    deleted = said.get("deleted", "") not in ("", "0")
    if region and deleted:
        raise RuleError(
            "bad-filter",
            "A case whose content was deleted is in no region. Remove one of the two filters.",
        )
    since, until = _read_day(said.get("from", "")), _read_day(said.get("to", ""))
    if since and until and since > until:
        raise RuleError(
            "bad-filter", f"{_day(since)} comes after {_day(until)}. Exchange the two days."
        )
    return CaseFilter(
        show=show or "all",
        version=int(version) if version else None,
        region=regions.get(region),
        label=_read_class(row, said.get("label", "")),
        answer=_read_class(row, said.get("answer", "")),
        since=since,
        until=until,
        group=_read_group(said.get("group", "").strip()),
        key=_read_key(said.get("key", "").strip()),
        deleted=deleted,
    )


def _read_class(row: Deployment, name: str) -> str:
    if name and name not in (classes := classes_of(row)):
        raise RuleError(
            "bad-filter",
            f"No version of this classifier has a class “{name[:80]}”. Choose one of {', '.join(classes[:20])}.",
        )
    return name


def _read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise RuleError(
            "bad-filter", f"“{text[:40]}” is not a day. Write it as 2026-11-28."
        ) from None


def _read_group(text: str) -> str:
    if len(text) > _LONGEST_GROUP:
        raise RuleError("bad-filter", f"A group has at most {_LONGEST_GROUP} characters.")
    return text


def _read_key(text: str) -> str:
    if len(text) > _LONGEST_KEY + 1:
        raise RuleError("bad-filter", f"A key has at most {_LONGEST_KEY} characters.")
    return "" if text == "*" else text
