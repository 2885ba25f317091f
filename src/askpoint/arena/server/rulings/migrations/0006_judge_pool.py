"""From whose queue a judge is given cases."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("rulings", "0005_gold_renewed"),
    ]

    operations = [
        migrations.AddField(
            model_name="judge",
            name="pool",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
    ]
