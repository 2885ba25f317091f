from __future__ import annotations

import hashlib
import hmac

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.live.draws import audit_draws, secret_hash


@pytest.mark.parametrize("length", [16, 64, 65, 200])
def test_a_draw_is_the_first_53_bits_of_an_hmac(length):
    secret, keys = bytes(range(length)), ["a", "", "Grüße", "x\x1fy"]
    for key, draw in zip(keys, audit_draws(secret, "post", keys), strict=True):
        digest = hmac.new(secret, b"post\x1f" + key.encode(), hashlib.sha256).digest()
        assert draw == (int.from_bytes(digest, "big") >> 203) / 2**53


def test_draws_are_uniform_and_differ_by_policy_and_secret():
    keys = [f"case-{i}" for i in range(20_000)]
    one = audit_draws(b"a" * 16, "p", keys)
    assert stats.kstest(one, "uniform").pvalue > 0.001
    for other in (audit_draws(b"a" * 16, "q", keys), audit_draws(b"b" * 16, "p", keys)):
        assert abs(np.corrcoef(one, other)[0, 1]) < 0.03


def test_no_keys_are_no_draws():
    assert len(audit_draws(b"a" * 16, "p", [])) == 0


def test_a_short_secret_is_refused():
    with pytest.raises(InputError, match="a secret needs at least 16 bytes; got 3"):
        audit_draws(b"abc", "p", ["k"])


def test_the_hash_of_a_secret_is_sha256():
    assert secret_hash(b"abc") == hashlib.sha256(b"abc").hexdigest()


def test_a_secret_that_is_a_text_is_refused():
    with pytest.raises(InputError, match=r"must be bytes; got str\. Draw one with secrets"):
        secret_hash("sixteen or more!")
