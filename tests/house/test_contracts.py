"""The contracts between rooms bite: each is broken on purpose in a copy of the house."""

from __future__ import annotations

import pytest

BROKEN = {
    "upward": (
        {
            "value/low.py": "",
            "measures/high.py": "from askpoint.value import low\n",
        },
        ["askpoint.measures is not allowed to import askpoint.value"],
    ),
    "upward in a function": (
        {
            "cli/door.py": "",
            "errors.py": "def late():\n    from askpoint.cli import door\n    return door\n",
        },
        ["askpoint.errors is not allowed to import askpoint.cli"],
    ),
    "sideways among the sciences": (
        {
            "judges/votes.py": "",
            "unknowns/island.py": "import askpoint.judges.votes\n",
        },
        ["askpoint.unknowns is not allowed to import askpoint.judges"],
    ),
    "sideways above them": (
        {
            "live/rules.py": "",
            "labelling/file.py": "import askpoint.live.rules\n",
        },
        ["askpoint.labelling is not allowed to import askpoint.live"],
    ),
    "the core from a wing": (
        {"records/file.py": "import askpoint.arena.game.rules\n", "arena/game/rules.py": ""},
        ["askpoint.records is not allowed to import askpoint.arena"],
    ),
    "upward in a wing": (
        {
            "arena/simulation/people.py": "",
            "arena/game/moves.py": "import askpoint.arena.simulation.people\n",
        },
        ["askpoint.arena.game is not allowed to import askpoint.arena.simulation"],
    ),
    "a new room": ({"utils/misc.py": ""}, ["utils"]),
    "a new file beside the rooms": ({"helpers.py": ""}, ["helpers"]),
    "a circle in a room": (
        {
            "value/first.py": "import askpoint.value.second\n",
            "value/second.py": "import askpoint.value.first\n",
        },
        ["No circles between the files of a room BROKEN", "askpoint.value"],
    ),
}


STRANGE = (
    "a new room",
    "a new file beside the rooms",
)  # of which no contract knows where they stand


def test_a_house_that_is_broken_everywhere_is_refused_for_each_breach(broken, tool):
    """All breaches at once: each copy of the house costs a second."""
    breaches = [breach for name, breach in BROKEN.items() if name not in STRANGE]
    done = tool(
        broken({name: text for files, _ in breaches for name, text in files.items()}),
        *("lint-imports", "--no-cache"),
    )
    assert done.returncode == 1, done.stdout + done.stderr
    missing = [what for _, complaints in breaches for what in complaints if what not in done.stdout]
    assert not missing, done.stdout


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_room_is_refused(name, broken, tool):
    files, complaints = BROKEN[name]
    done = tool(broken(files), "lint-imports", "--no-cache")
    assert done.returncode == 1, done.stdout + done.stderr
    assert all(complaint in done.stdout for complaint in complaints)


def test_the_house_as_it_stands_is_kept(broken, tool):
    done = tool(broken({}), "lint-imports", "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr
