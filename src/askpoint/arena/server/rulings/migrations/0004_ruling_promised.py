"""How many votes and claims a case has is kept with it, so that a long queue is read fast."""

from collections import Counter

from django.db import migrations, models

__all__ = ["Migration"]


def _count(apps, schema_editor):
    rulings = apps.get_model("rulings", "Ruling").objects
    votes = apps.get_model("rulings", "Vote").objects.filter(void=False)
    leases = apps.get_model("rulings", "Lease").objects.all()
    promised = Counter(votes.values_list("ruling", flat=True))
    promised.update(leases.values_list("ruling", flat=True))
    for case, count in promised.items():
        rulings.filter(pk=case).update(promised=count)


class Migration(migrations.Migration):
    """Open cases get what their votes and leases say."""

    dependencies = [("rulings", "0003_vote_judge")]

    operations = [
        migrations.AddField(
            model_name="ruling",
            name="promised",
            field=models.IntegerField(default=0),
        ),
        migrations.RemoveIndex(model_name="ruling", name="ruling_queue"),
        migrations.AddIndex(
            model_name="ruling",
            index=models.Index(
                fields=["campaign", "state", "promised", "opened"], name="ruling_queue"
            ),
        ),
        migrations.RunPython(_count, migrations.RunPython.noop),
    ]
