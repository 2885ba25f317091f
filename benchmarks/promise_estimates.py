"""For the ledger of promises: how right is the model this month, without labels (NannyML) and with 5% of them, on NannyML's data.

NannyML 0.13 brings five data sets with a reference period and a later one, whose truth is known. CBPE estimates the
accuracy of each tenth of the later one from probabilities, calibrated on the reference. Beside it: the reference's accuracy,
taken to last (one line), and audits of 5% of the cases, drawn at random.
"""

from __future__ import annotations

import os
import time
import warnings

import numpy as np

from askpoint.measures.intervals import binomial_interval

SETS = {
    "car loan": ("load_synthetic_car_loan_dataset", "repaid", "y_pred", "y_pred_proba"),
    "at work or at home": (
        "load_synthetic_binary_classification_dataset",
        "work_home_actual",
        "y_pred",
        "y_pred_proba",
    ),
    "California housing": (
        "load_modified_california_housing_dataset",
        "clf_target",
        "y_pred",
        "y_pred_proba",
    ),
    "employment in a census": (
        "load_us_census_ma_employment_data",
        "employed",
        "prediction",
        "predicted_probability",
    ),
    "credit cards, three classes": (
        "load_synthetic_multiclass_classification_dataset",
        "y_true",
        "y_pred",
        {
            "prepaid_card": "y_pred_proba_prepaid_card",
            "highstreet_card": "y_pred_proba_highstreet_card",
            "upmarket_card": "y_pred_proba_upmarket_card",
        },
    ),
}
AUDITED = 0.05
DRAWS = 20


def run(seed):
    """By set: its chunks, each with the truth, the reference's, the estimate with its band, alarms, audits; and seconds."""
    os.environ["NML_DISABLE_USAGE_LOGGING"] = "1"
    import nannyml

    found = {}
    for number, (name, (loader, truth, says, sure)) in enumerate(SETS.items()):
        reference, later, told = getattr(nannyml, loader)()
        later = later.merge(told, on="id")
        size = len(later) // 10
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rule = nannyml.CBPE(
                problem_type="classification_binary"
                if isinstance(sure, str)
                else "classification_multiclass",
                y_pred_proba=sure,
                y_pred=says,
                y_true=truth,
                metrics=["accuracy"],
                chunk_size=size,
            ).fit(reference)
            made = rule.estimate(later).filter(period="analysis").to_df()["accuracy"]
        seconds = time.process_time() - start
        right = (later[says] == later[truth]).to_numpy()
        kept = (reference[says] == reference[truth]).mean()
        rng = np.random.default_rng([seed, number])
        rows = []
        for k in range(10):
            part = right[k * size : (k + 1) * size]
            now = made.iloc[k]
            audits = []
            for _ in range(DRAWS):
                n = rng.binomial(len(part), AUDITED)
                seen = int(part[rng.choice(len(part), n, replace=False)].sum())
                low, high = binomial_interval(seen, n)
                is_held = low <= part.mean() <= high
                audits.append((abs(seen / n - part.mean()), is_held, high < now["lower_threshold"]))
            rows.append(
                {
                    "truth": part.mean(),
                    "last": abs(kept - part.mean()),
                    "estimate": abs(now["value"] - part.mean()),
                    "held": now["lower_confidence_boundary"]
                    <= part.mean()
                    <= now["upper_confidence_boundary"],
                    "fell": part.mean() < now["lower_threshold"],
                    "alarm": now["value"] < now["lower_threshold"],
                    "audits": np.mean(audits, axis=0),
                }
            )
        found[name] = (kept, size, rows, seconds)
    return found


def table(found):
    """Lines of the page."""
    head = (
        "| NannyML's data | accuracy before; of the tenths later | error in points: as before (one line), NannyML, "
        "audits of 5% | its band or interval holds: NannyML, audits | tenths that fell below NannyML's threshold | "
        "noticed: NannyML, audits | false alarms of the others: NannyML, audits | labels: NannyML, audits |"
    )
    lines = [head, "|---" * 8 + "|"]
    for name, (kept, size, rows, _) in found.items():
        truth = [row["truth"] for row in rows]
        fell = [row for row in rows if row["fell"]]
        others = [row for row in rows if not row["fell"]]
        errors = [100 * np.mean([row[what] for row in rows]) for what in ("last", "estimate")]
        errors.append(100 * np.mean([row["audits"][0] for row in rows]))
        held = np.mean([row["held"] for row in rows]), np.mean([row["audits"][1] for row in rows])
        cells = [
            f"{100 * kept:.1f}%; {100 * min(truth):.1f}% to {100 * max(truth):.1f}%",
            ", ".join(f"{error:.2f}" for error in errors),
            f"{held[0]:.2f}, {held[1]:.2f}",
            f"{len(fell)} of {len(rows)}",
            noticed(fell),
            noticed(others),
            f"0, {round(AUDITED * size)} a tenth",
        ]
        lines.append("| " + " | ".join([name, *cells]) + " |")
    return lines


def noticed(rows):
    """By the estimate and by audits; none where there is nothing to notice."""
    if not rows:
        return "none"
    audits = np.mean([row["audits"][2] for row in rows])
    return f"{np.mean([row['alarm'] for row in rows]):.2f}, {audits:.2f}"
