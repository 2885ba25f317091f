"""askpoint: which decisions may your model take alone, and what will that cost you?

A shop window: names only. Each is loaded from the module that defines it when it is first
asked for, so that ``import askpoint`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from askpoint.errors import (
        AskpointError as AskpointError,
        CostsError as CostsError,
        InputError as InputError,
        LogError as LogError,
        NotEstimableError as NotEstimableError,
        ObjectiveError as ObjectiveError,
        SketchError as SketchError,
        UnknownColumnError as UnknownColumnError,
        UnmetError as UnmetError,
    )
    from askpoint.measures.costs import (
        CostMatrix as CostMatrix,
    )
    from askpoint.measures.exchange import (
        ExchangeRate as ExchangeRate,
        Prices as Prices,
    )
    from askpoint.measures.outcomes import (
        Outcomes as Outcomes,
    )
    from askpoint.unknowns.comparison import (
        ErrorsFound as ErrorsFound,
        compare_severities as compare_severities,
    )
    from askpoint.unknowns.costs import (
        decision_cost as decision_cost,
        expected_cost as expected_cost,
        minimum_cost as minimum_cost,
    )
    from askpoint.unknowns.drift import (
        DriftWatch as DriftWatch,
    )
    from askpoint.unknowns.effects import (
        repair_effects as repair_effects,
    )
    from askpoint.unknowns.examination import (
        ExaminationDesign as ExaminationDesign,
        draw_examination as draw_examination,
    )
    from askpoint.unknowns.findings import (
        examination_findings as examination_findings,
    )
    from askpoint.unknowns.inspection import (
        random_inspection as random_inspection,
    )
    from askpoint.unknowns.learning import (
        CaseSet as CaseSet,
        learning_curves as learning_curves,
    )
    from askpoint.unknowns.quadrants import (
        item_quadrants as item_quadrants,
        region_quadrants as region_quadrants,
    )
    from askpoint.unknowns.regions import (
        find_regions as find_regions,
    )
    from askpoint.unknowns.rejection import (
        chow_rule as chow_rule,
    )
    from askpoint.unknowns.repair import (
        retrain as retrain,
    )
    from askpoint.unknowns.reservoirs import (
        Reservoirs as Reservoirs,
    )
    from askpoint.unknowns.scale import (
        normaliser as normaliser,
    )
    from askpoint.unknowns.severity import (
        severities as severities,
    )
    from askpoint.unknowns.similarity import (
        SimilarityClassifier as SimilarityClassifier,
    )
    from askpoint.value.classifier import (
        SelectiveClassifier as SelectiveClassifier,
    )
    from askpoint.value.comparison import (
        best_ranges as best_ranges,
        paired_difference as paired_difference,
    )
    from askpoint.value.costs import (
        CostCurve as CostCurve,
        cost_curve as cost_curve,
    )
    from askpoint.value.curve import (
        ValueCurve as ValueCurve,
    )
    from askpoint.value.decisions import (
        Decisions as Decisions,
    )
    from askpoint.value.objectives import (
        AskAtMost as AskAtMost,
        ByClass as ByClass,
        CheckCost as CheckCost,
        FBeta as FBeta,
        MaxError as MaxError,
        MinPrecision as MinPrecision,
        MinRecall as MinRecall,
        MistakeCost as MistakeCost,
    )
    from askpoint.value.people import (
        ErringPeople as ErringPeople,
        people_by_confidence as people_by_confidence,
    )
    from askpoint.value.probabilities import (
        value_curve as value_curve,
    )
    from askpoint.value.relearning import (
        before_after as before_after,
        relearn as relearn,
    )
    from askpoint.value.scorers import (
        DecisionScorer as DecisionScorer,
    )
    from askpoint.value.second_stage import (
        SecondStage as SecondStage,
    )
    from askpoint.value.sketch import (
        ScoreSketch as ScoreSketch,
    )

_WINDOW = {
    "AskAtMost": "askpoint.value.objectives",
    "AskpointError": "askpoint.errors",
    "ByClass": "askpoint.value.objectives",
    "CaseSet": "askpoint.unknowns.learning",
    "CheckCost": "askpoint.value.objectives",
    "CostCurve": "askpoint.value.costs",
    "CostMatrix": "askpoint.measures.costs",
    "CostsError": "askpoint.errors",
    "DecisionScorer": "askpoint.value.scorers",
    "Decisions": "askpoint.value.decisions",
    "DriftWatch": "askpoint.unknowns.drift",
    "ErringPeople": "askpoint.value.people",
    "ErrorsFound": "askpoint.unknowns.comparison",
    "ExaminationDesign": "askpoint.unknowns.examination",
    "ExchangeRate": "askpoint.measures.exchange",
    "FBeta": "askpoint.value.objectives",
    "InputError": "askpoint.errors",
    "LogError": "askpoint.errors",
    "MaxError": "askpoint.value.objectives",
    "MinPrecision": "askpoint.value.objectives",
    "MinRecall": "askpoint.value.objectives",
    "MistakeCost": "askpoint.value.objectives",
    "NotEstimableError": "askpoint.errors",
    "ObjectiveError": "askpoint.errors",
    "Outcomes": "askpoint.measures.outcomes",
    "Prices": "askpoint.measures.exchange",
    "Reservoirs": "askpoint.unknowns.reservoirs",
    "ScoreSketch": "askpoint.value.sketch",
    "SecondStage": "askpoint.value.second_stage",
    "SelectiveClassifier": "askpoint.value.classifier",
    "SimilarityClassifier": "askpoint.unknowns.similarity",
    "SketchError": "askpoint.errors",
    "UnknownColumnError": "askpoint.errors",
    "UnmetError": "askpoint.errors",
    "ValueCurve": "askpoint.value.curve",
    "before_after": "askpoint.value.relearning",
    "best_ranges": "askpoint.value.comparison",
    "chow_rule": "askpoint.unknowns.rejection",
    "compare_severities": "askpoint.unknowns.comparison",
    "cost_curve": "askpoint.value.costs",
    "decision_cost": "askpoint.unknowns.costs",
    "draw_examination": "askpoint.unknowns.examination",
    "examination_findings": "askpoint.unknowns.findings",
    "expected_cost": "askpoint.unknowns.costs",
    "find_regions": "askpoint.unknowns.regions",
    "item_quadrants": "askpoint.unknowns.quadrants",
    "learning_curves": "askpoint.unknowns.learning",
    "minimum_cost": "askpoint.unknowns.costs",
    "normaliser": "askpoint.unknowns.scale",
    "paired_difference": "askpoint.value.comparison",
    "people_by_confidence": "askpoint.value.people",
    "random_inspection": "askpoint.unknowns.inspection",
    "region_quadrants": "askpoint.unknowns.quadrants",
    "relearn": "askpoint.value.relearning",
    "repair_effects": "askpoint.unknowns.effects",
    "retrain": "askpoint.unknowns.repair",
    "severities": "askpoint.unknowns.severity",
    "value_curve": "askpoint.value.probabilities",
}

__all__ = list(_WINDOW)

if not TYPE_CHECKING:  # hidden from type checkers, so that they still see a wrong name

    def __getattr__(name: str) -> Any:
        if name not in _WINDOW:
            raise AttributeError(f"module 'askpoint' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_WINDOW[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
