"""A campaign's rules in plain words, and why a case would bring what it would."""

from __future__ import annotations

from askpoint.game.probe import Feedback, Prize
from askpoint.game.terms import Terms
from askpoint.game.transaction import POINTS_PER_CENT

__all__ = ["money", "rules_of", "why"]

_SURE = 0.75  # from here on the paper calls an answer a confident one


def money(points: int) -> str:
    """Return points with what they are in money.

    >>> money(810)
    '810 points (16.2 cents)'
    >>> money(55_400)
    '55,400 points ($11.08)'
    """
    if abs(points) >= 100 * POINTS_PER_CENT:
        whole, _, rest = f"{points / POINTS_PER_CENT / 100:,.4f}".partition(".")
        return f"{points:,} points (${whole}.{rest.rstrip('0'):0<2})"
    cents = f"{points / POINTS_PER_CENT:.2f}".rstrip("0").rstrip(".")
    return f"{points:,} points ({cents} {'cent' if cents == '1' else 'cents'})"


def rules_of(terms: Terms) -> list[str]:
    """Return what a player must know, one sentence each."""
    pay, protocol = terms.pay, terms.protocol
    found = []
    if terms.sought is not None:
        found.append(
            f"Find cases that people would call “{terms.sought.truth}” and the model takes for "
            f"“{terms.sought.decision}”. What the model surely calls “{terms.sought.truth}” is "
            "turned away at once, and costs you nothing."
        )
    else:
        found.append("Find cases that the model gets wrong, whatever way.")
    found.append(
        f"A submitted case brings {money(pay.base)} once it is judged, and up to "
        f"{money(pay.top)} more if judges agree that the model is wrong."
    )
    if 2 in terms.designs:
        found.append(
            "You see the model's answer before you submit. Points are provisional until judges "
            "have ruled."
        )
    else:
        found.append("The model's answer stays hidden; you see what you earned after judging.")
    if 4 in terms.designs:
        found.append(
            "The surer the model is of its mistake, the more you earn. Where it is right but "
            f"unsure, there is a small bonus of up to {money(pay.unsure)}."
        )
    if 5 in terms.designs:
        found.append(
            "What resembles an earlier find earns less, down to "
            f"{1 - terms.shrink:.0%} of the reward; the first of its kind earns in full."
        )
    days = protocol.appeal_window.days
    found.append(
        f"{protocol.votes} judges who do not know you vote on each case"
        + (", and one more if they disagree" if protocol.most_votes > protocol.votes else "")
        + f". You may appeal once a case, within {days} days; then the organiser decides."
    )
    if pay.hourly_floor:
        found.append(
            f"The prices are made so that an hour of honest work brings at least "
            f"{money(pay.hourly_floor * POINTS_PER_CENT)}, without a single find."
        )
    if terms.precision_floor:
        found.append(
            "Guessing does not pay: whoever finds certainly less than "
            f"{terms.precision_floor:.0%} is suspended; what was submitted is still paid."
        )
    return found


def why(terms: Terms, feedback: Feedback, prizes: dict[str, Prize]) -> list[str]:
    """Return why a case would bring the points that it would."""
    best = max(prizes, key=lambda option: prizes[option].points)
    found = []
    if 4 in terms.designs and best != feedback.decision:
        sure = feedback.confidence >= _SURE
        found.append(
            f"The model is {'sure' if sure else 'unsure'} of “{feedback.decision}” "
            f"({feedback.confidence:.0%}): "
            + (
                "an error that it is sure of is worth much."
                if sure
                else "an error that it half expects is worth less."
            )
        )
    elif 4 in terms.designs:
        found.append("The model is right to be unsure here: that is worth the small bonus.")
    if 5 in terms.designs:
        if feedback.similarity >= 0.999:
            found.append("This is a near-duplicate of an earlier find: it earns a small part.")
        elif feedback.similarity >= 0.5:
            found.append(f"It resembles earlier finds ({feedback.similarity:.0%}) and earns less.")
        else:
            found.append("It is new: unlike what was found before.")
    return found
