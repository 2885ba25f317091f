"""The first tables."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("deployments", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Questionnaire",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("rows", models.BinaryField()),
                ("n_labelled", models.IntegerField()),
                ("classes", models.JSONField()),
                ("settings", models.JSONField()),
                ("scene", models.JSONField()),
                ("who", models.CharField(max_length=150)),
                ("made", models.DateTimeField()),
                ("chosen", models.IntegerField(null=True)),
                ("chosen_by", models.CharField(blank=True, max_length=150)),
                ("chosen_why", models.CharField(blank=True, max_length=500)),
                ("chosen_at", models.DateTimeField(null=True)),
                (
                    "deployment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questionnaires",
                        to="deployments.deployment",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Interview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("name", models.CharField(max_length=80)),
                ("nonce", models.CharField(max_length=32)),
                ("revoked", models.DateTimeField(null=True)),
                ("begun", models.DateTimeField(null=True)),
                ("guess", models.FloatField(null=True)),
                ("answers", models.JSONField(default=list)),
                ("undone", models.IntegerField(default=0)),
                ("ended", models.DateTimeField(null=True)),
                ("costs", models.TextField(blank=True)),
                ("found", models.JSONField(null=True)),
                ("told", models.JSONField(default=list)),
                ("again", models.JSONField(null=True)),
                ("steady", models.CharField(blank=True, max_length=200)),
                (
                    "questionnaire",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="interviews",
                        to="questionnaires.questionnaire",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.AddConstraint(
            model_name="questionnaire",
            constraint=models.UniqueConstraint(
                fields=("deployment", "number"), name="costs_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="interview",
            constraint=models.UniqueConstraint(
                fields=("questionnaire", "number"), name="costs_person"
            ),
        ),
    ]
