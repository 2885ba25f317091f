"""askpoint: which decisions may your model take alone, and what will that cost you?

A shop window: names only. Each is loaded from the module that defines it when it is first
asked for, so that ``import askpoint`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from askpoint.displays.elicitation import (
        BeliefDisplay as BeliefDisplay,
    )
    from askpoint.displays.elicitation_errors import (
        QueriesDisplay as QueriesDisplay,
        WithinDisplay as WithinDisplay,
    )
    from askpoint.displays.elicitation_geometry import (
        CutsDisplay as CutsDisplay,
        TradeOffDisplay as TradeOffDisplay,
    )
    from askpoint.elicitation.abstention import (
        elicit_omega as elicit_omega,
        omega_questionnaire as omega_questionnaire,
    )
    from askpoint.elicitation.elicit import (
        diagonal_questionnaire as diagonal_questionnaire,
        elicit_diagonal as elicit_diagonal,
        elicit_linear as elicit_linear,
        elicit_linear_fractional as elicit_linear_fractional,
        elicit_local as elicit_local,
        fraction_questionnaire as fraction_questionnaire,
        linear_questionnaire as linear_questionnaire,
        resume_questionnaire as resume_questionnaire,
    )
    from askpoint.elicitation.elicited import (
        Elicited as Elicited,
    )
    from askpoint.elicitation.metrics import (
        LinearFractionalMetric as LinearFractionalMetric,
        LinearMetric as LinearMetric,
        cost_metric as cost_metric,
        diagonal_metric as diagonal_metric,
    )
    from askpoint.elicitation.mistakes import (
        elicit_mistakes as elicit_mistakes,
        mistakes_questionnaire as mistakes_questionnaire,
    )
    from askpoint.elicitation.oracles import (
        ExactOracle as ExactOracle,
    )
    from askpoint.elicitation.people import (
        SimulatedPerson as SimulatedPerson,
    )
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
    "BeliefDisplay": "askpoint.displays.elicitation",
    "ByClass": "askpoint.value.objectives",
    "CheckCost": "askpoint.value.objectives",
    "CostCurve": "askpoint.value.costs",
    "CostMatrix": "askpoint.measures.costs",
    "CostsError": "askpoint.errors",
    "CutsDisplay": "askpoint.displays.elicitation_geometry",
    "DecisionScorer": "askpoint.value.scorers",
    "Decisions": "askpoint.value.decisions",
    "Elicited": "askpoint.elicitation.elicited",
    "ErringPeople": "askpoint.value.people",
    "ExactOracle": "askpoint.elicitation.oracles",
    "ExchangeRate": "askpoint.measures.exchange",
    "FBeta": "askpoint.value.objectives",
    "InputError": "askpoint.errors",
    "LinearFractionalMetric": "askpoint.elicitation.metrics",
    "LinearMetric": "askpoint.elicitation.metrics",
    "LogError": "askpoint.errors",
    "MaxError": "askpoint.value.objectives",
    "MinPrecision": "askpoint.value.objectives",
    "MinRecall": "askpoint.value.objectives",
    "MistakeCost": "askpoint.value.objectives",
    "NotEstimableError": "askpoint.errors",
    "ObjectiveError": "askpoint.errors",
    "Outcomes": "askpoint.measures.outcomes",
    "Prices": "askpoint.measures.exchange",
    "QueriesDisplay": "askpoint.displays.elicitation_errors",
    "ScoreSketch": "askpoint.value.sketch",
    "SecondStage": "askpoint.value.second_stage",
    "SelectiveClassifier": "askpoint.value.classifier",
    "SimulatedPerson": "askpoint.elicitation.people",
    "SketchError": "askpoint.errors",
    "TradeOffDisplay": "askpoint.displays.elicitation_geometry",
    "UnknownColumnError": "askpoint.errors",
    "UnmetError": "askpoint.errors",
    "ValueCurve": "askpoint.value.curve",
    "WithinDisplay": "askpoint.displays.elicitation_errors",
    "before_after": "askpoint.value.relearning",
    "best_ranges": "askpoint.value.comparison",
    "cost_curve": "askpoint.value.costs",
    "cost_metric": "askpoint.elicitation.metrics",
    "diagonal_metric": "askpoint.elicitation.metrics",
    "diagonal_questionnaire": "askpoint.elicitation.elicit",
    "elicit_diagonal": "askpoint.elicitation.elicit",
    "elicit_linear": "askpoint.elicitation.elicit",
    "elicit_linear_fractional": "askpoint.elicitation.elicit",
    "elicit_local": "askpoint.elicitation.elicit",
    "elicit_mistakes": "askpoint.elicitation.mistakes",
    "elicit_omega": "askpoint.elicitation.abstention",
    "fraction_questionnaire": "askpoint.elicitation.elicit",
    "linear_questionnaire": "askpoint.elicitation.elicit",
    "mistakes_questionnaire": "askpoint.elicitation.mistakes",
    "omega_questionnaire": "askpoint.elicitation.abstention",
    "paired_difference": "askpoint.value.comparison",
    "people_by_confidence": "askpoint.value.people",
    "relearn": "askpoint.value.relearning",
    "resume_questionnaire": "askpoint.elicitation.elicit",
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
