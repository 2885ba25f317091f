"""What is promised of new cases, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.guarantee import Guarantee, Promise
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.value.thresholds import format_threshold, threshold_number
from askpoint.reports.value.tomorrow import chance_text
from askpoint.reports.words import round_share, share, share_range

__all__ = ["guarantee_blocks", "guarantee_object"]

_NOTHING = "–"
_RARE = 0.5


def guarantee_blocks(answer: ValueAnswer, guarantee: Guarantee) -> tuple[Block, ...]:
    """Return the promise in words, and the choices side by side."""
    rows = tuple(
        (
            name,
            format_threshold(answer, promise.threshold),
            share(promise.coverage),
            _NOTHING if promise.risk is None else share(promise.risk),
            _NOTHING if promise.interval is None else share_range(promise.interval),
        )
        for name, promise in (
            ("promise, looked at once", guarantee.once),
            ("promise, on a growing log", guarantee.again),
            ("no promise", guarantee.unguarded),
        )
    )
    blocks: list[Block] = [Paragraph(_promise(guarantee)), _look(guarantee)]
    if not guarantee.kept.is_given:
        blocks.append(_cannot(guarantee))
    blocks.append(
        Grid(
            "What the promise costs",
            (
                "choice",
                "threshold",
                "answered",
                "mistakes among answers here",
                "95%",
            ),
            rows,
            "Without the promise the limit holds on these cases, and on new ones about every "
            "second time. The promise is for cases drawn like the labelled ones.",
        )
    )
    if guarantee.odds is not None:
        blocks.append(Paragraph(_odds(guarantee)))
    return tuple(blocks)


def _promise(guarantee: Guarantee) -> str:
    test = (
        "learn then test: exact binomial tests, one threshold after the other, from cautious to bold"
        if guarantee.look == "once"
        else "a sequence of bets against too many mistakes, which stays true at every label"
    )
    models = (
        f" Of {guarantee.n_models} models each gets its share of the probability to fail."
        if guarantee.n_models > 1
        else ""
    )
    price = (
        f" The promise costs {share(max(guarantee.price, 0.0))} of the cases: they go to review for its sake."
        if guarantee.kept.is_given and guarantee.unguarded.is_given
        else ""
    )
    return (
        f"What is promised: with a probability of {round_share(1 - guarantee.delta)} over labelled cases "
        f"like these, at most {round_share(guarantee.risk)} of the answers to new cases are wrong "
        f"({test}).{models}{price}"
    )


def _look(guarantee: Guarantee) -> Paragraph:
    once, again = share(guarantee.once.coverage), share(guarantee.again.coverage)
    prices = f"once answers {once} of the cases, again {again}"
    if guarantee.look == "once":
        return Paragraph(
            "You look once: the promise is void if this is run again after the log has "
            f"grown. The promise for repeated looks stays true ({prices}).",
            options="For that take --look again.",
        )
    if guarantee.look == "again":
        return Paragraph(
            "You look again and again: the promise stays true however often you do, as "
            "long as new labels come behind the old ones, in the order of the rows. More labels never "
            f"promise less ({prices})."
        )
    return Paragraph(
        "Do you look once, at a number of labels fixed before, or again while the log grows? You did not "
        "say, so the answer is the one that is safe either way "
        f"({prices}).",
        options="Say --look once or --look again.",
    )


def _cannot(guarantee: Guarantee) -> Notice:
    reason = str(guarantee.kept.reason)
    said = f"{reason[:1].upper()}{reason[1:]}."
    if guarantee.look != "once" and guarantee.once.is_given:
        return Notice(f"{said} Looked at once, it can.")
    if guarantee.least is not None:
        return Notice(
            f"{said} The best that these labels promise, looked at once, is at most "
            f"{share(guarantee.least)} mistakes.",
            f"That is --max-error {guarantee.least:g}.",
        )
    return Notice(said)


def _odds(guarantee: Guarantee) -> str:
    odds = guarantee.odds
    if odds is None:
        return ""
    said = (
        f"How often logs like this, with as many labels, promise anything when looked at once: "
        f"{_of_hundred(odds.given)} in 100."
    )
    if odds.true_if_given is not None:
        said += (
            f" Of the promises then given {chance_text(odds.true_if_given)} are kept (over all logs, "
            f"those included that promise nothing, {chance_text(1 - odds.broken)} are)."
        )
        if odds.given < _RARE:
            said += " A rare promise owes much to luck: rather label more cases than rely on it."
    if guarantee.worth is not None:
        said += (
            f" By these labels, and by what other models are like, this one is kept with a probability of "
            f"{chance_text(guarantee.worth)}."
        )
    return said


def _of_hundred(probability: float) -> str:
    return "fewer than 1" if 0 < probability < 0.01 else f"{100 * probability:.0f}"


def guarantee_object(answer: ValueAnswer, guarantee: Guarantee) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    odds, kept = guarantee.odds, guarantee.kept
    return {
        "limit": guarantee.risk,
        "delta": guarantee.delta,
        "n_models": guarantee.n_models,
        "look": guarantee.look,
        **_choice(answer, kept),
        "price_in_coverage": guarantee.price,
        "once": _choice(answer, guarantee.once),
        "again": _choice(answer, guarantee.again),
        "unguarded": _choice(answer, guarantee.unguarded),
        "least": guarantee.least,
        "odds": None if odds is None else odds._asdict(),
        "kept_with": guarantee.worth,
        "n_labels": guarantee.n_labels,
        "log_digest": guarantee.log_digest,
        "reasons": _reasons(answer, guarantee),
    }


def _choice(answer: ValueAnswer, promise: Promise) -> dict[str, Any]:
    reasons = {}
    if not promise.is_given:
        reasons["threshold"] = promise.reason or "nothing is answered"
    if promise.risk is None:
        reasons["risk"] = "no answered case has a label"
    return {
        "threshold": threshold_number(answer, promise.threshold) if promise.is_given else None,
        "coverage": promise.coverage,
        "risk": promise.risk,
        "reasons": reasons,
    }


def _reasons(answer: ValueAnswer, guarantee: Guarantee) -> dict[str, str]:
    reasons = dict(_choice(answer, guarantee.kept)["reasons"])
    if guarantee.look is None:
        reasons["look"] = "nobody said once or again: what is safe either way is answered"
    if guarantee.least is None:
        reasons["least"] = (
            "reported where the limit cannot be promised, once, and a share below 1 can"
        )
    if guarantee.odds is None:
        reasons["odds"] = "reported up to 20,000 labels"
    elif guarantee.odds.true_if_given is None:
        reasons["odds.true_if_given"] = "no such log promised anything"
    if guarantee.worth is None:
        reasons["kept_with"] = "reported for a promise in force, up to 20,000 labels"
    return reasons
