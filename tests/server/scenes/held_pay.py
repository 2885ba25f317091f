"""Pay that is offered, and pay that is held: a find beside another, and what it waits for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from askpoint.arena.game.terms import Sought, campaign_protocol
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of, terms_text
from askpoint.arena.server.judges import shared_campaigns
from askpoint.arena.server.rulings.pools import join
from askpoint.server.classifiers.models import Classifier
from server.in_use import CLASSES
from server.scenes.hard import CASES
from server.scenes.scene import Scene, at

__all__ = ["held_pay_scenes", "hold_pay"]


def hold_pay(there):
    """A campaign that holds pay, with three finds of one player; its cases lie in a classifier's queue, too."""
    classifier = Classifier.objects.create(
        workspace=there.workspace,
        name="posts",
        owner=there.olga,
        adapter="callable",
        target="judge_me:score",
        classes=list(CLASSES),
        made=timezone.now(),
    )
    sought = Sought(CLASSES[1], CLASSES[0])
    there.holds = there.open_campaign(
        "Held until it is earned", classifier=classifier, sought=sought, state="open"
    )
    row = Campaign.objects.get(pk=there.holds)
    terms = terms_of(row.terms)
    protocol = campaign_protocol(training_items=0, gold_share=1e-9, gold_first=0)
    protocol = replace(protocol, gold_probation=0.0, claim_time=terms.protocol.claim_time)
    terms = replace(terms, protocol=protocol, hold=timedelta(hours=48))
    Campaign.objects.filter(pk=row.pk).update(terms=terms_text(terms))
    join(there.holds, there.cast["alice"], "player")
    for name in ("beth", "ben"):
        join(there.holds, there.cast[name], "judge")
    for text in (
        "Folk like those have no business in a town like ours, and everybody here knows it.",
        CASES["lines"],
        "Our council finds no place for people of that sort.",
    ):
        found = there.enter_case(text, "alice", there.holds)
        there.rule(found, {"beth": CLASSES[1], "ben": CLASSES[1]}, there.holds)
    shared_campaigns.share(there.used.id, there.olga, there.holds)


def held_pay_scenes(there):
    """What its people see."""
    yield Scene("judge", "J", "beth", at("judge", there.holds), "Is this a new find?")
    wrong = "main .choices button:last-child"
    yield Scene("judge", "J", "ben", at("judge", there.holds), "Is this a new find?", {}, wrong)
    yield Scene("points", "P", "alice", "/points/", "whether it is new")
    yield Scene("points", "J", "beth", "/points/", "a known answer are right")
    where = at("pool-offer", there.used.id, there.holds)
    yield Scene("pool-offer", "R", "rudi", where, "Accept")
    yield Scene("review", "R", "rudi", "/review/", "read the offer")
