"""Indexes and marks for lists of cases, and the index of keys that databases of before 28 November 2026 lack on PostgreSQL."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Count

__all__ = ["Migration"]

_PART = 2_000
_ONE_DECISION = models.UniqueConstraint(
    fields=["deployment", "key"],
    name="use_decision",
    opclasses=("varchar_pattern_ops", "varchar_pattern_ops"),
)
_BY_BYTES = (
    "SELECT count(*) FROM pg_index JOIN pg_opclass ON pg_opclass.oid = ANY (pg_index.indclass) "
    "WHERE indexrelid = to_regclass('use_decision') AND opcname = 'varchar_pattern_ops'"
)


def _order_keys_by_bytes(apps: Any, schema_editor: Any) -> None:
    """Make the index by which keys are found by their beginning, where the first migration made another one."""
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(_BY_BYTES)
        if cursor.fetchone()[0]:
            return
    schema_editor.execute("ALTER TABLE deployments_receipt DROP CONSTRAINT use_decision")
    schema_editor.add_constraint(apps.get_model("deployments", "Receipt"), _ONE_DECISION)


def _mark_cases(apps: Any, schema_editor: Any) -> None:
    """Mark the cases on which reviewers differed, or one was not sure."""
    del schema_editor
    cases = apps.get_model("labelling", "Case").objects.filter(
        queue__startswith="classifier/", purpose__in=("asked", "audit")
    )
    votes = apps.get_model("labelling", "Vote").objects.filter(void=False, case__in=cases)
    counted = votes.order_by().values("case").annotate(said=Count("choice", distinct=True))
    differ = cases.filter(pk__in=counted.filter(said__gt=1).values("case"))
    for kind, rows in (("differ", differ), ("unsure", cases.exclude(skipped=""))):
        found: list[tuple[str, str]] = []
        for one in rows.values_list("queue", "key").order_by("queue").iterator():
            found.append(one)
            if len(found) == _PART:
                _mark(apps, kind, found)
                found = []
        _mark(apps, kind, found)


def _mark(apps: Any, kind: str, found: list[tuple[str, str]]) -> None:
    marks = apps.get_model("deployments", "CaseMark").objects
    receipts = apps.get_model("deployments", "Receipt").objects
    keys: dict[str, list[str]] = {}
    for queue, key in found:
        keys.setdefault(queue.partition("/")[2], []).append(key)
    for name, some in keys.items():
        decided = receipts.filter(deployment=name, key__in=some).values("policy_id", "seq")
        marks.bulk_create(marks.model(kind=kind, **one) for one in decided)


class Migration(migrations.Migration):
    """Made by ``makemigrations``, and two steps by hand."""

    dependencies = [("deployments", "0001_initial"), ("labelling", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="CaseMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=8)),
                ("seq", models.BigIntegerField()),
                (
                    "policy",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="deployments.policy",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="casemark",
            constraint=models.UniqueConstraint(fields=("policy", "kind", "seq"), name="use_mark"),
        ),
        migrations.AddIndex(
            model_name="receipt",
            index=models.Index(fields=["policy", "prediction", "seq"], name="use_receipt_answer"),
        ),
        migrations.AddIndex(
            model_name="label",
            index=models.Index(
                condition=models.Q(("counts", True)),
                fields=["policy", "label", "wrong", "-seq"],
                name="use_label_said",
            ),
        ),
        migrations.RunPython(_order_keys_by_bytes, migrations.RunPython.noop),
        migrations.RunPython(_mark_cases, migrations.RunPython.noop),
    ]
