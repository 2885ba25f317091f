"""A version that asks in a region whatever the confidence, and learns anew everywhere else."""

from __future__ import annotations

from typing import Any

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import InputError, RuleError
from askpoint.live.ask_rules import AskRule, check_ask_rules, rules_of
from askpoint.reports.document import Paragraph, Section
from askpoint.reports.words import rough
from askpoint.server.deployments.models import Deployment, Incident, Policy
from askpoint.server.deployments.policies import policy_in_use, propose_opened
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.renewal import question_of
from askpoint.server.logs.opening import Opened, open_policy
from askpoint.server.report_sections import plain_sections

__all__ = ["propose_asking", "regions_to_ask"]


def propose_asking(incident: Incident, region: int, by: str) -> Policy:
    """Propose the version in use with one region of an incident more in which it asks; once, however often it is pressed.

    Its certificates begin anew: the region was found by the labels of the version in use, so these prove nothing of a
    policy that leaves it out.

    Parameters
    ----------
    incident : Incident
        With the regions that the labels confirmed.
    region : int
        Which, from 0.
    by : str
        Who proposes.

    Raises
    ------
    RuleError
        ``no-policy``; ``no-region`` where there is none of that number; ``asked-already`` where it asks there.
    InputError
        If the cases of the policy are divided already: by groups, a ladder or documents.
    """
    row = Deployment.objects.get(pk=incident.deployment_id)
    policy = policy_in_use(row)
    found = incident.regions.get("found", ())
    if not 0 <= region < len(found) or "conditions" not in found[region]:
        raise RuleError(
            "no-region",
            f"incident {incident.number} has no region {region + 1}: labels confirmed {len(found)}",
        )
    one = found[region]
    rule = AskRule.from_plain({"name": one["name"], "conditions": one["conditions"]})
    model = dict(document_of(policy).model)
    if rule in rules_of(model):
        raise RuleError("asked-already", f"version {policy.number} asks there already: {rule.name}")
    model["ask_where"] = [*(model.get("ask_where") or ()), rule.to_plain()]
    check_ask_rules(model)
    said = Section("Where it asks", (Paragraph(_words(rule, one["share"]), lead=True),))

    def opens(question: OpeningQuestion, name: str, hashed: str) -> Opened:
        opened = open_policy(None, question, model, name, hashed)
        return opened._replace(told=[*plain_sections([said]), *opened.told])

    def find_same() -> Policy | None:
        drafts = row.policies.filter(number__gt=policy.number, adopted=None).order_by("-number")
        return next((it for it in drafts if rule in rules_of(document_of(it).model)), None)

    why = f"it asks where {rule.name}, after incident {incident.number}"
    return propose_opened(row.pk, by, why[:500], opens, question_of(policy), find_same)


def regions_to_ask(incident: Incident) -> list[tuple[int, dict[str, Any]]]:
    """Return place and region of those of an incident in which the version in use can be made to ask."""
    row = Deployment.objects.get(pk=incident.deployment_id)
    found = incident.regions.get("found", ())
    if not found or not row.adopted:
        return []
    model = document_of(policy_in_use(row)).model
    asked, usable = rules_of(model), []
    for place, one in enumerate(found):
        if "conditions" not in one:
            continue
        rule = AskRule.from_plain({"name": one["name"], "conditions": one["conditions"]})
        try:
            check_ask_rules({**model, "ask_where": [rule.to_plain()]})
        except InputError:
            return []  # its cases are divided already
        if rule not in asked:
            usable.append((place, one))
    return usable


def _words(rule: AskRule, share: float) -> str:
    return (
        f"It sends every case to review where {rule.name}, however sure the model is: about {rough(share)} of the cases. "
        "A case sent without the content that this reads goes to review, too. Everywhere else it starts over: every case goes "
        "to review until labels of these cases let it decide alone. What was agreed applies to these cases."
    )
