"""What mistakes cost, asked of several people."""

from __future__ import annotations

from django.urls import reverse

from askpoint.server.questionnaires import services as costs
from server.scenes.hard import ARABIC, LONG_NAME
from server.scenes.scene import Scene

__all__ = ["ask_for_costs", "questionnaires_scenes"]


def ask_for_costs(there):
    """Two who differ, one of them asked again, one half way, one who has not begun; one settled."""
    used, many = there.used, {"n_questions": 3, "n_omega_questions": 6}
    there.costs = used.ask_for_costs({LONG_NAME: 4.0, ARABIC: 60.0}, **many)
    there.costs.scene |= {"missed": [["hate", "insults stay up"]]}
    there.costs.save(update_fields=["scene"])
    first = costs.token_of(there.costs.interviews.get(number=1))
    costs.put_again(first, costs.state_of(costs.find_interview(first)))
    costs.answer_again(first, costs.state_of(costs.find_interview(first)), True)
    costs.settle(there.costs, used.wanda, 2, "they bear the mistakes " * 9)
    names = ("half way", "at the offers", "to begin")
    tokens = [costs.token_of(it) for it in costs.add_people(there.costs, list(names))]
    for token, n in zip(tokens[:2], (1, 4), strict=True):
        costs.begin(token, costs.state_of(costs.find_interview(token)), None)
        for _ in range(n):
            costs.answer_question(token, costs.state_of(costs.find_interview(token)), False)
    there.asked = [reverse("questions", args=[it]) for it in (first, *tokens)]
    second = costs.token_of(there.costs.interviews.get(number=2))
    there.asked.append(reverse("questions", args=[second]))


def questionnaires_scenes(there):
    """What who asks and who is asked see."""

    def at(name, *args):
        return reverse(name, args=[there.used.id, *args])

    send = "main .form button"
    yield Scene("questionnaires", "W", "wanda", at("questionnaires"), "Questionnaire 1")
    here = at("questionnaire", there.costs.number)
    yield Scene("questionnaire", "W", "wanda", here, "everybody's interval")
    wrong = {"names": ARABIC}
    yield Scene("questionnaire", "W", "wanda", here, "already", wrong, "#ask button")
    for path, says in zip(
        there.asked,
        ("Repeated: question 2", "would you rather have", "Should the system", "A rough guess"),
        strict=False,
    ):
        yield Scene("questions", "S", "", path, says)
    yield Scene(
        "questions",
        "S",
        "",
        there.asked[3],
        "write a number".capitalize(),
        {"guess": "many"},
        send,
    )
    yield Scene("questions", "S", "", there.asked[4], "These costs are now used")
    yield Scene("questions", "S", "", "/questions/none/", "not a link to questions")
