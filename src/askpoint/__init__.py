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
        elicit_diagonal as elicit_diagonal,
        elicit_linear as elicit_linear,
        elicit_linear_fractional as elicit_linear_fractional,
        elicit_local as elicit_local,
    )
    from askpoint.elicitation.elicited import (
        Elicited as Elicited,
    )
    from askpoint.elicitation.families import (
        diagonal_questionnaire as diagonal_questionnaire,
        fraction_questionnaire as fraction_questionnaire,
        linear_questionnaire as linear_questionnaire,
        resume_questionnaire as resume_questionnaire,
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
        ModelError as ModelError,
        NotEstimableError as NotEstimableError,
        ObjectiveError as ObjectiveError,
        SketchError as SketchError,
        UnknownColumnError as UnknownColumnError,
        UnmetError as UnmetError,
    )
    from askpoint.judges.checks.alarms import (
        alarm as alarm,
    )
    from askpoint.judges.families import (
        families_of_judges as families_of_judges,
        related_judges as related_judges,
    )
    from askpoint.judges.gold.confidence_sequence import (
        CheckingAdvice as CheckingAdvice,
        enough_checked as enough_checked,
        gold_interval_while_looking as gold_interval_while_looking,
    )
    from askpoint.judges.gold.evaluation import (
        compare_judges as compare_judges,
        evaluate_with_gold as evaluate_with_gold,
    )
    from askpoint.judges.gold.gold_sketch import (
        GoldSketch as GoldSketch,
    )
    from askpoint.judges.gold.proposal import (
        propose_gold as propose_gold,
    )
    from askpoint.judges.methods.confusions import (
        evaluate_confusions as evaluate_confusions,
    )
    from askpoint.judges.methods.dawid_skene import (
        evaluate_dawid_skene as evaluate_dawid_skene,
    )
    from askpoint.judges.methods.ensemble import (
        evaluate_ensemble as evaluate_ensemble,
    )
    from askpoint.judges.methods.independent import (
        evaluate_independent as evaluate_independent,
    )
    from askpoint.judges.methods.majority import (
        evaluate_majority as evaluate_majority,
    )
    from askpoint.judges.sketch.vote_sketch import (
        VoteSketch as VoteSketch,
    )
    from askpoint.measures.cost_matrix import (
        CostMatrix as CostMatrix,
    )
    from askpoint.measures.exchange import (
        ExchangeRate as ExchangeRate,
        Prices as Prices,
    )
    from askpoint.measures.outcomes import (
        Outcomes as Outcomes,
    )
    from askpoint.unknowns.case_costs import (
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
    from askpoint.unknowns.severity_comparison import (
        ErrorsFound as ErrorsFound,
        compare_severities as compare_severities,
    )
    from askpoint.unknowns.similarity import (
        SimilarityClassifier as SimilarityClassifier,
    )
    from askpoint.value.classifier import (
        SelectiveClassifier as SelectiveClassifier,
    )
    from askpoint.value.cost_curves import (
        CostCurve as CostCurve,
        cost_curve as cost_curve,
    )
    from askpoint.value.curve import (
        ValueCurve as ValueCurve,
    )
    from askpoint.value.decisions import (
        Decisions as Decisions,
    )
    from askpoint.value.model_comparison import (
        best_ranges as best_ranges,
        paired_difference as paired_difference,
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
    from askpoint.value.sketch.score_sketch import (
        ScoreSketch as ScoreSketch,
    )

_WINDOW = {
    "AskAtMost": "askpoint.value.objectives",
    "AskpointError": "askpoint.errors",
    "BeliefDisplay": "askpoint.displays.elicitation",
    "ByClass": "askpoint.value.objectives",
    "CaseSet": "askpoint.unknowns.learning",
    "CheckCost": "askpoint.value.objectives",
    "CheckingAdvice": "askpoint.judges.gold.confidence_sequence",
    "CostCurve": "askpoint.value.cost_curves",
    "CostMatrix": "askpoint.measures.cost_matrix",
    "CostsError": "askpoint.errors",
    "CutsDisplay": "askpoint.displays.elicitation_geometry",
    "DecisionScorer": "askpoint.value.scorers",
    "Decisions": "askpoint.value.decisions",
    "DriftWatch": "askpoint.unknowns.drift",
    "Elicited": "askpoint.elicitation.elicited",
    "ErringPeople": "askpoint.value.people",
    "ErrorsFound": "askpoint.unknowns.severity_comparison",
    "ExactOracle": "askpoint.elicitation.oracles",
    "ExaminationDesign": "askpoint.unknowns.examination",
    "ExchangeRate": "askpoint.measures.exchange",
    "FBeta": "askpoint.value.objectives",
    "GoldSketch": "askpoint.judges.gold.gold_sketch",
    "InputError": "askpoint.errors",
    "LinearFractionalMetric": "askpoint.elicitation.metrics",
    "LinearMetric": "askpoint.elicitation.metrics",
    "LogError": "askpoint.errors",
    "MaxError": "askpoint.value.objectives",
    "MinPrecision": "askpoint.value.objectives",
    "MinRecall": "askpoint.value.objectives",
    "MistakeCost": "askpoint.value.objectives",
    "ModelError": "askpoint.errors",
    "NotEstimableError": "askpoint.errors",
    "ObjectiveError": "askpoint.errors",
    "Outcomes": "askpoint.measures.outcomes",
    "Prices": "askpoint.measures.exchange",
    "QueriesDisplay": "askpoint.displays.elicitation_errors",
    "Reservoirs": "askpoint.unknowns.reservoirs",
    "ScoreSketch": "askpoint.value.sketch.score_sketch",
    "SecondStage": "askpoint.value.second_stage",
    "SelectiveClassifier": "askpoint.value.classifier",
    "SimilarityClassifier": "askpoint.unknowns.similarity",
    "SimulatedPerson": "askpoint.elicitation.people",
    "SketchError": "askpoint.errors",
    "TradeOffDisplay": "askpoint.displays.elicitation_geometry",
    "UnknownColumnError": "askpoint.errors",
    "UnmetError": "askpoint.errors",
    "ValueCurve": "askpoint.value.curve",
    "VoteSketch": "askpoint.judges.sketch.vote_sketch",
    "WithinDisplay": "askpoint.displays.elicitation_errors",
    "alarm": "askpoint.judges.checks.alarms",
    "before_after": "askpoint.value.relearning",
    "best_ranges": "askpoint.value.model_comparison",
    "chow_rule": "askpoint.unknowns.rejection",
    "compare_judges": "askpoint.judges.gold.evaluation",
    "compare_severities": "askpoint.unknowns.severity_comparison",
    "cost_curve": "askpoint.value.cost_curves",
    "cost_metric": "askpoint.elicitation.metrics",
    "decision_cost": "askpoint.unknowns.case_costs",
    "diagonal_metric": "askpoint.elicitation.metrics",
    "diagonal_questionnaire": "askpoint.elicitation.families",
    "draw_examination": "askpoint.unknowns.examination",
    "elicit_diagonal": "askpoint.elicitation.elicit",
    "elicit_linear": "askpoint.elicitation.elicit",
    "elicit_linear_fractional": "askpoint.elicitation.elicit",
    "elicit_local": "askpoint.elicitation.elicit",
    "elicit_mistakes": "askpoint.elicitation.mistakes",
    "elicit_omega": "askpoint.elicitation.abstention",
    "enough_checked": "askpoint.judges.gold.confidence_sequence",
    "evaluate_confusions": "askpoint.judges.methods.confusions",
    "evaluate_dawid_skene": "askpoint.judges.methods.dawid_skene",
    "evaluate_ensemble": "askpoint.judges.methods.ensemble",
    "evaluate_independent": "askpoint.judges.methods.independent",
    "evaluate_majority": "askpoint.judges.methods.majority",
    "evaluate_with_gold": "askpoint.judges.gold.evaluation",
    "examination_findings": "askpoint.unknowns.findings",
    "expected_cost": "askpoint.unknowns.case_costs",
    "families_of_judges": "askpoint.judges.families",
    "find_regions": "askpoint.unknowns.regions",
    "fraction_questionnaire": "askpoint.elicitation.families",
    "gold_interval_while_looking": "askpoint.judges.gold.confidence_sequence",
    "item_quadrants": "askpoint.unknowns.quadrants",
    "learning_curves": "askpoint.unknowns.learning",
    "linear_questionnaire": "askpoint.elicitation.families",
    "minimum_cost": "askpoint.unknowns.case_costs",
    "mistakes_questionnaire": "askpoint.elicitation.mistakes",
    "normaliser": "askpoint.unknowns.scale",
    "omega_questionnaire": "askpoint.elicitation.abstention",
    "paired_difference": "askpoint.value.model_comparison",
    "people_by_confidence": "askpoint.value.people",
    "propose_gold": "askpoint.judges.gold.proposal",
    "random_inspection": "askpoint.unknowns.inspection",
    "region_quadrants": "askpoint.unknowns.quadrants",
    "related_judges": "askpoint.judges.families",
    "relearn": "askpoint.value.relearning",
    "repair_effects": "askpoint.unknowns.effects",
    "resume_questionnaire": "askpoint.elicitation.families",
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
