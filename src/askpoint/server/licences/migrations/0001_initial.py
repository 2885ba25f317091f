"""The first tables."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("api", "0001_initial"),
        ("webhooks", "0001_initial"),
        ("workspaces", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Agent",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=100)),
                ("policy", models.TextField()),
                ("salt", models.CharField(max_length=64)),
                ("second", models.FloatField(default=0.1)),
                ("seconds", models.FloatField(null=True)),
                ("unit", models.CharField(blank=True, default="", max_length=20)),
                ("last_at", models.BigIntegerField(default=0)),
                ("house", models.JSONField(default=dict)),
                ("chain", models.CharField(max_length=64)),
                ("entries", models.BigIntegerField(default=0)),
                ("actions", models.BigIntegerField(default=0)),
                ("due", models.DateTimeField(db_index=True, null=True)),
                ("at", models.DateTimeField()),
                ("made", models.DateTimeField()),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="AgentMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("approver", "approver"),
                            ("viewer", "viewer"),
                        ],
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="licences.agent",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("agent", "user"), name="agent_part")
                ],
            },
        ),
        migrations.CreateModel(
            name="AgentInstance",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=255)),
                ("digest", models.CharField(max_length=64)),
                ("secret", models.BinaryField(default=bytes)),
                ("made", models.DateTimeField()),
                ("removed", models.DateTimeField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="instances",
                        to="licences.agent",
                    ),
                ),
                (
                    "endpoint",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="webhooks.endpoint",
                    ),
                ),
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="api.token",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("agent", "key"), name="agent_instance")
                ],
            },
        ),
        migrations.CreateModel(
            name="ApprovalRequest",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=255)),
                ("body", models.TextField()),
                ("created", models.DateTimeField()),
                ("deadline", models.DateTimeField()),
                ("consumed_by", models.CharField(max_length=255, null=True)),
                ("consumed", models.DateTimeField(null=True)),
                ("outcome", models.JSONField(null=True)),
                ("lapses", models.DateTimeField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="licences.agent",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="licences.agentinstance",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("consumed", None), ("lapses__isnull", False)),
                        fields=["agent", "lapses"],
                        name="approval_lapses",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("instance", None)),
                        fields=("agent", "key"),
                        name="approval_key",
                    ),
                    models.UniqueConstraint(
                        fields=("instance", "key"), name="approval_instance_key"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LicenceAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.BigIntegerField()),
                ("key", models.CharField(max_length=200)),
                ("unit", models.CharField(max_length=620)),
                ("digest", models.CharField(max_length=64)),
                ("ran", models.BooleanField()),
                ("status", models.CharField(max_length=10)),
                ("content", models.TextField()),
                ("arguments", models.TextField(null=True)),
                ("at", models.DateTimeField()),
                ("outcome", models.JSONField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="licences.agent",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["agent", "digest"], name="agent_digest"),
                    models.Index(fields=["agent", "unit", "-n"], name="agent_unit_actions"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("agent", "key"), name="agent_action"),
                    models.UniqueConstraint(fields=("agent", "n"), name="agent_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LicenceEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.BigIntegerField()),
                ("content", models.TextField()),
                ("chain", models.CharField(max_length=64)),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="licences.agent",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("agent", "n"), name="agent_entry")],
            },
        ),
        migrations.CreateModel(
            name="LicenceUnit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=620)),
                ("content", models.TextField()),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="units",
                        to="licences.agent",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("agent", "name"), name="agent_unit")
                ],
            },
        ),
    ]
