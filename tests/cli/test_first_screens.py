"""The page of each command: at most 90 words on its first screen, 250 KB, an answer first and no more in sight."""

from __future__ import annotations

from functools import partial

import click
import pytest
from playwright.sync_api import sync_playwright

from askpoint.cli.main import main
from cli import test_elicit, test_examine, test_licence
from cli.deployments import Folder, log_of
from cli.logs import make_log
from cli.panels import gold_rows, system_rows
from cli.test_approvals import log_of as approvals

MOST_WORDS, MOST_BYTES = 90, 250_000
WORDS = """() => {
  const seen = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (node.parentElement.checkVisibility({contentVisibilityAuto: true}) && box.height && box.top < innerHeight && !node.parentElement.closest("nav, script, style"))
      seen.push(node.textContent);
  }
  return seen.join(" ").split(/\\s+/).filter((it) => /[\\p{L}\\p{N}]/u.test(it));
}"""


def of_value(shell, *more):
    return ("value", shell.write("log.csv", make_log(400)), *more)


def of_votes(shell, command):
    rows, truth = system_rows(n_items=400)
    tasks = list(truth["A"])[:100]
    a, b = (shell.write(f"{name}.csv", rows[name]) for name in "AB")
    gold = shell.write("gold.csv", gold_rows(truth, tasks))
    alone = shell.write("alone.csv", [{"task": t, "label": truth["B"][t]} for t in tasks])
    return {
        "judges": ("judges", b, "--gold", alone),
        "compare": ("compare", a, b, "--gold", gold),
        "gate": ("gate", b, "--gold", alone, "--at-least", "0.3"),
    }[command]


def of_approvals(shell):
    rows = approvals(["read_order"]) + approvals(["send_mail"], bad=30)
    return ("approvals", shell.write("log.csv", rows))


def of_examine(shell):
    log = shell.write("log.csv", test_examine.ROWS)
    rows = test_examine.judge(test_examine.draw(shell, log))
    return ("examine", log, "--judged", shell.write("judged.csv", rows))


def of_elicit(shell):
    log = shell.write("log.csv", test_elicit.rows())
    return ("elicit", log, "--proba", "p_", "--simulate", 20, "--out", shell.folder / "costs.json")


def of_policy(shell, command):
    log, terms = shell.write("log.csv", log_of()), ("--rho", 0.1, "--audit", 0.2)
    if command == "deploy":
        return ("deploy", log, *terms, "--out", shell.folder / "policy.json")
    folder = Folder(shell)
    folder.deploy(*terms, log=log_of())
    folder.live(1)
    return ("watch", folder.path)


def of_licence(shell):
    place = shell.folder / "bot"
    shell.said("licence", "open", place, shell.write("policy.json", test_licence.POLICY.to_json()))
    return ("licence", "show", place)


MADE = {
    "value": of_value,
    "value with a promise": lambda shell: of_value(shell, "--max-error", 0.3),
    "value with hours": lambda shell: of_value(
        shell, "--rho", 0.2, "--volume", "30000/month", "--seconds-per-check", 40
    ),
    "value with a capacity": lambda shell: of_value(shell, "--ask-at-most", 0.3),
    "judges": partial(of_votes, command="judges"),
    "compare": partial(of_votes, command="compare"),
    "gate": partial(of_votes, command="gate"),
    "approvals": of_approvals,
    "examine": of_examine,
    "elicit": of_elicit,
    "deploy": partial(of_policy, command="deploy"),
    "watch": partial(of_policy, command="watch"),
    "licence show": of_licence,
    "simulate": lambda _: (
        "simulate",
        "--no-rematch",
        "--seeds",
        2,
        "--cases",
        30,
        "--search-precision",
        0.4,
    ),
}


def with_pages(command, name=""):
    """The commands that write a page, by their names."""
    if isinstance(command, click.Group):
        for word in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), word)
            yield from with_pages(found, f"{name} {word}".strip())
    elif any("--html" in one.opts for one in command.params):
        yield name


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


def test_no_command_with_a_page_is_forgotten():
    tables = {name for name in with_pages(main) if name.startswith("papers")}
    assert set(with_pages(main)) - tables == {name.partition(" with ")[0] for name in MADE}


@pytest.mark.parametrize("name", MADE)
def test_the_first_screen_is_short_and_the_file_small(name, shell, browser):
    page = shell.folder / "page.html"
    result = shell.run(*MADE[name](shell), "--html", page)
    assert page.exists(), result.output
    assert page.stat().st_size <= MOST_BYTES
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    tab.goto(page.as_uri())
    words = tab.evaluate(WORDS)
    tab.close()
    assert 8 < len(words) <= MOST_WORDS, " ".join(words)
