"""The large numbers at the top of a page, as its reader sees them."""

import html
import re


def masthead(path):
    """Return name, number and what stands below it, of at most four figures in the first section."""
    text = path.read_text(encoding="utf-8")
    first = text[: text.index("</section>")]
    assert first.index('class="lead"') < first.index('<dl class="figures">')
    rows = re.findall(r"<dt>(.*?)</dt><dd>(.*?)(?: <small>(.*?)</small>)?</dd>", first)
    assert 1 <= len(rows) <= 4
    return {
        name: (number, below) for name, number, below in (map(html.unescape, row) for row in rows)
    }
