"""A classifier in use with its people: Wanda owns it, Rosa and Rudi review, Vera looks on."""

from __future__ import annotations

import functools
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import polars as pl

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.records.logs import read_log
from askpoint.reports.elicitation.asking import Scene
from askpoint.server.accounts.models import User
from askpoint.server.deployments import decisions, labelling, policies
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.labelling import IncomingLabel
from askpoint.server.deployments.models import Deployment, Member, Policy
from askpoint.server.deployments.state_lines import state_line_of
from askpoint.server.logs import opening
from askpoint.server.questionnaires import services as costs
from askpoint.server.questionnaires.models import Questionnaire
from askpoint.server.questionnaires.sessions import session_of
from askpoint.server.workspaces.services import first_workspace

__all__ = ["CLASSES", "MODEL", "InUse", "posts"]

CLASSES = ("fine", "hate")
MODEL = {"name": "toy", "version": "7", "classes": list(CLASSES), "measure": "max_probability"}


def posts(n, seed=0, *, broken=False):
    """Confidences and whether the model is right: the surer, the rarer it is wrong."""
    rng = np.random.default_rng(seed)
    sure = 0.5 + 0.5 * rng.random(n) ** 0.5
    wrong = rng.random(n) < (0.5 if broken else np.minimum(0.5, 1.2 * (1 - sure) ** 1.5))
    return sure.tolist(), (~wrong).tolist()


@functools.cache
def log(n=600, seed=1):
    """A log of randomly labelled posts."""
    sure, right = posts(n, seed)
    label = ["hate" if one else "fine" for one in right]
    rows = {"label": label, "proba_fine": [1 - one for one in sure], "proba_hate": sure}
    return read_log(pl.DataFrame(rows))


_answer = functools.cache(opening.answer_value)


@contextmanager
def answered_once():
    """Let the report on one log and question, which is the same each time, be made once in a run."""
    with patch.object(opening, "answer_value", _answer):
        yield


@contextmanager
def drawn_from(seed):
    """Let names and salts, on which the audit draws hang, be the same in each run."""
    rng = np.random.default_rng(seed)
    with patch.object(policies.secrets, "token_hex", lambda n: rng.bytes(n).hex()):
        yield


class InUse:
    """A classifier whose model always says hate."""

    def __init__(self, *, mode="all", **question) -> None:
        for name in ("wanda", "will", "rosa", "rudi", "vera", "oskar"):
            setattr(self, name, User.objects.get_or_create(username=name)[0])
        number = Deployment.objects.count()
        with drawn_from(number):
            self.id = policies.make_deployment(
                first_workspace().pk, self.wanda, "Posts that hate"
            ).pk
        Deployment.objects.filter(pk=self.id).update(hold=0)  # what is said counts at once
        for name, role in (("rosa", "reviewer"), ("rudi", "reviewer"), ("vera", "viewer")):
            self.join(getattr(self, name), role)
        with drawn_from(100 + number):
            self.propose(**question)
        policies.adopt(self.id, self.wanda, 1, 0)
        if mode != "shadow":
            policies.set_mode(self.id, mode, 0.5 if mode == "rollout" else None)
        self.truth = {}

    def join(self, user, role) -> None:
        """Give somebody a part."""
        row = self.row
        Member.objects.create(deployment=row, user=user, role=role, at=row.made)

    def propose(self, rows=600, why="a try", **question) -> Policy:
        """Propose a policy from a log, or from nothing where there are no rows."""
        given = {"limit": 0.1, "rate": 0.1, "planned_decisions": 20_000, **question}
        found = log(rows) if rows else None
        with answered_once():
            return policies.propose(
                self.id, self.wanda, why, found, OpeningQuestion(**given), MODEL
            )

    @property
    def row(self) -> Deployment:
        """As it is now."""
        return Deployment.objects.get(pk=self.id)

    @property
    def queue(self) -> str:
        """Of its cases."""
        return queue_of(self.id)

    @property
    def policy(self) -> Policy:
        """The one in use."""
        return Policy.objects.get(deployment=self.id, number=self.row.adopted)

    def ask_for_costs(self, worth=None, **settings) -> Questionnaire:
        """Make a questionnaire, and let people answer it to whom a mistake is worth so many checks."""
        given = {"groups": [], "n_questions": 0, "n_checks": 0, "radius": 0.0, "seed": 0}
        given |= {"n_omega_questions": 2, **settings}
        made = costs.make_questionnaire(self.id, self.wanda, log(200), given, Scene())
        worth = worth or {"Ana": 20.0}
        for one in costs.add_people(made, list(worth)):
            token, checks = costs.token_of(one), worth[one.name]
            costs.begin(token, costs.state_of(one), checks)
            while (one := costs.find_interview(token)).ended is None:
                with session_of(one) as session:
                    offer = session.question.details
                n, right = offer.get("n", 2), offer.get("right", 2)
                decides = right > (checks - 1) * (n - right)
                costs.answer_question(token, costs.state_of(one), decides)
        return made

    def decide(self, n, day="monday", seed=2, *, broken=False):
        """Decide a batch of posts."""
        sure, right = posts(n, seed, broken=broken)
        keys = [f"{day}-{i}" for i in range(n)]
        self.truth |= {key: "hate" if one else "fine" for key, one in zip(keys, right, strict=True)}
        items = [
            IncomingCase(key, prediction="hate", confidence=one, case=f"the post {key}")
            for key, one in zip(keys, sure, strict=True)
        ]
        return decisions.decide(self.id, items, "7")

    def label(self, made, judge="rosa"):
        """Label what was asked or audited, as it is."""
        wanted = [one.key for one in made if (one.would or one.action) in ("ask", "audit")]
        return labelling.take_labels(
            self.id, [IncomingLabel(key, self.truth[key], judge) for key in wanted]
        )

    def close(self) -> None:
        """Let the model break until the policy closes."""
        for day in range(12):
            self.label(self.decide(150, f"closing/{day}", day, broken=day > 1))
            if state_line_of(self.row).kind == "closed":
                return
        raise AssertionError("it did not close")
