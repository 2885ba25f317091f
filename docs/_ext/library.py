"""The library's reference, made from the code: a page for each module, and the shop window."""

import inspect
import pkgutil
from pathlib import Path

from sphinx.util.docutils import SphinxDirective

import askpoint

DOORS = ("cli", "server")  # documented as commands and pages, not as a library


def modules():
    """Return the names of the modules that the library consists of."""
    found = pkgutil.walk_packages(askpoint.__path__, "askpoint.")
    return sorted(
        module.name
        for module in found
        if not module.ispkg and module.name.split(".")[1] not in (*DOORS, "__main__")
    )


def page(module):
    """Return the text of a module's page."""
    title = module.removeprefix("askpoint.")
    return f"{title}\n{'=' * len(title)}\n\n.. automodule:: {module}\n"


def write_pages(app):
    folder = Path(app.srcdir, "generated")
    folder.mkdir(exist_ok=True)
    pages = {f"{module}.rst": page(module) for module in modules()}
    for old in folder.iterdir():
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        if not (folder / name).exists() or (folder / name).read_text() != text:
            (folder / name).write_text(text)


def window():
    """Return the table of what `import askpoint` offers."""
    lines = [".. list-table::", "   :widths: 30 70", "   :class: window", ""]
    offered = [getattr(askpoint, name) for name in askpoint.__all__]
    for value in sorted(offered, key=lambda value: (value.__module__, value.__name__)):
        name, summary = value.__name__, inspect.getdoc(value).splitlines()[0]
        lines += [f"   * - :py:obj:`{name} <{value.__module__}.{name}>`", f"     - {summary}"]
    return "\n".join(lines)


class Window(SphinxDirective):
    """``.. window::`` the names of the shop window, each with its first line."""

    def run(self):
        return self.parse_text_to_nodes(window())


def setup(app):
    app.connect("builder-inited", write_pages)
    app.add_directive("window", Window)
    return {"parallel_read_safe": True}
