"""A picture on a page, drawn by the examples that stand above it."""

import re
from doctest import DocTestParser
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from askpoint.displays.theme import svg

_EXAMPLES = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Picture(SphinxDirective):
    """The display that the argument names; the content says what it shows."""

    required_arguments = 1
    has_content = True

    def run(self):
        """Run the examples down to here, and return the picture with its words below."""
        lines = (
            Path(self.env.doc2path(self.env.docname)).read_text("utf-8").splitlines(keepends=True)
        )
        done = self.env.temp_data.setdefault("pictures", {"names": {}, "examples": 0})
        found = _EXAMPLES.findall("".join(lines[: self.lineno]))
        for text in found[done["examples"] :]:
            for example in DocTestParser().get_examples(text):
                exec(example.source, done["names"])
        done["examples"] = len(found)
        words = " ".join(self.content)
        drawn = svg(done["names"][self.arguments[0]].plot)
        picture = nodes.image(uri="data:image/svg+xml," + quote(drawn), alt=words)
        picture["classes"].append("dark-light")  # the theme need not darken what darkens itself
        return [nodes.figure("", picture, nodes.caption("", words))]


def setup(app):
    """Add the directive."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
