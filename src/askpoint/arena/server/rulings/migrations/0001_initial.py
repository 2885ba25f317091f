"""The first tables."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("campaigns", "0001_initial"),
        ("deployments", "0001_initial"),
        ("labelling", "0001_initial"),
        ("probes", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Judge",
            fields=[
                (
                    "reviewer_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="labelling.reviewer",
                    ),
                ),
                ("resting", models.BooleanField(default=False)),
                ("pool", models.CharField(blank=True, default="", max_length=40)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judges",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            bases=("labelling.reviewer",),
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "case_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="labelling.case",
                    ),
                ),
                ("reserved", models.IntegerField(default=0)),
                ("appeal", models.TextField(blank=True, max_length=1000)),
                ("appealed_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            bases=("labelling.case",),
        ),
        migrations.CreateModel(
            name="Shared",
            fields=[
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="campaigns.campaign",
                    ),
                ),
                ("who", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared",
                        to="deployments.deployment",
                    ),
                ),
            ],
            options={
                "ordering": ("at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                (
                    "probe",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="comparison",
                        serialize=False,
                        to="probes.probe",
                    ),
                ),
                ("shown", models.JSONField()),
                ("answer", models.CharField(blank=True, default="", max_length=16)),
                ("at", models.DateTimeField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="ComparisonAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("judge", models.CharField(max_length=150)),
                ("answer", models.CharField(max_length=16)),
                ("gold", models.BooleanField(default=False)),
                ("at", models.DateTimeField()),
                (
                    "comparison",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="rulings.comparison",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("comparison", "judge", "gold"), name="one_comparison_answer"
                    )
                ],
            },
        ),
    ]
