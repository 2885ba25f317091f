"""The first tables of rulings."""

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
            name="Ruling",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("author", models.CharField(blank=True, max_length=150)),
                ("case", models.JSONField()),
                ("options", models.JSONField()),
                ("opened", models.DateTimeField()),
                ("at", models.DateTimeField()),
                ("state", models.CharField(default="open", max_length=10)),
                ("answer", models.CharField(max_length=80, null=True)),
                ("ruled_at", models.DateTimeField(null=True)),
                ("reserved", models.IntegerField(default=0)),
                ("claims", models.IntegerField(default=0)),
                ("gold", models.CharField(max_length=80, null=True)),
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
        ),
        migrations.CreateModel(
            name="Lease",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("judge", models.CharField(max_length=150)),
                ("until", models.DateTimeField()),
                ("number", models.IntegerField()),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="leases",
                        to="rulings.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
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
                ("void", models.BooleanField(default=False)),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="rulings.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Judge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("trained", models.JSONField(default=list)),
                ("gold_seen", models.IntegerField(default=0)),
                ("gold_right", models.IntegerField(default=0)),
                ("barred", models.BooleanField(default=False)),
                ("resting", models.BooleanField(default=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judges",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judges",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "user"), name="one_judge")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="ruling",
            index=models.Index(fields=["campaign", "state", "opened"], name="ruling_queue"),
        ),
        migrations.AddConstraint(
            model_name="lease",
            constraint=models.UniqueConstraint(fields=("ruling", "judge"), name="one_lease"),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.UniqueConstraint(fields=("ruling", "judge"), name="one_vote"),
        ),
    ]
