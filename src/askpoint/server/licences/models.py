"""Agents, who has a part in one, and the book of each one's licences."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from askpoint.server.workspaces.models import Owned

__all__ = [
    "Agent",
    "AgentInstance",
    "AgentMember",
    "ApprovalRequest",
    "LicenceAction",
    "LicenceEntry",
    "LicenceUnit",
]


class Agent(Owned):
    """An agent, and the book of its licences; whoever proposes, decides or signs holds the lock of this row."""

    id = models.CharField(max_length=40, primary_key=True)
    title = models.CharField(max_length=100)
    policy = models.TextField()  # policy.json
    salt = models.CharField(max_length=64)
    second = models.FloatField(default=0.1)  # share of the audits that two people read
    seconds = models.FloatField(null=True)  # that a check takes
    unit = models.CharField(max_length=20, blank=True, default="")  # of the prices in the policy
    last_at = models.BigIntegerField(default=0)  # microseconds since 1970
    house = models.JSONField(default=dict)
    chain = models.CharField(max_length=64)
    entries = models.BigIntegerField(default=0)
    actions = models.BigIntegerField(default=0)
    due = models.DateTimeField(
        null=True, db_index=True
    )  # when a unit changes though nothing happens
    at = models.DateTimeField()
    made = models.DateTimeField()


class AgentMember(models.Model):
    """Somebody's part in an agent."""

    ROLES = (("owner", "owner"), ("approver", "approver"), ("viewer", "viewer"))

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    role = models.CharField(max_length=8, choices=ROLES)
    at = models.DateTimeField()

    class Meta:
        """One part each: who approves sees nothing of what the door would have said."""

        constraints = (models.UniqueConstraint(fields=["agent", "user"], name="agent_part"),)


class AgentInstance(models.Model):
    """A program of an agent with a credential of its own, by the Agent Approval Protocol."""

    id = models.UUIDField(primary_key=True)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="instances")
    name = models.CharField(max_length=80)
    key = models.CharField(max_length=255)  # of idempotency
    digest = models.CharField(max_length=64)  # of the submission
    token = models.OneToOneField("api.Token", models.PROTECT, related_name="+")
    endpoint = models.ForeignKey("webhooks.Endpoint", models.PROTECT, null=True, related_name="+")
    secret = models.BinaryField(default=bytes)  # by which its notifications are signed, sealed
    made = models.DateTimeField()
    removed = models.DateTimeField(null=True)

    class Meta:
        """A key makes one."""

        constraints = (models.UniqueConstraint(fields=["agent", "key"], name="agent_instance"),)


class LicenceUnit(models.Model):
    """A unit as of the last entry that concerns it."""

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="units")
    name = models.CharField(max_length=620)
    content = models.TextField()

    class Meta:
        """A name each."""

        constraints = (models.UniqueConstraint(fields=["agent", "name"], name="agent_unit"),)


class LicenceAction(models.Model):
    """A proposed action: its receipt as it is now, and what it was."""

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="+", db_index=False)
    n = models.BigIntegerField()
    key = models.CharField(max_length=200)
    unit = models.CharField(max_length=620)
    digest = models.CharField(max_length=64)
    ran = models.BooleanField()
    status = models.CharField(max_length=10)
    content = models.TextField()
    arguments = models.TextField(null=True)
    at = models.DateTimeField()
    outcome = models.JSONField(null=True)  # what the agent says became of it: no label

    class Meta:
        """A key decides once; read by unit, and by what ran."""

        constraints = (
            models.UniqueConstraint(fields=["agent", "key"], name="agent_action"),
            models.UniqueConstraint(fields=["agent", "n"], name="agent_number"),
        )
        indexes = (
            models.Index(fields=["agent", "digest"], name="agent_digest"),
            models.Index(fields=["agent", "unit", "-n"], name="agent_unit_actions"),
        )


class LicenceEntry(models.Model):
    """A step of the book; entries alone lead to its state."""

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="+", db_index=False)
    n = models.BigIntegerField()
    content = models.TextField()
    chain = models.CharField(max_length=64)

    class Meta:
        """In their order."""

        constraints = (models.UniqueConstraint(fields=["agent", "n"], name="agent_entry"),)


class ApprovalRequest(models.Model):
    """A request of the Agent Approval Protocol about an action, which has the request's id as its key."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="+")
    instance = models.ForeignKey(AgentInstance, models.PROTECT, null=True, related_name="+")
    key = models.CharField(max_length=255)  # of idempotency
    body = models.TextField()  # as it came
    created = models.DateTimeField()
    deadline = models.DateTimeField()
    consumed_by = models.CharField(max_length=255, null=True)  # the key of the consumption
    consumed = models.DateTimeField(null=True)
    outcome = models.JSONField(null=True)
    lapses = models.DateTimeField(null=True)  # until when what was allowed at once may be consumed

    class Meta:
        """A key asks once; what was allowed and never consumed is found by its moment."""

        constraints = (
            models.UniqueConstraint(
                fields=["agent", "key"], condition=models.Q(instance=None), name="approval_key"
            ),
            models.UniqueConstraint(fields=["instance", "key"], name="approval_instance_key"),
        )
        indexes = (
            models.Index(
                fields=["agent", "lapses"],
                condition=models.Q(consumed=None, lapses__isnull=False),
                name="approval_lapses",
            ),
        )
