"""What the work of a check was worth when a policy was chosen."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("deployments", "0005_labelling_tools"),
    ]

    operations = [
        migrations.AddField(
            model_name="policy",
            name="work",
            field=models.FloatField(null=True),
        ),
    ]
