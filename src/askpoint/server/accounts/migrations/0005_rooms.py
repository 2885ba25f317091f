"""A link may have several places, and who took them is kept."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

__all__ = ["Migration"]


def _keep_who_came(apps, schema_editor):
    """Keep the people who used a link, as those who took its one place."""
    del schema_editor
    kept = apps.get_model("accounts", "Acceptance").objects
    for row in apps.get_model("accounts", "Invitation").objects.exclude(used=None):
        row.taken = 1
        row.save(update_fields=["taken"])
        if row.used_by_id is not None:
            kept.create(invitation=row, user_id=row.used_by_id, at=row.used)


def _key(to, name):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name=name, to=to)


class Migration(migrations.Migration):
    """Places, and who took them."""

    dependencies = [("accounts", "0004_names")]

    operations = [
        migrations.AddField("invitation", "places", models.PositiveIntegerField(default=1)),
        migrations.AddField("invitation", "taken", models.PositiveIntegerField(default=0)),
        migrations.AlterField(
            "invitation",
            "role",
            models.CharField(
                choices=[
                    ("organiser", "organiser"),
                    ("watcher", "watcher"),
                    ("player", "player"),
                    ("judge", "judge"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Acceptance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("invitation", _key("accounts.invitation", "acceptances")),
                ("user", _key(settings.AUTH_USER_MODEL, "acceptances")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["invitation", "user"], name="one_acceptance")
                ]
            },
        ),
        migrations.RunPython(_keep_who_came, migrations.RunPython.noop),
        migrations.RemoveField("invitation", "used"),
        migrations.RemoveField("invitation", "used_by"),
    ]
