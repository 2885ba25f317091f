"""Chat models, and cases that stopped a model."""

import django.db.models.deletion
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Adds how a chat model is asked, and the cases that are put aside."""

    dependencies = [
        ("classifiers", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="classifier",
            name="chat",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AlterField(
            model_name="classifier",
            name="adapter",
            field=models.CharField(
                choices=[
                    ("callable", "a Python function on the server"),
                    ("http", "an HTTP address"),
                    ("chat", "a chat model at an OpenAI-compatible address"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="SetAside",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("case", models.JSONField()),
                ("sent_by", models.CharField(blank=True, max_length=150)),
                ("hung", models.BooleanField()),
                ("at", models.DateTimeField()),
                (
                    "classifier",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="set_aside",
                        to="classifiers.classifier",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["sent_by", "at"], name="set_aside_by")],
                "constraints": [
                    models.UniqueConstraint(fields=("classifier", "digest"), name="one_set_aside")
                ],
            },
        ),
    ]
