"""Sphinx: builds offline, and a warning is an error."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

from askpoint.displays.theme import DARK, LIGHT

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "askpoint"
copyright = "the askpoint developers"
version = release = installed("askpoint")

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "commands",
    "descriptions",
    "evaluators",
    "plugins",
    "library",
    "mathml",
    "once",
    "pictures",
    "figures",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

autodoc_default_options = {
    "members": True,
    # of our own bases, such as Display.plot; not of what Python and scikit-learn bring
    "inherited-members": "BaseException, BaseEstimator, ClassifierMixin, MetaEstimatorMixin, tuple",
    "no-value": True,
    # made by scikit-learn, with links into its own pages
    "exclude-members": "set_fit_request, set_score_request",
}
autodoc_typehints = "none"  # numpydoc's sections say the types
autodoc_member_order = "bysource"
add_module_names = False
numpydoc_show_class_members = False
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

html_theme = "pydata_sphinx_theme"
html_title = "askpoint"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["askpoint.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": ["book.html"]}
html_theme_options = {
    "navbar_center": [],
    "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
    # each version's pages lie in a folder of its name; docs/project/release.md says how the list gets to all of them
    "switcher": {"json_url": "_static/switcher.json", "version_match": version},
    "show_version_warning_banner": True,
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_dark_style": "github-dark",
}


def palette(theme):
    """The colours of the report's page, so that both look alike."""
    colours = {
        "background": theme.paper,
        "on-background": theme.paper,
        "surface": theme.paper,
        "text-base": theme.ink,
        "text-muted": theme.muted,
        "border": theme.faint,
        "primary": theme.accent,
        "secondary": theme.accent,
        "link": theme.accent,
        "link-hover": theme.accent,
        "inline-code": theme.ink,
    }
    lines = "".join(f"--pst-color-{name}:{colour};" for name, colour in colours.items())
    return f'html[data-theme="{theme.name}"]{{{lines}}}'


html_context = {"palette": palette(LIGHT) + palette(DARK), "default_mode": "auto"}
