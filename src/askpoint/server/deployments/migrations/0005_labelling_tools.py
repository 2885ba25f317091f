"""The secret that signs labels, what was told to labelling tools, and an index in the order of the queue."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("deployments", "0004_shared_queue"),
        ("webhooks", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Pushed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("upto", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.RemoveIndex(
            model_name="case",
            name="use_next",
        ),
        migrations.AddField(
            model_name="deployment",
            name="hook",
            field=models.CharField(blank=True, default="", max_length=32),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                condition=models.Q(("labelled", None)),
                fields=["deployment", "kind", "state", "opened", "id"],
                name="use_next",
            ),
        ),
        migrations.AddField(
            model_name="pushed",
            name="deployment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="deployments.deployment",
            ),
        ),
        migrations.AddField(
            model_name="pushed",
            name="endpoint",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="webhooks.endpoint",
            ),
        ),
        migrations.AddConstraint(
            model_name="pushed",
            constraint=models.UniqueConstraint(
                fields=("endpoint", "deployment"), name="use_pushed"
            ),
        ),
    ]
