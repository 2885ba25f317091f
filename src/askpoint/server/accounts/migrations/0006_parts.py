"""Invitations to have a part in a classifier in use."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("accounts", "0005_rooms"),
    ]

    operations = [
        migrations.AlterField(
            model_name="invitation",
            name="role",
            field=models.CharField(
                choices=[
                    ("organiser", "organiser"),
                    ("watcher", "watcher"),
                    ("player", "player"),
                    ("judge", "judge"),
                    ("owner", "owner"),
                    ("reviewer", "reviewer"),
                    ("viewer", "viewer"),
                ],
                max_length=10,
            ),
        ),
    ]
