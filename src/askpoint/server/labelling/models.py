"""What people label: a case in some queue, who claims it, what they said, and how they stand."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from askpoint.labelling.not_sure import REASONS

__all__ = ["Appeal", "Case", "Claim", "GuidelineVersion", "Remark", "Reviewer", "Vote"]


class Case(models.Model):
    """A case that people label; wings that need more than this extend it."""

    id = models.CharField(max_length=16, primary_key=True)
    queue = models.CharField(max_length=60)  # kind/name, as `askpoint.server.labelling.queues` says
    purpose = models.CharField(max_length=10)
    key = models.CharField(max_length=200, blank=True, default="")  # its owner's name for it
    author = models.CharField(max_length=150, blank=True, default="")
    content = models.JSONField(null=True)  # until it is deleted
    options = models.JSONField(default=list)  # empty where those of the queue hold
    wanted = models.SmallIntegerField(default=1)  # votes, before they decide
    opened = models.DateTimeField()
    at = models.DateTimeField()
    state = models.CharField(max_length=10, default="open")  # as in the pure room, or forgotten
    answer = models.CharField(max_length=80, null=True)
    ruled_at = models.DateTimeField(null=True)
    labelled = models.DateTimeField(null=True)  # since when nobody is asked any more
    gold = models.CharField(max_length=80, null=True)
    skipped = models.TextField(blank=True, default="")
    source = models.CharField(max_length=16, blank=True, default="", db_index=True)  # of gold
    n_claims = models.IntegerField(default=0)
    promised = models.IntegerField(default=0)  # votes that count, and claims
    free = models.IntegerField(default=1)  # places for claims

    class Meta:
        """What waits is read in either order of `Protocol.order`, however much there is."""

        constraints = (
            models.UniqueConstraint(
                fields=["queue", "key"], condition=~models.Q(key=""), name="one_key_each"
            ),
        )
        indexes = (
            models.Index(
                fields=["queue", "purpose", "state", "opened", "id"],
                condition=models.Q(labelled=None),
                name="labelling_oldest",
            ),
            models.Index(fields=["queue", "state", "promised", "opened"], name="labelling_fewest"),
            models.Index(
                fields=["queue", "labelled"],
                condition=~models.Q(labelled=None),
                name="labelling_done",
            ),
            models.Index(
                fields=["queue", "opened"],
                condition=models.Q(content__isnull=False),
                name="labelling_contents",
            ),
        )


class Claim(models.Model):
    """A reviewer's hold on one vote of a case, for a while."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="claims")
    reviewer = models.CharField(max_length=150)
    until = models.DateTimeField()
    number = models.IntegerField(default=0)
    choice = models.CharField(max_length=80, null=True)  # of a held vote
    said = models.DateTimeField(null=True)  # when
    before = models.CharField(max_length=80, blank=True, default="")  # a vote taken back

    class Meta:
        """One claim per reviewer and case; held votes are found by when they count."""

        ordering = ("number",)
        indexes = (
            models.Index(fields=["reviewer", "until"], name="labelling_claims"),
            models.Index(fields=["until"], condition=~models.Q(said=None), name="labelling_held"),
        )
        constraints = (models.UniqueConstraint(fields=["case", "reviewer"], name="one_claim_each"),)


class Vote(models.Model):
    """What a reviewer said of a case."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="votes")
    reviewer = models.CharField(max_length=150)
    choice = models.CharField(max_length=80)
    at = models.DateTimeField()
    void = models.BooleanField(default=False)
    said = models.DateTimeField(null=True)  # when, if it was held before it counted
    guideline = models.IntegerField(null=True)  # the version that stood then

    class Meta:
        """One vote per reviewer and case, whatever races."""

        ordering = ("pk",)
        indexes = (models.Index(fields=["reviewer", "at"], name="labelling_votes"),)
        constraints = (models.UniqueConstraint(fields=["case", "reviewer"], name="one_vote_each"),)


class Remark(models.Model):
    """What a reviewer wrote on a case: a note, and why they were not sure what it is."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="remarks")
    reviewer = models.CharField(max_length=150)
    reason = models.CharField(max_length=10, blank=True)  # empty beside a label
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        """The last one of each reviewer."""

        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["case", "reviewer"], name="one_remark"),)

    @property
    def why(self) -> str:
        """The reason, in words; empty beside a label."""
        return REASONS.get(self.reason, "")


class Appeal(models.Model):
    """A reviewer says once that a case of theirs was settled wrongly; whoever owns it answers."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="appeals")
    reviewer = models.CharField(max_length=150)
    why = models.CharField(max_length=500, blank=True)  # until the content is deleted
    at = models.DateTimeField()
    answer = models.CharField(max_length=80, null=True)  # what the case is
    reason = models.CharField(max_length=500, blank=True)  # of the answer
    answered = models.DateTimeField(null=True)

    class Meta:
        """One per reviewer and case, the oldest first."""

        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=["case", "reviewer"], name="one_appeal_each"),
        )


class GuidelineVersion(models.Model):
    """What reviewers of a queue go by; a change is a new version, and the earlier ones stay."""

    queue = models.CharField(max_length=60)
    number = models.IntegerField()  # 1, 2, ...
    text = models.JSONField()  # as `askpoint.labelling.guideline` has it
    who = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        """They are counted."""

        constraints = (
            models.UniqueConstraint(fields=["queue", "number"], name="one_guideline_number"),
        )


class Reviewer(models.Model):
    """How a reviewer stands in a queue."""

    queue = models.CharField(max_length=60)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="standings")
    at = models.DateTimeField()
    trained = models.JSONField(default=list)
    gold_seen = models.IntegerField(default=0)
    gold_right = models.IntegerField(default=0)
    barred = models.BooleanField(default=False)
    recent = models.JSONField(default=list)
    voted = models.IntegerField(default=0)
    skipped = models.IntegerField(default=0)
    gold_skipped = models.IntegerField(default=0)
    since = models.DateTimeField(null=True)
    evidence = models.FloatField(default=0.0)
    passes = models.IntegerField(default=0)
    proven = models.DateTimeField(null=True)
    held = models.IntegerField(default=0)
    stopped = models.BooleanField(default=False)
    grace = models.SmallIntegerField(null=True)  # cases that come until one is stopped

    class Meta:
        """One standing in each queue."""

        constraints = (models.UniqueConstraint(fields=["queue", "user"], name="one_standing_each"),)
