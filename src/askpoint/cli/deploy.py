"""``askpoint deploy``: a policy that decides, asks and audits itself, in a folder of its own."""

from __future__ import annotations

import secrets
from typing import Any

import click

from askpoint.answers.live.first_policy import Opening, OpeningQuestion, answer_opening
from askpoint.cli.columns import names_of, probability_columns, probability_options
from askpoint.cli.folders import place_name, policy_place
from askpoint.cli.prices import check_price
from askpoint.cli.report import check_files, print_report, report_options
from askpoint.errors import InputError
from askpoint.live.draws import secret_hash
from askpoint.measures.confidence import CONFIDENCE_MEASURES
from askpoint.records.costs import read_costs
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.live.deploy import opening_document, opening_object

__all__ = ["deploy_command"]

_RHO = 0.05


@click.command("deploy", context_settings={"show_default": True})
@click.argument("log", type=click.Path(), required=False)
@click.option("--label", default="label", metavar="COLUMN", help="True class; may be empty.")
@probability_options
@click.option("--prediction", metavar="COLUMN", help="Predicted class, with --confidence.")
@click.option("--confidence", metavar="COLUMN", help="How sure the model is; higher is surer.")
@click.option(
    "--measure",
    type=click.Choice(list(CONFIDENCE_MEASURES)),
    default="max_probability",
    help="Confidence measure.",
)
@click.option(
    "--labels-are-random", is_flag=True, help="You know that labels do not depend on confidence."
)
@click.option("--rho", type=float, help="Least cost: a check costs RHO of a mistake.")
@click.option("--costs", type=click.Path(), metavar="FILE", help="Least cost by a costs.json.")
@click.option(
    "--max-error",
    type=float,
    metavar="SHARE",
    help="At most this share of answers is wrong, while the world holds still.",
)
@click.option(
    "--guarantee",
    type=float,
    metavar="DELTA",
    help="With --max-error: but for a probability of DELTA (0.05 unless said).",
)
@click.option("--audit", type=float, metavar="RATE", help="Share of the answers to check.")
@click.option(
    "--detect", type=float, metavar="RISK", help="Detect a rise to this risk, with --within."
)
@click.option("--within", type=float, metavar="N", help="Decisions within which --detect holds.")
@click.option(
    "--changes-per-year",
    type=float,
    metavar="N",
    help="The audits that cost least if errors treble N times a year.",
)
@click.option(
    "--per-year", type=float, metavar="N", help="Decisions a year; by default the planned ones."
)
@click.option(
    "--mistake-budget",
    type=float,
    metavar="N",
    help="Mistakes that may pass beyond the limit before it closes; by default 20 over the audit rate.",
)
@click.option(
    "--planned-decisions",
    type=int,
    default=40_000,
    metavar="N",
    help="Decisions until a new policy comes, about.",
)
@click.option(
    "--max-label-delay",
    type=int,
    default=2000,
    metavar="N",
    help="Decisions for which it answers while no labels come; then it asks everything until they do. "
    "At least your largest batch, and what comes in over a weekend.",
)
@click.option("--name", help="Its name; by default that of its folder.")
@click.option("--model-name", default="", help="Name of the model.")
@click.option("--model-version", default="", help="Version of the model; batches must state it.")
@click.option(
    "--out",
    type=click.Path(),
    default="policy.json",
    metavar="FILE",
    help="Where policy.json goes; its folder is the deployment. Or postgresql://HOST/DATABASE.",
)
@report_options
def deploy_command(log: str | None, **options: Any) -> None:
    """Make a policy from a LOG, or from nothing: then everything is asked first.

    LOG is a file as for `askpoint value`, in order of time, whose labels are a random sample. The
    policy answers or asks, has some of its answers audited, and closes by itself when they are
    worse than agreed.
    """
    check_files(options)
    place = policy_place(options["out"], "--out")
    secret = secrets.token_bytes(32)
    records = None if log is None else _records(log, options)
    classes = names_of(options["classes"]) if records is None else list(records.classes)
    if classes is None:
        raise InputError("without a log the policy knows no classes; name them: --classes no,yes")
    model = {
        "name": options["model_name"],
        "version": options["model_version"],
        "classes": classes,
        "measure": options["measure"],
    }
    opening = answer_opening(
        records,
        _question(options, classes),
        name=options["name"] or place_name(place),
        model=model,
        secret_hash=secret_hash(secret),
        labels_are_random=options["labels_are_random"],
    )
    with Deployment(place, opening.document, secret=secret) as deployment:
        shown = deployment.name
    _tell(opening, shown, options)


def _tell(opening: Opening, shown: str, options: dict[str, Any]) -> None:
    document = opening_document(opening, click.format_filename(shown))
    print_report(document, lambda: opening_object(opening), options)


def _records(log: str, options: dict[str, Any]) -> PredictionLog:
    return read_log(
        log,
        label=options["label"],
        proba=probability_columns(options["proba"]),
        classes=names_of(options["classes"]),
        prediction=options["prediction"],
        confidence=options["confidence"],
    )


def _question(options: dict[str, Any], classes: list[str]) -> OpeningQuestion:
    stated = [name for name in ("rho", "costs", "max_error") if options[name] is not None]
    if len(stated) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in stated)
        raise InputError(f"state one objective, got {flags}")
    if options["guarantee"] is not None and stated != ["max_error"]:
        raise InputError("--guarantee promises a share of mistakes: state it with --max-error")
    limit, planned = options["rho"], options["planned_decisions"]
    if stated == ["costs"]:
        mistake, check = check_price(read_costs(options["costs"]).reorder(classes))
        limit = check / mistake
    changes = options["changes_per_year"]
    return OpeningQuestion(
        aim="promise" if stated == ["max_error"] else "money",
        limit=options["max_error"] if stated == ["max_error"] else _RHO if limit is None else limit,
        delta=0.05 if options["guarantee"] is None else options["guarantee"],
        rate=options["audit"],
        detect=options["detect"],
        within=options["within"],
        changes=None if changes is None else changes * planned / (options["per_year"] or planned),
        mistake_budget=options["mistake_budget"],
        planned_decisions=planned,
        max_label_delay=options["max_label_delay"],
        assumed=not stated,
    )
