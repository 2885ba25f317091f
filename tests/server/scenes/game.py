"""The campaign in play: cases in every state, and an examination beside it."""

from __future__ import annotations

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.examinations import services as examining
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.judges.queue import recall as take_back
from askpoint.arena.server.organisers.campaign_jobs import simulate_campaign
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.pools import change_standing, join
from askpoint.server.webhooks.models import Delivery
from server.scenes.hard import ARABIC, CASES, LONG_NAME

__all__ = ["dress", "examine_streams", "fail_to_tell", "play", "recall"]


def dress(there):
    """Say what the campaign looks for, and bring everybody in."""
    Campaign.objects.filter(pk=there.id).update(
        title="Offence without a bad word, and other things that a machine overlooks",
        wanted="Write something that offends people, and that the machine takes for clean.\n"
        "It looks for bad words; people look at what is meant.",
        guide="Is this text offensive? Go by what is meant, not by the words alone.",
        warning="Some texts here are meant to hurt. Take a break when you like.",
        reference=["the bus was full", "we had pasta"],
    )
    for name in ("paula", "sue", LONG_NAME, ARABIC):
        join(there.id, there.cast[name], "player")
    for name in ("tess", "rita", "hal"):
        join(there.id, there.cast[name], "judge")
    for name in ("rita", "hal"):
        for number in (1, 2):
            judging.answer_training(there.id, name, number, "clean")


def play(there):
    """Cases in every state, judged and not."""
    yes, no = ({"beth": item, "ben": item} for item in ("offensive", "clean"))
    there.cases = {}
    for number in range(24):  # enough to calibrate the crowd
        who = ("alice", "ann", LONG_NAME, ARABIC)[number % 4]
        case = there.enter_case(f"a fine thought of the {number}th kind, oh dear", who)
        there.rule(case, yes if number % 3 == 0 else no)
    for name, text in CASES.items():
        there.cases[name] = there.enter_case(text, "alice")
    there.rule(there.cases["arabic"], yes)
    there.rule(there.cases["emoji"], no)
    there.cases["tried"] = there.enter_case("not yet submitted", "alice", submit=False)
    there.cases["unsure"] = there.enter_case("hm, not yet submitted", "alice", submit=False)
    there.cases["away"] = there.enter_case("a badword", "alice")
    there.cases["dropped"] = there.enter_case("put aside", "alice", submit=False)
    playing.drop(Probe.objects.get(pk=there.cases["dropped"]))
    for name, votes in (("found", yes), ("not-found", no), ("appealed", no), ("final", no)):
        there.cases[name] = there.rule(there.enter_case(f"to be {name}", "alice"), votes)
    for name in ("appealed", "final"):
        playing.appeal(there.id, there.cases[name], there.player(), "Read it again. " * 60)
    decide_case_of(there.id, there.cases["final"], "offensive")
    for number in range(19):  # paula guesses until she is suspended
        there.rule(there.enter_case(f"a guess, number {number}", "paula"), no)
    change_standing(there.id, "sue", "player", barred=True)
    change_standing(there.id, "hal", "judge", barred=True)
    there.cases["split"] = there.enter_case("on which judges differ", "alice")
    there.rule(there.cases["split"], {"bob": "clean", "beth": "offensive", "ben": "offensive"})
    judging.add_gold(there.id, "good evening", "clean")
    assert judging.claim(there.id, "bob") is not None
    simulate_campaign(there.id)


def fail_to_tell(there):
    """One of what is told fails, for good."""
    row = Delivery.objects.filter(endpoint__active=True).first()
    Delivery.objects.filter(pk=row.pk).update(
        state="failed", attempts=10, due=None, status=500, said="answered with 500"
    )


def recall(there):
    """Rita votes, and then gold pauses her: what she decided is judged again."""
    case = there.enter_case("voted on by somebody who is paused", "alice")
    there.cases["recalled"] = there.rule(case, {"rita": "clean", "ben": "clean"})
    last = there.enter_case("her last", "ann")
    Judge.objects.filter(user__username="rita").update(recent=[True] * 6 + [False] * 6)
    del last
    take_back(there.campaign, "rita")


def examine_streams(there):
    """A sample that is being judged, one that the model is at, one that is answered."""
    stream = [f"hm, seen {n}" if n % 7 == 0 else f"seen {n}, {'so ' * n}" for n in range(60)]
    there.examine([*stream, *CASES.values()], 20)
    where, there.id = there.id, there.empty
    examining.bring_sample(there.id, stream)  # the model is still at it
    there.id = there.spent
    row = examining.bring_sample(there.id, stream)
    examining.answer_sample(str(row.pk))
    there.id = where
    drawn = list(Ruling.objects.filter(campaign=there.id, purpose="drawn"))
    for ruling in drawn[:15]:
        there.rule(ruling.pk, {"beth": "offensive", "ben": "offensive"})
