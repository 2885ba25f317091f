"""What of a report a page of the server shows."""

from __future__ import annotations

from askpoint.reports.document import Notice, Paragraph, Section
from askpoint.server.report_sections import plain_sections


def test_a_page_names_no_option_of_a_command():
    blocks = (
        Paragraph("Set the longest label delay (--max-label-delay) to a weekend (two days)."),
        Notice("Assumed (add --mistake, or --rho)."),
    )
    (plain,) = plain_sections([Section("What it does", blocks)])
    assert [block["text"] for block in plain["blocks"]] == [
        "Set the longest label delay to a weekend (two days).",
        "Assumed.",
    ]
