"""Attempts are counted in the database, for all processes together."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A table of counters."""

    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Attempts",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("count", models.IntegerField(default=0)),
                ("since", models.DateTimeField()),
            ],
        ),
    ]
