"""The first tables."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Workspace",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("frozen", "frozen"), ("closed", "closed")],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("money_cap_cents", models.BigIntegerField(null=True)),
                ("day_cap_cents", models.BigIntegerField(null=True)),
                ("made", models.DateTimeField()),
            ],
        ),
    ]
