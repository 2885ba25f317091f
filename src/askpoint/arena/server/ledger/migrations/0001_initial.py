"""The first tables."""

import django.db.models.deletion
from django.db import migrations, models

from askpoint.arena.server.ledger.triggers import make_triggers

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Made by ``makemigrations``."""

    initial = True

    dependencies = [
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Balance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("workspace", models.CharField(max_length=40)),
                ("kind", models.CharField(max_length=10)),
                ("owner", models.CharField(max_length=150)),
                ("points", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "kind", "owner"), name="one_balance"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("points__gte", 0),
                            ("kind__in", ["funding", "earned", "debt"]),
                            _connector="OR",
                        ),
                        name="never_overdrawn",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                ("about", models.CharField(db_index=True, max_length=100)),
                ("campaign", models.CharField(db_index=True, max_length=40)),
                ("reverses", models.CharField(max_length=200, null=True)),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("workspace", models.CharField(max_length=40)),
                ("kind", models.CharField(max_length=10)),
                ("owner", models.CharField(max_length=150)),
                ("points", models.BigIntegerField()),
                (
                    "posting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="ledger.posting",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="posting",
            constraint=models.UniqueConstraint(fields=("workspace", "key"), name="one_posting"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["workspace", "kind", "owner"], name="entry_account"),
        ),
        migrations.RunPython(make_triggers, migrations.RunPython.noop),
    ]
