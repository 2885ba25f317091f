"""Names are one if they differ in case alone, or look alike."""

from django.db import migrations, models

import askpoint.server.accounts.models
from askpoint.server.accounts.names import folded, skeleton

__all__ = ["Migration"]


def _keep_keys(apps, schema_editor):
    """Give everybody their keys; of those who look alike already, later ones keep a mark."""
    del schema_editor
    taken = {"folded": set(), "skeleton": set()}
    for user in apps.get_model("accounts", "User").objects.order_by("pk"):
        for field, make in (("folded", folded), ("skeleton", skeleton)):
            key = make(user.username)[:580]
            if key in taken[field]:
                key = f"{key}#{user.pk}"  # no name holds this sign
            taken[field].add(key)
            setattr(user, field, key)
        user.save(update_fields=["folded", "skeleton"])


class Migration(migrations.Migration):
    """Two keys of each name."""

    dependencies = [("accounts", "0003_participant")]

    operations = [
        migrations.AlterModelManagers(
            name="user", managers=[("objects", askpoint.server.accounts.models.People())]
        ),
        *(
            migrations.AddField("user", name, models.CharField(default="", max_length=600))
            for name in ("folded", "skeleton")
        ),
        migrations.RunPython(_keep_keys, migrations.RunPython.noop),
        *(
            migrations.AlterField("user", name, models.CharField(max_length=600, unique=True))
            for name in ("folded", "skeleton")
        ),
    ]
