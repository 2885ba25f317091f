"""The first tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import askpoint.server.deployments.exact_json

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
                ("hold", models.SmallIntegerField(default=120)),
                ("keep_days", models.IntegerField(null=True)),
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
                ("question", models.JSONField()),
                ("random", models.BooleanField()),
                ("stage", models.CharField(default="waiting", max_length=10)),
                ("problem", models.CharField(blank=True, max_length=2000)),
                ("page", models.TextField(blank=True)),
                ("told", models.JSONField(default=list)),
                ("kept", models.BinaryField(null=True)),
                ("classes", models.JSONField(default=list)),
                ("rows", models.IntegerField(default=0)),
                ("labelled", models.IntegerField(default=0)),
                ("checks", models.FloatField(null=True)),
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
            name="Day",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("date", models.DateField()),
                ("held", models.BooleanField()),
                ("rate", models.FloatField()),
                ("decided", models.BigIntegerField(default=0)),
                ("answered", models.BigIntegerField(default=0)),
                ("audited", models.BigIntegerField(default=0)),
                ("checked", models.BigIntegerField(default=0)),
                ("seen", models.FloatField(default=0)),
                ("labelled", models.BigIntegerField(default=0)),
                ("bought", models.FloatField(default=0)),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="days",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("policy", "date", "held"), name="use_day")
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
                ("calls", models.JSONField(default=list)),
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
            name="LogNode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("level", models.SmallIntegerField()),
                ("place", models.BigIntegerField()),
                ("hash", models.BinaryField()),
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
            name="LeaseHandIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("lease", models.IntegerField()),
                ("at", models.BigIntegerField()),
                ("answers", models.IntegerField()),
                ("cases", models.IntegerField()),
                ("booked", models.IntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("leaf", models.BigIntegerField()),
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
            name="Label",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.BigIntegerField()),
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
                ("leaf", models.BigIntegerField()),
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
        ),
        migrations.CreateModel(
            name="GrantedLease",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("decider", models.CharField(max_length=200)),
                ("episode", models.IntegerField()),
                ("threshold", models.FloatField(null=True)),
                ("rate", models.FloatField()),
                ("answers", models.IntegerField()),
                ("granted", models.BigIntegerField()),
                ("expires", models.BigIntegerField()),
                ("leaf", models.BigIntegerField()),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leases",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
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
                ("numbers", askpoint.server.deployments.exact_json.ExactJSONField()),
                ("at", models.DateTimeField()),
                ("n", models.BigIntegerField()),
                ("leaf", models.BigIntegerField()),
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
            name="DeletedContent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("at", models.BigIntegerField()),
                ("leaf", models.BigIntegerField()),
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
                ("leaf", models.BigIntegerField()),
                ("salt", models.BinaryField(null=True)),
                ("lease", models.IntegerField(null=True)),
                ("clock_back", models.BigIntegerField(null=True)),
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
            name="SignedHead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.BigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("at", models.BigIntegerField()),
                ("signer", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=128)),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="heads",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "ordering": ("size",),
            },
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
                ("state", models.TextField()),
                ("pending", models.BinaryField()),
                ("log", models.JSONField(default=dict)),
                ("labels", models.IntegerField()),
                ("rates", models.JSONField(default=dict)),
                ("granted", models.IntegerField(default=0)),
                ("handed_in", models.IntegerField(default=0)),
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
        migrations.AddConstraint(
            model_name="lognode",
            constraint=models.UniqueConstraint(
                fields=("policy", "level", "place"), name="use_node"
            ),
        ),
        migrations.AddConstraint(
            model_name="leasehandin",
            constraint=models.UniqueConstraint(fields=("policy", "lease"), name="use_hand_in"),
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
            model_name="label",
            constraint=models.UniqueConstraint(fields=("policy", "n"), name="use_label_number"),
        ),
        migrations.AddConstraint(
            model_name="incident",
            constraint=models.UniqueConstraint(
                fields=("deployment", "number"), name="use_incident"
            ),
        ),
        migrations.AddConstraint(
            model_name="grantedlease",
            constraint=models.UniqueConstraint(fields=("policy", "number"), name="use_lease"),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(fields=("policy", "n"), name="use_event_number"),
        ),
        migrations.AddIndex(
            model_name="deletedcontent",
            index=models.Index(fields=["policy", "leaf"], name="use_deleted_leaf"),
        ),
        migrations.AddConstraint(
            model_name="deletedcontent",
            constraint=models.UniqueConstraint(fields=("policy", "seq"), name="use_deleted"),
        ),
        migrations.AddConstraint(
            model_name="pushed",
            constraint=models.UniqueConstraint(
                fields=("endpoint", "deployment"), name="use_pushed"
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(
                fields=("deployment", "key"),
                name="use_decision",
                opclasses=("varchar_pattern_ops", "varchar_pattern_ops"),
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("policy", "seq"), name="use_number"),
        ),
        migrations.AddIndex(
            model_name="receipt",
            index=models.Index(fields=["policy", "action", "seq"], name="use_receipt_action"),
        ),
        migrations.AddConstraint(
            model_name="signedhead",
            constraint=models.UniqueConstraint(fields=("policy", "size"), name="use_head"),
        ),
    ]
