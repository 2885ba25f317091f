"""Before and after a repair, counted by hand."""

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.repair_outcomes import repair_effects

COSTS = CostMatrix(["benign", "hate", "spam"], [[0, 1, 1], [5, 0, 1], [2, 1, 0]])


class Says:
    """A model that says what it is told, sure of it."""

    def __init__(self, answers, classes=("benign", "hate", "spam")):
        self.answers = answers
        self.classes_ = np.array(classes)

    def predict_proba(self, cases):
        told = [self.answers[case] for case in cases]
        return np.array([[float(name == answer) for name in self.classes_] for answer in told])


def test_mended_and_broken_are_counted_on_each_set():
    before = Says({"a": "benign", "b": "benign", "c": "hate", "d": "spam"})
    after = Says(
        {"a": "hate", "b": "benign", "c": "benign", "d": "spam"}, ("spam", "hate", "benign")
    )
    sets = {
        "stream": (["a", "b", "c", "d"], ["hate", "hate", "hate", "spam"]),
        "island": (["a"], ["hate"]),
    }
    stream, island = repair_effects(before, after, sets, COSTS)
    assert (stream.name, stream.n_cases) == ("stream", 4)
    assert (stream.mistakes_before, stream.mistakes_after) == (0.5, 0.5)
    assert (stream.cost_before, stream.cost_after) == (2.5, 2.5)
    assert (stream.mended, stream.broken, stream.p_value, stream.harm) == (1, 1, 1, False)
    assert (island.mended, island.broken, island.cost_after) == (1, 0, 0)


def test_harm_is_what_chance_does_not_explain():
    cases = [str(i) for i in range(20)]
    right, wrong = Says(dict.fromkeys(cases, "hate")), Says(dict.fromkeys(cases, "benign"))
    sets = {"stream": (cases, ["hate"] * 20)}
    harmed = repair_effects(right, wrong, sets, COSTS)[0]
    assert harmed.harm
    assert harmed.p_value == stats.binomtest(0, 20).pvalue
    assert not repair_effects(wrong, right, sets, COSTS)[0].harm
    same = repair_effects(right, right, sets, COSTS)[0]
    assert (same.mended, same.broken, same.p_value, same.harm) == (0, 0, 1, False)


def test_the_cheapest_decision_counts_not_the_likeliest():
    class Unsure(Says):
        def predict_proba(self, cases):
            return np.tile([0.7, 0.3, 0.0], (len(cases), 1))

    effect = repair_effects(Unsure({}), Unsure({}), {"stream": (["a"], ["hate"])}, COSTS)[0]
    assert effect.mistakes_before == 0  # .3 x 5 for calling hate benign, .7 the other way round


def test_bad_input_is_named():
    model = Says({"a": "hate"})
    with pytest.raises(InputError, match="island holds no case"):
        repair_effects(model, model, {"island": ([], [])}, COSTS)
    with pytest.raises(InputError, match="'ham' is not among the classes"):
        repair_effects(model, model, {"stream": (["a"], ["ham"])}, COSTS)
    other = Says({"a": "other"}, ("other", "hate"))
    with pytest.raises(InputError, match="'other' is not among the classes"):
        repair_effects(other, other, {"stream": (["a"], ["hate"])}, COSTS)
