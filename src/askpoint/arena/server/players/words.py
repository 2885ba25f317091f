"""A campaign's rules in plain words, and why a case would bring what it would."""

from __future__ import annotations

from askpoint.arena.game.designs import DESIGNS, designs_of
from askpoint.arena.game.feedback import Feedback
from askpoint.arena.game.pay import money
from askpoint.arena.game.probe import Prize
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.game.transaction import POINTS_PER_CENT

__all__ = ["judging_rules", "pay_of", "rules_of", "why"]


def rules_of(terms: CampaignTerms) -> list[str]:
    """Return what a player must know, one sentence each."""
    found = []
    if terms.sought is not None:
        found.append(
            f"Find cases that people would call “{terms.sought.truth}” and the model takes for "
            f"“{terms.sought.decision}”."
        )
    else:
        found.append("Find cases that the model gets wrong, whatever way.")
    for number, design in DESIGNS.items():
        said = design.rule(terms) if number in terms.designs else design.without
        found += [said] if said else []
    if terms.holds_awards:
        found.append(
            "A find that says the same as an earlier one does not count as new, in whatever words: judges compare them. "
            "Who sends own finds again and again waits for the organiser's word on each."
        )
    return found + judging_rules(terms)


def judging_rules(terms: CampaignTerms) -> list[str]:
    """Return what holds in each kind of campaign: who judges, and who plays on."""
    pay, protocol, found = terms.pay, terms.protocol, list[str]()
    days = terms.appeal_window.days
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
            "Guessing does not pay: a player who certainly finds less "
            f"than {terms.precision_floor:.0%} is suspended; what was submitted is still paid."
        )
    return found


def pay_of(terms: CampaignTerms, role: str) -> list[str]:
    """Return what a player or a judge is paid, before they join."""
    pay = terms.pay
    if role == "judge":
        found = [f"Each vote brings {money(pay.vote)}."]
        if terms.protocol.holds_pay:
            found.append(
                "It is held until enough of your votes on cases with a known answer are right, and goes back if too "
                "many are wrong."
            )
    else:
        found = [
            (
                f"An error that you find brings up to {money(pay.base + terms.most_prize)}, and any "
                f"judged case {money(pay.base)}."
            )
        ]
    if pay.hourly_floor:
        hour = money(pay.hourly_floor * POINTS_PER_CENT)
        found.append(f"An hour of honest work is meant to bring at least {hour}.")
    return found


def why(terms: CampaignTerms, feedback: Feedback, prizes: dict[str, Prize]) -> list[str]:
    """Return why a case would bring the points that it would."""
    best = max(prizes, key=lambda option: prizes[option].points)
    error = best != feedback.decision
    return [said for design in designs_of(terms.designs) if (said := design.why(feedback, error))]
