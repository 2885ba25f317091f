"""Choose a threshold on one half of the cases, and see on the other half whether it holds.

    python examples/does_it_hold.py [FOLDER]

writes the value curve and the reliability of the model as SVG files into FOLDER, if given.
"""

import sys
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict, train_test_split

from askpoint import CheckCost, value_curve
from askpoint.displays.value import ReliabilityDisplay, ValueCurveDisplay

X, y = load_digits(return_X_y=True)
forest = RandomForestClassifier(50, max_depth=6, random_state=0)
p = cross_val_predict(forest, X, y, cv=10, method="predict_proba")
y_chosen, y_new, p_chosen, p_new = train_test_split(y, p, test_size=0.5, random_state=0)

chosen = CheckCost(1 / 10).choose(value_curve(y_chosen, p_chosen))
print(f"Chosen where ten checks are worth a mistake: answer from {chosen.threshold:.3f}")
new_cases = value_curve(y_new, p_new)
for cases, outcomes in {
    "the cases it was chosen on": chosen.outcomes,
    "new cases": new_cases.outcomes(chosen.threshold),
    "new cases, never asking": new_cases.outcomes(0),
}.items():
    print(
        f"  on {cases}: {outcomes.coverage:.0%} decided, {outcomes.risk:.1%} of them wrong, "
        f"value {outcomes.value(9):+.2f} per case"
    )

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
    ValueCurveDisplay(new_cases).plot().figure_.savefig(folder / "value.svg")
    ReliabilityDisplay(new_cases).plot().figure_.savefig(folder / "reliability.svg")
