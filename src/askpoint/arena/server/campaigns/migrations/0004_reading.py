"""How much one person reads: covered cases, limits a day, breaks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Settings of a campaign, and a day for each person."""

    dependencies = [
        ("campaigns", "0003_campaign_kind"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="break_after",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="campaign",
            name="break_for",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="campaign",
            name="most_cases",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="campaign",
            name="most_minutes",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="campaign",
            name="veiled",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="Workday",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("begun", models.DateTimeField()),
                ("at", models.DateTimeField()),
                ("cases", models.IntegerField(default=0)),
                ("worked", models.DurationField()),
                ("stretch", models.DurationField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="workdays",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "user"), name="one_workday")
                ],
            },
        ),
    ]
