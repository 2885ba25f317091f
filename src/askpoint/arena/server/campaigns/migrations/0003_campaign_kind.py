"""A campaign looks for cases, or for better tags."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """One column."""

    dependencies = [
        ("campaigns", "0002_people"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="kind",
            field=models.CharField(default="cases", max_length=10),
        ),
    ]
