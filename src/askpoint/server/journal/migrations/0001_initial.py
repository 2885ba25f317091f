"""The first tables."""

from django.db import migrations, models

from askpoint.server.journal.triggers import make_triggers

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="LogLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("workspace", models.CharField(blank=True, max_length=40)),
                ("at", models.DateTimeField()),
                ("who", models.CharField(max_length=150)),
                ("what", models.CharField(max_length=30)),
                ("campaign", models.CharField(blank=True, max_length=40)),
                ("about", models.CharField(blank=True, max_length=200)),
                ("said", models.JSONField(default=dict)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["campaign", "at"], name="log_campaign"),
                    models.Index(fields=["who", "at"], name="log_who"),
                ],
            },
        ),
        migrations.RunPython(make_triggers, migrations.RunPython.noop),
    ]
