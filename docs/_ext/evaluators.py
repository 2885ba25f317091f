"""The methods that evaluate judges, listed from their records."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from askpoint.judges.evaluators import list_evaluators

INTERVALS = {None: "no intervals", "these items": "intervals for these items"}


class Evaluators(SphinxDirective):
    """Each method's key in JSON, what it rests on, and what its intervals are about."""

    def run(self):
        """Return a definition list, in order of belief."""
        found = nodes.definition_list()
        for one in list_evaluators():
            term = nodes.term("", "", nodes.literal(text=one.name))
            around = INTERVALS.get(one.intervals, f"intervals for {one.intervals}")
            text = nodes.paragraph(text=f"{one.title}: {one.assumption}; {around}.")
            found += nodes.definition_list_item("", term, nodes.definition("", text))
        return [found]


def setup(app):
    """Add the directive."""
    app.add_directive("evaluators", Evaluators)
    return {"parallel_read_safe": True}
