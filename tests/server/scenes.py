"""Every page in every state that people meet: much, little, refused, and hard to show."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from askpoint.game.challenge import tag_terms
from askpoint.game.feedback import Answer
from askpoint.game.judging import claim_case
from askpoint.game.protocol import Protocol
from askpoint.game.terms import Sought, Terms
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.server.accounts.models import Acceptance, Invitation, User
from askpoint.server.accounts.people import reset_path
from askpoint.server.accounts.services import invite, token_of
from askpoint.server.campaigns import services as campaigns
from askpoint.server.campaigns.consents import record_consent
from askpoint.server.campaigns.models import Campaign, Workday
from askpoint.server.campaigns.services import lock_campaign
from askpoint.server.classifiers.faults import fault_error
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import Stopped
from askpoint.server.classifiers.stopped import set_aside
from askpoint.server.deployments import policies, queue
from askpoint.server.deployments.models import Case, LogReport, Policy
from askpoint.server.deployments.raising import look_for_regions, set_raised
from askpoint.server.examinations import services as examining
from askpoint.server.health import ModelHealth
from askpoint.server.jobs.services import add_job
from askpoint.server.judges import services as judging
from askpoint.server.organisers import views as organisers
from askpoint.server.organisers.decisions import decide_case_of
from askpoint.server.organisers.works import simulate_campaign
from askpoint.server.payouts.models import Payout
from askpoint.server.payouts.providers import Prolific
from askpoint.server.payouts.services import hand_out, pay_out, receive, withdraw
from askpoint.server.players import services as playing
from askpoint.server.probes.models import Player, Probe
from askpoint.server.questionnaires import services as costs
from askpoint.server.rulings.models import Judge, Ruling
from askpoint.server.rulings.moves import find_case
from askpoint.server.rulings.pools import change_standing, join
from askpoint.server.rulings.records import judge_of
from askpoint.server.tags.services import propose
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import read_picture
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import EVENTS, make_endpoint
from server.in_use import InUse
from server.pictures import encoded, scene
from server.stage import Stage

__all__ = ["Scene", "Scenery"]

UNCOVER = "main .veil a"

LONG_NAME = "Maximiliane.von-und-zu-Hohenstein_der-Unermüdlichen@example.org"
ARABIC = "ليلى"
PARTS = ("wanda", "will", "rosa", "rudi", "vera", "oskar")  # of a classifier in use
CASES = {
    "arabic": "أنت لست من هنا، ولن تكون أبدًا من هنا مهما فعلت",
    "emoji": "🤡🤡 what a 🐍 you are 👩‍👩‍👧‍👦 hm 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "unbroken": "Donaudampfschifffahrtsgesellschaftskapitän" * 119,
    "lines": "first line\n\nthird line, of which\n\tthe rest is indented\n" * 20,
}
KINDS = (
    "nothing of the kind",
    "an insult to a person",
    "contempt for a group of people",
    "Verharmlosung geschichtlicher Verbrechen und deren Opfer",
    "threat",
    "spam",
)
MADE = {
    "name": "-".join(["the-newest-posts-of-all-our-languages"] * 2) + ".csv",
    "random": False,
    "page": "<!doctype html><title>The report</title>",
    "told": [
        {
            "title": "The answer",
            "blocks": [
                {"kind": "paragraph", "text": "Decided: ask about the rest.", "lead": True},
                {"kind": "notice", "text": "Labels depend on confidence."},
                {"kind": "picture", "name": "x", "title": "X", "alternative": "x"},
            ],
        }
    ],
    "classes": ["fine", "hate"],
    "rows": 120_000,
    "labelled": 4_000,
}
FEATURES = (
    {"name": "age", "kind": "number", "options": []},
    {"name": "income in thousands a year, before tax", "kind": "number", "options": []},
    {"name": "housing", "kind": "choice", "options": ["rents", "owns", "lives with parents"]},
)


class Scene(NamedTuple):
    """A page as somebody sees it.

    Parameters
    ----------
    page : str
        Its name in the matrix of pages; or of a refusal, which is no page of its own.
    role : str
        As in the matrix.
    who : str
        Of the cast; empty for somebody who is not signed in.
    path : str
        Where it is.
    says : str
        What must stand there, or it is another state than was meant.
    fill : mapping, default={}
        What is typed by the names of the fields, before `press`.
    press : str, default=""
        A selector: what is pressed.
    lose : bool, default=False
        Whether the cookie that forms need is lost before.
    """

    page: str
    role: str
    who: str
    path: str
    says: str
    fill: Mapping[str, str] = MappingProxyType({})
    press: str = ""
    lose: bool = False


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
        User.objects.filter(username="nora").update(is_organiser=True)
        self.olga.set_unusable_password()
        self.olga.save()
        self.cast = {user.username: user for user in User.objects.all()}
        self._dress()
        make_endpoint(self.olga, f"https://hooks.example.org/{'long-' * 20}", EVENTS)
        self._play()
        self._fail_to_tell()
        self._recall()
        self.draft = self._campaign("A draft of which little is known yet", wanted="Find it.")
        self.empty = self._campaign("Nobody is here yet", state="open")
        join(self.empty, self.cast["alice"], "player")
        join(self.empty, self.cast["bob"], "judge")
        self.closed = self._campaign("Over", state="open")
        join(self.closed, self.cast["alice"], "player")
        campaigns.change_state(self.closed, "close")
        self.spent = self._campaign("Spent", state="open", points=1400)
        join(self.spent, self.cast["alice"], "player")
        join(self.spent, self.cast["ann"], "player")
        self.enter_case("the last one that could be paid", "ann", self.spent)
        self._many()
        self._rows()
        self._web()
        self._images()
        self._invite()
        self._examine()
        self._tag()
        self._pay()
        self._use()
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
        if n == 2 and isinstance(case, str):
            return super().ask(classifier, case)
        rest = 0.09 / (n - 1)
        return Answer((0.91, *[rest] * (n - 1)), classifier.classes[0], "1")

    def _campaign(self, title, *, wanted="Offend politely.", state="", points=200_000, **more):
        """Make a campaign; its name."""
        classifier = more.get("classifier", self.classifier)
        classes = classifier.classes
        sought = more.get("sought", Sought(classes[1], classes[0]))
        terms = Terms(
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
                found.keep(claim_case(found.game, found.before, judge_of(judge), now))
            judging.vote(where, name, case, choice)
        return case

    def _dress(self):
        Campaign.objects.filter(pk=self.id).update(
            title="Offence without a bad word, and other things that a machine overlooks",
            wanted="Write something that offends people, and that the machine takes for clean.\n"
            "It looks for bad words; people look at what is meant.",
            guide="Is this text offensive? Go by what is meant, not by the words alone.",
            warning="Some texts here are meant to hurt. Take a break when you like.",
            reference=["the bus was full", "we had pasta"],
        )
        for name in ("paula", "sue", LONG_NAME, ARABIC):
            join(self.id, self.cast[name], "player")
        for name in ("tess", "rita", "hal"):
            join(self.id, self.cast[name], "judge")
        for name in ("rita", "hal"):
            for number in (1, 2):
                judging.answer_training(self.id, name, number, "clean")

    def _play(self):
        yes, no = ({"beth": item, "ben": item} for item in ("offensive", "clean"))
        self.cases = {}
        for number in range(24):  # enough to calibrate the crowd
            who = ("alice", "ann", LONG_NAME, ARABIC)[number % 4]
            case = self.enter_case(f"a fine thought of the {number}th kind, oh dear", who)
            self.rule(case, yes if number % 3 == 0 else no)
        for name, text in CASES.items():
            self.cases[name] = self.enter_case(text, "alice")
        self.rule(self.cases["arabic"], yes)
        self.rule(self.cases["emoji"], no)
        self.cases["tried"] = self.enter_case("not yet submitted", "alice", submit=False)
        self.cases["unsure"] = self.enter_case("hm, not yet submitted", "alice", submit=False)
        self.cases["away"] = self.enter_case("a badword", "alice")
        self.cases["dropped"] = self.enter_case("put aside", "alice", submit=False)
        playing.drop(Probe.objects.get(pk=self.cases["dropped"]))
        for name, votes in (("found", yes), ("not-found", no), ("appealed", no), ("final", no)):
            self.cases[name] = self.rule(self.enter_case(f"to be {name}", "alice"), votes)
        for name in ("appealed", "final"):
            playing.appeal(self.id, self.cases[name], self.player(), "Read it again. " * 60)
        decide_case_of(self.id, self.cases["final"], "offensive")
        for number in range(19):  # paula guesses until she is suspended
            self.rule(self.enter_case(f"a guess, number {number}", "paula"), no)
        change_standing(self.id, "sue", "player", barred=True)
        change_standing(self.id, "hal", "judge", barred=True)
        self.cases["split"] = self.enter_case("on which judges differ", "alice")
        self.rule(self.cases["split"], {"bob": "clean", "beth": "offensive", "ben": "offensive"})
        judging.add_gold(self.id, "good evening", "clean")
        assert judging.claim(self.id, "bob") is not None
        simulate_campaign(self.id)

    def _fail_to_tell(self):
        """One of what is told fails, for good."""
        row = Delivery.objects.filter(endpoint__active=True).first()
        Delivery.objects.filter(pk=row.pk).update(
            state="failed", attempts=10, due=None, status=500, said="answered with 500"
        )

    def _recall(self):
        """Rita votes, and then gold pauses her: what she decided is judged again."""
        case = self.enter_case("voted on by somebody who is paused", "alice")
        self.cases["recalled"] = self.rule(case, {"rita": "clean", "ben": "clean"})
        last = self.enter_case("her last", "ann")
        Judge.objects.filter(user__username="rita").update(recent=[True] * 6 + [False] * 6)
        del last
        judging._recall(self.campaign, "rita")

    def _many(self):
        classifier = Classifier.objects.create(
            name="six kinds",
            owner=self.olga,
            adapter="http",
            target="https://models.example.org/a/long/address/of/a/model/predict?version=2026-01",
            classes=list(KINDS),
            made=timezone.now(),
        )
        self.many = self._campaign("Six kinds", classifier=classifier, sought=None, state="open")
        for name in ("alice", "ann"):
            join(self.many, self.cast[name], "player")
        for name in ("bob", "beth", "ben"):
            join(self.many, self.cast[name], "judge")
        case = self.enter_case("three judges, three answers", "alice", self.many)
        votes = dict(zip(("bob", "beth", "ben"), KINDS[1:4], strict=True))
        stop = {"cases": [CASES["lines"]], "from": "ann"}
        set_aside(Stopped(str(self.classifier.pk), stop, hung=True))
        self.cases["referred"] = self.rule(case, votes, self.many)
        self.cases["many-tried"] = self.enter_case("of six kinds", "alice", self.many, False)
        self.enter_case(CASES["lines"], "ann", self.many)
        assert judging.claim(self.many, "bob") is not None
        Judge.objects.filter(user__username="beth", campaign=self.many).update(resting=True)

    def _rows(self):
        classifier = Classifier.objects.create(
            name="credit",
            owner=self.olga,
            adapter="callable",
            target="judge_me:score",
            cases="row",
            features=list(FEATURES),
            classes=["repays", "does not repay"],
            made=timezone.now(),
        )
        self.rows = self._campaign("Who repays a loan?", classifier=classifier, state="open")
        for name, pool in (("alice", "player"), ("bob", "judge")):
            join(self.rows, self.cast[name], pool)
        row = {"age": "40", FEATURES[1]["name"]: "31.5", "housing": "lives with parents"}
        self.cases["row"] = self.enter_case(row, "alice", self.rows)
        self.cases["row-tried"] = self.enter_case({**row, "age": "1e20"}, "alice", self.rows, False)
        assert judging.claim(self.rows, "bob") is not None

    def _web(self):
        classifier = Classifier.objects.create(
            name="pages",
            owner=self.olga,
            adapter="http",
            target="https://models.example.org/pages",
            cases="page",
            classes=["clean", "offensive"],
            made=timezone.now(),
        )
        self.web = self._campaign("Pages that hurt", classifier=classifier, state="open")
        for name, pool in (("alice", "player"), ("ann", "player"), ("bob", "judge")):
            join(self.web, self.cast[name], pool)
        page = {
            "url": "https://news.example.org/a-very-long-path/" + "which-goes-on/" * 9,
            "title": "Who is not welcome here",
            "body": "A page about people.\n" + CASES["lines"] + CASES["unbroken"][:300],
            "metadata": "author: Jane Doe\nsitename: The Example\ndate: 2026-11-01",
            "cut": True,
        }
        with pytest.MonkeyPatch.context() as reading:
            reading.setattr(playing, "read_page", lambda _: page)
            self.cases["page"] = self.enter_case(page["url"], "alice", self.web)
        assert judging.claim(self.web, "bob") is not None

    def _images(self):
        classifier = Classifier.objects.create(
            name="eyes",
            owner=self.olga,
            adapter="http",
            target="https://models.example.org/eyes",
            cases="image",
            classes=["clean", "offensive"],
            made=timezone.now(),
        )
        self.images = self._campaign("Images that hurt", classifier=classifier, state="open")
        for name, pool in (("alice", "player"), ("bob", "judge")):
            join(self.images, self.cast[name], pool)
        with pytest.MonkeyPatch.context() as reading:
            reading.setattr(uploads, "_asked", lambda _, content: read_picture(content))
            content = encoded(scene(4, (1400, 900)))
            self.cases["image"] = self.enter_case(content, "alice", self.images)
        assert judging.claim(self.images, "bob") is not None

    def _examine(self):
        stream = [f"hm, seen {n}" if n % 7 == 0 else f"seen {n}, {'so ' * n}" for n in range(60)]
        self.examine([*stream, *CASES.values()], 20)
        where, self.id = self.id, self.empty
        examining.bring_sample(self.id, stream)  # the model is still at it
        self.id = self.spent
        row = examining.bring_sample(self.id, stream)
        examining.answer_sample(str(row.pk))
        self.id = where
        drawn = list(Ruling.objects.filter(campaign=self.id, kind="drawn"))
        for ruling in drawn[:15]:
            self.rule(ruling.pk, {"beth": "offensive", "ben": "offensive"})

    def _invite(self):
        now = timezone.now()
        made = {
            "player": invite("player", campaign=self.id, made_by=self.olga, note="Dora, by mail"),
            "judge": invite("judge", campaign=self.id, made_by=self.olga, note="x" * 200),
            "organiser": invite("organiser"),
            "old": invite("player", campaign=self.id, now=now - timedelta(days=30)),
            "used": invite("player", campaign=self.id),
        }
        made["room"] = invite(
            "judge", campaign=self.many, places=30, days=60, note="The whole course"
        )
        Invitation.objects.filter(pk=made["used"].pk).update(taken=1)
        Invitation.objects.filter(pk=made["room"].pk).update(taken=2)
        Acceptance.objects.create(invitation=made["used"], user=self.cast[LONG_NAME], at=now)
        for name in (LONG_NAME, ARABIC):
            User.objects.filter(username=name).update(participant="5f1c9a0b2e")
        for campaign in (self.many, self.rows):
            Campaign.objects.filter(pk=campaign).update(
                contact="Olga, olga@example.org or +49 30 1234567",
                takes="20 minutes a day, for a week, whenever it suits you",
            )
        Campaign.objects.filter(pk=self.rows).update(
            consent="What you write and how you vote is kept for research.\nYou may stop any time.",
            age=18,
        )
        for name in ("bob", "alice"):
            record_consent(Campaign.objects.get(pk=self.rows), self.cast[name])
        Campaign.objects.filter(pk=self.spent).update(consent="New text", age=21)
        record_consent(Campaign.objects.get(pk=self.spent), self.alice)
        Campaign.objects.filter(pk=self.many).update(
            veiled=True, most_cases=1, break_after=30, break_for=10
        )
        Campaign.objects.filter(pk=self.closed).update(veiled=True)
        Campaign.objects.filter(pk=self.empty).update(most_cases=3, most_minutes=60)
        for name in ("alice", "bob"):
            Workday.objects.create(
                campaign_id=self.many,
                user=self.cast[name],
                begun=now,
                at=now,
                cases=1,
                worked=timedelta(0),
                stretch=timedelta(minutes=31 if name == "alice" else 3),
            )
        join(self.empty, self.cast["tess"], "watcher")
        join(self.empty, self.cast["rita"], "organiser")
        made["rows"] = invite("player", campaign=self.rows)
        made["watcher"] = invite("watcher", campaign=self.many)
        lost = User.objects.create(username="Lost")  # who signs in ends the link
        self.resets = {"new": reset_path(lost), "used": "/reset/MQ/none/"}
        self.links = {name: f"/join/{token_of(item)}/" for name, item in made.items()}

    def _pay(self):
        """Payouts in every state: on a list, paid, planned, and of which nobody can tell."""
        for name in ("ben", "beth"):
            withdraw(self.cast[name])
        hand_out({"ben", "beth"})
        paid = Payout.objects.get(payee="ben")
        receive([(paid.pk, "bank transfer 2026-17")], {"ben"})
        withdraw(self.cast[ARABIC])

        def lose(_, path, body):
            if path.startswith("submissions") and body:
                return 201, b'{"id": "b1"}'
            raise TimeoutError

        pay_out(Prolific("study7", lose))
        withdraw(self.cast["rita"])

    def _tag(self):
        """A tag challenge with all that can become of a label."""
        items = [(f"a photo of thing {n}, seen from afar", "thing") for n in range(60)]
        items += [(CASES["arabic"], "شتيمة"), (CASES["unbroken"], "x" * 80), ("not tagged yet", "")]
        self.tags = self.open_tags(items)
        rows = Player.objects.select_related("user", "campaign__classifier")
        for name, number, label in (
            ("ann", 1, "house"),
            ("alice", 2, "boat"),
            ("alice", 3, "worse"),
            ("alice", 4, "tree"),
        ):
            player = rows.get(campaign=self.tags, user__username=name)
            probe = propose(player, number, label, f"{name}-{number}", "192.0.2.9")
            self.cases[f"tag-{number}"] = probe.pk
            if number < 4:
                choice = "thing" if label == "worse" else label
                self.rule(probe.pk, {"bob": choice, "beth": choice}, self.tags)
        judging.claim(self.tags, "bob")
        self.tags_draft = campaigns.make_campaign(
            self.olga,
            title="Labels to come",
            classifier=self.classifier,
            wanted="Better ones.",
            terms=tag_terms(labels=("clean", "offensive")),
            kind="tags",
        ).pk

    def _tags(self):
        def at(name, *args):
            return reverse(name, args=args)

        yield Scene("tags", "P", "alice", at("tags", self.tags), "Pick one whose label")
        nothing = f"{at('tags', self.tags)}?q=zebra"
        yield Scene("tags", "P", "alice", nothing, "Nothing holds")
        for number, says in (
            (1, "house"),
            (2, "This label is yours"),
            (4, "is being challenged"),
            (7, "A better label"),
            (61, "A better label"),
        ):
            yield Scene("tag", "P", "alice", at("tag", self.tags, number), says)
        wrong = {"label": "Thing"}
        again = "main .form button"
        yield Scene("tag", "P", "ann", at("tag", self.tags, 8), "already", wrong, again)
        for number, says in ((2, "prefer your label"), (3, "keep the label"), (4, "You propose")):
            here = at("case", self.tags, self.cases[f"tag-{number}"])
            yield Scene("case", "P", "alice", here, says)
        yield Scene("history", "P", "alice", at("history", self.tags), "Against")
        yield Scene("judge", "J", "bob", at("judge", self.tags), "Which label is better")
        yield Scene("items", "O", "olga", at("items", self.tags), "wait for the model")
        yield Scene("items", "O", "olga", at("items", self.tags_draft), "Next: judging")
        prices = "button[value=prices]"
        wrong = {"top": "0"}
        draft = at("items", self.tags_draft)
        yield Scene("items", "O", "olga", draft, "greater than", wrong, prices)
        yield Scene("watch", "O", "olga", at("watch", self.tags), "Better labels per 100")
        yield Scene("budget", "O", "olga", at("budget", self.tags), "order of the alphabet")
        here = at("decide", self.tags, self.cases["tag-3"])
        yield Scene("decide", "O", "olga", here, "It was tagged")

    def _use(self):
        """A classifier that closed, one in shadow that knows nothing, one without a policy."""
        self.used = InUse()
        for day in range(7):
            self.used.label(self.used.decide(150, f"day {day}", day, broken=day > 2)[:140])
        self.used.decide(20, "the night")
        self.used.propose(why="what was learned from the night of the slur " * 6)
        queue.add_golden(self.used.id, [("you fool", "hate")])
        policies.set_work(self.used.id, 20, 0.1)
        Policy.objects.filter(number=1).update(adopted=timezone.now() - timedelta(hours=12))
        queue.claim(self.used.id, "rosa")
        (skipped,) = self.used.row.cases.filter(labelled=None, claims=None, truth=None)[:1]
        Case.objects.filter(pk=skipped.pk).update(state="referred")
        look_for_regions(self.used.id)
        set_raised(self.used.id, "the-posts-of-the-region-beyond-the-river", 0.5)
        link = invite("reviewer", campaign=self.used.id, note="for Ruth of the other office")
        self.links["reviewer"] = f"/join/{token_of(link)}/"
        self.shadow = InUse(mode="shadow", rows=0)
        self.reports = {
            name: LogReport.objects.create(
                id=name, owner=self.olga, made=timezone.now(), aim="money", limit=0.05, **more
            ).pk
            for name, more in (
                ("made", MADE),
                ("making", {"name": "posts.parquet", "random": True, "stage": "computing"}),
                ("failed", {"name": "notes.csv", "random": False, "problem": "notes.csv is empty"}),
            )
        }
        self.bare = policies.make_deployment(self.olga, "Which letters can wait?").pk
        self._ask_for_costs()

    def _ask_for_costs(self):
        """Two who differ, one of them asked again, one half way, one who has not begun; one settled."""
        used, many = self.used, {"n_questions": 3, "n_omega_questions": 6}
        self.costs = used.ask_for_costs({LONG_NAME: 4.0, ARABIC: 60.0}, **many)
        first = costs.token_of(self.costs.interviews.get(number=1))
        costs.put_again(first, costs.state_of(costs.find_interview(first)))
        costs.answer_again(first, costs.state_of(costs.find_interview(first)), True)
        costs.settle(self.costs, used.wanda, 2, "they bear the mistakes " * 9)
        names = ("half way", "at the offers", "to begin")
        tokens = [costs.token_of(it) for it in costs.add_people(self.costs, list(names))]
        for token, n in zip(tokens[:2], (1, 4), strict=True):
            costs.begin(token, costs.state_of(costs.find_interview(token)), None)
            for _ in range(n):
                costs.answer_question(token, costs.state_of(costs.find_interview(token)), False)
        self.asked = [reverse("questions", args=[it]) for it in (first, *tokens)]
        second = costs.token_of(self.costs.interviews.get(number=2))
        self.asked.append(reverse("questions", args=[second]))

    def _used(self):
        def at(name, *args):
            return reverse(name, args=args)

        send = "main .form button"
        yield Scene("home", "W", "wanda", "/", "Posts that hate")
        yield Scene("home", "R", "rosa", "/", "reviewer")
        yield Scene("new-classifier", "O", "olga", at("new-classifier"), "What would it do?")
        wrong = {"title": "Letters", "classes": "fine"}
        yield Scene(
            "new-classifier", "O", "olga", at("new-classifier"), "at least two", wrong, send
        )
        yield Scene("log-reports", "O", "olga", at("log-reports"), "it could not be made")
        yield Scene("log-reports", "N", "nora", at("log-reports"), "Make the report")
        for name, says in (
            ("made", "Read the whole report"),
            ("making", "It is being computed"),
            ("failed", "notes.csv is empty"),
        ):
            yield Scene("log-report", "O", "olga", at("log-report", name), says)
        yield Scene("choose-policy", "O", "olga", at("choose-policy", "made"), "is chosen by")
        yield Scene(
            "choose-policy",
            "O",
            "olga",
            at("choose-policy", "made"),
            "greater than or equal",
            {"audits": "0"},
            send,
        )
        for who, role, row, says in (
            ("wanda", "W", self.used.id, "It asks people about every case since"),
            ("vera", "V", self.used.id, "it closes"),
            ("wanda", "W", self.shadow.id, "In shadow"),
            ("olga", "W", self.bare, "No policy is in use yet"),
        ):
            yield Scene("classifier", role, who, at("classifier", row), says)
        yield Scene("traffic", "W", "wanda", at("traffic", self.used.id), "drawn by the key")
        wrong = {"share": "200"}
        yield Scene("traffic", "W", "wanda", at("traffic", self.used.id), "less than", wrong, send)
        yield Scene("policies", "W", "wanda", at("policies", self.used.id), "in use")
        wrong = {"why": "a try", "checks": ""}
        yield Scene("policies", "W", "wanda", at("policies", self.used.id), "classes", wrong, send)
        for number, says in ((1, "This version is in use"), (2, "Use it instead of")):
            yield Scene("policy", "W", "wanda", at("policy", self.used.id, number), says)
        yield Scene(
            "choose-again", "W", "wanda", at("choose-again", self.used.id), "From the newest"
        )
        wrong = {"why": "the labels have not come", "checks": "10"}
        yield Scene(
            "choose-again",
            "W",
            "wanda",
            at("choose-again", self.used.id),
            "label what",
            wrong,
            send,
        )
        yield Scene("audits", "W", "wanda", at("audits", self.used.id), "As often as the others")
        yield Scene("prices", "W", "wanda", at("prices", self.used.id), "What a mistake costs")
        wrong = {"mistake": "40"}
        yield Scene("prices", "W", "wanda", at("prices", self.used.id), "or neither", wrong, send)
        here = at("two-versions", self.used.id)
        yield Scene("two-versions", "W", "wanda", here, "were in use are listed")
        yield Scene("two-versions", "W", "wanda", f"{here}?first=1&second=1", "Choose two versions")
        yield Scene(
            "classifier-people", "W", "wanda", at("classifier-people", self.used.id), "vera"
        )
        yield Scene("review", "R", "rosa", at("review"), "Yours until")
        yield Scene("review", "R", "rudi", at("review"), "Next case")
        yield Scene("log", "W", "wanda", "/log/", "policy adopted")
        yield Scene("webhooks", "W", "wanda", "/webhooks/", "None yet")
        here, wrong = at("labels", self.used.id), {"text": "key,label\nnever,hate\n,fine"}
        yield Scene("labels", "W", "wanda", here, "2 lines could not be taken", wrong, send)
        yield Scene("unsettled", "W", "wanda", at("unsettled", self.used.id), "too many skipped it")
        yield Scene("unsettled", "W", "wanda", at("unsettled", self.shadow.id), "Nothing: wherever")
        yield Scene("work", "W", "wanda", at("work", self.used.id), "1 golden item in")
        wrong = {"golden": "you fool"}
        yield Scene("work", "W", "wanda", at("work", self.used.id), "label | case", wrong, send)
        yield Scene("invitation", "S", "", self.links["reviewer"], "Label cases for")
        here, send = at("classifier-people", self.used.id), "#give button"
        wrong = {"name": "nobody of that name"}
        yield Scene("classifier-people", "W", "wanda", here, "invite them by a link", wrong, send)

    def _costs(self):
        def at(name, *args):
            return reverse(name, args=[self.used.id, *args])

        send = "main .form button"
        yield Scene("questionnaires", "W", "wanda", at("questionnaires"), "Questionnaire 1")
        here = at("questionnaire", self.costs.number)
        yield Scene("questionnaire", "W", "wanda", here, "everybody's interval")
        wrong = {"names": ARABIC}
        yield Scene("questionnaire", "W", "wanda", here, "already", wrong, "#ask button")
        for path, says in zip(
            self.asked,
            ("put again: question 2", "would you rather have", "Let the system", "A first guess"),
            strict=False,
        ):
            yield Scene("questions", "S", "", path, says.capitalize() if "put" in says else says)
        yield Scene(
            "questions",
            "S",
            "",
            self.asked[3],
            "write a number".capitalize(),
            {"guess": "many"},
            send,
        )
        yield Scene("questions", "S", "", self.asked[4], "These costs hold")
        yield Scene("questions", "S", "", "/questions/none/", "no link to questions")

    def __iter__(self):
        """All scenes."""
        yield from self._site()
        yield from self._player()
        yield from self._judge()
        yield from self._organiser()
        yield from self._tags()
        yield from self._used()
        yield from self._costs()

    def _site(self):
        for role, who in (("P", "alice"), ("J", "bob"), ("O", "olga"), ("C", "charlie")):
            says = "no campaign yet" if role == "C" else "Offence without"
            yield Scene("home", role, who, "/", says)
            says = "Nothing yet" if role in "OC" else "Balance"
            yield Scene("points", role, who, "/points/", says)
            says = "in no campaign" if role == "C" else "New token"
            yield Scene("tokens", role, who, "/tokens/", says)
            yield Scene("sign-in", role, who, "/sign-in/", "Name")
            says = "signs in by one" if role == "O" else "A new password"
            yield Scene("account", role, who, "/account/", says)
        named, press = {"label": "nightly export of " + "x" * 60}, "main .form button"
        yield Scene("tokens", "O", "olga", "/tokens/", "never again", named, press)
        wrong = {"label": "a tool", "days": "0"}
        yield Scene("tokens", "P", "alice", "/tokens/", "greater than", wrong, press)
        yield Scene("log", "O", "olga", "/log/", "shut out")
        yield Scene("webhooks", "O", "olga", "/webhooks/", "answered with 500")
        given, press = {"url": "https://hooks.example.org/askpoint"}, "button[value=add]"
        yield Scene("webhooks", "O", "olga", "/webhooks/", "never again", given, press)
        wrong = {"url": "http://hooks.example.org"}
        yield Scene("webhooks", "O", "olga", "/webhooks/", "starts with https", wrong, press)
        yield Scene("home", "O", "nora", "/", "No campaign yet")
        yield Scene("payouts", "O", "olga", "/payouts/", "unknown")
        yield Scene("sign-in", "S", "", "/sign-in/", "An organiser sends you a link")
        wrong = {"username": "alice", "password": "no"}
        button = "main button"
        yield Scene("sign-in", "S", "", "/sign-in/", "do not match", wrong, button)
        yield Scene("403", "S", "", "/sign-in/", "This was refused", wrong, button, lose=True)
        for name, says in (
            ("player", "brings up to"),
            ("judge", "Each vote brings"),
            ("organiser", "Organise campaigns"),
            ("watcher", "Watch how it goes"),
            ("room", "20 minutes a day"),
        ):
            yield Scene("invitation", "S", "", self.links[name], says)
        asked = self.links["rows"] + "?PROLIFIC_PID=5f1c9a0b2e"
        yield Scene("invitation", "S", "", asked, "as participant")
        yield Scene("invitation", "S", "", asked, "Tick this first", {}, button)
        yield Scene("agree", "P", "ann", f"/agree/{self.spent}/", "I am 21 years old")
        yield Scene("agree", "P", "ann", f"/play/{self.spent}/", "Tick this first", {}, button)
        yield Scene("agree", "J", "bob", f"/agree/{self.many}/", "nothing more")
        short = {"name": "a b<c", "password": "short"}
        yield Scene("invitation", "S", "", self.links["player"], "too short", short, button)
        yield Scene("invitation", "C", "charlie", self.links["judge"], "Join as charlie")
        both = self.links["judge"]
        yield Scene("invitation", "P", "alice", both, "players and judges are separate", {}, button)
        yield Scene("invitation", "S", "", self.links["old"], "too old")
        old = {"old_password": "no", "new_password1": "x", "new_password2": "y"}
        says = "entered incorrectly"
        yield Scene("account", "P", "alice", "/account/", says, old, "main .form button")
        yield Scene("reset", "S", "", self.resets["new"], "A new password for")
        new = {"new_password1": "short", "new_password2": "other"}
        yield Scene("reset", "S", "", self.resets["new"], "match", new, button)
        yield Scene("reset", "S", "", self.resets["used"], "works no more")
        yield Scene("invitation", "S", "", self.links["used"], "used already")
        yield Scene("404", "C", "charlie", f"/play/{self.id}/", "no such page for you")
        yield Scene("404", "S", "", "/nowhere/", "no such page for you")
        yield Scene("500", "C", "crash", "/points/", "our mistake")
        yield Scene("405", "J", "bob", reverse("vote", args=[self.id]), "only what a form sends")

    def _player(self):
        def at(name, *args):
            return reverse(name, args=args)

        here, ask = at("play", self.id), "main .form button"
        yield Scene("play", "P", "alice", here, "half a day's thought")
        yield Scene("play", "P", "alice", at("play", self.empty), "The rules")
        yield Scene("play", "P", "alice", at("play", self.closed), "takes no cases now")
        yield Scene("play", "P", "alice", at("play", self.spent), "The budget is used up")
        yield Scene("play", "P", "ann", at("play", self.many), "a break of 10 minutes")
        yield Scene("play", "P", "alice", at("play", self.many), "That is enough for now")
        yield Scene("play", "P", "paula", here, "You cannot play on here")
        yield Scene("play", "P", "sue", here, "You cannot play on here")
        for text, says in (
            ("a machine that is down", "did not answer in time"),
            ("to be found", "submitted before"),
            ("x" * 5001, "at most 5,000 characters"),
        ):
            yield Scene("play", "P", "ann", here, says, {"case": text}, ask)
        yield Scene("403", "P", "ann", here, "open for too long", {"case": "one"}, ask, lose=True)
        yield Scene("play", "P", "alice", at("play", self.rows), "lives with parents")
        wrong = {"age": "forty", FEATURES[1]["name"]: "1", "housing": "rents"}
        says = "Age must be a number"
        yield Scene("play", "P", "alice", at("play", self.rows), says, wrong, ask)
        for name, says in (
            ("tried", "Up to 910 points"),
            ("unsure", "If judges say"),
            ("away", "Turned away"),
            ("dropped", "Submit"),
            ("unbroken", "It waits for the judges"),
            ("lines", "It waits for the judges"),
            ("arabic", "You beat the machine"),
            ("emoji", "Judges agree with the machine"),
            ("split", "You beat the machine"),
            ("not-found", "An appeal is possible for"),
            ("appealed", "You appealed"),
            ("final", "The organiser decided"),
            ("recalled", "judged again"),
        ):
            yield Scene("case", "P", "alice", at("case", self.id, self.cases[name]), says)
        for name, says in (("referred", "the organiser decides"), ("many-tried", "threat")):
            yield Scene("case", "P", "alice", at("case", self.many, self.cases[name]), says)
        web = at("play", self.web)
        yield Scene("play", "P", "alice", web, "The address of a web page")
        typed = {"case": "no address"}
        yield Scene("play", "P", "ann", web, "give the address".capitalize(), typed, ask)
        page = at("case", self.web, self.cases["page"])
        yield Scene("case", "P", "alice", page, "The page is longer")
        seen = at("play", self.images)
        yield Scene("play", "P", "alice", seen, "PNG, JPEG or WebP, up to 6 MB")
        image = at("case", self.images, self.cases["image"])
        yield Scene("case", "P", "alice", image, "It waits for the judges")
        yield Scene("judge", "J", "bob", at("judge", self.images), "What is this?")
        here = at("decide", self.images, self.cases["image"])
        yield Scene("decide", "O", "olga", here, "Delete the image")
        yield Scene("history", "P", "alice", at("history", self.images), "image 1400 × 900")
        for name, says in (("row", "It waits"), ("row-tried", "Up to")):
            yield Scene("case", "P", "alice", at("case", self.rows, self.cases[name]), says)
        yield Scene("history", "P", "alice", at("history", self.id), "turned away")
        yield Scene("history", "P", "alice", at("history", self.rows), "housing: lives with")
        yield Scene("history", "P", "alice", at("history", self.empty), "Nothing yet")
        yield Scene("standings", "P", "alice", at("standings", self.id), "(you)")
        yield Scene("standings", "P", "alice", at("standings", self.empty), "Nobody has submitted")

    def _judge(self):
        def at(campaign):
            return reverse("judge", args=[campaign])

        yield Scene("judge", "J", "bob", at(self.id), "Yours until")
        yield Scene("judge", "J", "bob", at(self.many), "covered, for it may hurt")
        yield Scene("judge", "J", "bob", at(self.many), KINDS[1], {}, UNCOVER)
        yield Scene("judge", "J", "bob", at(self.rows), "lives with parents")
        yield Scene("judge", "J", "bob", at(self.web), "Who is not welcome here")
        yield Scene("judge", "J", "bob", at(self.empty), "Nothing waits for you")
        yield Scene("judge", "J", "beth", at(self.id), "for you")
        yield Scene("judge", "J", "beth", at(self.many), "You are taking a break")
        yield Scene("judge", "J", "rita", at(self.id), "6 right")
        yield Scene("judge", "J", "hal", at(self.id), "has closed your part")
        yield Scene("judge", "J", "tess", at(self.id), "Training: 0 of 2")
        wrong = "#choose button:last-child"
        yield Scene("judge", "J", "tess", at(self.id), "the right answer is", {}, wrong)

    def _organiser(self):
        def at(name, *args):
            return reverse(name, args=args)

        yield Scene("new-campaign", "O", "olga", at("new-campaign"), "New campaign")
        yield Scene("new-model", "O", "olga", at("new-model"), "A model to play against")
        typed = {
            "name": "m",
            "target": "nowhere",
            "classes": "a",
            "trial": "x",
            "expected": "b",
            "seconds": "1.5",
        }
        keep = "main .form button"
        yield Scene("new-model", "O", "olga", at("new-model"), "nowhere", typed, keep)
        for campaign, says in (
            (self.id, "Errors per 100"),
            (self.many, "waits for your word"),
            (self.draft, "A draft"),
            (self.rows, "does not run just now"),
            (self.empty, "nothing is judged yet"),
            (self.closed, "Errors per 100"),
        ):
            yield Scene("watch", "O", "olga", at("watch", campaign), says)
        yield Scene("what", "O", "olga", at("what", self.draft), "A draft of which")
        wrong = {"title": "", "wanted": ""}
        yield Scene("what", "O", "olga", at("what", self.draft), "is required", wrong, keep)
        yield Scene("terms", "O", "olga", at("terms", self.draft), "Costs and prices")
        wrong = {"top": "0", "hourly": "-5"}
        yield Scene("terms", "O", "olga", at("terms", self.draft), "greater than", wrong, keep)
        yield Scene("judging", "O", "olga", at("judging", self.draft), "Training items")
        wrong = {"training": "rubbish", "gold": "clean | good"}
        yield Scene("judging", "O", "olga", at("judging", self.draft), "rubbish", wrong, keep)
        yield Scene("judging", "O", "olga", at("judging", self.id), "is fixed")
        for campaign, says in (
            (self.id, "Errors per 100 cases"),
            (self.draft, "Open the campaign"),
            (self.closed, "Take out"),
        ):
            yield Scene("budget", "O", "olga", at("budget", campaign), says)
        wrong = {"points": "many"}
        add = "button[value=add]"
        yield Scene("budget", "O", "olga", at("budget", self.draft), "whole number", wrong, add)
        more = "button[value=return]"
        wrong = {"points": "999999"}
        yield Scene("budget", "O", "olga", at("budget", self.closed), "999", wrong, more)
        add_job("simulate", self.spent)
        yield Scene("budget", "O", "olga", at("budget", self.spent), "The crowd is playing")
        for campaign, says in (
            (self.id, "as is somebody else"),
            (self.empty, "watcher"),
            (self.draft, "Nobody"),
            (self.many, "2 of 30 came"),
        ):
            yield Scene("people", "O", "olga", at("people", campaign), says)
        wrong = {"places": "0", "days": "1000"}
        invite = "button[value=player]"
        yield Scene("people", "O", "olga", at("people", self.draft), "less than", wrong, invite)
        yield Scene("people", "O", "tess", at("people", self.empty), "and change nothing")
        yield Scene("watch", "O", "rita", at("watch", self.empty), "nothing is judged yet")
        for role, name, action, says in (
            ("player", "alice", "bar", "Shut alice out?"),
            ("judge", "bob", "bar", "the training is then done anew"),
            ("judge", "rita", "readmit", "Counts start anew"),
            ("judge", "bob", "ask-again", "become void"),
            ("player", LONG_NAME, "reset-link", "Whoever has it"),
        ):
            query = f"?role={role}&name={name}&action={action}"
            yield Scene("standing", "O", "olga", at("standing", self.id) + query, says)
        query = f"?role=player&name={ARABIC}&action=reset-link"
        make = "main form button"
        yield Scene(
            "people", "O", "olga", at("standing", self.id) + query, "send this to nobody", {}, make
        )
        yield Scene("joining", "O", "olga", at("joining", self.draft), "Whom to ask")
        yield Scene("joining", "O", "olga", at("joining", self.rows), "You may stop any time")
        wrong = {"break_for": "10"}
        yield Scene("joining", "O", "olga", at("joining", self.draft), "needs both", wrong, keep)
        wrong = {"age": "200"}
        yield Scene("joining", "O", "olga", at("joining", self.draft), "less than", wrong, keep)
        for campaign, says in (
            (self.id, "Page 1 of 2"),
            (self.rows, "housing: lives with"),
            (self.many, "three judges"),
            (self.empty, "Nothing is submitted"),
        ):
            yield Scene("cases", "O", "olga", at("cases", campaign), says)
        for name, says in (
            ("appealed", "The player appeals"),
            ("unbroken", "No vote yet"),
            ("final", "awarded"),
            ("recalled", "(void)"),
        ):
            yield Scene("decide", "O", "olga", at("decide", self.id, self.cases[name]), says)
        for name in ("examination", "sample"):
            yield Scene(name, "O", "olga", at(name, self.draft), "the whole stream")
        bring = "main .form button"
        yield Scene("sample", "O", "olga", at("sample", self.draft), "sample is empty", {}, bring)
        yield Scene("examination", "O", "olga", at("examination", self.empty), "has answered")
        plan = at("examination", self.spent)
        yield Scene("examination", "O", "olga", plan, "How shall judges get them?")
        yield Scene("examination", "O", "olga", plan, "costs at most", {}, bring)
        yield Scene("examination", "O", "olga", at("examination", self.id), "Still promised")
        referred = at("decide", self.many, self.cases["referred"])
        yield Scene("decide", "O", "olga", referred, "Show the case first")
        yield Scene("decide", "O", "olga", referred, "three judges", {}, UNCOVER)
        yield Scene("decide", "O", "olga", at("decide", self.rows, self.cases["row"]), "rents")
