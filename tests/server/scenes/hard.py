"""What is hard to show: long, unbroken, from right to left, of many signs."""

from __future__ import annotations

__all__ = ["ARABIC", "CASES", "FEATURES", "KINDS", "LONG_NAME"]

LONG_NAME = "Maximiliane.von-und-zu-Hohenstein_der-Unermüdlichen@example.org"
ARABIC = "ليلى"
CASES = {
    "arabic": "أنت لست من هنا، ولن تكون أبدًا من هنا مهما فعلت",
    "emoji": "🤡🤡 what a 🐍 you are 👩‍👩‍👧‍👦 hm 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "unbroken": "Donaudampfschifffahrtsgesellschaftskapitän" * 119,
    "lines": "first line\n\nthird line, of which\n\tthe rest is indented\n" * 20,
}
KINDS = (
    "nothing of the kind",
    "an insult to a person",
    "contempt for a group of people",
    "Verharmlosung geschichtlicher Verbrechen und deren Opfer",
    "threat",
    "spam",
)
FEATURES = (
    {"name": "age", "kind": "number", "options": []},
    {"name": "income in thousands a year, before tax", "kind": "number", "options": []},
    {"name": "housing", "kind": "choice", "options": ["rents", "owns", "lives with parents"]},
)
