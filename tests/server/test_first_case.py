"""From an empty page to a first case by copied lines, and a name that changes while an alarm lasts."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape

import httpx
from django.core.wsgi import get_wsgi_application

from askpoint import Client
from askpoint.server.accounts.models import User
from askpoint.server.api.models import Token
from askpoint.server.api.serializers import serialize_classifier
from askpoint.server.deployments import policies
from askpoint.server.deployments.incidents import open_incident
from askpoint.server.deployments.models import Receipt
from askpoint.server.deployments.state_lines import history_of, state_line_of


def lines_of_page(answer):
    """The lines of the page: those of curl, of Python, and of Python for a CSV file."""
    page = answer.content.decode()
    return [unescape(text) for text in re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)]


def test_the_lines_for_curl_send_a_case_and_the_page_shows_it(in_use, enter):
    browser, here = enter(in_use.wanda), f"/classifiers/{in_use.id}/first-case/"
    before = browser.get(here)
    assert "Waiting for your first case" in before.content.decode()
    assert "YOUR_TOKEN" in lines_of_page(before)[0]
    assert not Token.objects.exists()
    curl, _, _ = lines_of_page(browser.post(here))
    assert Token.objects.get().resource == in_use.id
    words = shlex.split(curl.replace("\\\n", " "))
    assert words[:3] == ["curl", "-X", "POST"]
    headers = dict(words[i + 1].split(": ", 1) for i, word in enumerate(words) if word == "-H")
    body = words[words.index("-d") + 1]
    assert json.loads(body)["model_version"] == "7"
    transport = httpx.WSGITransport(app=get_wsgi_application())
    with httpx.Client(transport=transport) as client:
        answer = client.post(words[3], headers=headers, content=body)
    assert answer.status_code == 200, answer.text
    receipt = Receipt.objects.get(deployment=in_use.row)
    assert receipt.key == "first-case"
    after = unescape(browser.get(here).content.decode())
    assert "The newest case came" in after
    assert f"/classifiers/{in_use.id}/cases/first-case/" in after
    assert headers["Authorization"].split()[1] not in after
    assert "ask (it goes to review)" in after
    assert "no later audit can raise an alarm for 2,000 decisions" in after
    words = shlex.split(lines_of_page(browser.get(here))[0].replace("\\\n", " "))
    assert json.loads(words[-1]) == {"items": [{"key": "first-case", "label": "YOUR_LABEL"}]}
    label = words[-1].replace("YOUR_LABEL", "fine")
    with httpx.Client(transport=transport) as client:
        answer = client.post(words[3], headers=headers, content=label)
    assert answer.json()["counted"] == 1
    assert "raise an alarm for" not in unescape(browser.get(here).content.decode())


def test_the_lines_in_python_do_the_same(in_use, enter):
    _, python, _ = lines_of_page(enter(in_use.wanda).post(f"/classifiers/{in_use.id}/first-case/"))
    transport = httpx.WSGITransport(app=get_wsgi_application())
    printed = []

    def client(address, token):
        return Client(address, token, transport=transport)

    run = python.replace("from askpoint import Client", "").replace("print(", "printed.append(")
    exec(run, {"Client": client, "printed": printed})  # noqa: S102
    assert printed == [Receipt.ACTIONS[Receipt.objects.get().action]]


def test_the_lines_for_a_csv_file_send_all_of_its_rows(in_use, enter, tmp_path, monkeypatch):
    *_, lines = lines_of_page(enter(in_use.wanda).post(f"/classifiers/{in_use.id}/first-case/"))
    monkeypatch.chdir(tmp_path)
    rows = "".join(f'row {i},hate,0.{90 + i},"a post, the {i}th"\n' for i in range(5))
    (tmp_path / "cases.csv").write_text(f"key,prediction,confidence,case\n{rows}", "utf-8")
    transport = httpx.WSGITransport(app=get_wsgi_application())
    printed = []

    def client(address, token):
        return Client(address, token, transport=transport)

    run = lines.replace("from askpoint import Client", "").replace("print(made", "tell(made")
    exec(run, {"Client": client, "tell": lambda *said: printed.append(said)})  # noqa: S102
    made = {one.key: Receipt.ACTIONS[one.action] for one in Receipt.objects.all()}
    assert dict(printed) == made
    assert set(made) == {f"row {i}" for i in range(5)}


def test_the_page_says_the_state_and_what_comes_then(in_use, enter):
    here = f"/classifiers/{in_use.id}/first-case/"
    page = unescape(enter(in_use.wanda).get(here).content.decode())
    assert "No case yet" in page
    assert "In shadow it shows" not in page
    policies.set_mode(in_use.id, "shadow")
    page = unescape(enter(in_use.wanda).get(here).content.decode())
    assert "nobody acts on what it decides" in page
    assert page.index("In shadow it shows") < page.index("It decides alone where labels show")


def test_a_page_without_a_version_or_a_part_makes_no_token(in_use, enter):
    empty = policies.make_deployment("main", in_use.wanda, "Nothing yet")
    page = enter(in_use.wanda).get(f"/classifiers/{empty.pk}/first-case/").content.decode()
    assert "every case is refused" in page
    for stranger in (in_use.rosa, in_use.vera, User.objects.get(username="oskar")):
        assert enter(stranger).post(f"/classifiers/{in_use.id}/first-case/").status_code == 404
    assert not Token.objects.exists()


def test_a_name_that_changes_while_an_alarm_lasts_changes_nothing_else(in_use, enter):
    in_use.close()
    incident, before = open_incident(in_use.row), history_of(in_use.row)
    browser = enter(in_use.wanda)
    here = f"/classifiers/{in_use.id}/settings/"
    assert browser.post(here, {"title": " "}).status_code == 422
    assert browser.post(here, {"title": "x" * 101}).status_code == 422
    browser.post(here, {"title": "Listing scams"})
    row = in_use.row
    assert (row.title, row.pk) == ("Listing scams", in_use.id)
    assert state_line_of(row).kind == "closed"
    assert (open_incident(row), history_of(row)) == (incident, before)
    page = unescape(
        browser.get(f"/classifiers/{in_use.id}/incidents/{incident.number}/").content.decode()
    )
    assert "Listing scams" in page
    assert serialize_classifier(row).state.kind == "closed"
    in_use.label(in_use.decide(30, "after it was renamed"))
    assert open_incident(in_use.row) == incident
