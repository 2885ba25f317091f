"""The log, which the database itself keeps append-only."""

from django.db import migrations, models

__all__ = ["Migration"]


def _refuse(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE FUNCTION askpoint_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
            "BEGIN RAISE EXCEPTION 'the log is append-only'; END $$"
        )
        for name, act, each in (
            ("append_only", "UPDATE OR DELETE", "ROW"),
            ("append_only_whole", "TRUNCATE", "STATEMENT"),
        ):
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {act} ON journal_logline "
                f"FOR EACH {each} EXECUTE FUNCTION askpoint_log_append_only()"
            )
        return
    for act in ("UPDATE", "DELETE"):
        schema_editor.execute(
            f"CREATE TRIGGER journal_logline_no_{act.lower()} BEFORE {act} ON journal_logline "
            "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
        )


class Migration(migrations.Migration):
    """Made by ``makemigrations``, and triggers in the words of each database."""

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="LogLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("who", models.CharField(max_length=150)),
                ("what", models.CharField(max_length=30)),
                ("campaign", models.CharField(blank=True, max_length=40)),
                ("about", models.CharField(blank=True, max_length=200)),
                ("said", models.JSONField(default=dict)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["campaign", "at"], name="log_campaign"),
                    models.Index(fields=["who", "at"], name="log_who"),
                ],
            },
        ),
        migrations.RunPython(_refuse, migrations.RunPython.noop),
    ]
