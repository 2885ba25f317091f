"""What a screen reader says of the server's numbers, by Chromium's accessibility tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import askpoint.server

_STYLE = Path(askpoint.server.__file__).parent / "home/static/askpoint/page.css"


@pytest.mark.parametrize(
    ("markup", "heard"),
    [
        (
            '<dl class="figures"><dt>alone</dt><dd>617 <small>579 to 658</small></dd></dl>',
            "definition: 617 , 579 to 658",
        ),
        (
            "<table><tr><td>71 <small>23 to 160</small></td></tr></table>",
            'cell "71 , 23 to 160"',
        ),
    ],
    ids=["figure", "cell"],
)
def test_a_number_and_its_range_are_not_heard_as_one_number(markup, heard, chromium):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content(f"<style>{_STYLE.read_text('utf-8')}</style><main>{markup}</main>")
        assert heard in page.locator("main").aria_snapshot()
        browser.close()
