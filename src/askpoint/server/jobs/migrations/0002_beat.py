"""When the background process was last seen."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("jobs", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Beat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
    ]
