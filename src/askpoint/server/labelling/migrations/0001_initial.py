"""The first tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("queue", models.CharField(max_length=60)),
                ("purpose", models.CharField(max_length=10)),
                ("key", models.CharField(blank=True, default="", max_length=200)),
                ("author", models.CharField(blank=True, default="", max_length=150)),
                ("content", models.JSONField(null=True)),
                ("options", models.JSONField(default=list)),
                ("wanted", models.SmallIntegerField(default=1)),
                ("opened", models.DateTimeField()),
                ("at", models.DateTimeField()),
                ("state", models.CharField(default="open", max_length=10)),
                ("answer", models.CharField(max_length=80, null=True)),
                ("ruled_at", models.DateTimeField(null=True)),
                ("labelled", models.DateTimeField(null=True)),
                ("gold", models.CharField(max_length=80, null=True)),
                ("skipped", models.TextField(blank=True, default="")),
                ("source", models.CharField(blank=True, db_index=True, default="", max_length=16)),
                ("n_claims", models.IntegerField(default=0)),
                ("promised", models.IntegerField(default=0)),
                ("free", models.IntegerField(default=1)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("labelled", None)),
                        fields=["queue", "purpose", "state", "opened", "id"],
                        name="labelling_oldest",
                    ),
                    models.Index(
                        fields=["queue", "state", "promised", "opened"], name="labelling_fewest"
                    ),
                    models.Index(
                        condition=models.Q(("labelled", None), _negated=True),
                        fields=["queue", "labelled"],
                        name="labelling_done",
                    ),
                    models.Index(
                        condition=models.Q(("content__isnull", False)),
                        fields=["queue", "opened"],
                        name="labelling_contents",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("key", ""), _negated=True),
                        fields=("queue", "key"),
                        name="one_key_each",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reviewer", models.CharField(max_length=150)),
                ("until", models.DateTimeField()),
                ("number", models.IntegerField(default=0)),
                ("choice", models.CharField(max_length=80, null=True)),
                ("said", models.DateTimeField(null=True)),
                ("before", models.CharField(blank=True, default="", max_length=80)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="labelling.case",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "indexes": [
                    models.Index(fields=["reviewer", "until"], name="labelling_claims"),
                    models.Index(
                        condition=models.Q(("said", None), _negated=True),
                        fields=["until"],
                        name="labelling_held",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("case", "reviewer"), name="one_claim_each")
                ],
            },
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reviewer", models.CharField(max_length=150)),
                ("reason", models.CharField(blank=True, max_length=10)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to="labelling.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("case", "reviewer"), name="one_remark")
                ],
            },
        ),
        migrations.CreateModel(
            name="GuidelineVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("queue", models.CharField(max_length=60)),
                ("number", models.IntegerField()),
                ("text", models.JSONField()),
                ("who", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("queue", "number"), name="one_guideline_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Reviewer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("queue", models.CharField(max_length=60)),
                ("at", models.DateTimeField()),
                ("trained", models.JSONField(default=list)),
                ("gold_seen", models.IntegerField(default=0)),
                ("gold_right", models.IntegerField(default=0)),
                ("barred", models.BooleanField(default=False)),
                ("recent", models.JSONField(default=list)),
                ("voted", models.IntegerField(default=0)),
                ("skipped", models.IntegerField(default=0)),
                ("gold_skipped", models.IntegerField(default=0)),
                ("since", models.DateTimeField(null=True)),
                ("evidence", models.FloatField(default=0.0)),
                ("passes", models.IntegerField(default=0)),
                ("proven", models.DateTimeField(null=True)),
                ("held", models.IntegerField(default=0)),
                ("stopped", models.BooleanField(default=False)),
                ("grace", models.SmallIntegerField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("queue", "user"), name="one_standing_each")
                ],
            },
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reviewer", models.CharField(max_length=150)),
                ("choice", models.CharField(max_length=80)),
                ("at", models.DateTimeField()),
                ("void", models.BooleanField(default=False)),
                ("said", models.DateTimeField(null=True)),
                ("guideline", models.IntegerField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="labelling.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["reviewer", "at"], name="labelling_votes")],
                "constraints": [
                    models.UniqueConstraint(fields=("case", "reviewer"), name="one_vote_each")
                ],
            },
        ),
    ]
