"""The library's reference, made from the code: the shop window by subject, a page for each module."""

import inspect
from pathlib import Path

from sphinx.util.docutils import SphinxDirective

import askpoint
from askpoint.registry import find_plugins

FIRST = "value_curve"
SUBJECTS = {  # a room, or several, under the heading of their subject
    "One call": ("cli",),
    "Which decisions a model may take alone": ("value",),
    "A whole answer, and its report": ("answers", "reports"),
    "Logs": ("records",),
    "What mistakes cost": ("elicitation",),
    "Judges": ("judges",),
    "Unknown unknowns": ("unknowns",),
    "A classifier in use": ("live",),
    "Costs, confidence, intervals": ("measures",),
    "Pictures": ("displays",),
    "A server, from a program": ("client",),
    "Beat the Machine": ("arena",),
    "Errors": ("errors",),
}


def offered():
    """Return what the shop window offers, by subject; the first name first."""
    names = [*askpoint.__all__, *(name for plugin in find_plugins() for name in plugin.names)]
    values = [getattr(askpoint, name) for name in names]
    values.sort(key=lambda value: (value.__name__ != FIRST, value.__module__, value.__name__))
    return {
        subject: [value for value in values if value.__module__.split(".")[1] in rooms]
        for subject, rooms in SUBJECTS.items()
    }


def front():
    """Return the dozen names that ``dir(askpoint)`` shows."""
    return [getattr(askpoint, name) for name in dir(askpoint)]


def modules():
    """Return the public names of each module that has some, in the order of the subjects."""
    found = {}
    for values in offered().values():
        for value in values:
            found.setdefault(value.__module__, []).append(value.__name__)
    return found


def page(module, names):
    """Return the text of a module's page."""
    title = module.removeprefix("askpoint.")
    members = ", ".join(names)
    return f"{title}\n{'=' * len(title)}\n\n.. automodule:: {module}\n   :members: {members}\n"


def write_pages(app):
    folder = Path(app.srcdir, "generated")
    folder.mkdir(exist_ok=True)
    pages = {f"{module}.rst": page(module, names) for module, names in modules().items()}
    for old in folder.iterdir():
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        if not (folder / name).exists() or (folder / name).read_text() != text:
            (folder / name).write_text(text)


def table(title, values):
    """Return a table of names, each with its first line."""
    lines = [title, "-" * len(title), ""]
    lines += [".. list-table::", "   :widths: 30 70", "   :class: window", ""]
    for value in values:
        name, summary = value.__name__, inspect.getdoc(value).splitlines()[0]
        lines += [f"   * - :py:obj:`{name} <{value.__module__}.{name}>`", f"     - {summary}"]
    return lines


def window():
    """Return what `import askpoint` offers: a table and the pages of each subject."""
    lines = table("A dozen to begin with", front())
    lines.append("")
    for subject, values in offered().items():
        if not values:
            continue
        lines += table(subject, values)
        pages = dict.fromkeys(f"   /generated/{value.__module__}" for value in values)
        lines += ["", ".. toctree::", "   :hidden:", "", *pages, ""]
    return "\n".join(lines)


class Window(SphinxDirective):
    """``.. window::`` the names of the shop window, each with its first line."""

    def run(self):
        return self.parse_text_to_nodes(window(), allow_section_headings=True)


def setup(app):
    app.connect("builder-inited", write_pages)
    app.add_directive("window", Window)
    return {"parallel_read_safe": True}
