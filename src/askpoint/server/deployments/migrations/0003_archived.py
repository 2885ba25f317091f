"""Since when a classifier is archived, and since when deleted."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Two moments."""

    dependencies = (("deployments", "0002_case_lists"),)

    operations = (
        migrations.AddField("deployment", "archived", models.DateTimeField(null=True)),
        migrations.AddField("deployment", "deleted", models.DateTimeField(null=True)),
    )
