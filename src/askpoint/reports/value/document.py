"""The main job's answer in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.question import ASSUMED_CHECKS
from askpoint.answers.value.workload import Workload
from askpoint.answers.value.worst_cases import WorstCase
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Grid,
    Notice,
    Paragraph,
    Section,
)
from askpoint.reports.value.accounts import accounts_grid
from askpoint.reports.value.current_threshold import in_use_blocks
from askpoint.reports.value.guarantee import answering_pays_block, guarantee_blocks
from askpoint.reports.value.people import people_blocks, people_price
from askpoint.reports.value.tables import (
    baselines_blocks,
    groups_table,
    models_table,
    surest_blocks,
    value_picture,
)
from askpoint.reports.value.thresholds import format_threshold
from askpoint.reports.value.tomorrow import expected_grid, prices_grid, tomorrow_blocks
from askpoint.reports.value.what_if import capacity_slider, price_slider
from askpoint.reports.value.workload import workload_paragraph
from askpoint.reports.verdicts import refusal_text
from askpoint.reports.words import (
    amount,
    count,
    plural,
    round_share,
    share,
    share_range,
)
from askpoint.value.objectives import Objective

__all__ = ["value_document", "value_sections"]

_FEW_ANSWERS = 100
_FEW_LABELS = 300


def value_document(answer: ValueAnswer, name: str, workload: Workload | None = None) -> Document:
    """Return the report on one log, in a period's cases and money where their volume is known."""
    return Document(
        f"Which decisions may the model take alone? {name}",
        value_sections(answer, workload=workload),
        f"{plural(answer.n_items, 'case', 'cases')}, {count(answer.n_labelled)} with a label. "
        "Made by askpoint; nothing left this machine.",
    )


def value_sections(
    answer: ValueAnswer, *, prefix: str = "", workload: Workload | None = None
) -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several."""
    tomorrow = answer.tomorrow
    sections = [Section("The answer", tuple(_verdict(answer, workload)))]
    if answer.guarantee is not None:
        sections.append(
            Section("What is promised of new cases", guarantee_blocks(answer, answer.guarantee))
        )
    if tomorrow is not None:
        sections.append(
            Section("Compared with simpler policies", (expected_grid(answer, tomorrow),))
        )
        if tomorrow.prices:
            printed = partial(format_threshold, answer)
            blocks = (
                prices_grid(answer, tomorrow),
                price_slider(tomorrow, printed),
                capacity_slider(tomorrow, printed),
            )
            sections.append(Section("If a mistake cost more, or less", blocks))
    if answer.accounts is not None:
        grid = accounts_grid(answer.accounts, answer.question.level)
        sections.append(Section("For those who must account for the decisions", (grid,)))
    if answer.people is not None:
        sections.append(Section("People err, too", tuple(people_blocks(answer.people))))
    if answer.groups:
        sections.append(Section("Group by group, at the same threshold", (groups_table(answer),)))
    if answer.models:
        from askpoint.reports.value.models import comparison_blocks

        sections.append(
            Section("Model by model", (models_table(answer), *comparison_blocks(answer.comparison)))
        )
    if tomorrow is not None:
        sections.append(Section("These rows themselves, in hindsight", tuple(_hindsight(answer))))
        if answer.point is not None:
            sections.append(
                Section("How sure the model is, and how right", tuple(surest_blocks(answer)))
            )
    trust = tuple(_trust(answer))
    if trust:
        sections.append(Section("How far to trust these numbers", trust))
    return tuple(Section(prefix + section.title, section.blocks) for section in sections)


def _verdict(answer: ValueAnswer, workload: Workload | None) -> Iterator[Block]:
    if answer.tomorrow is None:
        if answer.refusal is not None:
            yield Notice(f"No verdict: {refusal_text(answer.refusal)}.")
        if answer.worst is not None:
            yield Paragraph(_worst(answer.worst), lead=True)
            yield _worst_figures(answer, answer.worst)
        if answer.selection is not None:
            yield _label_shares(answer)
        return
    if len(answer.models) > 1:
        yield Paragraph(_best_model(answer))
    if answer.in_use is not None:
        yield from in_use_blocks(answer.in_use)
    yield from tomorrow_blocks(answer, answer.tomorrow)
    if workload is not None:
        yield workload_paragraph(answer.tomorrow, workload)
    yield Paragraph(_price(answer))


def _best_model(answer: ValueAnswer) -> str:
    k, best = len(answer.models), answer.models[0][0]
    found = answer.comparison
    if found is None or not found.differences:
        return f"Of {k} models {best!r} is expected to do best."
    if found.shown_best is not None:
        shown = f"Of {k} models {found.shown_best!r} is shown to be better than every other one."
        if found.shown_best == best:
            return shown
        return f"{shown} For new cases {best!r} is expected to do best."
    return f"Of {k} models none is shown to be better; {best!r} is expected to do best."


def _worst(worst: WorstCase) -> str:
    return (
        f"If the model decided every case, at least {count(1000 * worst.low)} and at most "
        f"{count(1000 * worst.high)} of 1,000 would be wrong: for {share(worst.unknown)} of the cases "
        "no label says anything."
    )


def _worst_figures(answer: ValueAnswer, worst: WorstCase) -> Figures:
    return Figures(
        "Of 1,000 cases, if the model decided every case",
        (
            Figure("wrong, at least", count(1000 * worst.low)),
            Figure("wrong, at most", count(1000 * worst.high)),
            Figure("where no label tells", count(1000 * worst.unknown)),
            Figure(
                "labels in the log", count(answer.n_labelled), f"of {count(answer.n_items)} cases"
            ),
        ),
    )


def _hindsight(answer: ValueAnswer) -> Iterator[Block]:
    if answer.point is None:
        yield Paragraph(f"On these rows {answer.unmet}.")
        return
    yield Paragraph(
        "What would have been best for these very rows, now that their labels are known. A "
        "threshold picked like that is a lucky one: for new cases take the answer above."
    )
    yield Paragraph(_lead(answer))
    yield from _mistakes(answer)
    if answer.unit == "money":
        yield Paragraph(_money(answer))
    yield from baselines_blocks(answer)
    yield from value_picture(answer)


def _lead(answer: ValueAnswer) -> str:
    cases = plural(answer.n_items, "case", "cases")
    answered = answer.n_items - answer.asked
    if answered == 0:
        if answer.question.objective.is_limit:
            return (
                f"Leave all {cases} to people: the surest answers of the model are no better "
                "than your limit."
            )
        return (
            f"Leave all {cases} to people: at this price the mistakes of the model cost more than "
            "asking, however sure it is."
        )
    if answer.asked == 0:
        if answer.question.objective.is_capacity:
            return f"Let the model decide all {cases}."
        why = (
            "that already meets your limit"
            if answer.question.objective.is_limit
            else "at this price asking people costs more than it saves"
        )
        return f"Let the model decide all {cases}: {why}."
    by_weight = "" if _same(answered / answer.n_items, answer.coverage) else " by weight"
    return (
        f"Let the model decide alone {_where_it_answers(answer)}. It then decides "
        f"{count(answered)} of {cases} ({share(answer.coverage)}{by_weight}) and leaves "
        f"{count(answer.asked)} to people."
    )


def _where_it_answers(answer: ValueAnswer) -> str:
    threshold = math.inf if answer.point is None else answer.point.threshold
    if answer.question.objective.costs is not None:
        least = format_threshold(answer, threshold)
        if threshold <= 0:
            return f"where deciding is expected to cost at most {least.removeprefix('-')} more than asking"
        return f"where deciding is expected to save at least {least} against asking"
    measure = answer.question.measure
    name = "" if measure == "max_probability" else f" ({measure.replace('_', ' ')})"
    return f"where its confidence{name} is at least {format_threshold(answer, threshold)}"


def _mistakes(answer: ValueAnswer) -> Iterator[Block]:
    point, intervals = answer.point, answer.intervals
    if point is None or intervals is None or intervals.risk is None:
        return
    risk = 0.0 if point.outcomes.risk is None else point.outcomes.risk
    everything = share(1 - answer.curve.accuracy)
    passing = amount(1000 * point.outcomes.wrong / point.outcomes.total)
    yield Paragraph(
        f"Of these decisions {share(risk)} are wrong ({_level(answer)} interval "
        f"{share_range(intervals.risk)}): per 1,000 cases "
        f"{passing} {'mistake passes' if passing == '1' else 'mistakes pass'}."
        + (f" If it decided every case, {everything} would be wrong." if answer.asked else "")
    )
    curve = answer.curve
    labelled = int(curve.items[(curve.thresholds >= point.threshold).sum() - 1])
    if labelled < _FEW_ANSWERS:
        of = f" of the {count(answer.n_items - answer.asked)}" if answer.n_unlabelled else ""
        yield Notice(
            f"Only {plural(labelled, 'label', 'labels')}{of} tell how right these decisions are: "
            f"up to {share(intervals.risk.upper)} of such decisions may be wrong. Label more such "
            "cases."
        )


def _label_shares(answer: ValueAnswer) -> Grid:
    shares = () if answer.selection is None else answer.selection.shares
    return Grid(
        "Where the labels are",
        ("tenth of the cases, from the least sure", "with a label"),
        tuple((str(i), share(part)) for i, part in enumerate(shares, start=1)),
        "Where few cases have a label, nobody can tell how often the model is wrong.",
    )


def _price(answer: ValueAnswer) -> str:
    objective, rate = answer.question.objective, answer.rate
    if answer.people is not None:
        return people_price(answer.people)
    if rate is None:
        if objective.costs is not None:
            return (
                "The costs are those of the file; no one price of a mistake sums them up for this "
                "model."
            )
        if answer.asked == answer.n_items:
            return _wish(answer)
        return f"{_wish(answer)} Within that, answering still more would cost nothing."
    checks = amount(rate.checks_per_mistake)
    worth = f"worth {checks} {'check' if checks == '1' else 'checks'}"
    if objective.costs is not None:
        return (
            f"By your costs one mistake is, on average, {worth}. The model takes the decision that is expected "
            f"to cost least.{_open_costs(objective.costs)}"
        )
    if answer.question.is_assumed:
        return (
            f"You stated no price, so {ASSUMED_CHECKS} checks are taken to be worth one mistake. "
            "State yours: --rho 0.05 says that a check costs a twentieth of a mistake."
        )
    if not objective.states_price:
        if not answer.is_priced:
            return f"{_wish(answer)} No price of a mistake follows from that."
        return (
            f"{_wish(answer)} Whoever chooses so behaves as if one mistake were {worth}; if "
            "that is too little, or too much, choose otherwise."
        )
    if objective.unit == "money":
        return f"By your prices one mistake is {worth}."
    calibrated = ""
    if answer.is_probability:
        threshold = amount(rate.calibrated_threshold)
        calibrated = f"; if its confidence meant what it says (calibrated), the threshold would be {threshold}"
    return f"At your price one mistake is {worth}{calibrated}.{_open_price(objective)}"


def _open_price(objective: Objective) -> str:
    if objective.checks_between is None:
        return ""
    low, high = objective.checks_between
    return (
        f" It may be worth {amount(low)} to {amount(high)} checks (90 %), which is in every number "
        "about new cases."
    )


def _open_costs(costs: CostMatrix) -> str:
    if not {"cost", "checks"} & set(costs.interval):
        return ""
    return " What the file leaves open of the costs, its intervals, is in every number about new cases."


def _wish(answer: ValueAnswer) -> str:
    objective = answer.question.objective
    wish = f"You asked {objective.wish}{' a day' if answer.days is not None else ''}."
    if objective.is_capacity and answer.days is None and _fewer_go(answer):
        wish += (
            " Fewer go: the next ones share one confidence and are too many, or asking them "
            "would save no mistake here."
        )
    return wish


def _fewer_go(answer: ValueAnswer) -> bool:
    limit = answer.question.objective.share_of(answer.n_items)
    return 1 - answer.coverage < limit - 0.5 / answer.n_items


def _money(answer: ValueAnswer) -> str:
    these = plural(answer.mass, "case comes", "cases come")
    worth = {
        baseline.name: amount(-(baseline.cost or 0.0) * answer.mass / 1000)
        for baseline in answer.baselines
    }
    return (
        f"At your prices {these} to {worth['threshold']} so, to {worth['answer_all']} if the model "
        f"decided every case, to {worth['ask_all']} if people were asked about every case."
    )


def _trust(answer: ValueAnswer) -> Iterator[Block]:
    n = answer.n_labelled
    labels = plural(n, "label", "labels")
    if answer.point is not None:
        weights = (
            ""
            if math.isclose(answer.n_effective, n)
            else f", worth {count(answer.n_effective)} equally weighted ones"
        )
        yield Paragraph(
            f"The intervals rest on {labels}{weights}, and hold for a threshold that was fixed "
            "before these cases were seen. What the answer says of new cases allows for the choice."
        )
    if (
        answer.point is not None
        and answer.band is not None
        and answer.question.objective.costs is None
    ):
        yield Paragraph(
            f"To allow for that: with {_level(answer)} confidence the cost of every threshold at "
            f"every price lies within the cost of {amount(1000 * answer.band)} mistakes per 1,000 cases "
            "from what it is here. This band is wide, for it holds everywhere at once."
        )
    if answer.p_value is not None:
        yield answering_pays_block(answer.p_value)
    if answer.point is not None and _is_learned(answer):
        yield Notice(
            "The limit is met on these cases; a threshold chosen this way misses it on new cases "
            "about every second time." + answer.question.objective.hint
        )
    if 0 < n < _FEW_LABELS:
        yield Notice(
            f"{labels} {'is' if n == 1 else 'are'} few: rare mistakes may not have shown yet. Even "
            f"without a mistake among {n}, up to {share(_unseen(answer))} of all cases could "
            f"go wrong ({_level(answer)} confidence). Label more cases drawn at random."
        )
    if answer.is_sketched:
        yield Paragraph(
            "The cases were counted in bins of confidence, each at most 1/128 as wide as its "
            "distance from certainty (a sketch), and not kept. The counts at a threshold are exact; the "
            f"very best threshold in hindsight may lie inside a bin{_loss_text(answer)}. "
            "Thresholds in tables are rounded to their bin. "
            "Whether a case occurs twice was not checked."
        )
    yield from _selection(answer)


def _loss_text(answer: ValueAnswer) -> str:
    lost, rate = answer.lost_in_bins, answer.rate
    if lost is None or rate is None:
        return ""
    return f", which loses at most {amount(1000 * max(lost, 0.0))} checks per 1,000 cases"


def _unseen(answer: ValueAnswer) -> float:
    """The greatest rate of mistakes that would likely leave none among the labelled cases."""
    return float(1 - (1 - answer.question.level) ** (1 / answer.n_labelled))


def _level(answer: ValueAnswer) -> str:
    return round_share(answer.question.level)


def _is_learned(answer: ValueAnswer) -> bool:
    """Whether the limit is on mistakes, which new cases make anew, and not promised."""
    objective = answer.question.objective
    return objective.is_limit and not objective.is_capacity and not objective.is_promised


def _selection(answer: ValueAnswer) -> Iterator[Block]:
    selection = answer.selection
    if not answer.n_labelled:
        return
    if answer.n_proposed:
        yield Paragraph(
            f"{plural(answer.n_proposed, 'label is', 'labels are')} of cases that --propose chose by the "
            "model's confidence, each with a known chance. The answer about new cases takes them as "
            "they are; what is said of the rows themselves weighs them by their chances."
        )
        return
    if selection is None:
        yield Paragraph(
            "Every case here has a label. If cases without one were left out of the log, put them "
            "in: only then can it be seen whether labels are missing where the model is sure."
        )
        return
    if answer.refusal is not None:
        return
    shares = f"{share(selection.shares[0])} of the least sure tenth have a label, "
    shares += f"{share(selection.shares[-1])} of the surest"
    distance = f"greatest difference {selection.distance:.3f}"
    if selection.is_selective:
        yield Notice(
            f"Labels depend on confidence: {shares}. You stated that they are random; the numbers "
            "rest on that."
        )
    elif answer.curve.cases is not None and answer.curve.cases.weight is not None:
        yield Paragraph(
            f"{plural(answer.n_unlabelled, 'case has', 'cases have')} no label: {shares}. So "
            "weighted, the labelled cases look like all of them in the model's confidence "
            f"({distance})."
        )
    else:
        yield Paragraph(
            f"{plural(answer.n_unlabelled, 'case has', 'cases have')} no label; the others look "
            f"like them in the model's confidence ({distance})."
        )


def _same(one: float, other: float) -> bool:
    return share(one) == share(other)
