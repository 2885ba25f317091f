"""Gold is renewed from ruled cases and measured in a moving window; skips are counted."""

from django.db import migrations, models

__all__ = ["Migration"]

_WINDOW = 20


def _carry_over(apps, schema_editor):
    """Begin the window with the share that a judge had; count the votes that were given."""
    votes = apps.get_model("rulings", "Vote").objects.exclude(ruling__kind="gold")
    for judge in apps.get_model("rulings", "Judge").objects.select_related("user"):
        seen = min(_WINDOW, judge.gold_seen)
        right = round(seen * judge.gold_right / judge.gold_seen) if seen else 0
        judge.recent = [False] * (seen - right) + [True] * right
        mine = votes.filter(judge=judge.user.username, ruling__campaign=judge.campaign_id)
        judge.voted = mine.count()
        judge.save()


class Migration(migrations.Migration):
    """Who was paused stays so."""

    dependencies = [("rulings", "0004_ruling_promised")]

    operations = [
        migrations.AddField("judge", "recent", models.JSONField(default=list)),
        migrations.AddField("judge", "voted", models.IntegerField(default=0)),
        migrations.AddField("judge", "skipped", models.IntegerField(default=0)),
        migrations.AddField("judge", "since", models.DateTimeField(null=True)),
        migrations.AddField(
            "ruling", "skipped", models.TextField(blank=True, default=""), preserve_default=False
        ),
        migrations.AddField(
            "ruling",
            "source",
            models.CharField(blank=True, db_index=True, default="", max_length=16),
            preserve_default=False,
        ),
        migrations.RunPython(_carry_over, migrations.RunPython.noop),
    ]
