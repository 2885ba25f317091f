"""The cast on a stage: Alice plays, Bob and Beth judge, Olga organises, Charlie may see nothing."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from askpoint.arena.game.challenge import tag_terms
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.examinations import services as examining
from askpoint.arena.server.examinations.models import Examination
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.services import audit, balance_of
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes import families, similar
from askpoint.arena.server.probes.models import Player, Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.arena.server.tags import item_lists as tagging
from askpoint.arena.server.tags.item_lists import bring_items
from askpoint.errors import RuleError
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.model_answer import ModelAnswer
from askpoint.server.accounts.models import Seat, User
from askpoint.server.classifiers.models import Classifier
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import read_picture
from askpoint.server.workspaces.services import first_workspace
from askpoint.unknowns.examination import ExaminationDesign
from server.pictures import encoded

__all__ = ["CLASSES", "TITLE", "Stage", "organiser", "refused", "score"]

TITLE = "A toy to beat"  # with blanks, so that no random token in a page can hold it

CLASSES = ("clean", "offensive")


def score(text: str) -> float:
    """The model of the tests: it knows one bad word, and half knows another."""
    return 0.97 if "badword" in text else 0.45 if "hm" in text else 0.05


@contextmanager
def refused(rule):
    """Expect a refusal by one rule of the game."""
    with pytest.raises(RuleError) as caught:
        yield
    assert caught.value.rule == rule


def organiser(name, workspace=None, role="organiser") -> User:
    """Somebody new who organises in a workspace, and pays people out."""
    user, _ = User.objects.get_or_create(username=name)
    where = workspace or first_workspace().pk
    Seat.objects.create(workspace_id=where, user=user, role=role, pays=True, at=timezone.now())
    return user


class Stage:
    """A campaign with its cast; the model is a function in this process."""

    def __init__(self, monkeypatch, classes=CLASSES, **changes) -> None:
        self.asked: list[object] = []
        self.classes = good, bad = classes
        self.speak_for_models(monkeypatch)
        cast = ("alice", "ann", "bob", "beth", "ben", "olga", "charlie")
        for name in cast:
            setattr(self, name, User.objects.create(username=name))
        self.workspace = first_workspace()
        organiser("olga")
        self.classifier = Classifier.objects.create(
            workspace=self.workspace,
            name="toy",
            owner=self.olga,
            adapter="callable",
            target="judge_me:score",
            classes=list(classes),
            made="2026-01-01T00:00Z",
        )
        terms = CampaignTerms(
            CostMatrix.zero_one(classes),
            sought=Sought(bad, good),
            protocol=Protocol(training_items=2, gold_share=0.0),
            hold=timedelta(0),  # a test that holds pay says so
        )
        row = campaigns.make_campaign(
            self.olga,
            title=TITLE,
            classifier=self.classifier,
            wanted="Offend politely.",
            terms=replace(terms, **changes),
        )
        self.id = row.pk
        campaigns.set_training(self.id, [("good day", good, "harmless"), ("you fool", bad, "")])
        campaigns.fund(self.id, 100_000, "first")
        campaigns.change_state(self.id, "open")
        for name in ("alice", "ann"):
            join(self.id, getattr(self, name), "player")
        for name in ("bob", "beth", "ben"):
            join(self.id, getattr(self, name), "judge")
            for number in (1, 2):
                judging.answer_training(self.id, name, number, good)

    def speak_for_models(self, monkeypatch) -> None:
        """Let the server ask the stage, and forget what it learned on another."""
        monkeypatch.setattr(playing, "ask", self.ask)
        monkeypatch.setattr(examining, "ask_many", self.ask_many)
        monkeypatch.setattr(tagging, "ask_many", self.ask_many)
        monkeypatch.setattr(similar, "_known", {})
        monkeypatch.setattr(families, "_known", {})

    def ask(self, _, case, *_sender):
        """Answer in place of the model's process."""
        self.asked.append(case)
        p = score(case if isinstance(case, str) else "")
        return ModelAnswer((1 - p, p), self.classes[p > 0.5], "1")

    def ask_many(self, _, cases):
        """Answer several."""
        return [self.ask(_, case) for case in cases]

    @property
    def campaign(self) -> Campaign:
        """As it is now."""
        return Campaign.objects.select_related("classifier").get(pk=self.id)

    def player(self, name="alice") -> Player:
        """The row of a player."""
        rows = Player.objects.select_related("user", "campaign__classifier")
        return rows.get(campaign=self.id, user__username=name)

    def try_case(self, text, name="alice", key=None) -> Probe:
        """Try a case."""
        return playing.try_out_case(
            self.campaign, self.player(name), text, key or secrets.token_hex(4), "192.0.2.1"
        )

    def submit(self, text, name="alice") -> Probe:
        """Try a case and submit it."""
        probe = self.try_case(text, name)
        return playing.submit(self.player(name), probe)

    def submit_image(self, image, name="alice") -> Probe:
        """Try an image and submit it, as if the model took images."""
        models = Classifier.objects.filter(pk=self.campaign.classifier_id)
        models.update(cases="image")
        with pytest.MonkeyPatch.context() as reading:
            reading.setattr(uploads, "_ask_process", lambda _, content: read_picture(content))
            probe = self.submit(encoded(image), name)
        models.update(cases="text")
        return probe

    def vote(self, name, choice, case=None) -> Ruling:
        """Claim the next case and vote on it."""
        ruling = judging.claim(self.id, name)
        assert ruling is not None
        assert case in (None, ruling.pk)
        return judging.vote(self.id, name, ruling.pk, choice)

    def examine(self, sample, n, method="random", seed=3, n_bins=1) -> Examination:
        """Upload a sample, let the model answer it, and draw from it."""
        row = examining.bring_sample(self.id, sample)
        examining.answer_sample(str(row.pk))
        return examining.draw(self.id, row.pk, ExaminationDesign(method, n, n_bins), seed)

    def open_tags(self, items=(("a beagle", "dog"), ("a tabby", "dog")), **changes) -> str:
        """Open a tag challenge with the same cast; its name."""
        protocol = Protocol(training_items=0, gold_share=0.0, **changes)
        row = campaigns.make_campaign(
            self.olga,
            title=TITLE,
            classifier=self.classifier,
            wanted="Find better labels.",
            terms=replace(tag_terms(protocol=protocol, labels=CLASSES), hold=timedelta(0)),
            kind="tags",
        )
        bring_items(row.pk, list(items))
        campaigns.fund(row.pk, 100_000, "first")
        campaigns.change_state(row.pk, "open")
        for name in ("alice", "ann"):
            join(row.pk, getattr(self, name), "player")
        for name in ("bob", "beth", "ben"):
            join(row.pk, getattr(self, name), "judge")
        return row.pk

    def fund(self, points) -> None:
        """Leave exactly `points` in the budget."""
        campaigns.change_state(self.id, "close")
        left = campaigns.budget_left(self.campaign)
        if left != points:
            campaigns.fund(self.id, points - left, secrets.token_hex(4))
        campaigns.change_state(self.id, "open")

    def earned(self, name) -> int:
        """Points on somebody's account."""
        from askpoint.arena.game.transaction import LedgerAccount

        return balance_of("main", LedgerAccount("earned", name))

    @staticmethod
    def check_ledger() -> None:
        """Post all anew by the game's rules: sums, balances and bounds hold."""
        assert sum(audit("main").balances.values()) == 0

    @staticmethod
    def in_thread(work):
        """Return `work` for a thread, which closes its own connection."""

        def run(*args):
            try:
                return work(*args)
            finally:
                connections.close_all()

        return run
