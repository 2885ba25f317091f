"""A panel before it is evaluated: which votes, judges, families and labels count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from askpoint.answers.judges.covariates import bin_covariates
from askpoint.answers.judges.estimate import prevalence_floats
from askpoint.answers.judges.gold_labels import check_gold
from askpoint.answers.judges.label_choice import label_to_tell, stray_labels
from askpoint.answers.judges.label_origin import LabelOrigin, check_seal, trace_labels
from askpoint.answers.judges.prepared_votes import abstaining_labels, with_judges, without_labels
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.judges.windows import votes_on
from askpoint.errors import InputError
from askpoint.judges.checks.redundant_judges import RedundantJudges, find_redundant_judges
from askpoint.judges.checks.swapped_orders import SwappedOrders, compare_orders, pairs_of_orders
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.evaluator import JudgeEvidence
from askpoint.judges.families import families_of_judges
from askpoint.judges.family_names import families_by_name
from askpoint.judges.gold.item_covariates import ItemCovariate
from askpoint.judges.gold.labelled_patterns import label_items
from askpoint.judges.gold.panel_choice import JudgePrices
from askpoint.judges.sketch.codes import judge_places
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["PreparedPanel", "prepare_panel"]


@dataclass(frozen=True, kw_only=True)
class PreparedPanel:
    """What of a panel's votes counts, and what was left out.

    Parameters
    ----------
    question : JudgesQuestion
        With families of judges that are left, and of the two orders of one judge.
    whole, table : VoteTable
        All votes, and those that count; without items where only counts are known.
    evidence : JudgeEvidence
        The votes that count, by pattern, and the labels that count.
    judges : tuple of str
        All of them.
    stray : mapping of str to int
        Labels of less than 1% of the votes.
    abstentions : tuple of str
        Labels taken for no vote.
    orders : tuple of SwappedOrders
        Judges asked in both orders.
    redundant : RedundantJudges
        Judges left out.
    families, guessed_families : mapping of str to tuple of str
        Judges not taken to err independently, and those whose names suggest it.
    n_gold : int
        Gold labels of items that somebody judged.
    prices : JudgePrices or None
        What votes and a check cost, where that was told.
    origin : LabelOrigin
        How labels were drawn.
    covariates : tuple of ItemCovariate
        Of the items, in levels.
    """

    question: JudgesQuestion
    whole: VoteTable
    table: VoteTable
    evidence: JudgeEvidence
    judges: tuple[str, ...]
    stray: Mapping[str, int]
    abstentions: tuple[str, ...]
    orders: tuple[SwappedOrders, ...]
    redundant: RedundantJudges
    families: Mapping[str, tuple[str, ...]]
    guessed_families: Mapping[str, tuple[str, ...]]
    n_gold: int
    prices: JudgePrices | None
    origin: LabelOrigin
    covariates: tuple[ItemCovariate, ...]

    @property
    def sketch(self) -> VoteSketch:
        """The votes that count, by pattern."""
        return self.evidence.sketch

    def label_of(self, found: Evaluation) -> str:
        """Return the label that is told, by an evaluation."""
        prevalence = prevalence_floats(found)
        return label_to_tell(self.sketch.labels, self.question.positive, prevalence, self.stray)


def prepare_panel(votes: VoteTable | VoteSketch, question: JudgesQuestion) -> PreparedPanel:
    """Check votes and question, and leave out what tells nothing.

    Raises
    ------
    InputError
        As `answer_judges`.
    """
    if isinstance(votes, VoteTable):
        table, sketch = votes, votes_on(votes)
    elif question.gold or question.window or question.propose or question.anchors or question.covariates:  # fmt: skip
        raise InputError(
            "gold labels, proposals, windows, anchors and covariates need the items, not counts"
        )
    else:  # of counts, no item is known
        none = np.empty((0, len(votes.judges)), np.int16)
        table, sketch = VoteTable((), votes.judges, votes.labels, none), votes
    check_gold(table, question.gold)
    families_of_judges(votes.judges, question.families)  # of whom all must be judges
    whole = table
    abstentions = abstaining_labels(votes.labels, question.gold)
    if abstentions:
        table = without_labels(table, abstentions)
        sketch = votes_on(table)
    judges, stray, orders = sketch.judges, stray_labels(sketch), compare_orders(sketch)
    is_free = question.guess_families and not question.families
    redundant = find_redundant_judges(sketch, join_copies=is_free)
    kept = redundant.keep(judges)
    if kept != judges:
        table, sketch = with_judges(table, kept), sketch.select(kept)
    named = {judge: kin for judge, kin in question.families.items() if judge in kept}
    if is_free:
        named = {run: judge for judge, pair in pairs_of_orders(kept).items() for run in pair}
    question = replace(question, families=named)
    families, guessed = families_of_judges(kept, named), {}
    if is_free:
        by_name = families_of_judges(kept, families_by_name(kept)).items()
        guessed = {name: kin for name, kin in by_name if kin not in families.values()}
    n_gold = check_gold(table, question.gold)
    check_seal(table, question.seal)
    prices = _read_prices(question, judges, kept)
    origin = trace_labels(table, sketch, question.gold, question.level)
    covariates = bin_covariates(table, question.covariates)
    counted, labelled = origin.counted, None
    if covariates and counted is not None and counted.n_items:
        labelled = label_items(table, origin.labels, covariates)
    return PreparedPanel(
        question=question,
        whole=whole,
        table=table,
        evidence=JudgeEvidence(sketch, counted, named, question.root, labelled),
        judges=judges,
        stray=stray,
        abstentions=abstentions,
        orders=orders,
        redundant=redundant,
        families=families,
        guessed_families=guessed,
        n_gold=n_gold,
        prices=prices,
        origin=origin,
        covariates=covariates,
    )


def _read_prices(
    question: JudgesQuestion, judges: tuple[str, ...], kept: tuple[str, ...]
) -> JudgePrices | None:
    check, votes = question.check, question.vote_prices
    if not votes or check is None:
        return None
    judge_places(judges, [judge for judge in votes if judge])
    own = {judge: votes.get(judge, votes.get("")) for judge in kept}
    missing = [judge for judge, price in own.items() if price is None]
    if missing:
        raise InputError(
            f"--vote must price every judge; {', '.join(missing)} has no price. Add --vote AMOUNT for all "
            "others."
        )
    known = {judge: price for judge, price in own.items() if price is not None}
    return JudgePrices(check=check, votes=known)
