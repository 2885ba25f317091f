# The shop window: the names that users need, each by the module that defines it.

from .answers.elicitation.answer import (
    answer_elicitation as answer_elicitation,
)
from .answers.examination.reading import (
    answer_examination as answer_examination,
)
from .answers.judges.case import (
    answer_judges as answer_judges,
)
from .answers.value.verdict import (
    answer_value as answer_value,
)
from .cli.python_call import (
    evaluate as evaluate,
)
from .client.session import (
    Client as Client,
)
from .displays.elicitation import (
    BeliefDisplay as BeliefDisplay,
)
from .displays.elicitation_errors import (
    QueriesDisplay as QueriesDisplay,
    WithinDisplay as WithinDisplay,
)
from .displays.elicitation_geometry import (
    CutsDisplay as CutsDisplay,
    TradeOffDisplay as TradeOffDisplay,
)
from .displays.examination import (
    BinsDisplay as BinsDisplay,
    QuadrantsDisplay as QuadrantsDisplay,
)
from .displays.hull import (
    HullDisplay as HullDisplay,
)
from .displays.judges import (
    FailureRateDisplay as FailureRateDisplay,
    JudgeAccuracyDisplay as JudgeAccuracyDisplay,
    PairCorrelationDisplay as PairCorrelationDisplay,
    PrevalenceDisplay as PrevalenceDisplay,
)
from .displays.learning_curves import (
    LearningDisplay as LearningDisplay,
)
from .displays.live import (
    AuditMoneyDisplay as AuditMoneyDisplay,
    CoverageDisplay as CoverageDisplay,
    EvidenceDisplay as EvidenceDisplay,
    LiveCostDisplay as LiveCostDisplay,
)
from .displays.models import (
    ModelsDisplay as ModelsDisplay,
)
from .displays.outcomes import (
    OutcomesDisplay as OutcomesDisplay,
)
from .displays.profit import (
    ProfitDisplay as ProfitDisplay,
)
from .displays.ranks import (
    RanksDisplay as RanksDisplay,
)
from .displays.severities import (
    SeveritiesDisplay as SeveritiesDisplay,
)
from .displays.threshold import (
    ThresholdDisplay as ThresholdDisplay,
)
from .displays.value import (
    ReliabilityDisplay as ReliabilityDisplay,
    RiskCoverageDisplay as RiskCoverageDisplay,
    ValueCurveDisplay as ValueCurveDisplay,
)
from .elicitation.abstention import (
    omega_questionnaire as omega_questionnaire,
)
from .elicitation.elicited_weights import (
    ElicitedWeights as ElicitedWeights,
)
from .elicitation.families import (
    diagonal_questionnaire as diagonal_questionnaire,
    fraction_questionnaire as fraction_questionnaire,
    linear_questionnaire as linear_questionnaire,
    resume_questionnaire as resume_questionnaire,
)
from .elicitation.metrics import (
    LinearFractionalMetric as LinearFractionalMetric,
    LinearMetric as LinearMetric,
    cost_metric as cost_metric,
    diagonal_metric as diagonal_metric,
)
from .elicitation.mistakes import (
    mistakes_questionnaire as mistakes_questionnaire,
)
from .elicitation.respondents import (
    ExactRespondent as ExactRespondent,
    NoisyRespondent as NoisyRespondent,
)
from .elicitation.simulated_people import (
    SimulatedPerson as SimulatedPerson,
)
from .errors import (
    AskpointError as AskpointError,
    CostsError as CostsError,
    InputError as InputError,
    LogError as LogError,
    ModelError as ModelError,
    NotEstimableError as NotEstimableError,
    NotificationError as NotificationError,
    ObjectiveError as ObjectiveError,
    PluginError as PluginError,
    RuleError as RuleError,
    ServerError as ServerError,
    SketchError as SketchError,
    StoreError as StoreError,
    UnknownColumnError as UnknownColumnError,
    UnmetError as UnmetError,
)
from .judges.checks.alarms import (
    alarm as alarm,
)
from .judges.checks.correlation import (
    error_correlations as error_correlations,
    first_order_bias as first_order_bias,
)
from .judges.families import (
    families_of_judges as families_of_judges,
    same_family as same_family,
)
from .judges.gold.confidence_sequence import (
    CheckingAdvice as CheckingAdvice,
    enough_checked as enough_checked,
    gold_confidence_sequence as gold_confidence_sequence,
)
from .judges.gold.evaluation import (
    evaluate_with_gold as evaluate_with_gold,
)
from .judges.gold.gold_sketch import (
    GoldSketch as GoldSketch,
)
from .judges.gold.judge_difference import (
    compare_judges as compare_judges,
)
from .judges.gold.proposal import (
    propose_gold as propose_gold,
)
from .judges.gold.system_difference import (
    compare_systems as compare_systems,
)
from .judges.gold.system_proposal import (
    propose_for_systems as propose_for_systems,
)
from .judges.methods.confusions import (
    evaluate_confusions as evaluate_confusions,
)
from .judges.methods.dawid_skene import (
    evaluate_dawid_skene as evaluate_dawid_skene,
)
from .judges.methods.ensemble import (
    evaluate_ensemble as evaluate_ensemble,
)
from .judges.methods.identification import (
    PrevalenceRange as PrevalenceRange,
)
from .judges.methods.independent import (
    evaluate_independent as evaluate_independent,
)
from .judges.methods.majority import (
    evaluate_majority as evaluate_majority,
)
from .judges.sketch.vote_sketch import (
    VoteSketch as VoteSketch,
)
from .judges.trios.search import (
    feature_partitions as feature_partitions,
    search_trios as search_trios,
)
from .live.leases.lease import (
    LeaseGrant as LeaseGrant,
)
from .live.leases.lease_receipts import (
    LeaseReceipts as LeaseReceipts,
)
from .live.policy import (
    Policy as Policy,
)
from .live.terms import (
    Terms as Terms,
)
from .live.worth import (
    LivePrices as LivePrices,
)
from .measures.confidence import (
    confidence_scores as confidence_scores,
)
from .measures.cost_matrix import (
    CostMatrix as CostMatrix,
)
from .measures.exchange import (
    ExchangeRate as ExchangeRate,
    Prices as Prices,
)
from .measures.intervals import (
    Interval as Interval,
)
from .measures.outcomes import (
    Outcomes as Outcomes,
)
from .records.leased_decider import (
    LeasedDecider as LeasedDecider,
)
from .records.logs import (
    read_log as read_log,
)
from .records.predictions import (
    PredictionLog as PredictionLog,
)
from .records.stores.deployment import (
    Deployment as Deployment,
)
from .records.stores.licences import (
    Licences as Licences,
)
from .records.votes import (
    read_votes as read_votes,
)
from .reports.evaluations import (
    ValueReport as ValueReport,
)
from .reports.notebook import (
    Report as Report,
    report as report,
)
from .unknowns.case_costs import (
    decision_cost as decision_cost,
    expected_cost as expected_cost,
    minimum_cost as minimum_cost,
)
from .unknowns.drift import (
    DriftWatch as DriftWatch,
)
from .unknowns.examination import (
    ExaminationDesign as ExaminationDesign,
    draw_examination as draw_examination,
)
from .unknowns.findings import (
    examination_findings as examination_findings,
)
from .unknowns.inspection import (
    random_inspection as random_inspection,
)
from .unknowns.learning import (
    CaseSet as CaseSet,
    learning_curves as learning_curves,
)
from .unknowns.quadrants import (
    item_quadrants as item_quadrants,
    region_quadrants as region_quadrants,
)
from .unknowns.regions import (
    find_regions as find_regions,
)
from .unknowns.rejection import (
    chow_rule as chow_rule,
)
from .unknowns.repair_outcomes import (
    repair_effects as repair_effects,
)
from .unknowns.reservoirs import (
    Reservoirs as Reservoirs,
)
from .unknowns.retraining import (
    retrain as retrain,
)
from .unknowns.severity import (
    severities as severities,
)
from .unknowns.severity_comparison import (
    ErrorsFound as ErrorsFound,
    compare_severities as compare_severities,
)
from .unknowns.severity_scale import (
    normaliser as normaliser,
)
from .unknowns.similarity import (
    SimilarityClassifier as SimilarityClassifier,
)
from .unknowns.unknown_knowns import (
    find_unknown_knowns as find_unknown_knowns,
)
from .value.by_class import ByClass as ByClass, MinPrecision as MinPrecision, MinRecall as MinRecall
from .value.calibration_error import (
    discrimination as discrimination,
    expected_calibration_error as expected_calibration_error,
    hard_label_probabilities as hard_label_probabilities,
    normalise_scores as normalise_scores,
)
from .value.classifier import (
    SelectiveClassifier as SelectiveClassifier,
)
from .value.cost_curves import (
    CostCurve as CostCurve,
    cost_curve as cost_curve,
)
from .value.curve import (
    ValueCurve as ValueCurve,
)
from .value.decisions import (
    SelectiveDecisions as SelectiveDecisions,
)
from .value.limits import (
    AskAtMost as AskAtMost,
    MaxError as MaxError,
    MaxMistakes as MaxMistakes,
    MeanError as MeanError,
)
from .value.model_comparison import (
    best_ranges as best_ranges,
    paired_difference as paired_difference,
)
from .value.objectives import OperatingPoint as OperatingPoint
from .value.priced import CheckCost as CheckCost, FBeta as FBeta, MistakeCost as MistakeCost
from .value.probabilities import (
    value_curve as value_curve,
)
from .value.ranking import (
    rank_models as rank_models,
)
from .value.relearning import (
    before_after as before_after,
    relearn as relearn,
)
from .value.reviewer_errors import (
    CheckWork as CheckWork,
    ReviewerErrors as ReviewerErrors,
    reviewer_errors_by_confidence as reviewer_errors_by_confidence,
)
from .value.scorers import (
    DecisionScorer as DecisionScorer,
)
from .value.second_stage import (
    SecondStage as SecondStage,
)
from .value.sketch.score_sketch import (
    ScoreSketch as ScoreSketch,
)
from .value.strategies import (
    hindsight as hindsight,
)
