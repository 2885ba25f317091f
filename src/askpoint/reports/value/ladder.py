"""A ladder of models and people, said."""

from __future__ import annotations

from typing import Any, NamedTuple

from askpoint.answers.value.ladder import LadderAnswer
from askpoint.answers.value.ladder_plan import plan_labels
from askpoint.reports.document import Block, Document, Grid, Notice, Paragraph, Section
from askpoint.reports.words import amount, count, money_text, plural, rough, share, unit_of
from askpoint.value.ladder.prospects import LadderProspects
from askpoint.value.ladder.stages import ANSWER, ASK, Ladder, Stage, rungs_of
from askpoint.value.posterior.prospects import Expected

__all__ = ["ladder_document", "ladder_object", "stages_grid"]


class _Piece(NamedTuple):
    """What is done between two confidences."""

    low: float
    high: float
    action: int


def ladder_document(answer: LadderAnswer, name: str) -> Document:
    """Return the report of a ladder."""
    log = answer.log
    blocks: list[Block] = [Paragraph(_lead(answer), lead=True), Paragraph(_cost(answer))]
    blocks += [Paragraph(_why(answer)), *_plan(answer), *_notices(answer)]
    sections = [Section("Recommendation", tuple(blocks))]
    if answer.rule != "ask_all":
        grid = stages_grid(answer.choice.learned.ladder, _names(answer))
        sections.append(Section("What to do with a case", (grid,)))
    sections.append(
        Section("The rungs", (_rungs(answer), Paragraph(_columns(answer)), _rules(answer)))
    )
    footer = (
        f"{name}: {plural(log.n_items, 'case', 'cases')}, {count(log.n_labelled)} with a label, {count(answer.n_complete)} of them "
        "with the output of every rung. Labels are taken to be a random sample of the cases"
        + ("" if answer.question.people_right is not None else ", and people to be right")
        + "."
    )
    return Document(_title(answer), tuple(sections), footer, name)


def _title(answer: LadderAnswer) -> str:
    if answer.rule == "ask_all":
        return "Send every case to review."
    if _is_open(answer):
        return "Not yet: these labels do not settle whether calls of the models pay."
    models = "the models" if answer.rule == "ladder" else "one model"
    return f"Let {models} decide {rough(1 - answer.choice.prospects.asked.mean)} alone."


def _is_open(answer: LadderAnswer) -> bool:
    """Whether sending every case to review may cost as little."""
    cost = answer.choice.prospects.cost_per_1000
    return cost.low < 1000 * answer.question.asking < cost.high


def _lead(answer: LadderAnswer) -> str:
    told = answer.choice.prospects
    if answer.rule == "ask_all":
        return (
            "Send every case to review. No rung is expected to save what its calls cost: with these labels, deciding "
            "alone costs as much in mistakes as people cost."
        )
    names = _names(answer)
    first = names[answer.choice.learned.ladder.first]
    others = [
        f"{name} on {share(calls.mean)}"
        for name, calls in zip(names, told.calls, strict=True)
        if name != first and calls.mean > 0
    ]
    then = f", then {_and(others)} of the cases" if others else " and no other rung"
    return (
        f"Call {first} on every case{then}. People see {share(told.asked.mean)}, and "
        f"{amount(1000 * told.mistakes.mean)} of 1,000 cases are decided wrongly (between "
        f"{amount(1000 * told.mistakes.low)} and {amount(1000 * told.mistakes.high)})."
    )


def _cost(answer: LadderAnswer) -> str:
    cost, question = answer.choice.prospects.cost_per_1000, answer.question
    saved = 1000 * question.asking - cost.mean
    unit = unit_of(question.money_per_check, question.currency)
    ask = f"{_money(answer, abs(saved))} {'less' if saved >= 0 else 'more'} than sending every case to review"
    seconds = answer.seconds
    doubt = (
        " The range reaches beyond that of sending every case to review: these labels do not settle which costs less."
        if _is_open(answer)
        else ""
    )
    waits = f" A case waits {amount(seconds)} s for calls on average." if seconds else ""
    return (
        f"1,000 cases cost {_money(answer, cost.mean)}{unit} (95% of the time between {_money(answer, cost.low)} and "
        f"{_money(answer, cost.high)}): calls, people and mistakes. That is {ask}.{doubt}{waits} One mistake is as bad as "
        f"{amount(question.checks)} checks{', which nobody stated' if question.assumed else ''}."
    )


def _why(answer: LadderAnswer) -> str:
    guard = answer.choice.guard
    ladder, single = answer.choice.ladder.cost_per_1000, answer.choice.single.cost_per_1000
    if len(answer.rungs) == 1:
        return (
            "A ladder of one rung is a threshold: askpoint value without --rung says more about it."
        )
    alone = _single_name(answer)
    shown = (
        f"On {plural(guard.n_labelled, 'labelled case', 'labelled cases')} with every output, each decided by rules learned "
        f"without it, the ladder saved {_money(answer, 1000 * guard.saved_by_labels)} per 1,000 (standard error "
        f"{_money(answer, 1000 * guard.error)})"
    )
    if guard.is_used:
        return (
            f"The ladder is used because it costs less than {alone}, the best rule with one rung at most "
            f"({_money(answer, ladder.mean)} against {_money(answer, single.mean)}). {shown}."
        )
    if guard.saved_by_model <= 0:
        return (
            f"No second call is expected to pay: {alone} does as well as any ladder of these rungs."
        )
    if not guard.n_labelled:
        return (
            f"The ladder is not shown to be better than {alone}, which is used: too few labelled cases have the output of "
            "every rung. Run every rung on the cases that you label."
        )
    return (
        f"The ladder is not shown to be better than {alone}, which is used. By the model it saves "
        f"{_money(answer, 1000 * guard.saved_by_model)} per 1,000. {shown}."
    )


def _plan(answer: LadderAnswer) -> list[Block]:
    """Say what to run and to label next; nothing where the ladder is used, or cannot be."""
    plan = plan_labels(answer)
    if plan.n_labels is not None:
        return [
            Paragraph(
                f"Next: label about {plural(plan.n_labels, 'case', 'cases')} more, drawn at random, and run every rung on "
                "them. If the ladder goes on saving as much, it is used then.",
                options="--propose writes them down.",
            )
        ]
    if answer.choice.guard.is_used or answer.choice.guard.saved_by_model <= 0:
        return []
    return [Paragraph(f"No number of further labels is planned: {plan.reason}.")]


def _notices(answer: LadderAnswer) -> list[Block]:
    notices: list[Block] = [Paragraph(f"{note}.") for note in answer.log.notes]
    notices += [
        Notice(
            f"A call of {line.name} costs as much as asking a person or more, so it is never worth it."
        )
        for line in answer.rungs
        if line.price >= answer.question.asking
    ]
    lacking = answer.log.n_labelled - answer.n_complete
    if lacking:
        notices.append(
            Notice(
                f"{plural(lacking, 'labelled case lacks', 'labelled cases lack')} the output of some rung. Run every rung on "
                "the cases that you label: outputs without a label add little."
            )
        )
    return notices


def stages_grid(ladder: Ladder, names: list[str]) -> Grid:
    """Return what is done in each state, by how sure its rungs are together."""
    rows = []
    for state in ladder.reachable_states():
        seen = " + ".join(names[rung] for rung in rungs_of(state))
        for piece in _pieces(ladder.stages[state]):
            low, high = (_confidence(end) for end in (piece.low, piece.high))
            rows.append((seen, f"{low} to {high}", _action(piece.action, names)))
    return Grid(
        "By what was called",
        ("called", "together as sure as", "then"),
        tuple(rows),
        "Several rungs count as one opinion: their probabilities multiplied, each with a weight, so that agreement makes surer "
        "and contradiction less sure. A range holds its lower end. The policy follows these ranges.",
    )


def _rungs(answer: LadderAnswer) -> Grid:
    calls = answer.choice.prospects.calls
    return Grid(
        "Each rung",
        ("rung", "price", "called", "right", "labels", "alone, 1,000 cases cost"),
        tuple(
            (
                line.name,
                _price(answer, line.price),
                share(called.mean),
                share(line.n_right / line.n_with_label),
                count(line.n_with_label),
                _cost_words(answer, line.alone.cost_per_1000),
            )
            for line, called in zip(answer.rungs, calls, strict=True)
        ),
        "Right: share of labelled cases where its own answer is the label. Alone: called on every case, with its own "
        "threshold, people for the rest; or people at once, where that costs less.",
    )


def _columns(answer: LadderAnswer) -> str:
    """Say which columns each rung was read from: a prefix may mean another than one thinks."""
    return (
        f"Read from: {'; '.join(f'{name}: {text}' for name, text in _read_from(answer).items())}."
    )


def _read_from(answer: LadderAnswer) -> dict[str, str]:
    reader, texts = answer.log.reader, {}
    for rung in reader.rungs:
        columns = ", ".join(rung.columns[:4]) + (", ..." if len(rung.columns) > 4 else "")
        if rung.kind == "answer":
            texts[rung.name] = f"{columns} (answers)"
        elif rung.kind == "probabilities" and len(rung.columns) == 1:
            texts[rung.name] = f"{columns} (probability of {reader.classes[rung.second]})"
        else:
            texts[rung.name] = columns
    return texts


def _rules(answer: LadderAnswer) -> Grid:
    choice, question = answer.choice, answer.question
    rows = [
        _rule("the ladder", answer, choice.ladder),
        _rule(f"{_single_name(answer)}", answer, choice.single),
    ]
    always = _money(answer, 1000 * question.asking)
    people = answer.question.people_right
    wrong = 0.0 if people is None else 1000 * (1 - people)
    rows.append(("send every case to review", always, share(1), amount(wrong)))
    return Grid(
        "Rules compared",
        ("rule", "1,000 cases cost", "to review", "mistakes per 1,000"),
        tuple(rows),
        "In brackets 95% of the next 1,000 cases. The ladder's cost is that of folds of the labels where that is more than "
        "the model expects.",
    )


def _rule(name: str, answer: LadderAnswer, told: LadderProspects) -> tuple[str, str, str, str]:
    mistakes = Expected(*(1000 * end for end in told.mistakes))
    return (
        name,
        _cost_words(answer, told.cost_per_1000),
        share(told.asked.mean),
        f"{amount(mistakes.mean)} ({amount(mistakes.low)} to {amount(mistakes.high)})",
    )


def _single_name(answer: LadderAnswer) -> str:
    calls = answer.choice.single.calls
    called = [line.name for line, each in zip(answer.rungs, calls, strict=True) if each.mean > 0]
    return f"{called[0]} alone" if called else "review at once"


def _pieces(stage: Stage) -> list[_Piece]:
    """Join neighbouring pieces with one action."""
    ends = [*stage.lowest.tolist()[1:], 1.0]
    pieces: list[_Piece] = []
    for low, high, action in zip(stage.lowest.tolist(), ends, stage.action.tolist(), strict=True):
        if pieces and pieces[-1].action == action:
            pieces[-1] = pieces[-1]._replace(high=high)
        else:
            pieces.append(_Piece(low, high, action))
    return pieces


def _action(action: int, names: list[str]) -> str:
    if action == ASK:
        return "ask"
    return "answer" if action == ANSWER else f"call {names[action]}"


def _names(answer: LadderAnswer) -> list[str]:
    return [line.name for line in answer.rungs]


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _confidence(value: float) -> str:
    return f"{value:.4g}" if value < 0.999 else f"{value:.6g}"


def _money(answer: LadderAnswer, checks: float) -> str:
    per = answer.question.money_per_check
    return amount(checks) if per is None else money_text(checks * per, answer.question.currency)


def _price(answer: LadderAnswer, checks: float) -> str:
    per = answer.question.money_per_check
    return f"{checks if per is None else checks * per:.4g}"


def _cost_words(answer: LadderAnswer, cost: Expected) -> str:
    low, high = _money(answer, cost.low), _money(answer, cost.high)
    return f"{_money(answer, cost.mean)} ({low} to {high})"


def ladder_object(answer: LadderAnswer) -> dict[str, Any]:
    """Return the answer as one JSON object."""
    question, guard, names = answer.question, answer.choice.guard, _names(answer)
    plan = plan_labels(answer)
    ladder = answer.choice.learned.ladder
    return {
        "n_items": answer.log.n_items,
        "n_labelled": answer.log.n_labelled,
        "n_unlabelled": answer.log.n_items - answer.log.n_labelled,
        "n_complete": answer.n_complete,
        "classes": list(answer.log.reader.classes),
        "checks_per_mistake": question.checks,
        "cost_of_asking": question.asking,
        "recommended": {
            "rule": answer.rule,
            "first": names[ladder.first] if ladder.first >= 0 else None,
            **_prospect_object(answer.choice.prospects, names),
            "saved_per_1000": 1000 * question.asking - answer.choice.prospects.cost_per_1000.mean,
            "seconds": answer.seconds,
            "stages": [
                _stage_object(state, ladder.stages[state], names)
                for state in ladder.reachable_states()
            ]
            if ladder.first >= 0
            else [],
            "reasons": _reasons(answer),
        },
        "ladder": _prospect_object(answer.choice.ladder, names),
        "best_single": {
            "rule": _single_name(answer),
            **_prospect_object(answer.choice.single, names),
        },
        "ask_all": {"cost_per_1000": {"checks": 1000 * question.asking}},
        "guard": {
            "is_used": guard.is_used,
            "saved_by_model": guard.saved_by_model,
            "saved_by_labels": guard.saved_by_labels if guard.n_labelled else None,
            "error": guard.error if guard.n_labelled else None,
            "n_labelled": guard.n_labelled,
        },
        "plan": {
            "n_labels": plan.n_labels,
            "n_to_run": plan.n_to_run,
            "reasons": {"n_labels": plan.reason} if plan.reason else {},
        },
        "rungs": [
            {
                "name": line.name,
                "columns": list(rung.columns),
                "probability_of": answer.log.reader.classes[rung.second]
                if rung.kind == "probabilities" and len(rung.columns) == 1
                else None,
                "price": line.price,
                "seconds": line.seconds,
                "n_outputs": line.n_outputs,
                "n_with_label": line.n_with_label,
                "accuracy": line.n_right / line.n_with_label,
                "alone": _prospect_object(line.alone, [line.name]),
            }
            for line, rung in zip(answer.rungs, answer.log.reader.rungs, strict=True)
        ],
    }


def _reasons(answer: LadderAnswer) -> dict[str, str]:
    reasons = {}
    if answer.choice.learned.ladder.first < 0:
        reasons["first"] = "none: people are asked at once"
    if answer.seconds is None:
        reasons["seconds"] = "the time of a call is not stated: --rung NAME=COLUMNS:PRICE:SECONDS"
    return reasons


def _prospect_object(told: LadderProspects, names: list[str]) -> dict[str, Any]:
    cost = told.cost_per_1000
    return {
        "cost_per_1000": {"checks": cost.mean, "interval": [cost.low, cost.high]},
        "asked": {"share": told.asked.mean, "interval": [told.asked.low, told.asked.high]},
        "mistakes": {
            "share": told.mistakes.mean,
            "interval": [told.mistakes.low, told.mistakes.high],
        },
        "calls": {name: each.mean for name, each in zip(names, told.calls, strict=True)},
    }


def _stage_object(state: int, stage: Stage, names: list[str]) -> dict[str, Any]:
    rungs = rungs_of(state)
    return {
        "seen": [names[rung] for rung in rungs],
        "weights": {names[rung]: float(w) for rung, w in zip(rungs, stage.weights, strict=True)},
        "pieces": [
            {
                "from": piece.low,
                "action": "call" if piece.action >= 0 else _action(piece.action, names),
                "call": names[piece.action] if piece.action >= 0 else None,
            }
            for piece in _pieces(stage)
        ],
    }
