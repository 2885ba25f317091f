"""Campaigns whose cases lie in a queue, and an index of what is open in it."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("campaigns", "0004_reading"),
        ("deployments", "0003_reports"),
    ]

    operations = [
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
            ],
            options={
                "ordering": ("at", "pk"),
            },
        ),
        migrations.RemoveIndex(
            model_name="case",
            name="use_waiting",
        ),
        migrations.AlterField(
            model_name="case",
            name="state",
            field=models.CharField(default="open", max_length=9),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                condition=models.Q(("labelled", None)),
                fields=["deployment", "kind", "state", "id"],
                name="use_next",
            ),
        ),
        migrations.AddField(
            model_name="shared",
            name="deployment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="shared",
                to="deployments.deployment",
            ),
        ),
    ]
