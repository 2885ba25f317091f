"""Web pages that players bring: fetched from public addresses only, read apart, played as cases."""

from __future__ import annotations

import gzip
import json
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network

import pytest
from click.testing import CliRunner
from django.conf import settings

from askpoint.arena.server.pages.extracting import MOST_BODY, extract, extract_apart
from askpoint.arena.server.pages.fetching import _PAGES, MOST_BYTES, Fetched, fetch
from askpoint.arena.server.pages.services import READER, read_page, reader
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.cli.main import main
from askpoint.errors import InputError, ModelError
from askpoint.server.accounts.models import Attempts
from askpoint.server.addresses import Reach
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import Supervisor, socket_path
from askpoint.server.classifiers.scorer import FaultError
from askpoint.server.classifiers.scorer_sockets import talk
from askpoint.server.outgoing import OutgoingError
from server.hostile import Town
from server.stage import Stage

HTML = """<!doctype html><html><head><title>Bread &amp; butter</title>
<meta name="author" content="Jane Doe"><meta name="description" content="How to bake">
<script>var tracker = "not a text";</script></head><body><nav>Home | About</nav>
<article><h1>Bread &amp; butter</h1><p>Take flour, water, salt and time, and knead them well.</p>
<p>Bake it until the crust sings, and wait before you cut it; that is the hardest part.</p></article>
</body></html>"""


@contextmanager
def town_hall(answer):
    """A server on loopback; `answer` is called with its handler. What may reach it, and its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer(self)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    reach = Reach((ip_network("127.0.0.1"),), resolve=lambda *_: ["127.0.0.1"])
    yield reach, f"http://pages.example:{server.server_port}"
    server.shutdown()
    server.server_close()


def sending(body, kind="text/html", status=200, **headers):
    def answer(handler):
        handler.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def test_a_page_is_fetched_with_its_redirects():
    def answer(handler):
        if handler.path == "/end":
            return sending(HTML.encode(), "text/html; charset=UTF-8")(handler)
        return sending(b"", status=302, Location="/end")(handler)

    with town_hall(answer) as (reach, url):
        page = fetch(f" {url}/start\n", reach=reach)
    assert (page.url, page.kind, page.charset) == (f"{url}/end", "text/html", "UTF-8")
    assert page.body == HTML.encode()


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (sending(b"%PDF", "application/pdf"), "refused", "not a page or text"),
        (sending(b"x", ""), "refused", "not a page or text"),
        (sending(b"x", status=404), "refused", "status 404"),
        (sending(b"x" * (MOST_BYTES + 1)), "too-large", "2,000,000"),
        (sending(b"", status=302, Location="/again"), "refused", "more than 5 times"),
        (sending(b"", status=301, Location="http://[::1"), "refused", "not a web address"),
        (sending(b"", status=301, Location="file:///etc/passwd"), "refused", "http://"),
        (
            sending(gzip.compress(b"x" * 9_000_000), **{"Content-Encoding": "gzip"}),
            "too-large",
            "more",
        ),
        (sending(b"no gzip", **{"Content-Encoding": "gzip"}), "refused", "unpacked"),
        (sending(b"x", **{"Content-Encoding": "br"}), "refused", "packed"),
    ],
)
def test_what_is_no_page_is_refused(answer, kind, says):
    with town_hall(answer) as (reach, url), pytest.raises(OutgoingError, match=says) as caught:
        fetch(url, reach=reach)
    assert caught.value.kind == kind


def test_what_is_packed_unasked_is_unpacked():
    packed = sending(gzip.compress(HTML.encode()), **{"Content-Encoding": "gzip"})
    with town_hall(packed) as (reach, url):
        assert fetch(url, reach=reach).body == HTML.encode()


def test_players_reach_public_addresses_at_the_webs_own_ports_only():
    assert (_PAGES.networks, _PAGES.ports) == ((), {80, 443})
    for address in ("http://127.0.0.1/", "http://8.8.8.8:22/", "http://localhost:5432/"):
        with pytest.raises(OutgoingError) as caught:
            fetch(address)
        assert caught.value.kind == "refused"


def test_segments_of_a_page():
    found = extract(Fetched("https://a.example/bread", HTML.encode(), "text/html", ""))
    assert found["title"] == "Bread & butter"
    assert "Take flour, water" in found["body"]
    assert "crust sings" in found["body"]
    assert "tracker" not in found["body"]
    assert "author: Jane Doe" in found["metadata"]
    assert "description: How to bake" in found["metadata"]
    assert not found["cut"]


def test_what_pages_hold_becomes_a_text():
    def body(html, kind="text/html", charset=""):
        return extract(Fetched("https://a.example/", html, kind, charset))["body"]

    assert body(b"<p>no head, no body</p>") == "no head, no body"
    assert body("<p>Gr\u00fc\u00dfe</p>".encode("latin-1"), charset="latin-1") == "Gr\u00fc\u00dfe"
    assert body("Gr\u00fc\u00dfe".encode(), "text/plain", "no-such-charset") == "Gr\u00fc\u00dfe"
    assert "\x00" not in body(b"<p>with \x00 a hole and more words</p>")
    long = extract(Fetched("https://a.example/", b"word " * 9_000, "text/plain", "utf-8"))
    assert (len(long["body"]), long["cut"]) == (MOST_BODY, True)
    for empty in (b"", b"<html></html>", b"<script>only()</script>"):
        with pytest.raises(FaultError, match="no text"):
            body(empty)


def test_a_page_is_read_in_a_process_of_its_own(monkeypatch):
    page = Fetched("https://a.example/", HTML.encode(), "text/html", "")
    assert extract_apart(page) == extract(page)
    monkeypatch.setattr("askpoint.arena.server.pages.extracting._SECONDS", 0.001)
    with pytest.raises(FaultError, match="too long"):
        extract_apart(page)


def test_no_hostile_address_reaches_a_private_one(monkeypatch):
    town = Town()
    with town.open(monkeypatch):
        ends = town.send_for(7, 300)
    assert (town.knocks, town.trespasses) == (0, [])
    assert ends["a private address, refused"] > 100
    assert ends["the front"] > 0  # some led nowhere worse than where they came from


def test_the_town_would_notice(monkeypatch):
    monkeypatch.setattr("askpoint.server.addresses.is_public", lambda _: True)
    monkeypatch.setattr("askpoint.server.addresses._is_own", lambda _: False)
    town = Town()
    monkeypatch.setattr("server.hostile.PRIVATE", ("127.0.0.1",))
    with town.open(monkeypatch):
        town.send_for(7, 60, seconds=0.2)  # some of the addresses answer never
    assert town.knocks > 10
    assert "127.0.0.1" in town.trespasses


@pytest.mark.soak
def test_ten_thousand_hostile_addresses(monkeypatch):
    town = Town()
    with town.open(monkeypatch):
        ends = town.send_for(20261122, 10_000)
    print(dict(ends), town.knocks, town.trespasses)  # noqa: T201 - for the documentation
    assert (town.knocks, town.trespasses) == (0, [])


class PageStage(Stage):
    """The stage with a model of pages."""

    def __init__(self, monkeypatch) -> None:
        super().__init__(monkeypatch)
        Classifier.objects.update(cases="page")

    def speak_for_models(self, monkeypatch) -> None:
        super().speak_for_models(monkeypatch)
        monkeypatch.setattr(playing, "read_page", self.read_page)

    @staticmethod
    def read_page(address):
        if "away" in address:
            raise InputError("the page cannot be read: it is not a page or text; try another one")
        page = {"url": address, "title": f"On {address[20:]}", "metadata": "author: Jane Doe"}
        return {**page, "body": f"A text of {address[20:]} that somebody wrote.", "cut": False}


@pytest.fixture
def pages(build, tmp_path, monkeypatch):
    with build(PageStage).again(tmp_path, monkeypatch) as stage:
        yield stage


def test_a_page_is_played_judged_and_exported(pages, enter):
    alice, bob = enter(pages.alice), enter(pages.bob)
    assert b'type="url"' in alice.get(f"/play/{pages.id}/").content
    answer = alice.post(f"/play/{pages.id}/", {"case": "https://a.example/a/bread"})
    assert answer.status_code == 302
    alice.post(answer["Location"] + "submit/")
    probe = Probe.objects.get()
    assert probe.case["page"]["title"] == "On bread"
    seen = bob.post(f"/judge/{pages.id}/claim/", follow=True).content.decode()
    for words in ("On bread", "A text of bread", "author: Jane Doe", "https://a.example/a/bread"):
        assert words in seen
    assert '<a href="https://a.example' not in seen  # judges read what was kept; nobody is led away
    csv = b"".join(enter(pages.olga).get(f"/run/{pages.id}/export.csv")).decode()
    assert csv.splitlines()[0].startswith("case_id,player,url,title,body,metadata,state")
    assert "author: Jane Doe" in csv


def test_the_api_takes_addresses_and_shows_segments(pages):
    from server.test_api import Program, refused

    alice = Program(pages.alice, "player")
    forged = {"title": "On bread", "body": "never fetched"}
    refused(alice.post(f"play/{pages.id}/cases", {"case": forged}, "a"), 422, "input")
    played = alice.post(f"play/{pages.id}/cases", {"case": "https://a.example/a/bread"}, "b")
    assert played.status_code == 200, played.content
    assert played.json()["case"]["page"]["title"] == "On bread"


def test_the_model_gets_the_text_of_a_page(pages):
    from askpoint.server.classifiers.cases import model_input

    probe = pages.try_case("https://a.example/a/bread")
    assert model_input(probe.case) == "On bread\n\nA text of bread that somebody wrote."
    assert model_input({"age": 1.0}) == {"age": 1.0}


def test_the_same_page_at_another_address_is_the_same_case(pages, monkeypatch, enter):
    pages.submit("https://a.example/a/bread")
    same = PageStage.read_page("https://a.example/a/bread")
    monkeypatch.setattr(playing, "read_page", lambda _: same)
    answer = enter(pages.ann).post(f"/play/{pages.id}/", {"case": "https://b.example/copy"})
    assert answer.status_code == 409
    assert Ruling.objects.count() == 1


def test_an_address_counts_as_a_try_whether_it_can_be_read_or_not(pages, enter):
    answer = enter(pages.alice).post(f"/play/{pages.id}/", {"case": "https://a.example/away"})
    assert answer.status_code == 422
    assert b"The page cannot be read" in answer.content
    assert b"https://a.example/away" in answer.content  # the draft is kept
    assert sorted(Attempts.objects.values_list("count", flat=True)) == [1, 1]


def test_pages_are_away_while_nobody_reads_them(stage, monkeypatch):
    with pytest.raises(ModelError, match="pages cannot be read just now"):
        read_page("https://a.example/")
    with pytest.raises(InputError, match="the address of a web page"):
        read_page("just words")


def model_answers(sockets):
    try:
        return talk(socket_path(sockets, READER), {"health": True}, 1.0)
    except ModelError:
        return None


def test_pages_are_read_by_a_process_that_is_watched(stage, monkeypatch):
    with tempfile.TemporaryDirectory(prefix="ask") as sockets:
        monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, sockets=sockets))
        supervisor = Supervisor(sockets)
        supervisor.watch({READER: reader()})
        ends = time.monotonic() + 30
        while not model_answers(sockets) and time.monotonic() < ends:
            time.sleep(0.1)
        with pytest.raises(InputError, match="not one that anybody can reach"):
            read_page("http://127.0.0.1/")
        supervisor.stop()


def test_gold_and_samples_of_pages_are_their_segments(pages, enter):
    page = {"title": "On cake", "body": "A text | with a bar", "url": "https://a.example/cake"}
    olga = enter(pages.olga)
    line = json.dumps(page).replace("|", "\\u007c")
    answer = olga.post(f"/run/{pages.id}/judging/", {"gold": f"clean | {line}"})
    assert answer.status_code == 302
    assert Ruling.objects.get(purpose="gold").content["page"]["body"] == "A text | with a bar"
    many = "\n".join(f"clean | https://a.example/{n}" for n in range(11))
    answer = olga.post(f"/run/{pages.id}/judging/", {"gold": many})
    assert b"At most 10 pages" in answer.content


def test_examine_reads_the_segments_of_an_export(pages, tmp_path, enter):
    """Regions have their own name space for each segment."""
    from askpoint.arena.server.examinations.samples import read_sample_text
    from askpoint.arena.server.examinations.services import bring_sample

    lines = []
    for n in range(120):
        odd = n % 4 == 0
        title = f"{'festival news' if odd else 'village news'} number {n}"
        page = {"title": title, "body": f"words about thing {n} and {n * 7} again", "metadata": ""}
        lines.append(json.dumps({**page, "metadata": f"sitename: paper {n} of town"}))
    row = bring_sample(pages.id, read_sample_text(pages.campaign, "\n".join(lines)))
    from askpoint.arena.server.examinations.services import answer_sample

    answer_sample(str(row.pk))
    drawn = pages.id
    answer = enter(pages.olga).post(
        f"/run/{drawn}/examination/draw/",
        {"examination": row.pk, "method": "random", "n": 10, "bins": 1, "seed": 3},
    )
    del answer
    from askpoint.arena.server.campaigns.records import terms_of
    from askpoint.arena.server.examinations.exports import sample_rows
    from askpoint.server.spreadsheets import to_csv

    columns, rows = sample_rows(row, terms_of(pages.campaign.terms))
    assert columns[-4:] == ["url", "title", "body", "metadata"]
    labelled = (
        {**it, "label": "offensive" if "festival" in it["title"] else "clean"} for it in rows
    )
    path = tmp_path / "log.csv"
    path.write_text("".join(to_csv([*columns, "label"], labelled)), "utf-8")
    done = CliRunner().invoke(main, ["examine", str(path), "--json"])
    assert done.exit_code == 0, done.output
    assert "title has 'festival'" in done.output
