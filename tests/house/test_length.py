"""The documentation stays short: at most 38,000 words outside code, tables and the reference."""

from __future__ import annotations

import sys
from pathlib import Path

HOME = Path(__file__).parents[2]
sys.path.insert(0, str(HOME / "docs" / "_ext"))

import count_words  # noqa: E402


def test_the_documentation_is_short():
    words = sum(prose for _, prose, _ in count_words.count_kinds().values())
    assert words <= count_words.MOST, f"{words:,} words: `make words` shows which page has how many"


def test_code_and_tables_are_counted_apart():
    text = """# One two

Three `four five` [six](seven.md#eight).

| a | b |
|---|---|
| 1 | nine ten |

```python
not counted
```

$$
x + y
$$
"""
    assert count_words.count_words(text) == (4, 5)


def test_the_page_shows_the_table_of_the_script():
    page = (HOME / "docs" / "project" / "words.md").read_text("utf-8")
    assert page.count("| Kind | Pages | Words | In tables |") == 1
    assert f"at most {count_words.MOST:,} words" in page
