"""A reviewer's appeal against how a case was settled, and the owner's answer."""

from __future__ import annotations

import json
from html import unescape

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from django.utils import timezone

from askpoint import Client, InputError, RuleError
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments.archiving import archive, delete_classifier, remove_deleted
from askpoint.server.deployments.case_rulings import open_appeals, rule_on_case, rulings_of
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import KEPT_AFTER_DELETION, Label
from askpoint.server.deployments.queue import add_gold
from askpoint.server.labelling import desk as pool, services as reviewing
from askpoint.server.labelling.models import Appeal, Case
from askpoint.server.labelling.settled import appeal, list_settled
from askpoint.server.outgoing import RemoteResponse
from askpoint.server.webhooks.delivery import deliver
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import claim_due, make_endpoint
from server.in_use import InUse
from server.stage import refused


def one_label_each():
    """A classifier of which one reviewer labels each case; Rosa labelled two."""
    in_use = InUse()
    change_settings(in_use.id, second=0.0)
    in_use.decide(30)
    for _ in range(2):
        held = reviewing.claim(in_use.queue, "rosa", others=False)
        reviewing.cast(in_use.queue, "rosa", held.case_id, "hate")
    return in_use


@pytest.fixture
def in_use(stand_on_each):
    return stand_on_each(one_label_each)


def labelled(in_use):
    return Case.objects.filter(queue=in_use.queue, votes__reviewer="rosa").order_by("pk").first()


def rule(in_use, case, label="fine", why="it quotes the slur"):
    return rule_on_case(in_use.id, in_use.wanda, case.key, label, why)


def mine(in_use, enter, **form):
    browser = enter(in_use.rosa)
    if form:
        browser.post(reverse("review-appeal"), form)
    return unescape(browser.get(reverse("review-mine")).content.decode())


def settled(in_use, who="rosa"):
    return list_settled(pool.desk_of(getattr(in_use, who)))


def test_a_ruling_is_shown_to_who_said_otherwise_with_its_reason(in_use, enter):
    case = labelled(in_use)
    assert settled(in_use) == []
    rule(in_use, case)
    (shown,) = settled(in_use)
    assert (shown.said, shown.settled, shown.reason) == ("hate", "fine", "it quotes the slur")
    page = mine(in_use, enter)
    assert "it quotes the slur" in page
    assert "Send appeal" in page
    assert settled(in_use, "rudi") == []
    rule(in_use, case, "hate", "on second thoughts")
    assert settled(in_use) == []  # it is as she said


@pytest.mark.parametrize(("answer", "says"), [("fine", "Stays fine"), ("hate", "Changed to hate")])
def test_an_appeal_is_read_beside_the_case_and_answered_by_a_ruling(in_use, enter, answer, says):
    case, owner = labelled(in_use), enter(in_use.wanda)
    rule(in_use, case)
    page = mine(in_use, enter, case=case.pk, why="it means it, <b>")
    assert "Waits for the owner" in page
    assert "Send appeal" not in page
    work = owner.get(reverse("work", args=[in_use.id])).content.decode()
    assert "1 appeal of reviewers waits for your ruling" in work
    here = reverse("classifier-case", args=[in_use.id, case.key])
    assert here in owner.get(reverse("unsettled", args=[in_use.id])).content.decode()
    page = owner.get(here).content.decode()
    assert "rosa: it means it, &lt;b&gt;" in page
    assert "waits for a ruling" in page
    assert "Answer the appeal" in page
    assert "<option selected>fine" in page  # what stands, so that it can be upheld
    labels = list(Label.objects.order_by("pk").values_list("key", "label"))
    owner.post(here, {"ruling": answer, "why": "I read it again"})
    assert not open_appeals(in_use.row).exists()
    assert [one.label for one in rulings_of(in_use.row, [case.key])] == ["fine", answer]
    assert list(Label.objects.order_by("pk").values_list("key", "label")) == labels
    assert "Answer the appeal" not in owner.get(here).content.decode()
    page = mine(in_use, enter)
    assert says in page
    assert "I read it again" in page
    assert "appeal" not in owner.get(reverse("work", args=[in_use.id])).content.decode()
    rule(in_use, case, answer, "the same again")  # nothing waits: nothing changes
    assert len(rulings_of(in_use.row, [case.key])) == 2
    assert check_books().problems == ()


def test_what_cannot_be_appealed_is_refused_in_words(in_use, enter):
    case = labelled(in_use)
    desk = pool.desk_of(in_use.rosa)
    with refused("not-own-case"):  # nobody ruled otherwise
        appeal(desk, case.pk, "x")
    rule(in_use, case)
    with refused("not-own-case"):
        appeal(pool.desk_of(in_use.rudi), case.pk, "x")
    for why, n in (("  ", 0), ("x" * 501, 501)):
        assert f"1 to 500 characters; got {n}" in mine(in_use, enter, case=case.pk, why=why)
    mine(in_use, enter, case=case.pk, why="x")
    assert "not a settled case of yours" in mine(in_use, enter, case="no-such", why="x")
    assert "that is possible once" in mine(in_use, enter, case=case.pk, why="x")
    assert Appeal.objects.count() == 1
    for who in (in_use.wanda, in_use.vera, in_use.oskar):
        sent = enter(who).post(reverse("review-appeal"), {"case": case.pk, "why": "x"})
        assert sent.status_code == 404
    assert enter(in_use.rosa).get(reverse("review-appeal")).status_code == 405


def test_no_gold_case_is_shown_or_appealed(in_use):
    add_gold(in_use.id, [("the post of gold", "fine")])
    gold = Case.objects.get(purpose="gold")
    gold.votes.create(reviewer="rosa", choice="hate", at=timezone.now())
    Case.objects.filter(pk=gold.pk).update(state="ruled", answer="fine", ruled_at=timezone.now())
    assert settled(in_use) == []
    with refused("not-own-case"):
        appeal(pool.desk_of(in_use.rosa), gold.pk, "it is hate")


def test_what_was_written_goes_with_the_content_and_the_rest_with_the_classifier(in_use):
    case = labelled(in_use)
    rule(in_use, case)
    appeal(pool.desk_of(in_use.rosa), case.pk, "the post says so")
    rule(in_use, case, "fine", "the post does not")
    forget(in_use.id, [case.key])
    left = Appeal.objects.get()
    assert (left.why, left.reason, left.answer) == ("", "", "fine")
    assert settled(in_use) == []
    archive(in_use.id)
    delete_classifier(in_use.id, in_use.row.title)
    assert remove_deleted(timezone.now() + KEPT_AFTER_DELETION * 2) == 1
    assert not Appeal.objects.exists()


def program_of(user, role="owner", scope="write"):
    """A client of somebody's token, in this process."""
    token = make_token(user, role, label="x", scope=scope)[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return Client("http://localhost", token, transport=through)


def test_owners_are_notified_of_an_appeal_and_neither_case_nor_reason_goes_out(in_use, enter):
    hooks = "https://hooks.example.org/"
    make_endpoint("main", in_use.wanda, f"{hooks}chat", ["case.appealed"], "chat")
    make_endpoint("main", in_use.wanda, f"{hooks}other", ["case.waiting"])
    make_endpoint("main", in_use.will, f"{hooks}stranger", ["case.appealed"])
    case = labelled(in_use)
    rule(in_use, case)
    mine(in_use, enter, case="no-such", why="x")
    assert not Delivery.objects.exists()
    mine(in_use, enter, case=case.pk, why="it means it")
    mine(in_use, enter, case=case.pk, why="it does mean it")  # once
    (row,) = Delivery.objects.all()
    assert row.endpoint.url == f"{hooks}chat"
    told = json.loads(row.body)
    assert told["type"] == "case.appealed"
    assert told["data"]["page"].endswith(reverse("unsettled", args=[in_use.id]))
    assert told["data"]["reviewer"] == "rosa"
    for private in ("means", case.key, case.content):
        assert private not in row.body
    posted = []

    def post(*_, content, **__):
        posted.append(json.loads(content)["text"])
        return RemoteResponse(200, None, b"")

    (due,) = claim_due()
    deliver(due, post)
    words = "a reviewer appeals against how a case was settled"
    assert posted == [f"*Posts that hate: {words}*\n{words}: by rosa\n{told['data']['page']}"]


def test_a_program_lists_appeals_and_answers_them(in_use, enter):
    case, owner = labelled(in_use), program_of(in_use.wanda)
    rule(in_use, case)
    assert list(owner.appeals(in_use.id)) == []
    mine(in_use, enter, case=case.pk, why="it means it")
    (waiting,) = owner.appeals(in_use.id)
    assert (waiting.key, waiting.reviewer, waiting.why) == (case.key, "rosa", "it means it")
    assert (waiting.said, waiting.settled) == ("hate", "fine")
    with pytest.raises(InputError, match="a ruling"):
        owner.rule_on_case(in_use.id, case.key, "no class", "x")
    with pytest.raises(InputError, match="1 to 500"):
        owner.rule_on_case(in_use.id, case.key, "hate", " ")
    with pytest.raises(RuleError, match="ever decided"):
        owner.rule_on_case(in_use.id, "no such case", "hate", "x")
    made = owner.rule_on_case(in_use.id, case.key, "hate", "I read it again")
    assert (made.key, made.label, made.who) == (case.key, "hate", "wanda")
    assert list(owner.appeals(in_use.id)) == []
    assert "I read it again" in mine(in_use, enter)
    assert owner.rule_on_case(in_use.id, case.key, "hate", "once more") == made
    assert len(rulings_of(in_use.row, [case.key])) == 2


@pytest.mark.parametrize("who", ["rosa", "vera", "oskar", "reader"])
def test_nobody_else_reads_or_answers_appeals_by_a_program(in_use, enter, who):
    case = labelled(in_use)
    rule(in_use, case)
    mine(in_use, enter, case=case.pk, why="it means it")
    if who == "reader":
        program = program_of(in_use.wanda, scope="read")
        assert len(list(program.appeals(in_use.id))) == 1
    else:
        other = InUse()  # all of them own something, and nothing here
        user = getattr(in_use, who)
        other.row.members.filter(user=user).delete()
        other.join(user, "owner")
        program = program_of(user)
        with pytest.raises(RuleError):
            list(program.appeals(in_use.id))
    with pytest.raises(RuleError):
        program.rule_on_case(in_use.id, case.key, "hate", "x")
    assert open_appeals(in_use.row).count() == 1
