"""Cases of every kind a learner takes."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_array

from askpoint.errors import InputError
from askpoint.unknowns.cases import are_texts, as_cases, stack_cases

TEXTS = ["one", "two", "a longer three"]
FEATURES = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize("cases", [TEXTS, tuple(TEXTS), np.array(TEXTS), pd.Series(TEXTS)])
def test_texts(cases):
    array = as_cases(cases)
    assert are_texts(array)
    assert array[np.array([2, 0])].tolist() == ["a longer three", "one"]
    assert stack_cases(array, as_cases(["four"])).tolist() == [*TEXTS, "four"]


@pytest.mark.parametrize("cases", [FEATURES, FEATURES.tolist(), coo_array(FEATURES)])
def test_features(cases):
    array = as_cases(cases)
    assert not are_texts(array)
    both = stack_cases(array, as_cases(FEATURES[:1]))
    dense = both.toarray() if hasattr(both, "toarray") else both
    assert dense.tolist() == [*FEATURES.tolist(), [0.0, 1.0]]
    assert stack_cases(as_cases(FEATURES), csr_array(FEATURES)).shape == (6, 2)


@pytest.mark.parametrize(
    ("first", "second"), [(TEXTS, FEATURES), (FEATURES, TEXTS), (FEATURES, FEATURES[:, :1])]
)
def test_kinds_do_not_mix(first, second):
    with pytest.raises(InputError, match="must be texts, or rows of the same features"):
        stack_cases(as_cases(first), as_cases(second))
