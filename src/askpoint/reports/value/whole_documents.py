"""Documents of several fields, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.whole_documents import DocumentAnswer
from askpoint.reports.document import Block, Document, Grid, Notice, Paragraph, Section
from askpoint.reports.words import amount, count, money_text, plural, rough, share, unit_of
from askpoint.value.posterior.prospects import Expected

__all__ = ["documents_document", "documents_object"]

_MOST_ROWS = 50


def documents_document(answer: DocumentAnswer, name: str) -> Document:
    """Return the report of documents."""
    documents = answer.documents
    blocks: list[Block] = [Paragraph(_lead(answer), lead=True), Paragraph(_cost(answer))]
    blocks += [Paragraph(_verdict(answer)), *_notices(answer)]
    sections = [
        Section("Recommendation", tuple(blocks)),
        Section("Other rules", (_rules(answer), Paragraph(_why_no_fields(answer)))),
        Section("Kinds of fields", (_kinds(answer),)),
    ]
    footer = (
        f"{name}: {plural(len(documents.names), 'document', 'documents')} with {count(documents.log.n_items)} fields, "
        f"{count(documents.log.n_labelled)} of them with a label; {count(answer.n_whole)} documents have one on every "
        "field. Labels are taken to be of documents drawn at random, and people to be right."
    )
    return Document(_title(answer), tuple(sections), footer, name)


def _title(answer: DocumentAnswer) -> str:
    if answer.released == 0:
        return "Send every document to review."
    if not answer.is_decided:
        return "Not yet: label all fields of more documents, drawn at random."
    return f"Release {rough(answer.released)} of the documents unseen."


def _lead(answer: DocumentAnswer) -> str:
    prices = answer.question.prices
    if answer.released == 0:
        return "Send every document to review: none is sure enough to go out unseen."
    opened = share(1 - answer.released)
    mistakes = answer.mistakes_per_1000
    text = (
        f"Release {share(answer.released)} of the documents unseen, and send {opened} to review. In 1,000 documents about "
        f"{amount(mistakes.mean)} fields go out wrong (between {amount(mistakes.low)} and {amount(mistakes.high)})."
    )
    if not prices.field:
        limit = amount(prices.opening / prices.mistake)
        return f"{text} A document is released if at most {limit} of its fields are expected to be wrong, all together."
    looked = answer.plan.looked.sum() / max(1, (~answer.plan.released).sum())
    return f"{text} In a document that is opened people look at {amount(looked)} fields on average."


def _cost(answer: DocumentAnswer) -> str:
    cost, question = answer.cost_per_1000, answer.question
    saved = answer.asking - cost.mean
    than = f"{_money(answer, abs(saved))} {'less' if saved >= 0 else 'more'} than if people look at all of them"
    unit = unit_of(question.money_per_check, question.currency)
    field = (
        f", and to look at a field {_money(answer, question.prices.field)}"
        if question.prices.field
        else ""
    )
    return (
        f"1,000 documents cost {_cost_words(answer, cost)}{unit} (in brackets 95% of the next 1,000), {than}. To open a "
        f"document costs {_money(answer, question.prices.opening)}{field}; a wrong field is as bad as "
        f"{amount(question.prices.mistake)} checks{', which nobody stated' if question.assumed else ''}."
    )


def _verdict(answer: DocumentAnswer) -> str:
    if answer.released == 0:
        return "No document is released, so there is nothing to save yet. More labels of whole documents may change that."
    if answer.is_decided:
        return f"Decided: this costs less than to look at all documents with a probability of {_chance(answer)}."
    return (
        f"Not decided yet: this costs less than to look at all documents with a probability of {_chance(answer)}. Label "
        "all fields of more documents, drawn at random."
    )


def _chance(answer: DocumentAnswer) -> str:
    return "more than .99" if answer.chance_to_save > 0.99 else f"{answer.chance_to_save:.2f}"


def _notices(answer: DocumentAnswer) -> list[Block]:
    bare = [_name(each.name) for each in answer.kinds if not each.n_labelled]
    if not bare:
        return []
    shown = ", ".join(bare[:5]) + (" and others" if len(bare) > 5 else "")
    return [
        Notice(
            f"No label at all: {shown}. How often such fields are wrong is taken from the others, with more doubt."
        )
    ]


def _rules(answer: DocumentAnswer) -> Grid:
    rows = (
        (
            "release by the sum of a document's fields",
            _cost_words(answer, answer.cost_per_1000),
            share(answer.released),
        ),
        ("people look at all documents", _money(answer, answer.asking), share(0)),
        ("release all documents", _money(answer, answer.answering), share(1)),
    )
    return Grid(
        "What 1,000 documents cost by each rule",
        ("rule", "1,000 documents cost", "released"),
        rows,
        "Expected, with the documents of the log.",
    )


def _why_no_fields(answer: DocumentAnswer) -> str:
    return (
        "A threshold for each field is not offered for documents that are released together: a document in which every "
        f"field passes still carries the doubts of all of them. Here it would cost {_money(answer, answer.by_fields)}."
    )


def _kinds(answer: DocumentAnswer) -> Grid:
    order = sorted(answer.kinds, key=lambda each: -each.wrong)
    rows = tuple(
        (
            _name(each.name),
            count(each.n_fields),
            count(each.n_labelled),
            count(each.n_wrong),
            amount(1000 * each.wrong),
            share(each.looked),
        )
        for each in order[:_MOST_ROWS]
    )
    more = len(order) - len(rows)
    return Grid(
        "How often each kind is wrong",
        ("kind", "fields", "labels", "wrong labels", "expected wrong of 1,000", "people look at"),
        rows,
        f"{plural(more, 'kind', 'kinds')} with fewer mistakes are in the JSON only."
        if more
        else "",
    )


def _name(name: str | None) -> str:
    return "(any)" if name is None else name


def _money(answer: DocumentAnswer, checks: float) -> str:
    per = answer.question.money_per_check
    return amount(checks) if per is None else money_text(checks * per, answer.question.currency)


def _cost_words(answer: DocumentAnswer, cost: Expected) -> str:
    low, high = _money(answer, cost.low), _money(answer, cost.high)
    return f"{_money(answer, cost.mean)} ({low} to {high})"


def documents_object(answer: DocumentAnswer) -> dict[str, Any]:
    """Return the answer as one JSON object."""
    documents, prices = answer.documents, answer.question.prices
    cost, mistakes = answer.cost_per_1000, answer.mistakes_per_1000
    return {
        "n_documents": len(documents.names),
        "n_items": documents.log.n_items,
        "n_labelled": documents.log.n_labelled,
        "n_unlabelled": documents.log.n_items - documents.log.n_labelled,
        "n_whole": answer.n_whole,
        "classes": list(documents.log.classes),
        "prices": {
            "mistake": prices.mistake,
            "opening": prices.opening,
            "field": prices.field,
            "assumed": answer.question.assumed,
        },
        "decided": answer.is_decided,
        "recommended": {
            "rule": "sum" if answer.released else "ask_all",
            "released": answer.released,
            "most_expected_wrong": None if prices.field else prices.opening / prices.mistake,
            "cost_per_1000": {"checks": cost.mean, "interval": [cost.low, cost.high]},
            "mistakes_per_1000": {
                "fields": mistakes.mean,
                "interval": [mistakes.low, mistakes.high],
            },
            "saved_per_1000": answer.asking - cost.mean,
            "chance_to_save": answer.chance_to_save,
            "reasons": {"most_expected_wrong": "fields have a price of their own"}
            if prices.field
            else {},
        },
        "ask_all": {"cost_per_1000": {"checks": answer.asking}},
        "answer_all": {"cost_per_1000": {"checks": answer.answering}},
        "by_fields": {
            "cost_per_1000": {"checks": answer.by_fields},
            "why_not": "a document in which every field passes still carries the doubts of all of them",
        },
        "kinds": [
            {
                "kind": each.name,
                "n_fields": each.n_fields,
                "n_labelled": each.n_labelled,
                "n_wrong": each.n_wrong,
                "expected_wrong": each.wrong,
                "looked_at": each.looked,
            }
            for each in answer.kinds
        ],
    }
