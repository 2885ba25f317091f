"""askpoint approvals: what a log of approvals says, as people type it."""

from __future__ import annotations

import csv
import json

import pytest

import askpoint
from askpoint.live.licences.certificate import evidence_path, grant_bound
from askpoint.live.licences.policy import LicencePolicy


def log_of(tools, *, n=120, bad=0, by="ann", **more):
    """Rows of approvals, `bad` of each tool rejected, one a minute."""
    return [
        {"id": f"{tool}-{i}", "agent": "bot", "tool": tool, "decision": "reject" if i < bad else "approve",
         "reviewer": by, "created_at": f"2026-01-{1 + i // 50:02d}T{i // 60 % 24:02d}:{i % 60:02d}:00Z",
         "decided_at": f"2026-01-{1 + i // 50:02d}T{i // 60 % 24:02d}:{i % 60:02d}:20Z", **more}
        for tool in tools for i in range(n)
    ]  # fmt: skip


def units_of(shell, log, *options):
    found = json.loads(shell.run("approvals", log, "--json", *options).stdout)
    return {(one["tool"], one["class"]): one for one in found["units"]}, found


def test_the_first_screen_on_the_log_of_the_specification(shell, data):
    """Its table was computed by another program; what it draws at random has room.

    Audits are rarer than in that table: the ladder of `AuditLadder` took the place of one in 2, 5 and 20.
    """
    folder = data / "approvals"
    words = ("--split", "refund.amount=50,200", "--split", "send_reply.template")
    units, found = units_of(shell, folder / "approvals.csv", *words)
    assert (found["n_actions"], found["counted"]) == (2420, 1787)
    assert found["not_counted"] == {"fast": 472, "rule": 65, "open": 48, "bulk": 48}
    licensed = {
        ("read_order", "any"): (511, 2, 76, 20, 0.73),
        ("send_reply", "template true"): (377, 4, 132, 20, 0.48),
        ("restart_service", "any"): (95, 0, 76, 20, 0.20),
        ("refund", "amount up to 50"): (323, 7, 132, 1 / 0.15, 0.01),
    }
    assert {name for name, one in units.items() if one["state"] == "licensed"} == licensed.keys()
    for name, (counted, bad, since, every, holds) in licensed.items():
        one = units[name]
        assert (one["counted"], one["bad"], one["granted_after"]) == (counted, bad, since)
        assert 1 / one["audit_rate"] == pytest.approx(every)
        assert one["holds_if_missed_below"] == pytest.approx(holds, abs=0.005)
    assert units["delete_account", "any"]["reasons"] == ["irreversible"]
    assert units["delete_account", "any"]["forecast"]["median"] == 31
    assert units["refund", "amount over 200"]["state"] == "unlikely"
    assert 180 < units["run_sql", "any"]["forecast"]["median"] < 400
    assert found["older"] == [{"agent": "ops-bot", "version": "0.9", "counted": 101, "bad": 6.0}]
    assert found["alone"]["actions"] == 1791
    assert found["alone"]["still_asked"] / found["days"] == pytest.approx(18.4, abs=0.5)
    assert found["alone"]["bad"] == pytest.approx(20, abs=0.7)
    with (folder / "approvals_truth.csv").open(encoding="utf-8") as file:
        truth = {row["approval_id"]: int(row["should_not"]) for row in csv.DictReader(file)}
    with (folder / "approvals.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    true = [truth[row["approval_id"]] for row in rows if row["tool"] == "read_order"]
    assert sum(true) / len(true) < 0.05  # its licence is deserved
    low, high = found["alone"]["bad_interval"]
    assert low <= 20 <= high
    hasty = found["approvers"][0]
    assert (hasty["name"], hasty["decided"]) == ("reviewer-3", 432)
    assert hasty["unread"] == pytest.approx(0.84, abs=0.005)


def test_in_words_and_as_a_page(shell, tmp_path):
    log = shell.write("log.csv", log_of(["read_order"]) + log_of(["send_mail"], bad=30))
    page = tmp_path / "page.html"
    said = " ".join(shell.said("approvals", log, "--html", page).split())
    assert (
        "Decided: 1 of 2 kinds of action may run without asking, at a limit of 5% bad actions"
        in said.replace("\xa0", " ")
    )
    assert "A log cannot show whether approvers read what they approve" in said
    assert "unlikely as it is" in said
    text = page.read_text("utf-8")
    assert "Evidence that bad actions are rarer than the limit" in text
    assert "<svg" in text
    assert shell.said("approvals", log) == shell.said(log)  # whatever file somebody has


def test_rows_exported_thrice_earn_nothing(shell):
    rows = [
        {**row, "created_at": row["created_at"].replace(":00Z", ":11Z")}
        for row in log_of(["pay"], n=40)
    ]
    thrice = [{**row, "id": f"{row['id']}-{i}"} for row in rows for i in range(3)]
    once, _ = units_of(shell, shell.write("once.csv", rows))
    units, found = units_of(shell, shell.write("thrice.csv", thrice))
    assert units["pay", "any"]["state"] == once["pay", "any"]["state"] == "not yet"
    assert (found["counted"], found["not_counted"]) == (40, {"repeat": 80})
    said = shell.said("approvals", shell.folder / "thrice.csv")
    assert "exported twice" in " ".join(said.replace("│", " ").split())


def test_nothing_is_promised_of_licences_that_are_not_there(shell):
    log = shell.write("log.csv", log_of(["read_order", "send_mail"], n=30, bad=30))
    said = " ".join(shell.said("approvals", log).split()).replace("\xa0", " ")
    assert "Each licence below" not in said
    assert "To measure that, deal them actions that you know to be bad" in said
    assert "the chance that it ever earns a licence is at most 5%, however often you look." in said
    assert "Over all 2 units, expect at most 0.1 undeserved licences." in said


def test_a_new_name_changes_no_forecast(shell):
    log = [shell.write(f"{tool}.csv", log_of([tool], n=50, bad=2)) for tool in ("pay", "send_mail")]
    one, other = (next(iter(units_of(shell, path)[0].values()))["forecast"] for path in log)
    assert one == other
    assert one["median"] is not None


def test_python_hears_the_same(shell):
    log = shell.write("log.csv", log_of(["read_order"]))
    report = askpoint.evaluate(log)
    assert report.to_dict()["units"][0]["state"] == "licensed"
    assert repr(report).startswith("Decided: 1 of 1 kind of action may run without asking")


def test_nothing_yet_is_said_first(shell):
    log = shell.write("log.csv", log_of(["read_order"], n=30))
    said = " ".join(shell.said("approvals", log).split()).replace("\xa0", " ")
    assert "Decided: nothing may run without asking yet, at a limit of 5% bad actions." in said
    assert "about 46 more approvals" in said


def test_what_acts_alone_by_a_rule_without_a_licence_ends_with_3(shell):
    rows = log_of(["read_order"]) + log_of(["send_mail"], n=30)
    for row in rows:
        row["actor_type"] = "human"
    rows[-1]["actor_type"] = "policy"
    result = shell.run("approvals", shell.write("log.csv", rows))
    assert result.exit_code == 3
    assert "ran 1 time by a rule, and has earned no licence" in " ".join(result.stdout.split())
    rows[-1]["actor_type"], rows[0]["actor_type"] = "human", "policy"
    assert shell.run("approvals", shell.write("log.csv", rows)).exit_code == 0


def test_money_and_hours(shell):
    log = shell.write("log.csv", log_of(["read_order"], n=300))
    words = ("--mistake", 40, "--check", 2, "--currency", "EUR", "--minutes", 3)
    said = " ".join(shell.said("approvals", log, *words).split()).replace("\xa0", " ")
    assert "at a limit of 5% bad actions" in said  # 2 / 40
    assert "In 30 days that saves" in said
    assert " hours and " in said
    assert " EUR (" in said


def test_what_is_saved_is_counted_by_hand(shell):
    """300 right approvals, one a minute and 50 a day; all but one audit in 20 falls away."""
    log = shell.write("log.csv", log_of(["read_order"], n=300))
    words = ("--mistake", 40, "--check", 2, "--minutes", 3)
    _, found = units_of(shell, log, *words)
    saved, month = found["saved_in_30_days"], 30 / found["days"]
    assert saved["hours"] == pytest.approx(300 * 0.95 * month * 3 / 60)
    assert saved["checks"] == pytest.approx(300 * 0.95 * month * 2)
    expected = 300 * 0.5 / 310  # of Beta(.5, 9.5) and 300 right labels
    assert saved["money"] == pytest.approx(saved["checks"] - expected * month * 40)
    low, high = saved["interval"]
    assert low < saved["money"] < high <= saved["checks"]
    _, plain = units_of(shell, log)
    assert plain["saved_in_30_days"] == {"hours": None, "checks": None, "money": None, "interval": None}  # fmt: skip


def test_the_aim_money_says_what_costs_less_and_promises_nothing(shell):
    log = shell.write("log.csv", log_of(["read_order"], n=30) + log_of(["mail"], n=30, bad=9))
    words = ("--mistake", 40, "--check", 2)
    units, found = units_of(shell, log, *words)
    assert {one["state"] for one in found["units"]} == {"not yet", "unlikely"}
    units, found = units_of(shell, log, *words, "--aim", "money")
    assert units["read_order", "any"]["state"] == "licensed"
    assert units["read_order", "any"]["granted_after"] == 10
    assert units["read_order", "any"]["limit"] == pytest.approx(0.05 * 0.97)
    assert units["mail", "any"]["state"] == "unlikely"
    said = " ".join(shell.said("approvals", log, *words, "--aim", "money").split())
    said = said.replace("\xa0", " ")
    assert (
        "Decided: 1 of 2 kinds of action should cost less without asking: bot read_order." in said
    )
    assert "That is a price, not a promise" in said
    assert "Nothing is promised about how often these actions are wrong" in said
    assert "undeserved licences" not in said


def test_each_class_has_its_aim_and_its_price(shell):
    rows = log_of(["read_order", "pay", "mail"], n=100)
    classes = [{"tool": "read_order", "aim": "money", "bad": 10}, {"tool": "pay", "bad": 100}, {"tool": "mail"}]  # fmt: skip
    log = shell.write("log.csv", rows)
    words = ("--actions", shell.write("classes.json", json.dumps(classes)), "--mistake", 40, "--check", 2)  # fmt: skip
    units, found = units_of(shell, log, *words, "--policy", shell.folder / "policy.json")
    limits = {tool: (one["aim"], round(one["limit"], 9)) for (tool, _), one in units.items()}
    assert limits == {
        "read_order": ("money", 0.194), "pay": ("promise", 0.02), "mail": ("promise", 0.05),
    }  # fmt: skip
    assert {tool for (tool, _), one in units.items() if one["state"] == "licensed"} == {"read_order", "mail"}  # fmt: skip
    month, each = 30 / found["days"], 100 * 0.5 / 110
    saved = found["saved_in_30_days"]
    assert saved["money"] == pytest.approx(saved["checks"] - each * month * (10 + 40))
    said = " ".join(shell.said("approvals", log, *words).split()).replace("\xa0", " ")
    assert "1 of 3 kinds of action may run without asking, at a limit of 5% bad actions: bot mail." in said  # fmt: skip
    assert "1 of 3 kinds of action should cost less without asking: bot read_order." in said
    page = shell.folder / "page.html"
    shell.said("approvals", log, *words, "--html", page)
    assert "19.4% by money" in page.read_text("utf-8").replace("\xa0", " ")
    policy = json.loads((shell.folder / "policy.json").read_text("utf-8"))["licence"]
    assert (policy["check"], policy["classes"][0]["aim"]) == (2, "money")
    classes[2]["bad"] = 30
    shell.write("classes.json", json.dumps(classes))
    assert "at the limits of their classes" in " ".join(shell.said("approvals", log, *words).split())  # fmt: skip


def test_by_money_six_of_nine_on_the_log_of_the_specification(shell, data):
    """What it expects of them beside the truth: all that the six did wrong, whoever saw it."""
    folder = data / "approvals"
    words = ("--split", "refund.amount=50,200", "--split", "send_reply.template", "--mistake", 40, "--check", 2)  # fmt: skip
    units, found = units_of(shell, folder / "approvals.csv", *words, "--aim", "money")
    licensed = {name for name, one in units.items() if one["state"] == "licensed"}
    assert licensed == {
        ("read_order", "any"), ("send_reply", "template true"), ("restart_service", "any"), ("run_sql", "any"),
        ("refund", "amount up to 50"), ("refund", "amount 50 to 200"),
    }  # fmt: skip
    classes = {"any", "staging", "writes", "template", "up to 50", "50 to 200"}
    tools = {tool for tool, _ in licensed}
    with (folder / "approvals_truth.csv").open(encoding="utf-8") as file:
        truth = {row["approval_id"]: (row["class"], int(row["should_not"])) for row in csv.DictReader(file)}  # fmt: skip
    with (folder / "approvals.csv").open(encoding="utf-8") as file:
        rows = [
            truth[row["approval_id"]]
            for row in csv.DictReader(file)
            if row["tool"] in tools and row["agent_version"] != "0.9"
        ]
    bad = [wrong for name, wrong in rows if name in classes]
    assert len(bad) == found["alone"]["actions"] == 2002
    low, high = found["alone"]["bad_interval"]
    assert low <= sum(bad) == 19 <= high
    saved = found["saved_in_30_days"]
    true = saved["checks"] - 19 * 40 * 30 / found["days"]
    assert saved["interval"][0] <= true <= saved["interval"][1]


def test_golden_actions_make_acting_dearer(shell):
    log = shell.write("log.csv", log_of(["read_order"], n=30))
    words = ("--aim", "money", "--mistake", 40, "--check", 2)
    gold = [{"id": i, "decision": "reject"} for i in range(20)]
    units, _ = units_of(shell, log, *words, "--golden", shell.write("gold.csv", gold))
    assert units["read_order", "any"]["state"] == "licensed"
    for row in gold[:17]:
        row["decision"] = "approve"
    units, _ = units_of(shell, log, *words, "--golden", shell.write("gold.csv", gold))
    assert units["read_order", "any"]["state"] == "not yet"
    for row in gold:
        row["decision"] = "approve"
    units, _ = units_of(shell, log, *words, "--golden", shell.write("gold.csv", gold))
    assert units["read_order", "any"]["state"] == "unlikely"


def test_golden_actions_decide_what_a_log_cannot(shell):
    log = shell.write("log.csv", log_of(["read_order"], n=200))
    gold = [{"id": i, "decision": "reject"} for i in range(60)]
    read, _ = units_of(shell, log, "--golden", shell.write("gold.csv", gold))
    assert read["read_order", "any"]["state"] == "licensed"
    assert read["read_order", "any"]["evidence"] <= evidence_path([0.0] * 200, [0.05])[-1, 0]
    for row in gold[:50]:
        row["decision"] = "approve"
    unread, _ = units_of(shell, log, "--golden", shell.write("gold.csv", gold))
    assert (unread["read_order", "any"]["state"], unread["read_order", "any"]["forecast"]) == (
        "not yet",
        None,
    )
    said = " ".join(shell.said("approvals", log, "--golden", shell.folder / "gold.csv").split())
    assert "not until golden actions show that approvers read" in said
    assert "A log cannot show" not in said


def test_classes_from_a_file_leave_the_rest_unlicensed(shell):
    rows = [
        {**row, "arguments": json.dumps({"amount": 10.0 + 90 * (i % 2)})}
        for i, row in enumerate(log_of(["refund"], n=240))
    ]
    classes = shell.write(
        "classes.json",
        json.dumps([{"tool": "refund", "name": "small", "if": {"amount": {"max": 50}}}]),
    )
    log = shell.write("log.csv", rows)
    units, _ = units_of(shell, log, "--actions", classes)
    assert units["refund", "small"]["state"] == "licensed"
    assert units["refund", "other"]["reasons"] == ["no declared class matches it"]
    split, _ = units_of(shell, log, "--split", "refund.amount=50")
    assert {name for _, name in split} == {"amount up to 50", "amount over 50"}
    assert "refund (amount) may be split by its arguments" in " ".join(
        shell.said("approvals", log).split()
    )


def test_the_terms_for_a_door(shell):
    rows = [
        {
            **row,
            "arguments": json.dumps({"amount": 10.0 + 90 * (i % 2)}),
            "risk": "low" if row["tool"] == "pay" else "high",
        }
        for i, row in enumerate(log_of(["pay", "wipe"]))
    ]
    log = shell.write("log.csv", rows)
    words = (
        "--split",
        "pay.amount=50",
        "--limit",
        "0.1",
        "--settle",
        "24",
        "--policy",
        shell.folder / "policy.json",
    )
    said = shell.said("approvals", log, *words)
    assert "Next: askpoint licence open FOLDER " in said
    assert "those of the log do not count" in " ".join(said.split())
    with askpoint.Licences(":memory:", shell.folder / "policy.json") as licences:
        policy = licences.policy
        assert (policy.limit, policy.labels.settle_hours) == (0.1, 24)
        assert [(one.tool, one.name, one.harm) for one in policy.classes] == [
            ("pay", "amount up to 50", "low"), ("pay", "amount over 50", "low"), ("wipe", "any", "high"),
        ]  # fmt: skip
        made = licences.propose("call", agent="bot", tool="pay", arguments={"amount": 20})
        assert (made.verdict, made.name) == (
            "ask",
            "amount up to 50",
        )  # the log's evidence is not the door's
    assert shell.run("approvals", log, "--policy", "no/folder/policy.json").exit_code == 2


def test_a_fresh_log_is_not_settled(shell):
    log = shell.write("log.csv", log_of(["read_order"]))
    units, found = units_of(shell, log, "--until", "2026-01-03T22:00:00Z")
    assert found["not_counted"]["unsettled"] > 0
    assert units["read_order", "any"]["state"] != "licensed"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--limit", "2"), "limit must be between 0 and 1; got 2"),
        (("--mistake", "4"), "--mistake and --check belong together"),
        (("--mistake", "4", "--check", "5"), "--mistake must be more than --check"),
        (("--until", "soon"), "--until is a time, such as 2026-10-12"),
        (("--split", "mail.to"), "--split begins with one of the tools (read_order)"),
        (("--split", "read_order.n"), "takes 2 to 20 values, and there are 0"),
        (("--split", "read_order.n=a"), "takes numbers with commas; got 'a'"),
        (("--actions", "no.json"), "--actions: no.json cannot be read"),
        (("--settle", "-1"), "settle_hours is 0 or more"),
        (("--minutes", "0"), "minutes is above 0; got 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(shell, words, message):
    result = shell.run("approvals", shell.write("log.csv", log_of(["read_order"], n=20)), *words)
    assert result.exit_code == 2
    assert message in result.output


def refunds(n=240, **more):
    """Refunds of 10, 40 and 300, of which half of the large ones were rejected; an order's number each."""
    return [
        {**one, "arguments": json.dumps({"amount": (10, 40, 300)[i % 3], "order": 4000 + i} | more),
         "decision": "reject" if i % 6 == 2 else "approve"}
        for i, one in enumerate(log_of(["refund"], n=n))
    ]  # fmt: skip


def test_a_tool_that_earns_no_licence_as_a_whole_is_proposed_in_part(shell):
    log = shell.write("log.csv", refunds())
    units, _ = units_of(shell, log, "--limit", "0.1")
    (unit,) = units.values()
    assert unit["state"] == "unlikely"
    assert unit["step"] == {
        "argument": "amount", "up_to": 50, "counted": 160, "bad": 0, "tried": 2, "delta_share": 1, "bolder": [],
    }  # fmt: skip
    said = " ".join(shell.said("approvals", log, "--limit", "0.1").split())
    assert "In part: bot refund may run without asking where amount is at most 50" in said
    assert (
        "(160 of its 240 labels, 0 of them bad), corrected for the 2 steps that were tried." in said
    )
    assert "--policy FILE declares both parts." in said
    assert "Over all 1 unit and 1 search for a step of an amount, expect at most 0.1" in said
    split = units_of(shell, log, "--limit", "0.1", "--split", "refund.amount=50")[0]
    assert split["refund", "amount up to 50"]["state"] == "licensed"
    assert {one["step"] for one in split.values()} == {None}


def test_the_policy_declares_a_step_and_the_door_licenses_it(shell):
    """Log, terms, door: what the report proposes is what may act alone, on the same evidence and bound."""
    log, terms = shell.write("log.csv", refunds()), shell.folder / "policy.json"
    words = ("--limit", "0.1", "--policy", terms)
    units, _ = units_of(shell, log, *words)
    assert units["refund", "any"]["step"]["up_to"] == 50
    declared = LicencePolicy.from_json(terms.read_text("utf-8"))
    assert [(one.name, one.delta_share) for one in declared.classes] == [
        ("amount up to 50", 1), ("amount over 50", 0.5),
    ]  # fmt: skip
    place = shell.folder / "door"
    said = shell.said("licence", "open", place, terms, "--log", log)
    assert "1 of 2 kinds of action may act alone" in said
    with askpoint.Licences(place) as licences:
        found = {one.name: one for one in licences.units()}
        assert (found["amount up to 50"].labels, found["amount over 50"].labels) == (160, 80)
        assert found["amount up to 50"].bound == pytest.approx(grant_bound(0.05))
        assert found["amount over 50"].bound == pytest.approx(grant_bound(0.05 / 2))
        for n, (amount, verdict, name) in enumerate((
            (49.9, "allow", "amount up to 50"), (50, "allow", "amount up to 50"), (50.1, "ask", "amount over 50"),
            ("20", "ask", "other"), (None, "ask", "other"),
        )):  # fmt: skip
            made = licences.propose(
                f"c{n}", agent="bot", tool="refund", arguments={"amount": amount}, version="unknown"
            )
            assert (made.verdict, made.name) == (verdict, name), amount
        licences.verify()
    again = units_of(shell, log, "--limit", "0.1", "--actions", terms)[0]
    assert again["refund", "amount up to 50"]["state"] == "licensed"
    assert again["refund", "amount over 50"]["bound"] == pytest.approx(grant_bound(0.05 / 2))


def test_the_policy_leaves_larger_amounts_to_the_door_step_by_step(shell):
    """A log whose refunds up to 50 are right: the door licenses those, then up to 200 when these were approved there."""
    rows = [{**one, "arguments": json.dumps({"amount": (10, 40, 150, 900)[i % 4], "order": 4000 + i}),
             "decision": "reject" if i % 4 > 1 and i % 8 < 4 else "approve"}
            for i, one in enumerate(log_of(["refund"], n=320))]  # fmt: skip
    log, terms = shell.write("log.csv", rows), shell.folder / "policy.json"
    said = " ".join(shell.said("approvals", log, "--limit", "0.1", "--policy", terms).split())
    assert "and larger amounts as steps that the door may earn." in said
    assert "rests on the word of ann alone" not in said  # nothing is licensed as a whole
    kinds = LicencePolicy.from_json(terms.read_text("utf-8")).classes
    assert [one.after for one in kinds] == [None, *(one.name for one in kinds[:-1])]
    names = [one.name.removeprefix("amount ") for one in kinds]
    assert names == ["up to 50", "50 to 200", "over 200"]
    place = shell.folder / "door"
    shell.said("licence", "open", place, terms, "--log", log)
    with askpoint.Licences(place) as licences:
        assert [one.state for one in licences.units()] == ["asks", "asks", "licensed"]
        at = 1_800_000_000_000_000
        for n in range(400):
            at += 73 * 3_600_000_000
            made = licences.propose(
                f"c{n}", agent="bot", tool="refund", arguments={"amount": 150, "n": n}, at=at
            )
            if made.verdict == "allow":
                break
            licences.decide(made.key, "approve", by="ann", seconds=9, at=at + 9_000_000)
        assert made.verdict == "allow"


def test_a_bold_step_of_a_log_waits_for_the_cautious_one(shell):
    rows = [{**one, "arguments": json.dumps({"amount": (10, 90)[i % 2]}),
             "decision": "reject" if i % 4 == 0 else "approve"}
            for i, one in enumerate(log_of(["refund"], n=300))]  # fmt: skip
    log = shell.write("log.csv", rows)
    steps = shell.folder / "steps.json"
    steps.write_text('[{"tool": "refund", "steps": {"amount": [50]}}]')
    units, _ = units_of(shell, log, "--actions", steps)
    bold = units["refund", "amount over 50"]
    assert bold["evidence"] > bold["bound"]
    assert (bold["state"], bold["waits_for"], bold["audit_rate"]) == (
        "not yet",
        "amount up to 50",
        1,
    )
    page = shell.folder / "page.html"
    shell.said("approvals", log, "--actions", steps, "--html", page)
    assert "earned; waits for the step amount up to 50" in page.read_text("utf-8")


def test_the_terms_are_written_before_a_report_whose_reader_stops_early(shell, monkeypatch):
    def stop(*_):
        raise BrokenPipeError

    monkeypatch.setattr("askpoint.cli.approvals.print_report", stop)
    log = shell.write("log.csv", log_of(["read"]))
    shell.run("approvals", log, "--policy", shell.folder / "policy.json")
    assert LicencePolicy.from_json((shell.folder / "policy.json").read_text("utf-8")).classes


def test_without_the_time_of_a_proposal_nobody_is_counted_as_quick_or_slow(shell):
    untimed = [{k: v for k, v in row.items() if k != "created_at"} for row in log_of(["read"])]
    said = " ".join(shell.said("approvals", shell.write("log.csv", untimed)).split())
    assert (
        "does not say when an action was proposed, so approvals within a second count as read"
        in said
    )
    assert "ann 120 not known 0" in said
    timed = " ".join(shell.said("approvals", shell.write("timed.csv", log_of(["read"]))).split())
    assert "ann 120 0 0" in timed
    assert "when an action was proposed" not in timed


def test_one_approver_is_named_beside_what_rests_on_that_person(shell):
    words = "rests on the word of ann alone"
    alone, rows = shell.write("alone.csv", log_of(["read"])), log_of(["read"])
    two = shell.write("two.csv", [*rows[:-1], rows[-1] | {"reviewer": "ben"}])
    said = " ".join(shell.said("approvals", alone).split())
    assert words in said
    assert "audits would see hardly any of them." in said
    assert words not in " ".join(shell.said("approvals", two).split())


def test_a_step_is_looked_for_only_where_it_may_help(shell):
    log = shell.write("log.csv", refunds())
    units, _ = units_of(shell, log, "--limit", "0.5")  # licensed as a whole
    assert units["refund", "any"]["step"] is None
    units, _ = units_of(shell, log, "--limit", "0.01")  # too strict for 160 labels
    assert units["refund", "any"]["step"] is None
    orders = shell.write("orders.csv", [
        {**one, "arguments": json.dumps({"order": 4000 + i})} for i, one in enumerate(refunds())
    ])  # fmt: skip
    units, _ = units_of(shell, orders, "--limit", "0.1")
    assert units["refund", "any"]["step"] is None
    assert "search" not in shell.said("approvals", orders, "--limit", "0.1")
    never = shell.write("classes.json", json.dumps([{"tool": "refund", "harm": "irreversible"}]))
    units, _ = units_of(shell, log, "--limit", "0.1", "--actions", never)
    assert units["refund", "any"]["step"] is None
