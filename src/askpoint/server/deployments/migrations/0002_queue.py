"""What reviewers claim and say, golden items, and what people can do a day."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("deployments", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="case",
            name="state",
            field=models.CharField(default="open", max_length=8),
        ),
        migrations.AddField(
            model_name="case",
            name="truth",
            field=models.CharField(max_length=80, null=True),
        ),
        migrations.AddField(
            model_name="case",
            name="wanted",
            field=models.SmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="deployment",
            name="capacity",
            field=models.IntegerField(null=True),
        ),
        migrations.AddField(
            model_name="deployment",
            name="second",
            field=models.FloatField(default=0.1),
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
                ("judge", models.CharField(max_length=150)),
                ("until", models.DateTimeField()),
                ("skipped", models.BooleanField(default=False)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="deployments.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["judge", "until"], name="use_claims")],
                "constraints": [
                    models.UniqueConstraint(fields=("case", "judge"), name="use_claim")
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
                ("judge", models.CharField(max_length=150)),
                ("choice", models.CharField(max_length=80)),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="votes",
                        to="deployments.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["judge", "at"], name="use_votes")],
                "constraints": [models.UniqueConstraint(fields=("case", "judge"), name="use_vote")],
            },
        ),
    ]
