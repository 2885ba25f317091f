"""The first tables of campaigns."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("classifiers", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Campaign",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=100)),
                ("wanted", models.TextField(max_length=2000)),
                ("guide", models.TextField(blank=True, max_length=2000)),
                ("warning", models.CharField(blank=True, max_length=300)),
                ("reference", models.JSONField(default=list)),
                ("terms", models.TextField()),
                ("state", models.CharField(default="draft", max_length=10)),
                ("at", models.DateTimeField()),
                ("made", models.DateTimeField()),
                ("simulated", models.JSONField(null=True)),
                (
                    "classifier",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="classifiers.classifier",
                    ),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="KnownItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("case", models.JSONField()),
                ("truth", models.CharField(max_length=80)),
                ("why", models.CharField(blank=True, max_length=500)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="training",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "number"), name="one_training_item")
                ],
            },
        ),
    ]
