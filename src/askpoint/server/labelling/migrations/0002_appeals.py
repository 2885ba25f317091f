"""Appeals of reviewers."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A table."""

    dependencies = (("labelling", "0001_initial"),)

    operations = (
        migrations.CreateModel(
            "Appeal",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reviewer", models.CharField(max_length=150)),
                ("why", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                ("answer", models.CharField(max_length=80, null=True)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("answered", models.DateTimeField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeals",
                        to="labelling.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("case", "reviewer"), name="one_appeal_each")
                ],
            },
        ),
    )
