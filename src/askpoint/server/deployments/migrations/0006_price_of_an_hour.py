"""What an hour of review costs."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A price."""

    dependencies = (("deployments", "0005_weekly_summaries"),)

    operations = (migrations.AddField("deployment", "hour", models.FloatField(null=True)),)
