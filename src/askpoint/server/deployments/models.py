"""A classifier in use: who has a part in it, its policies, and a receipt of every decision."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from askpoint.server.deployments.exact_json import ExactJSONField
from askpoint.server.workspaces.models import Owned

__all__ = [
    "KEPT_AFTER_DELETION",
    "CaseMark",
    "CaseReading",
    "CaseRuling",
    "Day",
    "DeletedContent",
    "Deployment",
    "Event",
    "GrantedLease",
    "Incident",
    "Label",
    "LeaseHandIn",
    "LogNode",
    "LogReport",
    "Member",
    "Moment",
    "Policy",
    "Pushed",
    "Receipt",
    "SignedHead",
    "Snapshot",
]

KEPT_AFTER_DELETION = timedelta(days=30)
"""How long records and labels of a deleted classifier stay."""


class Deployment(Owned):
    """A classifier in use; whoever decides, labels or adopts holds the lock of this row."""

    MODES = (
        ("shadow", "in shadow: it decides nothing, and measures all"),
        ("rollout", "for a share of the cases"),
        ("all", "for all cases"),
    )

    id = models.CharField(max_length=40, primary_key=True)
    title = models.CharField(max_length=100)
    mode = models.CharField(max_length=8, choices=MODES, default="shadow")
    rollout = models.FloatField(default=0.1)
    salt = models.CharField(max_length=64)
    adopted = models.IntegerField(default=0)  # the number of the policy in use
    second = models.FloatField(default=0.1)  # share of the cases that two people label
    capacity = models.IntegerField(null=True)  # cases that people label a day
    hold = models.SmallIntegerField(default=120)  # seconds in which a label can be taken back
    keep_days = models.IntegerField(
        null=True, default=180
    )  # after which contents are deleted; without, never
    viewers_read = models.BooleanField(default=False)  # whether viewers read cases
    mistake = models.FloatField(null=True)  # what one costs; without, costs are told in mistakes
    unit = models.CharField(max_length=20, blank=True)
    hour = models.FloatField(null=True)  # what an hour of review costs, in this unit
    label_seconds = models.FloatField(null=True)  # that a label takes, measured in the background
    renews = models.BooleanField(default=False)  # what the loop proposes adopts itself
    hook = models.CharField(
        max_length=32, blank=True, default=""
    )  # of the secret that signs labels
    audit_rates = models.JSONField(default=dict)  # audit rates of groups, above the usual one
    regions = models.JSONField(default=dict)  # where it was found to be sure and wrong
    kept_closed = models.DateTimeField(null=True)  # since when an owner keeps it closed
    kept_mode = models.CharField(max_length=8, blank=True, default="")  # in which it goes on
    archived = models.DateTimeField(null=True)  # since when it refuses every case
    deleted = models.DateTimeField(null=True)  # its contents go then, all else later
    summarised = models.DateTimeField(null=True)  # Monday of the last summary that was sent
    at = models.DateTimeField()
    made = models.DateTimeField()

    @property
    def removed_on(self) -> datetime | None:
        """When records and labels go of what was deleted."""
        return None if self.deleted is None else self.deleted + KEPT_AFTER_DELETION

    @property
    def hold_time(self) -> timedelta:
        """How long a reviewer may take a label back."""
        return timedelta(seconds=self.hold)


class Member(models.Model):
    """Somebody's part in a classifier."""

    ROLES = (("owner", "owner"), ("reviewer", "reviewer"), ("viewer", "viewer"))

    deployment = models.ForeignKey(Deployment, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    role = models.CharField(max_length=8, choices=ROLES)
    at = models.DateTimeField()

    class Meta:
        """One part each: who reviews sees nothing of what the machine says."""

        constraints = (models.UniqueConstraint(fields=["deployment", "user"], name="use_part"),)


class Policy(models.Model):
    """A version of the policy: what `askpoint.live` calls its document, who made it, and why."""

    deployment = models.ForeignKey(Deployment, models.PROTECT, related_name="policies")
    number = models.IntegerField()
    parent = models.IntegerField(null=True)
    document = models.TextField()
    digest = models.CharField(max_length=64)
    salt = models.CharField(max_length=64)
    who = models.CharField(max_length=150)
    why = models.CharField(max_length=500)
    told = models.JSONField(default=list)
    work = models.FloatField(
        null=True
    )  # price of a check in mistakes, before people's own are charged
    made = models.DateTimeField()
    adopted = models.DateTimeField(null=True)
    adopted_by = models.CharField(max_length=150, blank=True)
    decided = models.BigIntegerField(default=0)  # the next decision's number
    held = models.BigIntegerField(default=0)  # of the decisions, those in shadow
    log = models.JSONField(default=dict)  # the right edge of its Merkle tree

    class Meta:
        """Versions are counted."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["deployment", "number"], name="use_version"),
        )


class Snapshot(models.Model):
    """The state of a policy at some moment, so that a new process need not replay its whole life."""

    policy = models.OneToOneField(Policy, models.CASCADE, related_name="snapshot")
    decided = models.BigIntegerField()
    state = models.TextField()
    pending = models.BinaryField()
    log = models.JSONField(default=dict)
    labels = models.IntegerField()
    rates = models.JSONField(default=dict)
    granted = models.IntegerField(default=0)  # leases
    handed_in = models.IntegerField(default=0)


class Receipt(models.Model):
    """A decision: never changed, and replayable with the labels.

    A case outside of the share that is decided has none: nothing was decided about it.
    """

    ACTIONS = ("answer", "ask", "audit")

    deployment = models.ForeignKey(Deployment, models.PROTECT, related_name="+", db_index=False)
    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+", db_index=False)
    seq = models.BigIntegerField()
    key = models.CharField(max_length=200)
    at = models.DateTimeField()
    digest = models.CharField(max_length=64, null=True)  # of the content
    prediction = models.SmallIntegerField()  # place among the classes
    confidence = models.FloatField()
    drawn = models.FloatField()
    propensity = models.FloatField()
    action = models.SmallIntegerField()
    held = models.BooleanField()
    episode = models.IntegerField()
    group = models.CharField(max_length=100, null=True)
    rate = models.FloatField()
    chain = models.CharField(max_length=64, null=True)  # root of the log, on a batch's last row
    leaf = models.BigIntegerField()  # its place in the log
    salt = models.BinaryField(null=True)  # of the digest; deleted with the content
    lease = models.IntegerField(null=True)  # under which it was decided elsewhere,
    clock_back = models.BigIntegerField(null=True)  # so many microseconds before its hand-in

    class Meta:
        """A key decides once, for ever."""

        constraints = (
            models.UniqueConstraint(
                fields=["deployment", "key"],
                name="use_decision",
                opclasses=("varchar_pattern_ops", "varchar_pattern_ops"),
            ),
            models.UniqueConstraint(fields=["policy", "seq"], name="use_number"),
        )
        indexes = (
            models.Index(fields=["policy", "action", "seq"], name="use_receipt_action"),
            models.Index(fields=["policy", "prediction", "seq"], name="use_receipt_answer"),
        )


class Label(models.Model):
    """What somebody said of a decided case, or of an item of known truth; never changed."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="labels", db_index=False)
    n = models.BigIntegerField()  # 0, 1, ... of the policy
    after = models.BigIntegerField()  # decisions before them
    key = models.CharField(max_length=200)
    seq = models.BigIntegerField()  # the decision's; -1 of an item of known truth
    label = models.CharField(max_length=80)
    judge = models.CharField(max_length=150)
    source = models.CharField(max_length=8)
    truth = models.CharField(max_length=80, null=True)
    wrong = models.BooleanField()
    counts = models.BooleanField()
    at = models.DateTimeField()
    chain = models.CharField(max_length=64, null=True)  # on the last of those that came together
    leaf = models.BigIntegerField()

    class Meta:
        """Read in the order in which they came, and by case."""

        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["policy", "n"], name="use_label_number"),)
        indexes = (
            models.Index(fields=["policy", "key"], name="use_label_key"),
            models.Index(fields=["policy", "wrong", "-seq"], name="use_label_wrong"),
            models.Index(
                fields=["policy", "label", "wrong", "-seq"],
                condition=models.Q(counts=True),
                name="use_label_said",
            ),
        )


class CaseMark(models.Model):
    """What reviewers did with a decided case that no label tells, so that lists of such cases read no votes."""

    DIFFER, UNSURE = "differ", "unsure"

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=8)  # two votes differ, or a reviewer was not sure
    seq = models.BigIntegerField()  # the decision's

    class Meta:
        """Once, and for ever."""

        constraints = (models.UniqueConstraint(fields=["policy", "kind", "seq"], name="use_mark"),)


class CaseReading(models.Model):
    """A case whose content somebody was shown on a day; gone once a line of the log says how many there were."""

    deployment = models.ForeignKey(
        Deployment, models.CASCADE, related_name="readings", db_index=False
    )
    reader = models.CharField(max_length=150)
    date = models.DateField()
    key = models.CharField(max_length=200)

    class Meta:
        """Once a day."""

        constraints = (
            models.UniqueConstraint(
                fields=["deployment", "reader", "date", "key"], name="use_reading"
            ),
        )


class CaseRuling(models.Model):
    """What an owner says that a labelled case is, beside its label, which stays the evidence; the last one holds."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+", db_index=False)
    key = models.CharField(max_length=200)
    label = models.CharField(max_length=80)
    why = models.CharField(max_length=500, blank=True)  # until the content is deleted
    who = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        """In their order, found by case."""

        ordering = ("pk",)
        indexes = (models.Index(fields=["policy", "key"], name="use_ruling"),)


class Event(models.Model):
    """Something that a policy did, with the numbers that made it."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="events")
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=40)
    numbers = ExactJSONField()
    at = models.DateTimeField()
    n = models.BigIntegerField()  # 0, 1, ... of the policy
    leaf = models.BigIntegerField()

    class Meta:
        """In their order."""

        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["policy", "n"], name="use_event_number"),)


class DeletedContent(models.Model):
    """A row of the log: somebody had the content of a case deleted, and the salt of its digest."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+", db_index=False)
    seq = models.BigIntegerField()
    at = models.BigIntegerField()  # microseconds since 1970, as in all tables of the log below
    leaf = models.BigIntegerField()

    class Meta:
        """Once."""

        constraints = (models.UniqueConstraint(fields=["policy", "seq"], name="use_deleted"),)
        indexes = (models.Index(fields=["policy", "leaf"], name="use_deleted_leaf"),)


class GrantedLease(models.Model):
    """A row of the log: a decider elsewhere may decide alone for a while (`askpoint.live.leases`)."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="leases", db_index=False)
    number = models.IntegerField()
    decider = models.CharField(max_length=200)
    episode = models.IntegerField()
    threshold = models.FloatField(null=True)
    rate = models.FloatField()
    answers = models.IntegerField()
    granted = models.BigIntegerField()
    expires = models.BigIntegerField()
    leaf = models.BigIntegerField()

    class Meta:
        """They are counted."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["policy", "number"], name="use_lease"),)


class LeaseHandIn(models.Model):
    """A row of the log: what was handed in of a lease; its cases follow as decisions."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+", db_index=False)
    lease = models.IntegerField()
    at = models.BigIntegerField()
    answers = models.IntegerField()
    cases = models.IntegerField()
    booked = models.IntegerField()
    digest = models.CharField(max_length=64)
    leaf = models.BigIntegerField()

    class Meta:
        """One for each lease."""

        constraints = (models.UniqueConstraint(fields=["policy", "lease"], name="use_hand_in"),)


class LogNode(models.Model):
    """The hash of 256 rows of a log, of 65,536, ...: what proofs are made from."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+", db_index=False)
    level = models.SmallIntegerField()
    place = models.BigIntegerField()
    hash = models.BinaryField()

    class Meta:
        """One for each subtree."""

        constraints = (
            models.UniqueConstraint(fields=["policy", "level", "place"], name="use_node"),
        )


class SignedHead(models.Model):
    """A head of a log that was given away."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="heads", db_index=False)
    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    at = models.BigIntegerField()
    signer = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)

    class Meta:
        """One for each length of the log, the longest last."""

        ordering = ("size",)
        constraints = (models.UniqueConstraint(fields=["policy", "size"], name="use_head"),)


class Incident(models.Model):
    """A time in which a classifier sent every case to review, from an alarm on; it stays for ever."""

    deployment = models.ForeignKey(Deployment, models.PROTECT, related_name="incidents")
    number = models.IntegerField()
    policy = models.ForeignKey(Policy, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40)  # of the event that began it
    seq = models.BigIntegerField()  # decisions before it
    at = models.DateTimeField()
    ended = models.DateTimeField(null=True)
    successor = models.IntegerField(null=True)  # the version that ended it; null: it decides again
    regions = models.JSONField(default=dict)  # as those of the deployment, while it lasted
    note = models.TextField(blank=True, default="")
    noted_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        """They are counted."""

        constraints = (
            models.UniqueConstraint(fields=["deployment", "number"], name="use_incident"),
        )


class Moment(models.Model):
    """How a policy stood when labels came; some hundred of its life, for pictures."""

    policy = models.ForeignKey(Policy, models.CASCADE, related_name="moments")
    at = models.DateTimeField()
    decided = models.BigIntegerField()
    answered = models.BigIntegerField()
    asked = models.BigIntegerField()
    audited = models.BigIntegerField()
    seen = models.FloatField()
    missing = models.BigIntegerField()  # audits whose label never came
    waiting = models.BigIntegerField()  # or has not come yet
    calls = models.JSONField(default=list)  # of each rung of a ladder
    evidence = models.FloatField()

    class Meta:
        """In their order."""

        ordering = ("pk",)


class Day(models.Model):
    """What one version decided on a day of UTC, so that pages of days read no receipts."""

    policy = models.ForeignKey(Policy, models.PROTECT, related_name="days", db_index=False)
    date = models.DateField()
    held = models.BooleanField()  # in shadow
    rate = models.FloatField()  # the policy's least audit rate
    decided = models.BigIntegerField(default=0)
    answered = models.BigIntegerField(default=0)
    audited = models.BigIntegerField(default=0)  # of the answered
    checked = models.BigIntegerField(default=0)  # of the audited, those whose label is there
    seen = models.FloatField(default=0)  # of these the mistakes, each times `rate` over its own
    labelled = models.BigIntegerField(default=0)  # labels that came on this day, whenever decided
    bought = models.FloatField(default=0)  # calls of a ladder's rungs, in checks

    class Meta:
        """Counted in the transactions of decisions and labels."""

        constraints = (models.UniqueConstraint(fields=["policy", "date", "held"], name="use_day"),)


class Pushed(models.Model):
    """How far the waiting cases of a classifier were told to an owner's endpoint: the last one of them."""

    endpoint = models.ForeignKey("webhooks.Endpoint", models.CASCADE, related_name="+")
    deployment = models.ForeignKey(Deployment, models.CASCADE, related_name="+")
    opened = models.DateTimeField(null=True)
    case = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        """One for each."""

        constraints = (
            models.UniqueConstraint(fields=["endpoint", "deployment"], name="use_pushed"),
        )


class LogReport(Owned):
    """A log that somebody uploaded, until it is read, and then the report of it.

    Of the log itself only labels and what the model said are kept; until it is read its file waits in a
    folder, under the name of the row.
    """

    id = models.CharField(max_length=20, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=80)  # of the file
    question = models.JSONField()  # a ReportQuestion
    random = models.BooleanField()  # whether the owner says that labels do not hang on confidence
    stage = models.CharField(max_length=10, default="waiting")
    problem = models.CharField(max_length=2000, blank=True)
    page = models.TextField(blank=True)
    headline = models.CharField(max_length=300, blank=True, default="")  # the answer in a sentence
    told = models.JSONField(default=list)  # the answer itself
    kept = models.BinaryField(null=True)  # Parquet
    classes = models.JSONField(default=list)
    rows = models.IntegerField(default=0)
    labelled = models.IntegerField(default=0)
    checks = models.FloatField(null=True)  # that one mistake is worth by the answer
    made = models.DateTimeField()

    class Meta:
        """The newest first."""

        ordering = ("-made",)
