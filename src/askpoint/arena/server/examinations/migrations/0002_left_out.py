"""How many cases of a sample were left out."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A count."""

    dependencies = [
        ("examinations", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="examination",
            name="left_out",
            field=models.IntegerField(default=0),
        ),
    ]
