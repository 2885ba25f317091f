"""The first tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Image",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("belongs_to", models.CharField(max_length=40)),
                ("sha256", models.CharField(max_length=64)),
                ("kind", models.CharField(max_length=20)),
                ("content", models.BinaryField()),
                ("width", models.IntegerField()),
                ("height", models.IntegerField()),
                ("size", models.IntegerField()),
                ("print", models.BinaryField()),
                ("at", models.DateTimeField()),
                ("kept", models.BooleanField(default=False)),
                ("deleted", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["sha256"], name="image_content"),
                    models.Index(fields=["belongs_to", "user"], name="image_owner"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("belongs_to", "sha256"), name="one_image")
                ],
            },
        ),
    ]
