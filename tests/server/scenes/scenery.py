"""Every page in every state that people meet: much, little, refused, and hard to show."""

from __future__ import annotations

import secrets
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from askpoint.arena.game.paid_votes import claim_case
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.organisers import views as organisers
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.moves import find_case
from askpoint.arena.server.rulings.pools import join
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.model_answer import ModelAnswer
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.faults import fault_error
from askpoint.server.health import ModelHealth
from askpoint.server.labelling.records import reviewer_of
from askpoint.server.webhooks.services import EVENTS, make_endpoint
from server.scenes.agents import agents_scenes, use_agents
from server.scenes.classifiers import classifiers_scenes, use_classifiers
from server.scenes.game import dress, examine_streams, fail_to_tell, play, recall
from server.scenes.hard import ARABIC, LONG_NAME
from server.scenes.held_pay import held_pay_scenes, hold_pay
from server.scenes.judges import judges_scenes
from server.scenes.kinds import open_images, open_many, open_rows, open_web
from server.scenes.organisers import organisers_scenes
from server.scenes.people import invite_people, pay_people
from server.scenes.players import players_scenes
from server.scenes.questionnaires import questionnaires_scenes
from server.scenes.site import site_scenes
from server.scenes.tags import open_tag_challenge, tags_scenes
from server.stage import Stage, organiser

__all__ = ["Scenery"]

PARTS = ("wanda", "will", "rosa", "rudi", "vera", "oskar")  # of a classifier in use


class Scenery(Stage):
    """The stage with all that can be on it."""

    def __init__(self, monkeypatch) -> None:
        super().__init__(monkeypatch)
        for name in (
            "tess",
            "rita",
            "paula",
            "hal",
            "sue",
            "nora",
            "crash",
            LONG_NAME,
            ARABIC,
            *PARTS,
        ):
            User.objects.create(username=name)
        organiser("nora")
        organiser("ada", role="owner")
        self.olga.set_unusable_password()
        self.olga.save()
        self.cast = {user.username: user for user in User.objects.all()}
        dress(self)
        make_endpoint("main", self.olga, f"https://hooks.example.org/{'long-' * 20}", EVENTS)
        play(self)
        fail_to_tell(self)
        recall(self)
        self.draft = self.open_campaign("A draft of which little is known yet", wanted="Find it.")
        self.empty = self.open_campaign("Nobody is here yet", state="open")
        join(self.empty, self.cast["alice"], "player")
        join(self.empty, self.cast["bob"], "judge")
        self.closed = self.open_campaign("Over", state="open")
        join(self.closed, self.cast["alice"], "player")
        campaigns.change_state(self.closed, "close")
        self.spent = self.open_campaign("Spent", state="open", points=1400)
        join(self.spent, self.cast["alice"], "player")
        join(self.spent, self.cast["ann"], "player")
        self.enter_case("the last one that could be paid", "ann", self.spent)
        open_many(self)
        open_rows(self)
        open_web(self)
        open_images(self)
        invite_people(self)
        examine_streams(self)
        open_tag_challenge(self)
        pay_people(self)
        use_classifiers(self)
        use_agents(self)
        hold_pay(self)
        playing.keep_draft(self.player(), "half a day's thought")

    def speak_for_models(self, monkeypatch) -> None:
        """Let the server ask the scenery, and show few cases on a page: there are several."""
        super().speak_for_models(monkeypatch)
        monkeypatch.setattr(organisers, "_ON_A_PAGE", 30)
        well = ModelHealth(
            runs=True, trouble="", answered=1234, faults={"timeout": 3, "busy": 1}, last="answered"
        )
        down = replace(well, runs=False, trouble="it ended; it is started again")
        monkeypatch.setattr(
            organisers, "model_health", lambda row: down if row.name == "credit" else well
        )

    def ask(self, classifier, case, *_sender):
        """Answer for all the models."""
        if "down" in str(case):
            raise fault_error("timeout")
        n = len(classifier.classes)
        if tuple(classifier.classes) == self.classes and isinstance(case, str):
            return super().ask(classifier, case)
        rest = 0.09 / (n - 1)
        return ModelAnswer((0.91, *[rest] * (n - 1)), classifier.classes[0], "1")

    def open_campaign(self, title, *, wanted="Offend politely.", state="", points=200_000, **more):
        """Make a campaign; its name."""
        classifier = more.get("classifier", self.classifier)
        classes = classifier.classes
        sought = more.get("sought", Sought(classes[1], classes[0]))
        terms = CampaignTerms(
            CostMatrix.zero_one(classes),
            sought=sought,
            designs={2, 3, 4, 5} if sought else {2, 4},
            protocol=Protocol(training_items=0, gold_share=0.0),
        )
        row = campaigns.make_campaign(
            self.olga, title=title, classifier=classifier, wanted=wanted, terms=terms
        )
        if state:
            campaigns.fund(row.pk, points, "first")
            campaigns.change_state(row.pk, state)
        return row.pk

    def enter_case(self, text, name, campaign=None, submit=True):
        """Try a case in any campaign, and submit it; its name."""
        where = campaign or self.id
        row = Campaign.objects.select_related("classifier").get(pk=where)
        rows = Player.objects.select_related("user", "campaign__classifier")
        player = rows.get(campaign=where, user__username=name)
        address = f"192.0.2.{secrets.randbelow(250)}"
        probe = playing.try_out_case(row, player, text, secrets.token_hex(4), address)
        if submit and probe.state == "tried":
            playing.submit(player, probe)
        return probe.pk

    def rule(self, case, votes, campaign=None):
        """Let judges vote on one case."""
        where = campaign or self.id
        for name, choice in votes.items():
            with transaction.atomic():  # this one, wherever it stands in the queue
                found = find_case(lock_campaign(where), case)
                judge = Judge.objects.select_related("user").get(
                    campaign=where, user__username=name
                )
                now = timezone.now()
                found.keep(claim_case(found.game, found.before, reviewer_of(judge), now))
            judging.vote(where, name, case, choice)
        return case

    def __iter__(self):
        """All scenes."""
        yield from site_scenes(self)
        yield from players_scenes(self)
        yield from judges_scenes(self)
        yield from organisers_scenes(self)
        yield from tags_scenes(self)
        yield from classifiers_scenes(self)
        yield from questionnaires_scenes(self)
        yield from agents_scenes(self)
        yield from held_pay_scenes(self)
