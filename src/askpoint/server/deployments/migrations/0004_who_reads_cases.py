"""Contents go after 180 days where owners say nothing else, and who read cases is counted."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """A default for what is made from now on, a right of viewers, and a table."""

    dependencies = (("deployments", "0003_archived"),)

    operations = (
        migrations.AlterField(
            "deployment", "keep_days", models.IntegerField(null=True, default=180)
        ),
        migrations.AddField("deployment", "viewers_read", models.BooleanField(default=False)),
        migrations.CreateModel(
            "CaseReading",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reader", models.CharField(max_length=150)),
                ("date", models.DateField()),
                ("key", models.CharField(max_length=200)),
                (
                    "deployment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="readings",
                        to="deployments.deployment",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deployment", "reader", "date", "key"), name="use_reading"
                    )
                ]
            },
        ),
    )
