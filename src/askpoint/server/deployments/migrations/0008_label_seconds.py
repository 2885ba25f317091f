"""How long a label takes, as the background process measured it."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A number."""

    dependencies = (("deployments", "0007_rulings"),)

    operations = (migrations.AddField("deployment", "label_seconds", models.FloatField(null=True)),)
