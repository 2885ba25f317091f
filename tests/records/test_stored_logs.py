"""A log that is kept is the same log, without what nobody needs to keep."""

from __future__ import annotations

import polars as pl
import pytest

from askpoint.errors import LogError
from askpoint.records.logs import read_log
from askpoint.records.stored_logs import pack_log, unpack_log


@pytest.mark.parametrize(
    "frame",
    [
        {"label": [1, 0, 1, None], "proba": [0.3, 0.2, 0.8, 0.5]},
        {
            "id": ["a", "b"],
            "label": ["not_hate", None],
            "proba_not_hate": [0.9, 0.1],
            "proba_not_spam": [0.1, 0.9],
            "text": ["a secret", "another"],
        },
    ],
)
def test_it_comes_back_as_it_was(frame):
    log = read_log(pl.DataFrame(frame))
    content = pack_log(log)
    back = unpack_log(content, list(log.classes))
    assert (back.classes, back.digest()) == (log.classes, log.digest())
    assert (back.proba == log.proba).all()
    assert b"secret" not in content


def test_what_cannot_be_asked_about_is_not_kept():
    sure = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "b"], "confidence": [0.9, 0.8]})
    with pytest.raises(LogError, match="a column of probabilities for each class"):
        pack_log(read_log(sure))
    two = pl.DataFrame({"label": [1, 0], "proba": [0.3, 0.2], "m": ["x", "y"]})
    with pytest.raises(LogError, match="several models"):
        pack_log(read_log(two, model="m"))
