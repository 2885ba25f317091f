"""The answer of a report in a sentence, which is the title of its page."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A text; a report that was made before has none, and its page is called by the file's name."""

    dependencies = (("deployments", "0008_label_seconds"),)

    operations = (
        migrations.AddField(
            "logreport", "headline", models.CharField(blank=True, default="", max_length=300)
        ),
    )
