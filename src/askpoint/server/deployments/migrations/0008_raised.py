"""Audit rates of groups, and regions that were found."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("deployments", "0007_renewal"),
    ]

    operations = [
        migrations.AddField(
            model_name="deployment",
            name="raised",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="deployment",
            name="regions",
            field=models.JSONField(default=dict),
        ),
    ]
