"""The first tables."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Beat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("about", models.CharField(max_length=60)),
                ("due", models.DateTimeField()),
                ("until", models.DateTimeField(null=True)),
                ("begun", models.DateTimeField(null=True)),
                ("attempts", models.IntegerField(default=0)),
                ("done", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "indexes": [models.Index(fields=["done", "due"], name="job_due")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done", None), ("until", None)),
                        fields=("kind", "about"),
                        name="one_waiting_job",
                    )
                ],
            },
        ),
    ]
