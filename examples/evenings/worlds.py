"""Made-up cases of four evenings, and the truth about them, which no policy sees.

The four evenings of the documentation's tutorials are told with it: each world draws as many cases as you
like, and `beside` prints what was promised next to what is true.
"""

import numpy as np
import polars as pl
from scipy import special

FIELDS = ("name", "date", "total", "iban", "street", "city", "policy", "signature")
LANGUAGES = ("en", "de", "fr", "pl", "tr")


def claim_forms(n, seed):
    """Forms of eight fields, a quarter of them photos; there and on signatures the model is sure and wrong."""
    rng = np.random.default_rng(seed)
    form, field = np.repeat(np.arange(n), 8), np.tile(np.arange(8), n)
    photo = (rng.random(n) < 0.25)[form]
    z = rng.normal(6, 1.5, 8 * n) - 2.5 * photo
    wrong = rng.random(8 * n) < special.expit(photo + 1.2 * (field == 7) - z)
    kind = [f"{FIELDS[f]}, {'photo' if p else 'scan'}" for f, p in zip(field, photo, strict=True)]
    return pl.DataFrame(
        {
            "form": [f"{seed}-{i}" for i in form],
            "kind": kind,
            "prediction": "as read",
            "confidence": special.expit(z),
            "truth": np.where(wrong, "misread", "as read"),
        }
    )


def support_messages(n, seed):
    """Complaints among messages, for a small model that is right in five of six and a large one in 19 of 20."""
    rng = np.random.default_rng(seed)
    complaint, clear = rng.random(n) < 0.5, np.exp(rng.normal(0, 0.5, n))

    def say(skill):
        return special.expit(1.3 * ((2 * complaint - 1) * skill * clear + rng.normal(0, 1, n)))

    return pl.DataFrame(
        {
            "key": [f"{seed}-{i}" for i in range(n)],
            "p_small": say(1.0),
            "p_large": say(2.2),
            "truth": np.where(complaint, "complaint", "other"),
        }
    )


def posts(n, seed):
    """Posts in five languages, for a model that was trained on English; in Turkish it is sure and wrong."""
    rng = np.random.default_rng(seed)
    language = rng.choice(5, n, p=[0.5, 0.2, 0.15, 0.1, 0.05])
    z = rng.normal(2.2, 1.8, n)
    fine = rng.random(n) < special.expit(np.array([0, 0, 0.3, -0.2, -2.2])[language] + z)
    return pl.DataFrame(
        {
            "key": [f"{seed}-{i}" for i in range(n)],
            "language": [LANGUAGES[code] for code in language],
            "prediction": "fine",
            "confidence": special.expit(z),
            "truth": np.where(fine, "fine", "harmful"),
        }
    )


def referrals(n, seed):
    """Eight findings of each patient, all signs of one thing, and whether the specialist took the patient."""
    rng = np.random.default_rng(seed)
    taken = rng.random(n) < 0.5
    severe = 0.9 * (2 * taken - 1) + rng.normal(0, 1, n)
    findings = severe[:, None] + rng.normal(0, 0.7, (n, 8)) > 0
    return findings, np.where(taken, "taken", "sent back")


def with_labels(cases, n):
    """Hide the truth, and let people label the first n rows."""
    is_seen = pl.int_range(pl.len()) < n
    return cases.with_columns(label=pl.when(is_seen).then("truth")).drop("truth")


def beside(*rows):
    """Print what was promised next to what is true; a row is a name, what was stated, and the truth."""
    print(f"{'':36}{'stated':>8}{'between':>18}{'true':>8}")
    for name, stated, true in rows:
        mean, low, high = stated if len(stated) == 3 else (None, *stated)
        middle = "" if mean is None else _shown(mean)
        print(f"{name:36}{middle:>8}{_shown(low) + ' and ' + _shown(high):>18}{_shown(true):>8}")


def _shown(number):
    """Show an estimate by the two digits that count."""
    return f"{float(f'{number:.2g}'):,.0f}"
