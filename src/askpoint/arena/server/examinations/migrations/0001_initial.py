"""The first tables."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("campaigns", "0001_initial"),
        ("rulings", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Examination",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made", models.DateTimeField()),
                ("state", models.CharField(default="answering", max_length=10)),
                ("left_out", models.IntegerField(default=0)),
                ("trouble", models.CharField(blank=True, max_length=500)),
                ("drawn", models.DateTimeField(null=True)),
                ("method", models.CharField(blank=True, max_length=12)),
                ("wanted", models.IntegerField(default=0)),
                ("seed", models.BigIntegerField(default=0)),
                ("digest", models.CharField(blank=True, max_length=80)),
                ("edges", models.JSONField(default=list)),
                ("sizes", models.JSONField(default=list)),
                ("learned", models.JSONField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="examinations",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="SampleCase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.IntegerField()),
                ("case", models.JSONField()),
                ("probabilities", models.JSONField(null=True)),
                ("decision", models.CharField(blank=True, max_length=80)),
                ("model", models.CharField(blank=True, max_length=100)),
                ("order", models.IntegerField(null=True)),
                ("bin", models.IntegerField(null=True)),
                ("inclusion", models.FloatField(null=True)),
                (
                    "examination",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cases",
                        to="examinations.examination",
                    ),
                ),
                (
                    "ruling",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawn_case",
                        to="rulings.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ("place",),
            },
        ),
        migrations.AddConstraint(
            model_name="examination",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "drawn"), _negated=True),
                fields=("campaign",),
                name="one_sample_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="samplecase",
            index=models.Index(fields=["examination", "decision"], name="sample_answers"),
        ),
        migrations.AddConstraint(
            model_name="samplecase",
            constraint=models.UniqueConstraint(fields=("examination", "place"), name="one_place"),
        ),
    ]
