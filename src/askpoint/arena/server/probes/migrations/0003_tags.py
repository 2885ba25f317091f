"""Items with their tags, and the probes that challenge them."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Two tables."""

    dependencies = [
        ("campaigns", "0003_campaign_kind"),
        ("probes", "0002_families"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField()),
                ("item", models.TextField()),
                ("first", models.CharField(blank=True, max_length=80)),
                ("label", models.CharField(blank=True, max_length=80)),
                ("holder", models.CharField(blank=True, max_length=150)),
                ("at", models.DateTimeField()),
                ("challenge", models.CharField(blank=True, max_length=16)),
                ("before", models.CharField(blank=True, max_length=150)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tags",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                (
                    "probe",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="challenge",
                        serialize=False,
                        to="probes.probe",
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to="probes.tag",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="tag",
            constraint=models.UniqueConstraint(fields=("campaign", "number"), name="one_item"),
        ),
    ]
