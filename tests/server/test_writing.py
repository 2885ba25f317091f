"""What a batch leaves is written column by column, and comes back as it was, on both databases."""

from __future__ import annotations

from askpoint.server.deployments.decisions import IncomingCase, decide
from askpoint.server.deployments.models import Receipt
from askpoint.server.deployments.rows import NewReceipt
from askpoint.server.labelling.models import Case
from server.in_use import InUse

ODD = (
    None,
    "",
    'tab\t, line\n, "quotes", back\\slash, \\N and \\.',
    "Grüße 👩‍👩‍👧 أنت",
    {"a": [1, 2.5, None, True, {"b": "\\"}], "": "x"},
    [],
)


def test_contents_come_back_as_they_were(database):
    in_use = InUse(limit=0.0001)
    given = [
        IncomingCase(f"a\tkey\\{i}", [0.4, 0.6], case=it, group="g\n1") for i, it in enumerate(ODD)
    ]
    made = decide(in_use.id, given, "7")
    assert {one.action for one in made} == {"ask"}
    receipts, cases = Receipt.objects.order_by("seq"), Case.objects.order_by("pk")
    for number, (it, receipt, case) in enumerate(zip(given, receipts, cases, strict=True)):
        assert (receipt.key, receipt.group, case.key) == (it.key, "g\n1", it.key)
        assert case.content == it.case
        assert (case.purpose, case.state, case.gold) == ("asked", "open", None)
        assert case.wanted in (1, 2)  # some are asked of two, by a draw
        assert (case.labelled, case.opened) == (None, receipt.at)
        assert (receipt.held, receipt.seq, receipt.confidence) == (False, number, 0.6)
    assert decide(in_use.id, given, "7") == made


def test_all_columns_are_written(database):
    in_use = InUse()
    names = {field.attname for field in Receipt._meta.concrete_fields}
    assert names - {"id"} == set(NewReceipt.__slots__)
    decide(
        in_use.id, [IncomingCase(f"k{i}", [0.02, 0.98], case=f"case {i}") for i in range(3)], "7"
    )
    assert [row.seq for row in Receipt.objects.order_by("seq")] == [0, 1, 2]
    assert Receipt.objects.exclude(chain=None).count() == 1
