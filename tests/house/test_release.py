"""What goes with a release, read by a parser of its own format where the thing itself does not run here."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import click
import jinja2
import pytest
import yaml

from askpoint.cli.main import main

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CONTAINER = ROOT / "examples" / "container"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_citation_names_this_version_and_every_paper():
    citation = read("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    bibliography = (ROOT / "paper" / "paper.bib").read_text("utf-8")
    for work in citation["references"]:
        assert {"type", "title", "authors", "year"} <= set(work)
        if "doi" in work:  # the same paper, under the same number
            assert work["doi"] in bibliography


def test_the_paper_cites_what_its_bibliography_holds():
    text = (ROOT / "paper" / "paper.md").read_text("utf-8")
    front, body = text.split("---\n", 2)[1:]
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(
        yaml.safe_load(front)
    )
    keys = re.findall(
        r"^@\w+{([\w-]+),", (ROOT / "paper" / "paper.bib").read_text("utf-8"), re.MULTILINE
    )
    assert len(keys) == len(set(keys))
    assert set(re.findall(r"@([\w-]+)", body)) == set(keys)
    for heading in ("# Summary", "# Statement of need", "# References"):
        assert heading in body
    assert 250 <= len(body.split()) <= 1000  # what the journal allows


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_names_its_permissions_and_versions(path):
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert re.search(r"@(v\d+|release/v\d+)$", step.get("uses", "@v1"))
            assert "${{ inputs" not in step.get("run", "")  # would be read as a command


def test_the_recipe_asks_for_what_the_package_asks_for():
    text = (ROOT / "conda" / "meta.yaml").read_text("utf-8")
    recipe = yaml.safe_load(jinja2.Template(text).render(PYTHON="python"))
    assert recipe["package"] == {"name": "askpoint", "version": PROJECT["version"]}

    def named(line):
        name, bound = re.match(r"([\w.-]+)\s*(>=[\d.]+)", line).groups()
        return name.replace(".", "-").lower(), bound

    wanted = {named(line.split(";")[0]) for line in PROJECT["dependencies"]}
    given = {named(line) for line in recipe["requirements"]["run"]}
    assert given == wanted | {("python", PROJECT["requires-python"])}


def test_each_hook_is_a_command_with_its_keys():
    hooks = read(".pre-commit-hooks.yaml")
    assert {hook["id"] for hook in hooks} == {"askpoint-gate", "askpoint-verify"}
    for hook in hooks:
        assert {"id", "name", "description", "entry", "language"} <= set(hook)
        assert hook["entry"] == hook["id"].replace("-", " ")


def test_each_issue_form_has_what_the_host_asks_for():
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) == 4
    for path in forms:
        form = yaml.safe_load(path.read_text("utf-8"))
        if path.stem == "config":
            continue
        assert {"name", "description", "body"} <= set(form)
        ids = [part["id"] for part in form["body"]]
        assert len(ids) == len(set(ids))
        assert all(part["attributes"]["label"] for part in form["body"])


def test_compose_starts_what_the_deployment_guide_describes():
    compose = yaml.safe_load((CONTAINER / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert set(services) == {"database", "server", "proxy", "backup"}
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services), name
        assert set(service["networks"]) <= set(compose["networks"]), name
        named = {place.split(":")[0] for place in service.get("volumes", ())}
        assert {one for one in named if not one.startswith(".")} <= set(compose["volumes"]), name
    assert compose["networks"]["inside"] == {"internal": True}
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    for name in ("server", "backup"):  # those that run our code
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["image"].endswith(f":v{PROJECT['version']}")


def test_the_server_of_the_image_knows_the_options_that_it_is_given():
    serve = main.get_command(click.Context(main), "serve")
    known = {flag for parameter in serve.params for flag in parameter.opts}
    compose = yaml.safe_load((CONTAINER / "compose.yaml").read_text("utf-8"))
    image = (CONTAINER / "Containerfile").read_text("utf-8")
    words = compose["services"]["server"]["command"] + re.findall(r'"(--[\w-]+)"', image)
    assert {word for word in words if word.startswith("--")} <= known


def test_the_image_copies_what_there_is_and_runs_without_root():
    text = (CONTAINER / "Containerfile").read_text("utf-8")
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE):
        *sources, _ = line.split()
        assert all((ROOT / source).exists() for source in sources), line
    last = text.split("\nFROM ")[-1]
    assert re.search(r"^USER askpoint$", last, re.MULTILINE)


def test_the_proxy_of_the_image_is_that_of_the_page():
    page = (ROOT / "docs" / "how-to" / "operate.md").read_text("utf-8")
    text = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)[1]
    for old, new in (
        ("play.example.org", "${HOST}"),
        ("/etc/letsencrypt/live/${HOST}/", "/etc/nginx/certificates/"),
        ("127.0.0.1:8000", "server:8000"),
    ):
        assert old in text
        text = text.replace(old, new)
    template = (CONTAINER / "nginx.conf.template").read_text("utf-8")
    assert template.split("\n", 1)[1] == text


@pytest.mark.parametrize("name", ["llms.txt", "SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_each_link_leads_somewhere(name):
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / name).read_text("utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_switcher_of_the_pages_knows_the_version():
    versions = json.loads((ROOT / "docs" / "_static" / "switcher.json").read_text("utf-8"))
    assert PROJECT["version"] in {one["version"] for one in versions}
    assert [one["url"] for one in versions] == [f"/{one['version']}/" for one in versions]
    assert len([one for one in versions if one.get("preferred")]) == 1


def test_the_addresses_of_the_project_are_those_of_its_files():
    home = PROJECT["urls"]["Repository"]
    assert read("CITATION.cff")["repository-code"] == home
    assert home in (ROOT / "conda" / "meta.yaml").read_text("utf-8")
    assert home in (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")


@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_an_install_from_a_lock_resolves_nothing(installer: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    stamps = re.findall(r"^(\.venv/\S+): locks/", makefile, re.MULTILINE)
    made = subprocess.run(
        ["make", "--always-make", "--dry-run", f"INSTALLER={installer}", *stamps],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    others = [*ROOT.glob("examples/**/Containerfile"), *ROOT.glob(".github/workflows/*.yml")]
    installs = [
        line
        for text in [made, *(other.read_text() for other in others)]
        for line in text.splitlines()
        if "--require-hashes" in line
    ]
    assert {lock for line in installs for lock in re.findall(r"locks/\S+", line)} >= {
        f"locks/{lock.name}"
        for lock in (ROOT / "locks").glob("*.txt")
        if lock.name != "uv.txt" or installer == "uv"
    }
    assert [line for line in installs if "--no-deps" not in line] == []
