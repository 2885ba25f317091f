"""Cases that repeat one another are a family; what was submitted before stands for itself."""

from django.db import migrations, models
from django.db.models import F

__all__ = ["Migration"]


def _alone(apps, schema_editor):
    probes = apps.get_model("probes", "Probe").objects.exclude(submitted=None)
    probes.update(family=F("id"))
    probes.filter(state="judged").update(place="first")
    if schema_editor.connection.vendor == "postgresql":
        # an index that is made after this waits for no check of a changed row
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    """Nobody's pay changes by it."""

    dependencies = [("probes", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="probe",
            name="family",
            field=models.CharField(blank=True, db_index=True, default="", max_length=16),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="probe",
            name="place",
            field=models.CharField(blank=True, default="", max_length=8),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="probe",
            index=models.Index(fields=["campaign", "submitted"], name="probe_order"),
        ),
        migrations.RunPython(_alone, migrations.RunPython.noop),
    ]
