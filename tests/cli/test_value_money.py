"""Money and capacity: one form of options, and what each period brings."""

from __future__ import annotations

import re

import pytest

from askpoint.reports.words import work_time
from cli.logs import make_log


@pytest.fixture
def log(shell):
    return shell.write("log.csv", make_log(300, seed=31))


def test_a_mistake_and_a_check_in_money_are_the_price_of_their_ratio(log, shell):
    money = shell.answer(log, "--mistake", 40, "--check", 2.5)
    ratio = shell.answer(log, "--rho", 2.5 / 40)
    assert money["threshold"] == ratio["threshold"]
    assert money["expected"]["cost_per_1000"] == pytest.approx(ratio["expected"]["cost_per_1000"])
    assert money["hindsight"]["price"] == ratio["hindsight"]["price"]
    rows = money["hindsight"]
    spent = 2.5 * rows["asked"]["share"] + 40 * rows["mistakes"]["share"]
    assert rows["cost"]["per_1000"] == pytest.approx(1000 * spent)


def test_all_costs_are_told_in_the_money_that_was_stated(log, shell):
    words = ("--mistake", 40, "--check", 2.5, "--currency", "EUR")
    said = " ".join(shell.said("value", log, *words).replace("\N{NO-BREAK SPACE}", " ").split())
    found = shell.answer(log, *words)
    answer, rows = said.split("Compared with simpler policies")
    assert "checks per 1,000" not in answer  # one unit
    assert "ending every case to review costs 2,500 EUR" in answer
    most = 2.5 * found["recommended"]["next_labels"]["at_most"]
    assert f"at most {most:,.0f} EUR" in answer or f"at most {most:,.2f} EUR" in answer
    cost = found["hindsight"]["cost"]["per_1000"] * 300 / 1000
    assert f"At your prices that costs {cost:,.0f} EUR for these 300 cases" in rows
    assert ", 750 EUR if people reviewed every case." in rows


def test_a_volume_tells_cases_hours_and_money_of_each_period(log, shell):
    words = ("--mistake", 40, "--check", 2.5, "--volume", "12000/month", "--seconds-per-check", 30)
    best = shell.answer(log, *words)["recommended"]
    work = best["workload"]
    assert (work["n"], work["period"]) == (12_000, "month")
    for key in ("asked", "mistakes"):
        low, high = best[key]["interval"]
        scaled = {"mean": best[key]["share"], "low": low, "high": high}
        assert work[key] == pytest.approx({k: 12_000 * v for k, v in scaled.items()})
    assert work["hours"]["mean"] == pytest.approx(work["asked"]["mean"] * 30 / 3600)
    assert work["saved_hours"] == pytest.approx(12_000 * 30 / 3600 - work["hours"]["mean"])
    alone = 12_000 - work["asked"]["mean"]
    assert work["audit_hours"] == pytest.approx(0.1 * alone * 30 / 3600)
    spent = 2.5 * work["asked"]["mean"] + 40 * work["mistakes"]["mean"]
    assert work["cost"]["mean"] == pytest.approx(spent)
    assert work["saved"] == pytest.approx(2.5 * 12_000 - spent)
    said = " ".join(shell.said("value", log, *words).split())
    assert "Of 12,000 cases a month, on average " in said  # the interval is not one month's
    assert re.search(r" hours a month, [\d.,]+ less than if every case went to review\.", said)
    assert re.search(r" in your money, [\d.,]+ less than if every case went to review\.", said)
    assert "audited" not in said  # it decides nothing alone
    assert "workload" not in shell.answer(log)["recommended"]


def test_hours_of_audits_are_named_beside_those_of_review(log, shell):
    words = ("--rho", 0.3, "--volume", "12000/month", "--seconds-per-check", 30)
    work = shell.answer(log, *words)["recommended"]["workload"]
    alone = 12_000 - work["asked"]["mean"]
    assert work["audit_hours"] == pytest.approx(0.1 * alone * 30 / 3600)
    audits = work_time(3600 * work["audit_hours"])
    said = " ".join(shell.said("value", log, *words).split())
    assert f"if one in ten of what it decides alone is audited, {audits} a month." in said


def test_a_capacity_of_a_volume_is_its_share(log, shell):
    daily = shell.answer(log, "--ask-at-most", "400/day", "--volume", "1000/day")
    mixed = shell.answer(log, "--ask-at-most", "2800/week", "--volume", "365250/year")
    plain = shell.answer(log, "--ask-at-most", 0.4)
    assert daily["threshold"] == mixed["threshold"] == plain["threshold"]
    assert daily["expected"] == plain["expected"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mistake", 40), "add --check AMOUNT"),
        (("--check", 2), "add what a mistake costs, with --mistake AMOUNT, --rho or --costs"),
        (("--check", 2, "--max-error", 0.1), "add what a mistake costs"),
        (("--check", 0, "--rho", 0.1), "--check must be above 0; got 0"),
        (("--check", "nan", "--rho", 0.1), "--check must be above 0; got nan"),
        (("--mistake", 2, "--check", 2), "--mistake must be more than --check"),
        (("--mistake", "nan", "--check", 2), "--mistake must be more than --check"),
        (("--mistake", 40, "--check", -1), "both above 0; got 40 and -1"),
        (("--volume", "10000"), "--volume must be N/PERIOD"),
        (("--volume", "10000/fortnight"), "--volume must be N/PERIOD"),
        (("--volume", "0/day"), "a volume must be above 0; got 0/day"),
        (("--ask-at-most", "400/day"), "add --volume N/PERIOD"),
        (("--ask-at-most", "400/day", "--volume", "400/day"), "must be less than --volume"),
        (("--ask-at-most", "40", "--volume", "400/day"), "write --ask-at-most 40/day, or a share"),
        (("--ask-at-most", "many/day"), "--ask-at-most must be N/PERIOD"),
        (("--seconds-per-check", 30), "needs the number of cases"),
        (("--currency", "EUR"), "add --mistake AMOUNT --check AMOUNT, or --prices"),
        (("--currency", "EUR", "--rho", 0.1), "add --mistake AMOUNT --check AMOUNT, or --prices"),
    ],
)
def test_what_does_not_fit_is_refused(words, said, log, shell):
    assert said in shell.refusal("value", log, *words)


def test_a_price_in_checks_becomes_money_with_what_a_check_costs(log, shell):
    """--rho 0.0625 at 2.50 a check is a mistake of 40: the answers differ in nothing but the words on prices."""
    both = [
        " ".join(shell.said("value", log, *words, "--currency", "EUR").split())
        for words in (("--rho", 0.0625, "--check", 2.5), ("--mistake", 40, "--check", 2.5))
    ]
    for said in both:
        table = said[
            said.index("Of the next 1,000 cases policy") : said.index("What if mistakes cost more")
        ]
        assert "cost, EUR" in table
        assert table in both[0]
        money = re.search(r"Checks and mistakes together cost .*? EUR", said)[0]
        assert money in both[0]


def test_money_comes_before_checks(log, shell):
    words = ("--mistake", 10, "--check", 2.5)
    said = " ".join(shell.said("value", log, *words).split())
    best = shell.answer(log, *words)["recommended"]["cost"]
    found = re.search(
        r"together cost ([\d,.]+) \(between ([\d,.]+) and ([\d,.]+)\) in your money per 1,000 cases, ([\d,.]+) less",
        said,
    )
    shown = [float(part.replace(",", "")) for part in found.groups()]
    in_money = [
        2.5 * part for part in (best["per_1000"], *best["interval"], best["saved_per_1000"])
    ]
    assert shown == pytest.approx(in_money, abs=0.5)
    assert found.start() < said.index("Of the next 1,000 cases expect")
    monthly = " ".join(shell.said("value", log, *words, "--volume", "9000/month").split())
    assert monthly.index("Of 9,000 cases a month") < monthly.index("Of the next 1,000 cases expect")
    assert not re.search(r"per 1,000 cases, [\d,.]+ less", monthly)
    assert "in your money" not in shell.said("value", log, "--rho", 0.1)


def test_a_model_that_does_not_pay_is_told_the_price_at_which_it_would(log, shell):
    words = ("--mistake", 40, "--check", 2.5)
    assert shell.answer(log, *words)["recommended"]["asked"]["share"] == 1
    said = " ".join(shell.said("value", log, *words).split())
    pays = float(re.search(r"would pay at up to ([\d.]+) checks per mistake", said)[1])
    at = [shell.answer(log, "--rho", 1 / checks)["recommended"] for checks in (pays, 1.25 * pays)]
    assert [part["asked"]["share"] > 0.99 for part in at] == [False, True]


def test_a_currency_stands_by_the_money_and_changes_no_number(log, shell):
    words = ("--mistake", 15, "--check", 2.5)
    plain, euro = (
        " ".join(shell.said("value", log, *words, *more).split())
        for more in ((), ("--currency", "EUR"))
    )
    assert " in your money per 1,000 cases, " in plain
    assert "cost, your money" in plain
    assert " in your money" not in euro
    assert "cost, EUR" in euro
    assert re.search(
        r"together cost [\d,]+ EUR \(between [\d,]+ and [\d,]+\) per 1,000 cases", euro
    )
    told = shell.answer(log, *words, "--currency", "EUR")
    assert told["recommended"]["objective"].pop("currency") == "EUR"
    assert shell.answer(log, *words) == told


def test_the_column_of_costs_is_in_the_money_that_was_stated(log, shell):
    words = ("--mistake", 15, "--check", 2.5)
    assert shell.answer(log, *words)["ask_all"]["cost"]["per_1000"] == pytest.approx(1000)
    said = " ".join(shell.said("value", log, *words).split())
    assert "1,000 0 2,500" in said  # everybody is asked: 1,000 checks of 2.50
    assert "1,000 0 2,500" not in " ".join(shell.said("value", log, "--rho", 2.5 / 15).split())


def test_the_table_in_hindsight_and_the_json_are_in_money(shell):
    log = shell.write("log.csv", make_log(300, seed=4))
    words = ("value", log, "--mistake", "40", "--check", "2.50")
    said = shell.said(*words, "--currency", "EUR")
    hindsight = said.partition("On this log only")[2]
    assert "cost, EUR" in hindsight
    assert "cost, checks" not in said
    assert "2,500" in hindsight  # 1,000 checks of 2.50
    assert "The cost of checks and mistakes at your prices." in " ".join(hindsight.split())
    assert "cost, your money" in shell.said(*words)
    content = shell.json(*words, "--currency", "EUR")
    assert content["recommended"]["objective"]["currency"] == "EUR"
    assert "currency" not in shell.json(*words)["recommended"]["objective"]


def test_a_policy_says_what_was_stated_in_money(shell):
    log = shell.write("log.csv", make_log(300, seed=4))
    words = ("deploy", log, "--labels-are-random", "--mistake", "40", "--check", "2.50")
    place = ("--out", shell.folder / "a/policy.json", "--currency", "EUR")
    said = " ".join(shell.said(*words, *place).replace("\N{NO-BREAK SPACE}", " ").split())
    assert "A mistake costs 40 EUR, a check 2.50 EUR, so 16 checks are worth one mistake" in said
    assert "audits for 1,000 cases, which cost " in said
    opened = shell.json(*words, "--out", shell.folder / "b/policy.json", "--currency", "EUR")
    assert opened["in_money"] == {"mistake": 40.0, "check": 2.5, "currency": "EUR"}
    bare = shell.json("deploy", log, "--rho", "0.1", "--out", shell.folder / "c/policy.json")
    assert "in_money" not in bare


def test_a_currency_without_amounts_is_refused(shell):
    log = shell.write("log.csv", make_log(60, seed=4))
    assert "--currency names what" in shell.refusal(
        "deploy", log, "--rho", "0.1", "--currency", "EUR"
    )
