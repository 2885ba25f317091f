"""What a search engine shows of a page: its first paragraph, as the page's description."""

from docutils import nodes

LONGEST = 160  # signs that search engines show


def describe(app, pagename, templatename, context, doctree):  # noqa: ARG001 - as Sphinx calls it
    """Give the template the beginning of a page's first paragraph, in whole words."""
    first = next(iter(doctree.findall(nodes.paragraph)), None) if doctree else None
    text = " ".join(first.astext().split()) if first else "askpoint, the documentation"
    if len(text) > LONGEST:
        text = text[:LONGEST].rpartition(" ")[0] + " ..."
    context["description"] = text


def setup(app):
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True}
