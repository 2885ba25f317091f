"""Documents of several fields from one log: what `askpoint value --document` does."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.whole_documents import DocumentQuestion, answer_documents
from askpoint.cli.actions.prices import stated_checks
from askpoint.cli.columns import names_of, probability_columns
from askpoint.cli.reading_context import current_source
from askpoint.cli.report import check_files, print_report, shown_name
from askpoint.errors import InputError
from askpoint.records.document_logs import read_documents
from askpoint.reports.value.whole_documents import documents_document, documents_object
from askpoint.value.document_rule import DocumentPrices

__all__ = ["choose_documents"]

_TAKEN = {
    *("label", "proba", "classes", "prediction", "confidence", "measure", "group", "document"),
    *(
        "rho",
        "mistake",
        "check",
        "currency",
        "field_check",
        "labels_are_random",
        "policy",
        "html",
        "as_json",
    ),
}
_DEFAULTS = {"to": "to_label.csv", "kept": 0.95}


def choose_documents(log: str, options: dict[str, Any]) -> None:
    """Read a log of fields, choose which documents are released unseen, and report what it costs."""
    for name, value in options.items():
        if name not in _TAKEN and value not in (None, False, (), _DEFAULTS.get(name)):
            flag = {"default_class": "default"}.get(name, name).replace("_", "-")
            raise InputError(
                f"--{flag} does not go with --document: documents take --by, a price (--rho, or --mistake, "
                "--check and --currency), --field-check and --policy. Leave it out."
            )
    check_files(options)
    question = _question(options)
    documents = read_documents(
        current_source(log),
        options["document"],
        options["group"],
        label=options["label"],
        proba=probability_columns(options["proba"]),
        classes=names_of(options["classes"]),
        prediction=options["prediction"],
        confidence=options["confidence"],
    )
    answer = answer_documents(documents, question)
    if options["policy"] is not None:
        from askpoint.cli.actions.rule_policy import write_policy

        write_policy(answer, options["policy"])
    document = documents_document(answer, shown_name(log))
    print_report(document, lambda: documents_object(answer), options, answer)


def _question(options: dict[str, Any]) -> DocumentQuestion:
    checks, money = stated_checks(options)
    field, opening = options["field_check"], 1.0
    if field is not None and money is not None:
        field /= money
    return DocumentQuestion(
        DocumentPrices(20.0 if checks is None else checks, opening, field or 0.0),
        money_per_check=money,
        currency=options["currency"],
        assumed=checks is None,
        labels_are_random=options["labels_are_random"],
        measure=options["measure"],
    )
