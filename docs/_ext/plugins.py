"""The plugins that are installed where the documentation is built, and what each adds."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from askpoint.registry import KINDS, find_plugins


class Plugins(SphinxDirective):
    """Each plugin by its name, with the names of what it adds, by kind."""

    def run(self):
        """Return a definition list."""
        found = nodes.definition_list()
        for plugin in find_plugins():
            kinds = {kind: ", ".join(getattr(plugin, kind)) for kind in KINDS}
            parts = [f"{kind}: {names}" for kind, names in kinds.items() if names]
            parts += ["pages and jobs of the server"] * bool(plugin.server)
            term = nodes.term("", "", nodes.literal(text=plugin.name))
            text = nodes.paragraph(text=f"{'; '.join(parts)}.")
            found += nodes.definition_list_item("", term, nodes.definition("", text))
        return [found]


def setup(app):
    """Add the directive."""
    app.add_directive("plugins", Plugins)
    return {"parallel_read_safe": True}
