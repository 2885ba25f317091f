"""The first tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("campaigns", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("judged", models.IntegerField(default=0)),
                ("found", models.IntegerField(default=0)),
                ("barred", models.BooleanField(default=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="players",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="plays",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Probe",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=64)),
                ("address", models.CharField(max_length=64)),
                ("case", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("print", models.TextField(blank=True)),
                ("print_compared", models.BooleanField(default=False)),
                ("options", models.JSONField()),
                ("prizes", models.JSONField()),
                ("tried", models.DateTimeField()),
                ("at", models.DateTimeField()),
                ("probabilities", models.JSONField()),
                ("decision", models.CharField(max_length=80)),
                ("model", models.CharField(max_length=100)),
                ("similarity", models.FloatField(default=0.0)),
                ("similarity_classifier", models.CharField(blank=True, max_length=32)),
                ("similarity_reason", models.CharField(blank=True, max_length=30)),
                ("state", models.CharField(max_length=12)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("submitted", models.DateTimeField(null=True)),
                ("truth", models.CharField(max_length=80, null=True)),
                ("awarded", models.IntegerField(default=0)),
                ("round", models.IntegerField(default=0)),
                ("final", models.BooleanField(default=False)),
                ("dropped", models.BooleanField(default=False)),
                ("family", models.CharField(blank=True, db_index=True, max_length=16)),
                ("place", models.CharField(blank=True, max_length=8)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="probes",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="probes",
                        to="probes.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("case", models.JSONField()),
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft",
                        to="probes.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Similar",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=32)),
                ("successful", models.JSONField()),
                ("others", models.JSONField()),
                ("reference", models.JSONField()),
                ("made", models.DateTimeField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="similar",
                        to="campaigns.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("item", models.TextField()),
                ("first", models.CharField(blank=True, max_length=80)),
                ("label", models.CharField(blank=True, max_length=80)),
                ("holder", models.CharField(blank=True, max_length=150)),
                ("at", models.DateTimeField()),
                ("challenge", models.CharField(blank=True, max_length=16)),
                ("before", models.CharField(blank=True, max_length=150)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tags",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                (
                    "probe",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="challenge",
                        serialize=False,
                        to="probes.probe",
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to="probes.tag",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="probe",
            index=models.Index(fields=["player", "tried"], name="probe_tries"),
        ),
        migrations.AddIndex(
            model_name="probe",
            index=models.Index(fields=["address", "tried"], name="probe_address"),
        ),
        migrations.AddIndex(
            model_name="probe",
            index=models.Index(fields=["campaign", "submitted"], name="probe_order"),
        ),
        migrations.AddIndex(
            model_name="probe",
            index=models.Index(
                condition=models.Q(("print_compared", False), ("submitted__isnull", False)),
                fields=["campaign", "submitted"],
                name="probe_to_compare",
            ),
        ),
        migrations.AddConstraint(
            model_name="probe",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["submitted", "judged"])),
                fields=("campaign", "digest"),
                name="one_submission",
            ),
        ),
        migrations.AddConstraint(
            model_name="probe",
            constraint=models.UniqueConstraint(fields=("player", "key"), name="one_try"),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(fields=("campaign", "user"), name="one_player"),
        ),
        migrations.AddConstraint(
            model_name="similar",
            constraint=models.UniqueConstraint(fields=("campaign", "version"), name="one_version"),
        ),
        migrations.AddConstraint(
            model_name="tag",
            constraint=models.UniqueConstraint(fields=("campaign", "number"), name="one_item"),
        ),
    ]
