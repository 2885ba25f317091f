"""The end of a classifier: archived, it refuses every case; deleted, its contents go at once and all else after 30 days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.server.accounts.services import waiting
from askpoint.server.deleted_bytes import queue_clearing
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.guests import queue_guests
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import KEPT_AFTER_DELETION, Deployment, Policy
from askpoint.server.deployments.notifications import incident_page
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.images.models import Image
from askpoint.server.images.services import delete_image
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import add_job
from askpoint.server.journal.services import note
from askpoint.server.labelling.blind_queue import OPINION
from askpoint.server.labelling.models import Appeal, Case, Claim, GuidelineVersion, Remark, Reviewer
from askpoint.server.labelling.services import count_held, give_back
from askpoint.server.webhooks.services import announce

__all__ = [
    "archive",
    "delete_classifier",
    "delete_contents",
    "is_draft",
    "remove_deleted",
    "restore",
    "tables_of",
]

_AT_ONCE = 500  # contents, or rows, while the lock of the classifier is held


def is_draft(row: Deployment) -> bool:
    """Tell whether no version of a classifier was ever in use: it decided nothing."""
    return not row.policies.exclude(adopted=None).exists()


@transaction.atomic
def archive(deployment: str) -> None:
    """Let a classifier refuse every case from now on; what reviewers said and hold back counts now.

    Raises
    ------
    RuleError
        ``archived``, if it is archived already.
    """
    row = lock_deployment(deployment)
    if row.archived is not None:
        raise RuleError("archived", f"{row.title!r} is archived already")
    _end(row)
    note("classifier archived", campaign=row.pk, about=row.title)
    _announce(row, "archived: every case is refused until an owner restores it")


@transaction.atomic
def restore(deployment: str) -> None:
    """Let an archived classifier decide again, as it did.

    Raises
    ------
    RuleError
        ``not-archived``; ``deleted``.
    """
    row = lock_deployment(deployment)
    if row.deleted is not None:
        raise RuleError("deleted", f"{row.title!r} was deleted, and nothing brings it back")
    if row.archived is None:
        raise RuleError("not-archived", f"{row.title!r} is not archived")
    Deployment.objects.filter(pk=row.pk).update(archived=None)
    note("classifier restored", campaign=row.pk, about=row.title)
    _announce(row, "restored: it decides cases again")


@transaction.atomic
def delete_classifier(deployment: str, title: str) -> bool:
    """Delete a classifier: a draft at once; of one that was in use the contents, and all else after 30 days.

    Return whether it is gone.

    Raises
    ------
    RuleError
        ``deleted``, if it was deleted before; ``other-name``, if the title of one that was in use is not what was typed.
    """
    row = lock_deployment(deployment)
    if row.deleted is not None:
        raise RuleError("deleted", f"{row.title!r} was deleted already")
    if is_draft(row):
        for _ in _remove_rows(row):
            pass
        _remove(row, "a draft")
        return True
    if title.strip() != row.title:
        raise RuleError(
            "other-name",
            f"to delete the classifier, type its name {row.title!r}; got {title[:100]!r}",
        )
    if row.archived is None:
        _end(row)
    Deployment.objects.filter(pk=row.pk).update(deleted=timezone.now())
    waiting(row.pk).update(expires=timezone.now())
    note("classifier deleted", campaign=row.pk, about=row.title)
    _announce(row, "deleted: its contents go now, decision records and labels in 30 days")
    add_job("contents", row.pk)
    return False


def delete_contents(deployment: str) -> None:
    """Delete all contents of a classifier that was deleted, some at a time; a job."""
    row = Deployment.objects.filter(pk=deployment).exclude(deleted=None).first()
    while row is not None and _delete_some_contents(row):
        pass


def remove_deleted(now: datetime | None = None) -> int:
    """Remove what was deleted 30 days ago, with records and labels; return how many classifiers."""
    before = (now or timezone.now()) - KEPT_AFTER_DELETION
    removed = 0
    for row in Deployment.objects.filter(deleted__lt=before):
        delete_contents(row.pk)
        for _ in _remove_rows(row):
            pass
        _remove(row, f"deleted on {row.deleted:%Y-%m-%d}")
        removed += 1
    return removed


def _end(row: Deployment) -> None:
    held = Claim.objects.filter(case__queue=queue_of(row.pk)).order_by("said", "pk")
    for name, case, said in list(held.values_list("reviewer", "case", "said")):
        (give_back if said is None else count_held)(queue_of(row.pk), name, case)
    Deployment.objects.filter(pk=row.pk).update(archived=timezone.now())


def _announce(row: Deployment, what: str) -> None:
    """Tell the owners, in whose name programs send cases."""
    owners = row.members.filter(role="owner").values_list("user_id", flat=True)
    data = {"classifier": row.pk, "title": row.title, "page": incident_page(row, None)}
    announce(row.workspace_id, "classifier.archived", list(owners), {**data, "what": what})


@transaction.atomic
def _delete_some_contents(row: Deployment) -> int:
    """Delete some contents, those of decided cases first; return how many."""
    lock_deployment(row.pk)
    kept = cases_of(row).filter(content__isnull=False)
    copies = (GOLD, OPINION)
    decided = kept.exclude(key="").exclude(purpose__in=copies).order_by("opened")
    if keys := list(decided.values_list("key", flat=True)[:_AT_ONCE]):
        return forget(row.pk, keys)
    some = list(kept.values_list("pk", flat=True)[:_AT_ONCE])
    Remark.objects.filter(case__in=some).update(note="")
    Appeal.objects.filter(case__in=some).update(why="", reason="")
    Case.objects.filter(pk__in=some).update(content=None, state="forgotten")
    images = Image.objects.filter(belongs_to=row.pk, deleted=None)
    shown = list(images.values_list("sha256", flat=True)[:_AT_ONCE])
    for name in shown:
        delete_image(row.pk, name)
    left = len(some) + len(shown)
    if not left:
        GuidelineVersion.objects.filter(queue=queue_of(row.pk)).delete()
        queue_clearing()
    return left


def tables_of(model: type[models.Model]) -> Iterator[tuple[type[models.Model], str]]:
    """Yield the tables whose rows go with those of one, or keep them, with the lookup; those that point at another first."""
    for one in model._meta.get_fields(include_parents=False, include_hidden=True):  # noqa: SLF001
        if isinstance(one, models.ManyToOneRel) and one.on_delete in (
            models.PROTECT,
            models.CASCADE,
        ):
            table, name = one.related_model, one.field.name
            yield from ((further, f"{path}__{name}") for further, path in tables_of(table))
            yield table, name


def _remove_rows(row: Deployment) -> Iterator[int]:
    """Remove all that hangs on a classifier, some rows at a time; yield how many."""
    for policy in row.policies.all():
        for table, path in tables_of(Policy):
            yield from _remove_in_parts(table._base_manager.filter(**{path: policy}))  # noqa: SLF001
    cases = Case.objects.filter(queue=queue_of(row.pk))
    for table, path in tables_of(Case):
        yield from _remove_in_parts(table._base_manager.filter(**{f"{path}__in": cases}))  # noqa: SLF001
    yield from _remove_in_parts(cases)
    for kept in (GuidelineVersion.objects, Reviewer.objects):
        yield from _remove_in_parts(kept.filter(queue=queue_of(row.pk)))
    yield from _remove_in_parts(Image.objects.filter(belongs_to=row.pk))


def _remove_in_parts(rows: models.QuerySet[Any]) -> Iterator[int]:
    while some := list(rows.order_by().values_list("pk", flat=True)[:_AT_ONCE]):
        rows.filter(pk__in=some).delete()
        yield len(some)


@transaction.atomic
def _remove(row: Deployment, about: str) -> None:
    for held in row.members.all():
        for guests in queue_guests():
            guests.leave(held)
    waiting(row.pk).update(expires=timezone.now())
    Job.objects.filter(about=row.pk, done=None, until=None).delete()
    Policy.objects.filter(deployment=row).delete()
    note(
        "classifier removed",
        workspace=row.workspace_id,
        campaign=row.pk,
        about=f"{row.title}, {about}",
    )
    row.delete()
    queue_clearing()
