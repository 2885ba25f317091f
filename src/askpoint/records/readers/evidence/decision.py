"""What a table is, by weighing what its columns do: predictions, votes, approvals, or no cases at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from askpoint.errors import LogError
from askpoint.records.label_words import MOST_LABELS
from askpoint.records.readers.evidence.approvals import approval_roles
from askpoint.records.readers.evidence.columns import Column, columns_of, label_key
from askpoint.records.readers.evidence.findings import Roles
from askpoint.records.readers.evidence.grade_words import names_a_grade, names_an_opinion
from askpoint.records.readers.evidence.no_cases import what_it_is
from askpoint.records.readers.evidence.prediction_choice import roles_of_cast, two_models
from askpoint.records.readers.evidence.prediction_doubts import falls_where_equal, unsure_or_vote
from askpoint.records.readers.evidence.prediction_roles import (
    Cast,
    casts_of,
    correctness_flags,
)
from askpoint.records.readers.evidence.relations import equal_labels, ranking
from askpoint.records.readers.evidence.vote_choice import roles_of_votes
from askpoint.records.readers.evidence.vote_roles import LongRoles, long_roles
from askpoint.records.readers.evidence.words import Hint, hints_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Doubt, Finding
from askpoint.records.readers.scores import split_score_name
from askpoint.records.roles import ColumnFacts, number_different

__all__ = ["RoleEvidence", "find_repeated_id"]

_LABELS, _SCORES = 24, 40  # columns of each kind among which roles are looked for
_MOSTLY, _FEW_ROWS = 0.6, 10  # share of different ids from which repeats are odd, and rows
_EVEN = 0.15  # how unequal the rows of clusters may be, against their mean
_RANKED = 3.0  # standard errors from which a number knows a label, so that it is asked about
_SAME_TEXT = 0.3  # share of equal open texts from which one is the expected other


class RoleEvidence:
    """The columns of one table, looked at once, and the questions asked about them.

    Parameters
    ----------
    grid : CellGrid
        The table.
    facts : sequence of ColumnFacts
        What a look at each column says.
    choices : Choices
        What somebody said about it.
    """

    def __init__(self, grid: CellGrid, facts: Sequence[ColumnFacts], choices: Choices) -> None:
        self.grid, self.choices = grid, choices
        self.are_votes = False
        self.columns = columns_of(grid, facts)
        systems = {choices.system, choices.id, grid.item}
        named = {choices.label, choices.prediction}
        labels = [c for c in self.columns if c.is_label and c.name not in systems]
        labels.sort(key=lambda c: (c.name not in named, not _is_called(c), c.place))
        self.labels = sorted(labels[:_LABELS], key=lambda c: c.place)
        scores = [c for c in self.columns if c.score_scale is not None or c.is_log]
        scores = [c for c in scores if c.fact.role not in ("id", "time") or _is_score(c)]
        scores.sort(key=lambda c: ("confidence" not in c.hints, c.place))
        self.scores = sorted(scores[:_SCORES], key=lambda c: c.place)
        marks = [c for c in self.columns if c.is_label or (c.fact.counts and c.fact.different == 1)]
        self.flags = correctness_flags(self.labels, marks[:_LABELS])

    def approvals(self) -> Roles | None:
        """Return the roles of a log of approvals, or None."""
        if (
            self.choices.kind not in (None, "approvals")
            or self.choices.judges
            or self.choices.label
        ):
            return None
        found = approval_roles(self.columns, told=self.choices.kind == "approvals")
        if found is None:
            if self.choices.kind == "approvals":
                raise LogError(
                    f"{self.grid.name}: no column says what people decided about an action (approved, "
                    "denied) next to one that names the tool"
                )
            return None
        findings = [Finding(found.decision, "decision", found.why, "label by people")]
        if found.tool is not None:
            findings.append(Finding(found.tool, "tool", "names what was to be done", ""))
        return Roles(
            choices=replace(
                self.choices, kind="approvals", label=found.decision, system=found.tool
            ),
            weight=found.weight,
            findings=tuple(findings),
        )

    def refuse_no_cases(self) -> None:
        """Refuse a table that holds no cases.

        Raises
        ------
        LogError
            If it is a summary, a confusion matrix, a log of training or a forecast.
        """
        c = self.choices
        if c.kind or c.label or c.prediction or c.proba or c.judges:
            return
        what = what_it_is(self.columns)
        if what is not None:
            raise LogError(
                f"{self.grid.name} is {what}. Give the table with one row per case, or name its columns "
                "with --label and --prediction or --proba, or with --judges"
            )

    def predictions(self) -> Roles | None:
        """Return the roles of a log of predictions, or None if nothing speaks for one."""
        labels = [c for c in self.labels if c.name not in self.flags and not self._is_grade(c)]
        self._refuse_several_labels(labels)
        casts = casts_of(self.columns, labels, self.scores, self.choices)
        if not casts:
            return None
        best = casts[0]
        if self._are_judges(best, casts, labels) or self._has_more(best):
            return None
        if best.truth is None and (
            any(self._is_grade(c) for c in self.labels) or self.open_texts() is not None
        ):
            return None  # a column says which answers were right, or an open text what was expected
        roles = roles_of_cast(casts, self.choices)
        clusters = self._clusters({c.name for c in (best.answer, best.truth, best.score) if c})
        return replace(
            roles,
            findings=(*roles.findings, *self._flag_findings()),
            doubts=(*roles.doubts, *clusters),
        )

    def _refuse_several_labels(self, labels: Sequence[Column]) -> None:
        """Refuse a table in which several labels of yes or no have a score of their own each."""
        c = self.choices
        if c.label or c.prediction or c.proba or c.judges or c.kind:
            return
        own = {label_key(c.name): c.name for c in labels if c.all_truths and c.is_plain}
        named = [(split_score_name(column.name), column.name) for column in self.scores]
        pairs = [
            (own[label_key(parts[1])], name)
            for parts, name in named
            if parts is not None and label_key(parts[1]) in own and "conf" not in parts[0]
        ]
        if len({label for label, _ in pairs}) > 1:
            raise LogError(
                f"{self.grid.name} has several labels a row ({', '.join(pair[0] for pair in pairs[:6])}), each with "
                f"a score of its own: ask about one at a time, for example --label {pairs[0][0]} --proba {pairs[0][1]}"
            )

    def _has_more(self, best: Cast) -> bool:
        """Say whether columns named for several labels are scores, of which a cast takes fewer.

        They have cells that are no numbers, or do not sum to 1: that is said, rather than one of
        them taken alone.
        """
        of = [c for c in (best.truth, best.answer) if c is not None]
        if best.group is not None or not of or self.choices.confidence is not None:
            return False
        of += [
            c
            for c in self.labels
            if best.score is not None
            and not c.fact.is_number
            and c not in of
            and split_score_name(c.name) is None  # a score with a cell that is no number
        ]
        return any(len(self._scores_of(column, of)) > 1 for column in of)

    def _scores_of(self, label: Column, of: Sequence[Column]) -> set[str]:
        """Return the labels of a column for which there is a score each: the most of one kind of name."""
        kinds: dict[str, set[str]] = {}
        for column in self.columns:
            parts = split_score_name(column.name)
            if parts is not None and label_key(parts[1]) in label.labels and column not in of:
                kinds.setdefault(parts[0], set()).add(label_key(parts[1]))
        return max(kinds.values(), key=len, default=set())

    def _is_grade(self, column: Column) -> bool:
        """Say whether a column is called as one that says which answers were right, and says so.

        Where answers are yes and no, too, one of agreement may be what they are about.
        """
        if column.name in (self.choices.label, self.choices.prediction) or not column.all_truths:
            return False
        if names_an_opinion(column.name):
            return not any(
                "answer" in c.hints and c.all_truths for c in self.labels if c is not column
            )
        return names_a_grade(column.name) and "judge" not in column.hints

    def _are_judges(self, best: Cast, casts: Sequence[Cast], labels: Sequence[Column]) -> bool:
        """Say whether what looks like predictions are votes of several judges.

        Raises
        ------
        LogError
            If two models have an answer and a score each.
        """
        if self.choices.kind == "predictions" or best.group is not None or best.answer is None:
            return False
        if self.choices.prediction is None and (two := two_models(casts)) is not None:
            self._refuse_two_models(*two)
            return True
        family = [c for c in labels if c is best.answer or c.labels & best.answer.labels]
        others = [c for c in family if c not in (best.answer, best.truth)]
        others = [c for c in others if "second" not in c.hints and not c.is_plain]
        if "answer" in best.answer.hints and best.truth is not None:  # other people are no judges
            others = [c for c in others if not ({"person", "truth"} & c.hints)]
        if best.test is None or best.score is None or not others:
            return False
        confident = best.test.measured and "confidence" in best.score.hints
        self.are_votes = "judge" in best.answer.hints or not confident
        return self.are_votes

    def _refuse_two_models(self, first: Cast, second: Cast) -> None:
        answers = [c.answer for c in (first, second) if c.answer is not None]
        scores = [c.score.name for c in (first, second) if c.score is not None]
        if first.truth is None or not (_are_predicted(answers) or _are_named_apart(first, second)):
            return
        names = [answer.name for answer in answers]
        raise LogError(
            f"{self.grid.name} holds answers of two models, {names[0]} with {scores[0]} and {names[1]} "
            f"with {scores[1]}: name one with --prediction {names[0]} --confidence {scores[0]}, or compare "
            f"them as judges with --judges {names[0]},{names[1]}"
        )

    def _flag_findings(self) -> list[Finding]:
        return [
            Finding(name, "no label", f"says where {what}", "") for name, what in self.flags.items()
        ]

    def _clusters(self, used: set[str]) -> list[Doubt]:
        """Offer a column whose values repeat evenly as cluster, unless it names cases that several systems answered."""
        for column in self.columns:
            fact = column.fact
            if (
                column.name in used
                or column.name == self.grid.item
                or fact.role not in ("label", "text", "id", "number")
            ):
                continue
            if column.is_fraction:
                continue
            if column.cells.len() < fact.rows or "id" not in column.hints:
                continue
            sizes = column.texts.drop_nulls().value_counts(name="\x00n")["\x00n"].to_numpy()
            if len(sizes) > 5 and sizes.mean() >= 2 and sizes.std() <= _EVEN * sizes.mean():
                return [
                    Doubt(
                        f"{column.name} repeats evenly, {len(sizes)} values of about "
                        f"{sizes.mean():.0f} rows: its rows may hang together (--cluster {column.name})",
                        "",
                    )
                ]
        return []

    def long(self) -> LongRoles | None:
        """Return who voted what on which item where a row is a vote; None where it is not."""
        if self.choices.kind == "predictions" or self.choices.judges:
            return None
        return long_roles(self.columns, [c for c in self.columns if c.fact.role == "label"])

    def votes(self) -> Roles | None:
        """Return the roles of a table with a column for each judge; None if nothing is a vote."""
        labels = [
            c for c in self.columns if c.is_label and c.name not in (self.grid.item, "system")
        ]
        system = self.choices.system
        labels = [c for c in labels if c.name != system]
        roles = roles_of_votes(self.grid.name, self.columns, labels, self.flags, self.choices)
        if roles is None or len(roles.choices.judges) > 1:
            return roles
        if roles.choices.gold is not None:
            return self._ask_for_score(roles)
        judge = next(c for c in self.columns if c.name in roles.choices.judges)
        if not self.choices.judges and self.choices.kind is None and self._is_ranked(judge):
            return self._ask_for_score(roles)
        if self.choices.judges or {"judge", "person"} & judge.hints:
            return roles
        kinds = ("number", "measure", "label")
        others = [c for c in self.columns if c is not judge and c.fact.role in kinds]
        if others:
            return None  # a class and features: no vote
        unnamed = self.choices.kind is None and "answer" in judge.hints
        return self._ask_for_truth(roles, judge) if unnamed else roles

    def _is_ranked(self, judge: Column) -> bool:
        """Say whether a number from 0 to 1 is clearly higher at one of two labels."""
        if len(judge.labels) != 2:
            return False
        holds = judge.keys == min(judge.labels)
        known = np.array([key is not None for key in judge.keys])
        return any(
            abs(ranking(score.scores[known], holds[known]).z) > _RANKED
            for score in self.scores
            if score.score_scale == 1.0
        )

    def _ask_for_score(self, roles: Roles) -> Roles:
        """Ask what a number from 0 to 1 is, where one column of answers and their truth stand next to it."""
        others: set[Hint] = {"id", "measure", "time", "derived", "feature", "person"}
        free = [c for c in self.scores if c.score_scale == 1.0 and not (others & c.hints)]
        free = [c for c in free if c.name not in (*roles.choices.judges, roles.choices.gold)]
        free = free or self._knowing(roles)
        if not free or self.choices.kind == "votes" or self.choices.judges:
            return roles
        if roles.choices.gold is not None:
            pair = [
                c for c in self.columns if c.name in (*roles.choices.judges, roles.choices.gold)
            ]
            if len(pair) == 2 and falls_where_equal(free[0], pair[0], pair[1]):
                return replace(
                    roles, doubts=(*roles.doubts, unsure_or_vote(pair[0], pair[1], free[0]))
                )
        judge, score = roles.choices.judges[0], free[0].name
        if roles.choices.gold is None:
            what = (
                f"is {score} the probability of a label in {judge} (--label {judge} --proba {score}), or are the "
                "labels votes of a judge (--kind votes)?"
            )
        else:
            what = (
                f"does {score} say how sure {judge} was (--prediction {judge} --confidence {score}), or are the "
                "answers votes of a judge (--kind votes)?"
            )
        option = "--proba" if roles.choices.gold is None else "--confidence"
        doubt = Doubt(what, option, must_be_settled=True)
        return replace(roles, doubts=(*roles.doubts, doubt))

    def _ask_for_truth(self, roles: Roles, judge: Column) -> Roles:
        """Ask what answers are next to which nothing stands: no truth, and nothing that says how sure they were."""
        doubt = Doubt(
            f"{judge.name} alone is no log: are these a model's answers (give the true labels with --labels FILE, and how "
            "sure it was with --confidence), or votes of a judge (--kind votes)?",
            "--kind",
            must_be_settled=True,
        )
        return replace(roles, doubts=(*roles.doubts, doubt))

    def _knowing(self, roles: Roles) -> list[Column]:
        """Return numbers of any scale that are clearly higher where one judge says what people say."""
        pair = [c for c in self.columns if c.name in (*roles.choices.judges, roles.choices.gold)]
        if len(pair) != 2:
            return []
        both, same = equal_labels(*pair)
        others: set[Hint] = {"id", "time"}
        return [
            c
            for c in self.columns
            if c not in pair
            and c.fact.is_number
            and c.fact.different > _FEW_ROWS
            and not (others & c.hints)
            and ranking(c.numbers[both], same[both]).z > _RANKED
        ]

    def open_texts(self) -> tuple[str, str] | None:
        """Return an answer and what was expected where both are open texts that are often equal."""
        texts = [
            c for c in self.columns
            if c.fact.role in ("text", "id", "number", "label")
            and (c.fact.counts is None or c.fact.different > MOST_LABELS)
        ]  # fmt: skip
        for i, a in enumerate(texts[:20]):
            for b in texts[i + 1 : 20]:
                first = np.array(a.texts.to_list(), dtype=object)
                second = np.array(b.texts.to_list(), dtype=object)
                both = np.array(
                    [x is not None and y is not None for x, y in zip(first, second, strict=True)]
                )
                if both.sum() < 8 or len(set(first[both])) < 6:
                    continue
                if np.mean(first[both] == second[both]) >= _SAME_TEXT:
                    pair = (a, b)
                    if {"truth", "person"} & a.hints or a.filled < b.filled - 0.05:
                        pair = (b, a)
                    numbers = pair[0].fact.is_number and pair[1].fact.is_number
                    if numbers and self.choices.scores != "compare":
                        continue
                    return pair[0].name, pair[1].name
        return None


def find_repeated_id(grid: CellGrid, facts: Sequence[ColumnFacts], choices: Choices) -> str | None:
    """Return a column that names cases, of which some, but not most, stand in several rows."""
    frame = grid.frame
    for fact in facts:
        named = fact.name in (choices.id, grid.item) or "id" in hints_of(fact.name)
        if not named or fact.role not in ("id", "text", "number", "label") or fact.rows < _FEW_ROWS:
            continue
        if fact.is_number and not fact.whole:
            continue
        different = number_different(frame[fact.name].drop_nulls())
        if different == fact.rows:
            return None
        if (
            fact.given > _MOSTLY * fact.rows
            and different > _MOSTLY * fact.given
            and different < fact.given
        ):
            return fact.name
    return None


def _is_called(column: Column) -> bool:
    return bool({"truth", "answer", "person", "label", "judge", "correct"} & column.hints)


def _is_score(column: Column) -> bool:
    return column.is_fraction and "confidence" in column.hints and column.fact.role != "time"


def _are_named_apart(first: Cast, second: Cast) -> bool:
    """Say whether each answer has a word in common with its own score, and not with the other."""
    if not (first.answer and second.answer and first.score and second.score):
        return False
    if not ("label" in first.answer.hints and "label" in second.answer.hints):
        return False
    words = [set(c.tokens) for c in (first.answer, second.answer, first.score, second.score)]
    return bool((words[0] & words[2]) - words[1]) and bool((words[1] & words[3]) - words[0])


def _are_predicted(answers: Sequence[Column]) -> bool:
    words = {
        "pred",
        "prediction",
        "predicted",
        "preds",
        "answer",
        "output",
        "label",
        "class",
        "response",
    }
    return all(words & set(c.tokens) and "answer" in c.hints for c in answers)
