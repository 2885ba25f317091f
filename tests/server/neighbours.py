"""A second, hostile workspace beside the stage's: its people, and a digest of all that is not theirs."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from django.apps import apps
from django.db.models import Q
from django.utils import timezone

from askpoint.arena.game.transaction import LedgerAccount, transfer
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.payouts.services import hand_out, withdraw
from askpoint.arena.server.payouts.tokens import keep_token
from askpoint.arena.server.rulings.pools import join
from askpoint.server.accounts.models import User
from askpoint.server.accounts.services import invite
from askpoint.server.api.tokens import make_token
from askpoint.server.classifiers.models import Classifier
from askpoint.server.deployments import policies
from askpoint.server.deployments.roles import give_part
from askpoint.server.licences.agents import make_agent
from askpoint.server.webhooks.services import make_endpoint
from askpoint.server.workspaces.services import make_workspace
from server.agents import TERMS
from server.stage import organiser

__all__ = ["OTHERS", "Neighbours"]

OTHERS = {
    "mallory": "organiser",
    "otto": "organiser",
    "walt": "",
    "pat": "player",
    "jude": "judge",
    "wendy": "owner",
    "rex": "reviewer",
    "vic": "viewer",
}
"""Owner, organiser, watcher, player, judge of the other workspace, and its classifier's three; their tokens."""

# from a row to its workspace; what is not here has no workspace, or is told by its parent
_PATHS = {
    "accounts.Invitation": "workspace",
    "accounts.Seat": "workspace",
    "campaigns.Campaign": "workspace",
    "campaigns.Colleague": "campaign__workspace",
    "campaigns.Consent": "campaign__workspace",
    "campaigns.KnownItem": "campaign__workspace",
    "campaigns.Workday": "campaign__workspace",
    "classifiers.Classifier": "workspace",
    "deployments.CaseMark": "policy__deployment__workspace",
    "deployments.CaseReading": "deployment__workspace",
    "deployments.CaseRuling": "policy__deployment__workspace",
    "deployments.Day": "policy__deployment__workspace",
    "deployments.DeletedContent": "policy__deployment__workspace",
    "deployments.Deployment": "workspace",
    "deployments.GrantedLease": "policy__deployment__workspace",
    "deployments.Label": "policy__deployment__workspace",
    "deployments.LeaseHandIn": "policy__deployment__workspace",
    "deployments.LogReport": "workspace",
    "deployments.Member": "deployment__workspace",
    "deployments.Policy": "deployment__workspace",
    "deployments.Receipt": "deployment__workspace",
    "deployments.SignedHead": "policy__deployment__workspace",
    "examinations.Examination": "campaign__workspace",
    "ledger.Balance": "workspace",
    "ledger.Entry": "workspace",
    "ledger.Posting": "workspace",
    "licences.Agent": "workspace",
    "licences.AgentInstance": "agent__workspace",
    "licences.AgentMember": "agent__workspace",
    "licences.ApprovalRequest": "agent__workspace",
    "licences.LicenceAction": "agent__workspace",
    "licences.LicenceEntry": "agent__workspace",
    "payouts.Batch": "workspace",
    "payouts.Payout": "workspace",
    "payouts.ProviderToken": "workspace",
    "probes.Player": "campaign__workspace",
    "probes.Probe": "campaign__workspace",
    "probes.Tag": "campaign__workspace",
    "rulings.Comparison": "campaign__workspace",
    "rulings.ComparisonAnswer": "comparison__campaign__workspace",
    "rulings.Judge": "campaign__workspace",
    "rulings.Ruling": "campaign__workspace",
    "rulings.Shared": "campaign__workspace",
    "webhooks.Delivery": "endpoint__workspace",
    "webhooks.Endpoint": "workspace",
    "workspaces.Workspace": "pk",
}


class Neighbours:
    """The stage's workspace with payouts, secrets and links of its own, and another one beside it."""

    def __init__(self, stage) -> None:
        self.stage = stage
        self.where = make_workspace("Other").pk
        self.ada = organiser("ada", role="owner")
        self.people = {name: User.objects.create(username=name) for name in OTHERS}
        for name, role in (("mallory", "owner"), ("otto", "organiser"), ("walt", "watcher")):
            organiser(name, self.where, role)
        self._fill_stage()
        self._fill_other()
        self.tokens = {
            name: make_token(self.people[name], role, label="x", scope="write")[1]
            for name, role in OTHERS.items()
            if role
        }

    def _give(self, workspace, name, points) -> None:
        accounts = LedgerAccount("funding", "gifts"), LedgerAccount("earned", name)
        post(workspace, transfer(f"gift/{name}", timezone.now(), points, *accounts, "gift"))

    def _fill_stage(self) -> None:
        stage = self.stage
        self.case = stage.submit("you are not from here").pk
        judging.claim(stage.id, "bob")
        for name in ("alice", "ann", "bob"):
            self._give("main", name, 5_000)
        self.planned = withdraw("main", stage.alice).pk
        self.sending = withdraw("main", stage.ann).pk
        self.batch = hand_out("main", {"ann"}).pk
        keep_token("main", self.ada, "a-secret-of-main")
        make_endpoint("main", stage.olga, "https://hooks.example.org/main", ["payout.planned"])
        self.link = invite("main", "organiser", made_by=self.ada).pk
        self.used = policies.make_deployment("main", stage.olga, "Posts that hate").pk
        give_part(self.used, stage.ben, "reviewer")
        self.agent = make_agent("main", stage.olga, "Refunds", TERMS).pk

    def _fill_other(self) -> None:
        stage, mallory = self.stage, self.people["mallory"]
        model = Classifier.objects.get(pk=stage.classifier.pk)
        model.pk, model.workspace_id, model.owner = None, self.where, mallory
        model.save(force_insert=True)
        terms = campaigns.terms_of(stage.campaign.terms)
        row = campaigns.make_campaign(
            self.people["otto"],
            title="Of others",
            classifier=model,
            wanted="Else.",
            terms=replace(terms, protocol=replace(terms.protocol, training_items=0)),
        )
        self.campaign = row.pk
        campaigns.fund(row.pk, 50_000, "first")
        campaigns.change_state(row.pk, "open")
        join(row.pk, self.people["pat"], "player")
        join(row.pk, self.people["jude"], "judge")
        join(row.pk, stage.alice, "player")  # one person in both
        self._give(self.where, "alice", 700)
        self._give(self.where, "pat", 700)
        self.used_there = policies.make_deployment(self.where, self.people["wendy"], "Else").pk
        give_part(self.used_there, self.people["rex"], "reviewer")
        give_part(self.used_there, self.people["vic"], "viewer")

    def digest(self) -> dict[str, str]:
        """Return what stands in the stage's workspace, table by table, and its people's accounts."""
        found = {
            name: self._hash(apps.get_model(name).objects.filter(**{path: "main"}))
            for name, path in _PATHS.items()
        }
        mine = [self.stage.id, self.used]
        lines = apps.get_model("journal.LogLine").objects
        found["journal"] = self._hash(lines.filter(Q(workspace="main") | Q(campaign__in=mine)))
        found["votes"] = self._hash(
            apps.get_model("labelling.Vote").objects.filter(
                case__ruling__campaign__workspace="main"
            )
        )
        found["claims"] = self._hash(
            apps.get_model("labelling.Claim").objects.filter(
                case__ruling__campaign__workspace="main"
            )
        )
        theirs = User.objects.exclude(username__in=OTHERS)
        found["people"] = self._hash(theirs)
        found["tokens"] = self._hash(
            apps.get_model("api.Token").objects.exclude(user__username__in=OTHERS)
        )
        return found

    @staticmethod
    def _hash(rows) -> str:
        listed = rows.order_by("pk").values_list()
        return hashlib.sha256("\n".join(map(repr, listed)).encode()).hexdigest()
