"""A judge's page: first the training set, then one blind queue."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

import askpoint.arena.server.judges.services as services
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.campaigns.workdays import due_of, limits_of
from askpoint.arena.server.judges.comparing import answer_find
from askpoint.arena.server.judges.find_questions import find_question
from askpoint.arena.server.judges.queue import agreements, waiting
from askpoint.arena.server.rulings.access import for_judge
from askpoint.arena.server.rulings.models import Judge
from askpoint.errors import InputError, RuleError
from askpoint.labelling.reviewer import is_astray, is_paused, is_trained, may_skip
from askpoint.server.images.serving import image_there, send_image
from askpoint.server.labelling.covers import check_uncovered, cover_of
from askpoint.server.labelling.models import Claim, Vote
from askpoint.server.labelling.records import reviewer_of

__all__ = ["claim", "compare", "image", "judge", "rest", "skip", "train", "vote"]


@require_GET
@for_judge
def judge(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Show the next training item, the claimed case, or a way to claim one."""
    campaign, name, now = judge.campaign, judge.user.username, timezone.now()
    terms = terms_of(campaign.terms)
    game = reviewer_of(judge)
    page = {"campaign": campaign, "judge": judge, "terms": terms, "options": terms.classes}
    astray = is_astray(agreements(judge, terms.protocol), terms.protocol)
    page |= {"astray": astray, "right": sum(game.recent), "seen": len(game.recent)}
    if judge.barred or astray or is_paused(game, terms.protocol):
        return render(request, "judges/out.html", page)
    if not is_trained(game, terms.protocol):
        number = request.session.pop("trained", None)
        answered = campaign.training.filter(number=number).first() if number else None
        item = services.next_training(judge)
        page |= {"item": item, "answered": answered, "chosen": request.session.pop("chosen", "")}
        page["covered"] = item and cover_of(request, campaign, str(item.number))
        page["image_url"] = item and _image_url(campaign.pk, str(item.number), item.case)
        page |= {"done": len(judge.trained), "total": terms.protocol.training_items}
        return render(request, "judges/training.html", page)
    question = find_question(judge)
    if question is not None:
        page |= {
            "question": question,
            "covered": cover_of(request, campaign, _cover(question.case)),
        }
        return render(request, "judges/compare.html", page)
    if judge.pool:
        return redirect("review")
    held = Claim.objects.filter(reviewer=name, until__gt=now, said=None, case__queue=judge.queue)
    lease = held.select_related("case").first()
    if lease is not None:
        page |= {"ruling": lease.case, "until": lease.until, "options": lease.case.options}
        page["covered"] = cover_of(request, campaign, lease.case_id)
        page["image_url"] = _image_url(campaign.pk, lease.case_id, lease.case.content)
    else:
        page["waiting"] = waiting(campaign, name, terms.protocol, now).exists()
        page["due"] = due_of(campaign, request.user, now)
    page["limits"] = limits_of(campaign)
    page["may_skip"] = may_skip(game, terms.protocol)
    page["voted"] = Vote.objects.filter(reviewer=name, case__queue=judge.queue).count()
    return render(request, "judges/case.html", page)


def _image_url(campaign: str, name: str, case: Any) -> str:
    there = image_there(campaign, case)
    return reverse("judge-image", args=[campaign, name]) if there else ""


@require_GET
@for_judge
def image(request: HttpRequest, judge: Judge, name: str) -> HttpResponse:
    """Send the image of the case that a judge holds, or of the training item at hand, uncovered."""
    held = Claim.objects.filter(reviewer=judge.user.username, until__gt=timezone.now(), case=name)
    lease = held.filter(case__queue=judge.queue).select_related("case").first()
    item = services.next_training(judge)
    if lease is not None:
        case = lease.case.content
    elif item is not None and str(item.number) == name:
        case = item.case
    else:
        raise Http404
    if cover_of(request, judge.campaign, name):
        raise PermissionDenied
    return send_image(judge.campaign_id, case)


def _next_case(judge: Judge) -> HttpResponse:
    return redirect("judge", judge.campaign_id)


@require_POST
@for_judge
def train(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Answer a training item; the right answer is shown then."""
    number, choice = request.POST.get("number", ""), request.POST.get("choice", "")
    try:
        check_uncovered(request, judge.campaign, number)
        item, _ = services.answer_training(
            judge.campaign_id,
            judge.user.username,
            int(number) if number.isdecimal() and len(number) < 10 else 0,
            choice,
        )
    except InputError as error:
        messages.error(request, str(error))
    else:
        request.session["trained"], request.session["chosen"] = item.number, choice
        judge.refresh_from_db()
        if services.next_training(judge) is None:
            right = "Right" if choice == item.truth else f"The right answer was “{item.truth}”"
            said = f"{right}. {item.why}".strip()
            messages.info(request, f"{said} That was the whole training set.")
            request.session.pop("trained"), request.session.pop("chosen")
    return _next_case(judge)


@require_POST
@for_judge
def claim(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Claim the next case."""
    services.set_resting(judge, rests=False)
    _claim(request, judge)
    return _next_case(judge)


def _claim(request: HttpRequest, judge: Judge) -> None:
    try:
        services.claim(judge.campaign_id, judge.user.username)
    except RuleError as error:
        if error.rule not in (
            "paused",
            "barred",
            "untrained",
            "astray",
            "rest",
        ):  # the page says so itself
            messages.error(request, str(error))


@require_POST
@for_judge
def vote(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Vote, and claim the next case."""
    case, choice = request.POST.get("case", ""), request.POST.get("choice", "")
    try:
        check_uncovered(request, judge.campaign, case)
        services.vote(judge.campaign_id, judge.user.username, case, choice)
    except InputError as error:
        rule = error.rule if isinstance(error, RuleError) else ""
        mine = Vote.objects.filter(case=case, reviewer=judge.user.username).first()
        if rule == "second-vote" and mine is not None and mine.choice == choice:
            return _next_case(judge)  # the second of two clicks
        messages.error(request, str(error))
    else:
        _claim(request, judge)
    return _next_case(judge)


def _cover(case: str) -> str:
    return f"compare-{case}"


@require_POST
@for_judge
def compare(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Say whether a find is the same as an earlier one."""
    case, same = request.POST.get("case", ""), request.POST.get("same", "")
    try:
        check_uncovered(request, judge.campaign, _cover(case))
        answer_find(judge.campaign_id, judge.user.username, case, same)
    except InputError as error:
        messages.error(request, str(error))
    return _next_case(judge)


@require_POST
@for_judge
def skip(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Give the case back for good, and claim another one."""
    try:
        services.skip(judge.campaign_id, judge.user.username, request.POST.get("case", ""))
    except RuleError as error:
        messages.error(request, str(error))
    _claim(request, judge)
    return _next_case(judge)


@require_POST
@for_judge
def rest(request: HttpRequest, judge: Judge) -> HttpResponse:
    """Give the case back and take a break."""
    try:
        services.rest(judge.campaign_id, judge.user.username, request.POST.get("case", ""))
    except RuleError as error:
        messages.error(request, str(error))
    services.set_resting(judge, rests=True)
    return _next_case(judge)
