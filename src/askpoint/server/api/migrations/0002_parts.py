"""Tokens for owners, reviewers and viewers of classifiers."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    dependencies = [
        ("api", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="token",
            name="role",
            field=models.CharField(
                choices=[
                    ("organiser", "organiser"),
                    ("player", "player"),
                    ("judge", "judge"),
                    ("owner", "owner of classifiers"),
                    ("reviewer", "reviewer of classifiers"),
                    ("viewer", "viewer of classifiers"),
                ],
                max_length=10,
            ),
        ),
    ]
