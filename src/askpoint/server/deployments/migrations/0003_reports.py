"""Logs that people upload, and their reports."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("deployments", "0002_queue"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LogReport",
            fields=[
                ("id", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80)),
                ("aim", models.CharField(max_length=8)),
                ("limit", models.FloatField()),
                ("random", models.BooleanField()),
                ("sent", models.BinaryField(null=True)),
                ("stage", models.CharField(default="waiting", max_length=10)),
                ("problem", models.CharField(blank=True, max_length=2000)),
                ("page", models.TextField(blank=True)),
                ("told", models.JSONField(default=list)),
                ("kept", models.BinaryField(null=True)),
                ("classes", models.JSONField(default=list)),
                ("rows", models.IntegerField(default=0)),
                ("labelled", models.IntegerField(default=0)),
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
            options={
                "ordering": ("-made",),
            },
        ),
    ]
