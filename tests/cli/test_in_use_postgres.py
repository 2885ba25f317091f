"""A policy in PostgreSQL through the commands: an address stands wherever a folder does."""

from __future__ import annotations

import csv
import json

from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.records.stores.deployment import Deployment
from cli.deployments import Folder, day_of, log_of

TERMS = ("--rho", 0.1, "--audit", 0.2, "--planned-decisions", 20000)


class Address(Folder):
    """A deployment at an address."""

    def __init__(self, shell, address):
        super().__init__(shell)
        self.path = self.policy = address


def test_an_address_stands_wherever_a_folder_does(shell, postgres_address):
    there = Address(shell, postgres_address)
    made = there.deploy(*TERMS, log=log_of())
    assert made.exit_code == 0, made.output
    shown = postgres_address.partition("@")[2].partition("&")[0]
    assert f"postgresql://{shown}" in made.stdout.replace("\n", "")
    with Deployment(postgres_address) as service:
        assert service.document.id.startswith("t")  # the deployment's name is the policy's
    for day in (1, 2):
        there.live(day, n=60)
    again = shell.run("deploy", "--classes", "no,yes", "--out", postgres_address)
    assert again.exit_code == 2
    assert "holds a policy already, another one" in again.stderr
    rows, _ = day_of(3, n=40)
    decided = there.decide(rows, 3, "--content", "text", "--out", shell.folder / "out.csv")
    assert decided.stdout.startswith("40 cases:")
    assert len((shell.folder / "out.csv").read_text().splitlines()) == 41
    assert f"in {shell.folder / 'out.csv'}" in decided.stdout
    lines = "\n".join(json.dumps(row) for row in day_of(4, n=3)[0]) + "\nnonsense\n"
    streamed = CliRunner().invoke(main, ["decide", postgres_address, "-"], input=lines)
    assert len(streamed.stdout.splitlines()) == 4
    dead = shell.run("dead", postgres_address)
    assert json.loads(dead.stdout)["line"] == "nonsense"
    assert shell.run("dead", postgres_address, "--retry").exit_code == 1
    assert shell.run("dead", postgres_address, "--drop").stdout == dead.stdout
    assert shell.run("dead", postgres_address).stdout == ""
    gone = shell.write("gone.csv", [{"key": "d3-7"}])
    assert "1 content deleted" in shell.run("forget", postgres_address, gone).stdout
    watched = shell.json("watch", postgres_address, "--at", "2026-03-05T08:00")
    assert watched["decided"] == 163
    page = shell.folder / "page.html"
    shell.run("watch", postgres_address, "--html", page, "--to-label", shell.folder / "next.csv")
    assert "askpoint@" not in page.read_text()  # neither user nor password
    with (shell.folder / "next.csv").open(newline="") as file:
        kept = {
            row["key"]: row["content"] for row in csv.DictReader(file) if row["key"][:2] == "d3"
        }
    assert kept == {key: "" if key == "d3-7" else f"post {key}" for key in kept}
    assert len(kept) > 3
    verified = shell.run("verify", postgres_address)
    assert verified.exit_code == 0, verified.output
    assert verified.stdout.startswith("163 decisions computed again, every draw")


def test_what_no_server_answers_is_one_line(shell):
    said = shell.run("watch", "postgresql://me:hidden@127.0.0.1:1/posts")
    assert said.exit_code == 4
    assert said.stderr.count("\n") == 1
    assert "postgresql://127.0.0.1:1/posts cannot be reached" in said.stderr
    assert "hidden" not in said.stderr


def test_an_address_without_a_deployment_is_no_forgery(shell, postgres_address):
    for command in ("verify", "watch", "prove"):
        more = ["key"] if command == "prove" else []
        said = shell.run(command, postgres_address, *more)
        assert said.exit_code == 2
        assert "holds no deployment; name the address that askpoint deploy made" in said.stderr
        assert "Not as it was made" not in said.stdout
