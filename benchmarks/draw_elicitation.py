"""Draw the pictures of the pages on elicitation: python benchmarks/draw_elicitation.py FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from bench_elicitation import SEED, real_data, sampled

from askpoint.displays.elicitation_errors import QueriesDisplay, WithinDisplay
from askpoint.displays.elicitation_geometry import CutsDisplay, TradeOffDisplay
from askpoint.displays.theme import DARK, LIGHT, svg
from askpoint.elicitation.algorithms.trade_offs import Staircase
from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import (
    ExactRespondent,
    FlippingRespondent,
    MajorityRespondent,
    NoisyRespondent,
)
from askpoint.elicitation.samples import Sample
from askpoint.elicitation.simulated_people import SimulatedPerson

NAMES = ("cat", "dog", "fox")


def answered(y, proba, truth):
    """All questions of a questionnaire with an exact oracle's answers."""
    oracle = ExactRespondent(diagonal_metric(truth))
    questionnaire, found = diagonal_questionnaire(y, proba), []
    while (question := questionnaire.question) is not None:
        found.append((question, oracle.prefers(question.first, question.second)))
        questionnaire.answer(found[-1][1])
    return found


def path(y, proba, oracle, truth, n_asked=1, **settings):
    """Error before the first answer and after each; n_asked questions stand behind an answer."""
    questionnaire = diagonal_questionnaire(y, proba, **settings)
    errors = [np.abs(questionnaire.estimate.weights - truth).max()]
    while (question := questionnaire.question) is not None:
        questionnaire.answer(oracle.prefers(question.first, question.second))
        errors += [errors[-1]] * (n_asked - 1)
        errors.append(np.abs(questionnaire.estimate.weights - truth).max())
    return errors


def paths(y, proba, rng):
    """Error against answers for all methods over 30 metrics, each path held to its last error."""
    metrics = rng.dirichlet(np.ones(3), 30)
    found = {name: [] for name in ("chord", "paper", "paper, short", "chord, noise .01")}
    found |= {"chord, 10% flips, majority of 5": [], "bayesian, a simulated person": []}
    for a in metrics:
        exact = ExactRespondent(diagonal_metric(a))
        flips = MajorityRespondent(FlippingRespondent(exact, 0.1, rng), 5)
        person = SimulatedPerson(np.diag(a), rng)
        runs = (
            path(y, proba, exact, a),
            path(y, proba, exact, a, method="paper"),
            path(y, proba, exact, a, method="paper", short=True),
            path(y, proba, NoisyRespondent(diagonal_metric(a), 0.01, rng), a),
            path(y, proba, flips, a, n_asked=5),
            path(y, proba, person, a, method="bayesian", rng=rng, n_questions=70, tolerance=1e-6),
        )
        for name, run in zip(found, runs, strict=True):
            found[name].append(np.pad(run, (0, 71 - len(run)), mode="edge"))
    return {name: np.array(runs) for name, runs in found.items()}


def figure_3(name):
    """Errors of both methods on 50, 75 and 100% of one half of a data set."""
    rng = np.random.default_rng(SEED)
    y, proba = real_data(name, rng)
    metrics = rng.dirichlet(np.ones(proba.shape[1]), 100)
    errors = {"chord": {}, "paper": {}}
    for part in (0.5, 0.75, 1.0):
        rows = rng.permutation(len(y))[: int(part * len(y))]
        for method, found in errors.items():
            runs = (
                diagonal_questionnaire(y[rows], proba[rows], method=method).ask(
                    ExactRespondent(diagonal_metric(a))
                )
                for a in metrics
            )
            found[f"{part:.0%}"] = [
                np.abs(run.weights - a).max() for run, a in zip(runs, metrics, strict=True)
            ]
    return errors


def main(folder):
    rng = np.random.default_rng(SEED)
    y, proba = sampled(3, 120, rng)
    sample = Sample.of(np.array(NAMES)[y], proba)
    pair = TradeOffDisplay(Staircase.of(sample, 0, 1), sample.classes, (0.5, 0.7, 0.9))
    cuts = CutsDisplay(answered(y, proba, [0.16, 0.53, 0.31]), NAMES, [0.16, 0.53, 0.31])
    y, proba = sampled(3, 1000, rng)
    pictures = {
        "trade-off": (pair, 4.6),
        "cuts": (cuts, 3.8),
        "queries": (QueriesDisplay(paths(y, proba, rng)), 3.2),
        "figure-3": (WithinDisplay(figure_3("uci/vehicle")), 3.2),
    }
    for name, (display, height) in pictures.items():
        for theme in (LIGHT, DARK):
            file = Path(folder, f"elicitation-{name}-{theme.name}.svg")
            file.write_text(svg(display.plot, theme, height=height) + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "docs/_static")
