"""Whether what the loop proposes adopts itself."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("deployments", "0006_policy_work"),
    ]

    operations = [
        migrations.AddField(
            model_name="deployment",
            name="renews",
            field=models.BooleanField(default=False),
        ),
    ]
