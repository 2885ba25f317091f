"""The first tables of classifiers."""

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
            name="Classifier",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                (
                    "adapter",
                    models.CharField(
                        choices=[
                            ("callable", "a Python function on the server"),
                            ("http", "an HTTP address"),
                        ],
                        max_length=10,
                    ),
                ),
                ("target", models.CharField(max_length=500)),
                (
                    "cases",
                    models.CharField(
                        choices=[("text", "a text"), ("row", "a row of features")],
                        default="text",
                        max_length=4,
                    ),
                ),
                ("features", models.JSONField(blank=True, default=list)),
                ("classes", models.JSONField()),
                ("seconds", models.FloatField(default=1.5)),
                ("made", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
