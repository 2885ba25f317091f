"""The first tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("workspaces", "0001_initial"),
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
                            ("chat", "a chat model at an OpenAI-compatible address"),
                        ],
                        max_length=10,
                    ),
                ),
                ("target", models.CharField(max_length=500)),
                (
                    "cases",
                    models.CharField(
                        choices=[
                            ("text", "a text"),
                            ("row", "a row of features"),
                            ("page", "a web page, by its address"),
                            ("image", "an image"),
                        ],
                        default="text",
                        max_length=5,
                    ),
                ),
                ("features", models.JSONField(blank=True, default=list)),
                ("classes", models.JSONField()),
                ("chat", models.JSONField(blank=True, default=dict)),
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
            name="SetAside",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("case", models.JSONField()),
                ("sent_by", models.CharField(blank=True, max_length=150)),
                ("hung", models.BooleanField()),
                ("at", models.DateTimeField()),
                (
                    "classifier",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="set_aside",
                        to="classifiers.classifier",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["sent_by", "at"], name="set_aside_by")],
                "constraints": [
                    models.UniqueConstraint(fields=("classifier", "digest"), name="one_set_aside")
                ],
            },
        ),
    ]
