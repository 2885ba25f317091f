"""What labels show of a panel's worth: in labels saved, in money, and by covariates of the items."""

from __future__ import annotations

from askpoint.answers.judges.covariates import (
    CovariateFindings,
    explaining_columns,
    find_in_covariates,
)
from askpoint.answers.judges.prepared_panel import PreparedPanel
from askpoint.errors import NotEstimableError
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.gold.fewest_judges import FewestJudges, choose_fewest
from askpoint.judges.gold.label_worth import LabelWorth, measure_worth
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, label_patterns
from askpoint.judges.gold.panel_choice import JudgePrices, PanelChoice, choose_judges

__all__ = ["choose_panel", "fewest_of", "find_covariates", "price_waste", "worth_of"]


def worth_of(panel: PreparedPanel, found: Evaluation) -> LabelWorth:
    """Return what a panel and each judge are worth, in labels, by an evaluation that uses labels.

    Raises
    ------
    NotEstimableError
        As `measure_worth`.
    """
    return measure_worth(_patterns(panel), panel.label_of(found), panel.question.level)


def choose_panel(
    panel: PreparedPanel, found: Evaluation, worth: LabelWorth, prices: JudgePrices
) -> PanelChoice:
    """Return which judges to pay for.

    Raises
    ------
    NotEstimableError
        As `choose_judges`.
    """
    label, level = panel.label_of(found), panel.question.level
    return choose_judges(_patterns(panel), label, worth, prices, level)


def fewest_of(panel: PreparedPanel, found: Evaluation, worth: LabelWorth) -> FewestJudges | None:
    """Return the fewest judges who tell as much as all."""
    label, level = panel.label_of(found), panel.question.level
    return choose_fewest(_patterns(panel), label, worth, level)


def price_waste(panel: PreparedPanel) -> dict[str, float]:
    """Return what the votes of judges that were left out cost, by judge; nothing without prices."""
    prices, codes = panel.question.vote_prices, panel.whole.codes
    return {
        judge: prices.get(judge, prices.get("", 0.0)) * int((codes[:, place] >= 0).sum())
        for place, judge in enumerate(panel.whole.judges)
        if prices and judge not in panel.sketch.judges
    }


def find_covariates(panel: PreparedPanel, found: Evaluation | None) -> CovariateFindings:
    """Return what covariates of the items show, by an evaluation that uses labels.

    Raises
    ------
    NotEstimableError
        If no covariates were told.
    """
    question = panel.question
    if not question.covariates and not question.other_columns:
        raise NotEstimableError("no covariates of the items were given: --covariate COLUMN")
    if found is None:
        return find_in_covariates(None, panel.covariates, "", question.level, {})
    label, labels = panel.label_of(found), panel.origin.labels
    explaining = explaining_columns(panel.table, labels, question.other_columns, label)
    known = panel.evidence.labelled
    return find_in_covariates(known, panel.covariates, label, question.level, explaining)


def _patterns(panel: PreparedPanel) -> LabelledPatterns:
    gold, labelled = panel.evidence.gold, panel.evidence.labelled
    if gold is None:
        raise NotEstimableError("no gold labels were given")
    return label_patterns(panel.sketch, gold) if labelled is None else labelled
