"""A log of approvals: which actions an agent proposed, who decided what about them, and when."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.live.licences.label_rules import Approval
from askpoint.records.label_words import truth_of
from askpoint.records.readers.evidence.approvals import decision_kind
from askpoint.records.readers.evidence.words import tokens_of
from askpoint.records.readers.reading import Reading

__all__ = ["ApprovalLog", "as_approvals", "as_golden"]

_UNKNOWN = "unknown"
"""The version of an agent that names none."""

_NAMES = {
    "agent": "agent agent_id agent_name bot bot_name assistant assistant_id",
    "version": "agent_version version model_version model release build",
    "tool": "tool tool_name function function_name fn action action_name command operation name",
    "arguments": "arguments args params parameters kwargs input inputs tool_input tool_args payload",
    "risk": "risk risk_level harm severity",
    "scope": "scope decision_scope duration",
    "actor": "actor_type actor decided_by_type source approver_type decider_type",
    "reviewer": "decided_by reviewer reviewer_id approver approver_id approved_by reviewed_by user user_id human "
    "operator actor_id decider genehmiger approbateur aprobador freigegeben_von genehmigt_von approuve_par aprobado_por "
    "approvato_da aprovado_por goedgekeurd_door",
    "asked": "created_at requested_at asked_at created request_time requested proposed_at timestamp time submitted_at "
    "start_time",
    "decided": "decided_at decision_time resolved_at decided approved_at reviewed_at updated_at end_time "
    "completed_at resumed_at",
    "undone": "undone_at undone reverted_at reverted rolled_back_at rolled_back incident incident_at reversed_at",
    "seconds": "seconds decision_seconds duration_s duration_seconds latency_s latency_seconds time_to_decision "
    "time_to_decide wait_seconds response_seconds response_time_s response_time",
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LASTING = re.compile(r"session|persist|always|forever|permanent|all", re.IGNORECASE)
_HUMAN = re.compile(r"human|person|mensch", re.IGNORECASE)
_PERSON = re.compile(r"human|person|user|reviewer|approver|operator|mensch|humain", re.IGNORECASE)
_RULE = re.compile(
    r"polic|rule|\bauto|system|\bbot\b|agent|model|\bllm\b|\bai\b|always|script|cron", re.IGNORECASE
)
_HARM = {"none": "none", "info": "none", "low": "low", "minor": "low", "medium": "medium", "moderate": "medium",
         "high": "high", "major": "high", "critical": "irreversible", "destructive": "irreversible",
         "irreversible": "irreversible"}  # fmt: skip


@dataclass(frozen=True)
class ApprovalLog:
    """Actions in the order in which they were proposed.

    Parameters
    ----------
    agents, versions, tools : tuple of str
        Who proposed each, in which version, by which tool.
    arguments : tuple of (dict or None)
        With what; None where the log does not say, or holds no object.
    harms : tuple of (str or None)
        What the tool declares that a bad one does.
    actions : tuple of Approval
        What became of each.
    columns : dict of str to str
        The column of the log that each came from.
    """

    agents: tuple[str, ...]
    versions: tuple[str, ...]
    tools: tuple[str, ...]
    arguments: tuple[dict[str, Any] | None, ...]
    harms: tuple[str | None, ...]
    actions: tuple[Approval, ...]
    columns: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def days(self) -> float | None:
        """How long it lasts; None where it does not say when."""
        at = [one.asked_at for one in self.actions if one.asked_at is not None]
        return (max(at) - min(at)) / 86_400 if len(at) > 1 and max(at) > min(at) else None


def as_approvals(reading: Reading) -> ApprovalLog:
    """Return what files that were read as approvals say.

    Raises
    ------
    LogError
        If no column names the tool, or a time or an argument cannot be read; it says which row.
    """
    frame, decision = reading.frame, str(reading.label)
    if reading.id is not None and (twice := frame[reading.id].drop_nulls()).is_duplicated().any():
        raise LogError(
            f"the request {twice.filter(twice.is_duplicated())[0]!r} is there more than once; keep one row for each "
            "request, with what was decided in the end"
        )
    columns = _columns(frame, reading)
    if "tool" not in columns:
        raise LogError(
            "no column names the tool that each action uses: call one of them 'tool', or 'function'"
        )
    cells = {role: frame[name].to_list() for role, name in columns.items()}
    none: list[Any] = [None] * frame.height
    times = {
        role: _moments(cells.get(role, none), columns.get(role, ""))
        for role in ("asked", "decided", "undone")
    }
    if "decided" not in columns and "seconds" in columns and "asked" in columns:
        took = [_number(one) for one in cells["seconds"]]
        times["decided"] = [
            None if at is None or more is None else at + more
            for at, more in zip(times["asked"], took, strict=True)
        ]
    agents = [_text(one) or "agent" for one in cells.get("agent", none)]
    versions = [_text(one) or _UNKNOWN for one in cells.get("version", none)]
    tools = [_text(one) or "" for one in cells["tool"]]
    if "" in tools:
        raise LogError(
            f"row {tools.index('') + 1} names no tool in the column {columns['tool']!r}; name it, or leave the row out"
        )
    arguments = _arguments(frame, columns, cells.get("arguments", none))
    said = [
        _action(*row)
        for row in zip(
            frame[decision].to_list(),
            cells.get("actor", none),
            cells.get("scope", none),
            cells.get("reviewer", none),
            agents,
            _what(times["asked"], agents, versions, tools, arguments),
            *times.values(),
            strict=True,
        )
    ]
    order = _in_order(times["asked"])
    harms = [_HARM.get((_text(one) or "").casefold()) for one in cells.get("risk", none)]
    return ApprovalLog(
        agents=tuple(agents[i] for i in order),
        versions=tuple(versions[i] for i in order),
        tools=tuple(tools[i] for i in order),
        arguments=tuple(arguments[i] for i in order),
        harms=tuple(harms[i] for i in order),
        actions=tuple(said[i] for i in order),
        columns={**columns, "decision": decision},
    )


def as_golden(frame: pl.DataFrame, name: str) -> list[bool]:
    """Return of golden actions, all of them bad, which were let pass.

    Raises
    ------
    LogError
        If no column says what was decided, or a decision is in another word than approve or reject.
    """
    for column in frame.columns:
        words = [_text(one) for one in frame[column].to_list()]
        kinds = [None if word is None else _decision(word)[0] for word in words]
        if kinds and all(kind in ("approve", "reject", "edit") for kind in kinds):
            return [kind == "approve" for kind in kinds]
    raise LogError(
        f"{name} has no column in which every golden action is approved or rejected; it has {', '.join(frame.columns)}"
    )


def _columns(frame: pl.DataFrame, reading: Reading) -> dict[str, str]:
    """Return the column of each role, by its name; the tool also by what it holds."""
    called = {"_".join(tokens_of(name)): name for name in frame.columns if name != reading.label}
    found: dict[str, str] = {}
    for role, names in _NAMES.items():
        for name in names.split():
            column = called.get(name)
            if column is not None and column not in found.values() and _suits(frame[column], role):
                found[role] = column
                break
    systems = set(reading.systems)
    if systems:  # what the reader took for the tool, whatever it is called
        for name in frame.columns:
            texts = frame[name].drop_nulls()
            if texts.dtype == pl.String and set(texts) == systems:
                found = {role: column for role, column in found.items() if column != name}
                found["tool"] = name
                break
    return _with_times(frame, found)


def _with_times(frame: pl.DataFrame, found: dict[str, str]) -> dict[str, str]:
    """Find the moments by what columns hold, where no name says which they are."""
    free = [
        name for name in frame.columns
        if name not in found.values() and frame[name].dtype == pl.String and _are_moments(frame[name])
    ]  # fmt: skip
    if "asked" not in found and free:
        found["asked"] = min(
            free, key=lambda name: (str(frame[name].drop_nulls().min()), frame.columns.index(name))
        )
        free.remove(found["asked"])
    if "decided" not in found and "asked" in found:
        for name in free:
            pairs = frame.select(found["asked"], name).drop_nulls().rows()
            if pairs and all((_moment(one) or 0.0) <= (_moment(two) or 0.0) for one, two in pairs):
                found["decided"] = name
                break
    return found


def _are_moments(column: pl.Series) -> bool:
    """Say whether all cells that are filled are moments of days, and not all the same one."""
    filled = column.drop_nulls()
    return filled.n_unique() > 1 and all(
        _DATE.match(cell) and _moment(cell) is not None for cell in filled.to_list()
    )


def _suits(column: pl.Series, role: str) -> bool:
    """Say whether a column holds what its name says."""
    if column.null_count() == len(column):
        return False
    if role in ("asked", "decided"):
        return _moment(column.drop_nulls()[0]) is not None
    if role == "tool":
        return column.dtype == pl.String
    if role == "seconds":
        return _number(column.drop_nulls()[0]) is not None
    return True


def _decision(word: str | None) -> tuple[str, bool]:
    """Return what a word decides, and whether it says that a rule did."""
    if word is None:
        return "open", False
    truth = truth_of(word)
    said = "unclear" if truth is None else "approve" if truth else "reject"
    return decision_kind(word) or said, bool(
        re.match(r"auto|always|policy|session", word.strip(), re.IGNORECASE)
    )


def _action(
    word: Any, actor: Any, scope: Any, reviewer: Any, agent: str, what: str | None, asked: float | None,
    decided: float | None, undone: float | None,
) -> Approval:  # fmt: skip
    kind, is_rule = _decision(_text(word))
    who, by = _text(reviewer), _text(actor)
    if _LASTING.search(_text(scope) or "") or (who is not None and who == agent):
        is_rule = True
    if by is not None:
        is_rule = is_rule or not _PERSON.search(by)
    elif who is not None:
        is_rule = is_rule or bool(_RULE.search(who) and not _HUMAN.search(who))
    return Approval(kind, not is_rule, who, asked, decided, undone, what)


def _what(
    asked: Sequence[float | None],
    agents: Sequence[str],
    versions: Sequence[str],
    tools: Sequence[str],
    arguments: Sequence[dict[str, Any] | None],
) -> list[str | None]:
    """Return what each action was to do, so that a row exported twice is known; None where times are whole minutes.

    Within a minute an agent does the same thing twice; at one moment of a finer clock hardly.
    """
    if not any(at is not None and at % 60 for at in asked):
        return [None] * len(asked)
    return [
        json.dumps(one, sort_keys=True, default=str)
        for one in zip(agents, versions, tools, arguments, strict=True)
    ]


def _arguments(
    frame: pl.DataFrame, columns: Mapping[str, str], cells: Sequence[Any]
) -> list[dict[str, Any] | None]:
    """Return the arguments of each action: from a column of JSON, or from columns such as arguments.amount."""
    if "arguments" in columns:
        return [_object(cell) for cell in cells]
    stems = set(_NAMES["arguments"].split())
    for name in frame.columns:
        parts = name.casefold().split(".")
        place = next((i for i, part in enumerate(parts[:-1]) if part in stems), None)
        if place is not None:
            stem = ".".join(name.split(".")[: place + 1]) + "."
            inside = [one for one in frame.columns if one.startswith(stem)]
            rows = frame.select(inside).rename({one: one[len(stem) :] for one in inside}).to_dicts()
            return [_nest_columns(row) for row in rows]
    return [None] * frame.height


def _nest_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for path, value in row.items():
        if value is None:
            continue
        inner, *parts = whole, *path.split(".")
        for part in parts[:-1]:
            inner = inner.setdefault(part, {})
        inner[parts[-1]] = value
    return whole


def _object(cell: Any) -> dict[str, Any] | None:
    if isinstance(cell, Mapping):
        return dict(cell)
    try:
        found = json.loads(cell) if isinstance(cell, str) else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _in_order(asked: Sequence[float | None]) -> list[int]:
    """Return rows in the order of their proposals; as they stand where one has no time."""
    if any(at is None for at in asked):
        return list(range(len(asked)))
    return sorted(range(len(asked)), key=lambda i: asked[i] or 0.0)


def _moments(cells: Sequence[Any], name: str) -> list[float | None]:
    found: list[float | None] = []
    for row, cell in enumerate(cells, 1):
        text = _text(cell)
        if text is None or text.casefold() in ("false", "no", "0"):
            found.append(None)
            continue
        at = 0.0 if text.casefold() in ("true", "yes", "1") else _moment(cell)
        if at is None:
            raise LogError(
                f"row {row} of the column {name!r} is not a time: {text!r:.40}; write 2026-01-31T08:00:00Z"
            )
        found.append(at)
    return found


def _moment(cell: Any) -> float | None:
    """Return seconds since 1970; a time without a zone is UTC."""
    if isinstance(cell, datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp()
    number = _number(cell)
    if number is not None:
        size = 1e3 if number > 1e11 else 1.0
        size = 1e6 if number > 1e14 else size
        return number / size if number > 1e8 else None
    try:
        at = datetime.fromisoformat(str(cell).strip())
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _number(cell: Any) -> float | None:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _text(cell: Any) -> str | None:
    text = "" if cell is None else str(cell).strip()
    return text or None
