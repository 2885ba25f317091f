"""Rulings of owners beside labels."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A table."""

    dependencies = (("deployments", "0006_price_of_an_hour"),)

    operations = (
        migrations.CreateModel(
            "CaseRuling",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("label", models.CharField(max_length=80)),
                ("why", models.CharField(blank=True, max_length=500)),
                ("who", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="deployments.policy",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["policy", "key"], name="use_ruling")],
            },
        ),
    )
