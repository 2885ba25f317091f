"""A column of JSON whose numbers stay as they were written, for they are hashed: `jsonb` makes 1e22 an integer."""

from __future__ import annotations

import json
from typing import Any

from django.db import models

from askpoint.live.canonical import canonical_json

__all__ = ["ExactJSONField"]


class ExactJSONField(models.TextField):
    """Canonical JSON as a text."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """Return what the text says."""
        del expression, connection
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Return the text."""
        return None if value is None else canonical_json(value)
