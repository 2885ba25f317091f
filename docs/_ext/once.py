"""What Sphinx and its friends would make again for each page or docstring is made once."""

from functools import cache

from numpydoc import docscrape_sphinx


def keep_contents(app, pagename, templatename, context, doctree):  # noqa: ARG001 - as Sphinx calls it
    """Keep a page's table of contents: the theme asks for it to see whether there is one, and again to show it."""
    context["toctree"] = cache(context["toctree"])


def keep_template():
    """Let numpydoc compile its template once in place of for each docstring."""
    made = docscrape_sphinx.SandboxedEnvironment

    @cache
    def environment():
        return made()

    def with_loader(loader):
        kept = environment()
        if kept.loader is None:
            kept.loader = loader
        return kept

    docscrape_sphinx.SandboxedEnvironment = with_loader


def setup(app):
    app.connect("html-page-context", keep_contents, priority=100)  # before the theme
    keep_template()
    return {"parallel_read_safe": True}
