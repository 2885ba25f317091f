"""What forms answer to what nobody can use: words of people, and no page of errors."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.campaigns.services import make_campaign
from askpoint.server.classifiers.models import Classifier
from askpoint.server.home.words import key, wide
from cast import fewer

PYTHON = re.compile(
    r"\b(None|True|False|NaN|nan|inf|int|float|str|dict|list|tuple|bool|\w+Error|object at)\b"
    r"|\\x|\\u|&#x27;\\|\[&#x27;|\{&#x27;"
)
TERMS = {
    "sought": "",
    "top": "1000",
    "base": "10",
    "unsure": "100",
    "vote": "100",
    "scheme": "minimum-cost",
    "votes": "2",
    "tries": "100",
    "case_seconds": "60",
    "vote_seconds": "15",
    "cost-0": "1",
    "cost-1": "1",
}
ODD = ("", "x", "-1", "1e999", "nan", "\u200b", "'", "a,a", "[]", "{", "None", "9" * 30, "\u202e|x")


def test_a_digit_is_chosen_by_itself_and_all_else_by_its_place():
    digits = [str(n) for n in range(10)]
    assert [key(digits, place) for place in range(10)] == digits
    options = ["3", "other", *"abcdefgh"]
    assert [key(options, place) for place in range(10)] == [*"1234567890"]


def errors_of(page):
    """What stands where a page says what was wrong."""
    return re.findall(r'class="(?:errors|notice|message[^"]*)"[^>]*>(.*?)</p>', page, re.DOTALL)


def test_no_form_answers_in_python(stage, enter):
    olga = enter(stage.olga)
    draft = make_campaign(
        stage.olga,
        title="Draft",
        classifier=stage.classifier,
        wanted="Find it.",
        terms=terms_of(stage.campaign.terms),
    ).pk
    pages = {
        f"/run/{draft}/terms/": TERMS,
        f"/run/{draft}/judging/": dict.fromkeys(("guide", "reference", "training", "gold"), ""),
        f"/run/{draft}/joining/": dict.fromkeys(("contact", "age", "most_cases", "break_for"), ""),
        f"/run/{draft}/budget/": {"action": "add", "points": "5"},
        f"/run/{draft}/people/": {"role": "player", "places": "1", "days": "3", "labels": ""},
        f"/run/{stage.id}/examination/sample/": {"sample": ""},
        "/run/": {"title": "t", "wanted": "w", "classifier": "1"},
    }
    seen = 0
    for path, form in pages.items():
        for field in form:
            for odd in ODD[: fewer(len(ODD))]:
                page = olga.post(path, {**form, field: odd}, follow=True).content.decode()
                for said in errors_of(page):
                    seen += 1
                    without = said.replace(odd, "") if odd else said  # what was given is shown
                    assert not PYTHON.search(without), (path, field, odd, said)
    assert seen > fewer(100)


HALF = "\ud800"
RAW = b"%ED%A0%80"


@pytest.mark.parametrize("half", [RAW, b"%FF", b"a%C3", b"\xed\xa0\x80", b"\\ud800"])
def test_half_a_character_in_a_form_is_an_answer_and_never_kept(half, stage, enter):
    form = "application/x-www-form-urlencoded"
    alice, olga = enter(stage.alice), enter(stage.olga)
    for browser, path, field in (
        (alice, f"/play/{stage.id}/", b"case"),
        (olga, f"/run/{stage.id}/people/", b"role=player&labels"),
        (olga, f"/run/{stage.id}/joining/", b"consent"),
        (olga, f"/run/{stage.id}/judging/", b"gold"),
        (olga, "/run/", b"title"),
        (enter(), "/sign-in/", b"password=x&username"),
    ):
        answer = browser.generic("POST", path, field + b"=" + half, content_type=form)
        assert answer.status_code < 500, (path, half)
    assert alice.get(f"/join/{RAW.decode()}/").status_code == 410
    assert alice.get(f"/?page={RAW.decode()}").status_code == 200
    stage_pages(stage, alice, olga)


def stage_pages(stage, alice, olga):
    """All that could show what was kept can be shown."""
    for browser, path in (
        (alice, f"/play/{stage.id}/"),
        (olga, f"/run/{stage.id}/people/"),
        (olga, f"/run/{stage.id}/joining/"),
        (olga, f"/run/{stage.id}/judging/"),
        (olga, f"/run/{stage.id}/"),
    ):
        assert browser.get(path, follow=True).status_code == 200, path


def test_half_a_character_within_json_is_refused_in_words(stage, enter):
    """A JSON escape can name half a character although all that is sent is plain."""
    row = '{"age": 4, "housing": "\\ud800"}'
    features = [{"name": "housing", "kind": "choice", "options": ["rents"]}]
    Classifier.objects.update(cases="row", features=features)
    olga, judging = enter(stage.olga), f"/run/{stage.id}/judging/"
    answer = olga.post(judging, {"gold": f"clean | {row}"})
    assert answer.status_code == 422
    assert "ousing is one of rents; got" in answer.content.decode()
    lines = f'{{"case": {row}}}\n{{"case": "\\ud800"}}'
    for sample in (lines, lines.splitlines()[1]):
        file = SimpleUploadedFile("s.jsonl", sample.encode())
        for form in ({"sample": sample}, {"file": file}):
            sent = olga.post(f"/run/{stage.id}/examination/sample/", form, follow=True)
            assert sent.status_code < 500
    assert olga.get(f"/run/{stage.id}/examination/", follow=True).status_code == 200


def test_items_come_in_a_file(stage, enter):
    Campaign.objects.update(state="draft")
    olga, judging = enter(stage.olga), f"/run/{stage.id}/judging/"
    rows = 'case,answer,why\n"good, day",clean,"it is, isn\'t it"\n\'=you fool,offensive,\n'
    gold = "clean | nice weather\noffensive | get lost"
    sent = {
        "training_file": SimpleUploadedFile("t.csv", rows.encode("utf-8-sig")),
        "gold": "clean | typed",
        "gold_file": SimpleUploadedFile("g.txt", gold.encode()),
    }
    assert olga.post(judging, sent).status_code == 302
    items = [(item.case, item.truth, item.why) for item in Campaign.objects.get().training.all()]
    assert items == [("good, day", "clean", "it is, isn't it"), ("=you fool", "offensive", "")]
    kept = set(stage.campaign.rulings.filter(purpose="gold").values_list("content", "gold"))
    assert kept == {("typed", "clean"), ("nice weather", "clean"), ("get lost", "offensive")}
    for content, says in (
        (b"\xff\xfe", "not UTF-8 text"),
        (b"answer,case\nmaybe,x", "answer among clean, offensive"),
        (b"clean", "An item is a line like"),
        (b"x" * 900_001, "more than 900,000 bytes"),
    ):
        answer = olga.post(judging, {"training_file": SimpleUploadedFile("t", content)})
        assert answer.status_code == 422
        assert says in answer.content.decode()


def test_the_only_model_is_chosen_already(stage, enter):
    olga = enter(stage.olga)
    assert "selected" in olga.get("/run/").content.decode()
    second = Classifier.objects.get()
    second.pk, second.name = None, "another"
    second.save(force_insert=True)
    page = olga.get("/run/").content.decode()
    assert '<option value="" selected>' in page


def test_judges_read_in_their_points_what_they_judged(stage, enter):
    stage.submit("you are not from here")
    ruling = stage.vote("bob", "offensive")
    page = enter(stage.bob).get("/points/").content.decode()
    assert "you are not from here" in page
    assert ruling.pk not in page
    assert 'class="veiled"' not in page
    Campaign.objects.update(veiled=True)
    assert 'class="veiled" tabindex="0"' in enter(stage.bob).get("/points/").content.decode()
    assert "you are not from here" not in enter(stage.beth).get("/points/").content.decode()


@pytest.mark.parametrize(
    ("columns", "row", "is_wide"),
    [
        (("from", "audits", "cases until the alarm"), ("18.0%", "332", "5,538"), False),
        (
            ("what", "at decision", "when, UTC"),
            ("it closes " * 9, "750", "23 Nov 2026 03:12"),
            True,
        ),
        (("class", "checks", "interval", "cost in the file"), ("a", "1", "1 to 2", "1"), False),
        (
            ("class", "checks", "interval", "cost in the file"),
            ("a", "1", "27.9 to 1,124", "1"),
            True,
        ),
        (("only", "what a heading of many words says"), ("1", "2"), False),
        (("no", "rows"), None, False),
    ],
)
def test_a_table_is_a_stack_on_a_phone_where_its_cells_have_no_room(columns, row, is_wide):
    assert wide({"columns": columns, "rows": [] if row is None else [row]}) is is_wide
