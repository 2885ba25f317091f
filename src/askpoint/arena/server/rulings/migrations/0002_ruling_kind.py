"""A ruling says what kind of case it is about."""

from django.db import migrations, models

__all__ = ["Migration"]


def _mark_gold(apps, schema_editor):
    apps.get_model("rulings", "Ruling").objects.exclude(gold=None).update(kind="gold")


class Migration(migrations.Migration):
    """Those with a known answer are gold items; all others were submitted so far."""

    dependencies = [("rulings", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="ruling",
            name="kind",
            field=models.CharField(default="submitted", max_length=10),
        ),
        migrations.RunPython(_mark_gold, migrations.RunPython.noop),
    ]
