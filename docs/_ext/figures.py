"""Measured figures, each with the script that makes it: docs/figures.toml."""

import subprocess
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole

HOME = Path(__file__).parents[2]
FIGURES = {
    figure["name"]: figure
    for figure in tomllib.loads((HOME / "docs" / "figures.toml").read_text("utf-8"))["figure"]
}
SOURCE = "https://github.com/askpoint/askpoint/blob/main/"


class Measured(SphinxRole):
    """A figure by its name, with a link to the script that measured it."""

    def run(self):
        """Return the link, or a warning where there is no such figure."""
        if self.text not in FIGURES:
            said = self.inliner.reporter.warning(f"no figure {self.text} in docs/figures.toml")
            return [], [said]
        figure = FIGURES[self.text]
        link = nodes.reference("", figure["value"], refuri=SOURCE + figure["script"])
        link["reftitle"] = f"measured by {figure['script']}"
        return [link], []


def why_stale(figure):
    """Return why a figure is to be measured again, or nothing.

    A shallow or rewritten history may lack the commit at which it was measured.
    """
    if "commit" not in figure:
        return ""
    words = ["git", "log", "--oneline", f"{figure['commit']}..", "--", *figure["code"]]
    told = subprocess.run(words, cwd=HOME, capture_output=True, text=True, check=False)
    if told.returncode:
        return f"its commit {figure['commit']} is not in this history"
    changes = len(told.stdout.splitlines())
    return f"{changes} change{'s' * (changes != 1)} since" if changes else ""


def setup(app):
    """Add the role."""
    app.add_role("measured", Measured())
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    for name, figure in FIGURES.items():
        if why := why_stale(figure):
            print(f"{name}: {why}; measure again by {figure['script']}")
