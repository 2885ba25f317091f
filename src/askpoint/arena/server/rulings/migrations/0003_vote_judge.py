"""A judge's votes are counted on each of their pages."""

from __future__ import annotations

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Find votes by their judge."""

    dependencies = (("rulings", "0002_ruling_kind"),)
    operations = (migrations.AddIndex("vote", models.Index(fields=["judge"], name="vote_judge")),)
