"""What a judge's answer on a find does: it settles the comparison, and makes two finds one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from askpoint.arena.game.held_pay import settle_held_votes
from askpoint.arena.game.same_finds import NEW, settle_comparison
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.judges.find_questions import DISGUISE, find_question
from askpoint.arena.server.judges.queue import CampaignQueue, agreements
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Comparison, ComparisonAnswer, Judge
from askpoint.arena.server.rulings.moves import join_cases
from askpoint.errors import InputError, RuleError
from askpoint.labelling.reviewer import check_reviewer, see_gold
from askpoint.server.clock import moment
from askpoint.server.journal.services import SERVER, acting, note
from askpoint.server.labelling.records import reviewer_of, store_reviewer

__all__ = ["answer_find"]


@transaction.atomic
def answer_find(campaign: str, name: str, case: str, same: str) -> None:
    """Say that a find is the same as the one shown under a number, from 1 on, or as none of them (0).

    Raises
    ------
    RuleError
        ``no-question``; as `askpoint.labelling.reviewer.check_reviewer`.
    InputError
        If the number is none of those shown.
    """
    row = lock_campaign(campaign)
    judge = Judge.objects.select_related("user", "campaign").get(
        campaign=campaign, user__username=name
    )
    protocol = terms_of(row.terms).protocol
    check_reviewer(reviewer_of(judge), judge.queue, protocol, agreements(judge, protocol))
    question = find_question(judge)
    if question is None or question.case != case:
        raise RuleError("no-question", "you were asked about another find, or have answered")
    names = [NEW, *(name for name, _ in question.earlier)]
    if same not in map(str, range(len(names))):
        raise InputError(
            f"the answer must be 0, for a new find, or the number of one that is shown, at most "
            f"{len(names) - 1}; got {same!r:.60}"
        )
    answer = names[int(same)]
    comparison = Comparison.objects.select_related("probe").get(pk=case)
    now = moment(row, judge, comparison)
    ComparisonAnswer.objects.create(
        comparison=comparison, judge=name, answer=answer, gold=question.is_gold, at=now
    )
    if question.is_gold:
        if answer != DISGUISE:
            _count_wrong(row, judge)
        return
    CampaignQueue(row).after_vote(judge, now)
    given = comparison.answers.filter(gold=False).values_list("answer", flat=True)
    settled = settle_comparison(list(given))
    if settled is not None:
        comparison.answer, comparison.at = settled, now
        comparison.save(update_fields=["answer", "at"])
        if settled != NEW:
            with acting(lambda: SERVER):  # not the judge who came last
                note("find joined", campaign=campaign, about=case, same=settled)
            _join(row, case, settled)


def _count_wrong(row: Campaign, judge: Judge) -> None:
    """Count an answer as a gold case that was wrong; a right one is too easy to count."""
    game, now = campaign_of(row), moment(row, judge)
    after = see_gold(reviewer_of(judge), right=False, protocol=game.terms.protocol, now=now)
    after, posted = settle_held_votes(game, after, now)
    post(row.workspace_id, posted, row.pk)
    store_reviewer(judge, after)
    CampaignQueue(row).after_vote(judge, now)


def _join(row: Campaign, case: str, same: str) -> None:
    """Make one family of two finds; what a player may withdraw already stays."""
    probes = Probe.objects.filter(pk__in=[case, same])
    heads = Probe.objects.filter(pk__in=list(probes.values_list("family", flat=True)))
    names: Sequence[str] = list(heads.order_by("submitted").values_list("pk", flat=True))
    if len(names) == 2:
        later = Probe.objects.filter(campaign=row, family=names[1], submitted__isnull=False)
        if not later.filter(final=True, awarded__gt=0).exists():
            join_cases(row, *names)
