"""The Monday of the last summary of a week that was sent."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A moment."""

    dependencies = (("deployments", "0004_who_reads_cases"),)

    operations = (migrations.AddField("deployment", "summarised", models.DateTimeField(null=True)),)
