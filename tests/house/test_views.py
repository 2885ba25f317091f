"""What a view asks the database itself begins with what its decorator handed it, or with the visitor; it writes nothing.

So the boundary of a workspace is drawn in the `access.py` of each part, and no view can step over it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from audit import SOURCE

VIEW = re.compile(r"^@(require_|for_|login_required)", re.MULTILINE)
HANDED = {
    *("agent", "campaign", "deployment", "judge", "player"),  # by the decorators of `access.py`
    *("user", "me", "request"),
    *("row", "mine"),  # found from one of these
    *("found", "token"),  # an invitation, a token: who holds its secret may
}
WRITES = {"bulk_create", "bulk_update", "create", "delete", "get_or_create", "update", "update_or_create"}  # fmt: skip
ALONE = {
    "server/home/views.py: User.objects.filter(username=name)": "the people of `--demo`",
    "server/health.py": "the whole server's health, no workspace's",
    "server/metrics.py: Classifier.objects.all()": "the same, as numbers without names",
    "arena/server/organisers/joining.py: Campaign.objects.filter(pk=campaign.pk)": "its form, kept with its line",
    "arena/server/organisers/people.py: User.objects.filter(here)": "`here` names the campaign",
}


def chains(tree: ast.Module) -> Iterator[tuple[str, list[str], list[ast.AST]]]:
    """Yield each query that begins with a manager: in words, its methods, and what it is filtered by."""
    parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and node.attr == "objects"):
            continue
        methods, filters, whole = [], [], ""
        link: ast.AST = node
        while isinstance(above := parents.get(id(link)), ast.Attribute | ast.Call):
            if isinstance(above, ast.Call) and above.func is not link:
                break
            if isinstance(above, ast.Attribute):
                methods.append(above.attr)
            elif methods[-1] in ("filter", "get"):
                filters += [*above.args, *above.keywords]
                whole = whole or ast.unparse(above)
            link = above
        yield whole or ast.unparse(link), methods, filters


def steps_over(source: Path) -> list[str]:
    """Return the queries in views that write, or begin with nothing that was handed to the view."""
    found = []
    for path in sorted(source.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.name != "views.py" and not VIEW.search(text):
            continue
        for words, methods, filters in chains(ast.parse(text)):
            names = {
                name.id for one in filters for name in ast.walk(one) if isinstance(name, ast.Name)
            }
            if WRITES & {*methods} or not names & HANDED:
                found.append(f"{path.relative_to(source).as_posix()}: {words}")
    return found


def test_views_stay_where_their_decorators_let_them():
    found = steps_over(SOURCE)
    assert [one for one in found if not {one, one.partition(":")[0]} & {*ALONE}] == []
    assert all(any(one.startswith(alone) for one in found) for alone in ALONE)


def test_a_view_that_steps_over_is_found(tmp_path):
    (tmp_path / "views.py").write_text(
        "def show(request, campaign, name):\n"
        "    Probe.objects.filter(campaign=campaign).order_by('at').first()\n"
        "    Probe.objects.get(pk=name)\n"
        "    Probe.objects.all()\n"
        "    Probe.objects.filter(campaign=campaign).update(at=None)\n"
    )
    assert steps_over(tmp_path) == [
        "views.py: Probe.objects.get(pk=name)",
        "views.py: Probe.objects.all()",
        "views.py: Probe.objects.filter(campaign=campaign)",
    ]
