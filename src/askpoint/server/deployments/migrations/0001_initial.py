"""The first tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("webhooks", "0001_initial"),
        ("workspaces", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Deployment",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=100)),
                (
                    "mode",
                    models.CharField(
                        choices=[
                            ("shadow", "in shadow: it decides nothing, and measures all"),
                            ("rollout", "for a share of the cases"),
                            ("all", "for all cases"),
                        ],
                        default="shadow",
                        max_length=8,
                    ),
                ),
                ("rollout", models.FloatField(default=0.1)),
                ("salt", models.CharField(max_length=64)),
                ("adopted", models.IntegerField(default=0)),
                ("second", models.FloatField(default=0.1)),
                ("capacity", models.IntegerField(null=True)),
                ("mistake", models.FloatField(null=True)),
                ("unit", models.CharField(blank=True, max_length=20)),
                ("renews", models.BooleanField(default=False)),
                ("hook", models.CharField(blank=True, default="", max_length=32)),
                ("audit_rates", models.JSONField(default=dict)),
                ("regions", models.JSONField(default=dict)),
                ("kept_closed", models.DateTimeField(null=True)),
                ("kept_mode", models.CharField(blank=True, default="", max_length=8)),
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
            name="LogReport",
            fields=[
                ("id", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80)),
                ("aim", models.CharField(max_length=8)),
                ("limit", models.FloatField()),
                ("random", models.BooleanField()),
                ("stage", models.CharField(default="waiting", max_length=10)),
                ("problem", models.CharField(blank=True, max_length=2000)),
                ("page", models.TextField(blank=True)),
                ("told", models.JSONField(default=list)),
                ("kept", models.BinaryField(null=True)),
                ("classes", models.JSONField(default=list)),
                ("rows", models.IntegerField(default=0)),
                ("labelled", models.IntegerField(default=0)),
                ("made", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                "ordering": ("-made",),
            },
        ),
        migrations.CreateModel(
            name="Policy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("parent", models.IntegerField(null=True)),
                ("document", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("salt", models.CharField(max_length=64)),
                ("who", models.CharField(max_length=150)),
                ("why", models.CharField(max_length=500)),
                ("told", models.JSONField(default=list)),
                ("work", models.FloatField(null=True)),
                ("made", models.DateTimeField()),
                ("adopted", models.DateTimeField(null=True)),
                ("adopted_by", models.CharField(blank=True, max_length=150)),
                ("decided", models.BigIntegerField(default=0)),
                ("blocks", models.IntegerField(default=0)),
                ("held", models.BigIntegerField(default=0)),
                ("log", models.JSONField(default=dict)),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="policies",
                        to="deployments.deployment",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("seq", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("ended", models.DateTimeField(null=True)),
                ("successor", models.IntegerField(null=True)),
                ("regions", models.JSONField(default=dict)),
                ("note", models.TextField(blank=True, default="")),
                ("noted_by", models.CharField(blank=True, default="", max_length=150)),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incidents",
                        to="deployments.deployment",
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("deployment", "number"), name="use_incident")
                ],
            },
        ),
        migrations.CreateModel(
            name="Moment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("decided", models.BigIntegerField()),
                ("answered", models.BigIntegerField()),
                ("asked", models.BigIntegerField()),
                ("audited", models.BigIntegerField()),
                ("seen", models.FloatField()),
                ("missing", models.BigIntegerField()),
                ("waiting", models.BigIntegerField()),
                ("evidence", models.FloatField()),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moments",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Label",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("block", models.IntegerField()),
                ("after", models.BigIntegerField()),
                ("key", models.CharField(max_length=200)),
                ("seq", models.BigIntegerField()),
                ("label", models.CharField(max_length=80)),
                ("judge", models.CharField(max_length=150)),
                ("source", models.CharField(max_length=8)),
                ("truth", models.CharField(max_length=80, null=True)),
                ("wrong", models.BooleanField()),
                ("counts", models.BooleanField()),
                ("at", models.DateTimeField()),
                ("chain", models.CharField(max_length=64, null=True)),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="labels",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("numbers", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Pushed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("opened", models.DateTimeField(null=True)),
                ("case", models.CharField(blank=True, default="", max_length=16)),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="deployments.deployment",
                    ),
                ),
                (
                    "endpoint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="webhooks.endpoint",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("key", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                ("digest", models.CharField(max_length=64, null=True)),
                ("prediction", models.SmallIntegerField()),
                ("confidence", models.FloatField()),
                ("drawn", models.FloatField()),
                ("propensity", models.FloatField()),
                ("action", models.SmallIntegerField()),
                ("held", models.BooleanField()),
                ("episode", models.IntegerField()),
                ("group", models.CharField(max_length=100, null=True)),
                ("rate", models.FloatField()),
                ("chain", models.CharField(max_length=64, null=True)),
                (
                    "deployment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="deployments.deployment",
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="deployments.policy",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("decided", models.BigIntegerField()),
                ("blocks", models.IntegerField()),
                ("state", models.TextField()),
                ("pending", models.BinaryField()),
                ("log", models.JSONField(default=dict)),
                ("labels", models.IntegerField()),
                ("rates", models.JSONField(default=dict)),
                (
                    "policy",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snapshot",
                        to="deployments.policy",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Member",
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
                            ("reviewer", "reviewer"),
                            ("viewer", "viewer"),
                        ],
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="deployments.deployment",
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
                    models.UniqueConstraint(fields=("deployment", "user"), name="use_part")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.UniqueConstraint(fields=("deployment", "number"), name="use_version"),
        ),
        migrations.AddIndex(
            model_name="label",
            index=models.Index(fields=["policy", "block"], name="use_label_block"),
        ),
        migrations.AddIndex(
            model_name="label",
            index=models.Index(fields=["policy", "key"], name="use_label_key"),
        ),
        migrations.AddIndex(
            model_name="label",
            index=models.Index(fields=["policy", "wrong", "-seq"], name="use_label_wrong"),
        ),
        migrations.AddConstraint(
            model_name="pushed",
            constraint=models.UniqueConstraint(
                fields=("endpoint", "deployment"), name="use_pushed"
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("deployment", "key"), name="use_decision"),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("policy", "seq"), name="use_number"),
        ),
    ]
