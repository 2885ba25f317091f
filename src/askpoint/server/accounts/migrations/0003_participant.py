"""What a person is called at a provider who pays."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Empty for everybody."""

    dependencies = [("accounts", "0002_attempts")]

    operations = [
        migrations.AddField(
            "user",
            "participant",
            models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
    ]
