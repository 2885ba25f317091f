"""Images as cases."""

from django.db import migrations, models

__all__ = ["Migration"]


class Migration(migrations.Migration):
    """Names one more kind of case."""

    dependencies = [
        ("classifiers", "0003_pages"),
    ]

    operations = [
        migrations.AlterField(
            model_name="classifier",
            name="cases",
            field=models.CharField(
                choices=[
                    ("text", "a text"),
                    ("row", "a row of features"),
                    ("page", "a web page, by its address"),
                    ("image", "an image"),
                ],
                default="text",
                max_length=5,
            ),
        ),
    ]
