"""`make screens`: every page of every role, drawn for whoever changes one; here a few, so that it stays whole."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import sync_playwright

from server.screens import LOOKS, draw_screens
from server.serving import Serving
from server.test_scenes import scenery  # noqa: F401  # a fixture

_FOLDER, _ONLY = "ASKPOINT_SCREENS", "ASKPOINT_SCREENS_OF"
_FEW = ("home", "incident", "account_login")


def test_the_sheet_shows_each_scene_in_each_look(scenery, tmp_path, chromium):  # noqa: F811
    """With ASKPOINT_SCREENS all scenes are drawn, or those of the pages in ASKPOINT_SCREENS_OF, into that folder."""
    folder = os.environ.get(_FOLDER)
    only = os.environ.get(_ONLY, "").split()
    scenes = list(scenery)
    if folder is None:
        scenes = [next(one for one in scenes if one.page == page) for page in _FEW]
    elif only:
        scenes = [one for one in scenes if one.page in only]
    with Serving(scenery.cast.values()) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        sheet = draw_screens(
            server, server.tab(browser), scenes, Path(folder or tmp_path).resolve()
        )
        drawn = server.tab(browser)
        drawn.goto(sheet.as_uri())
        assert drawn.locator("h2").count() == len(scenes) > 0
        broken = "imgs => imgs.filter(it => (it.loading = 'eager') && !it.src).length"
        assert drawn.locator("img").evaluate_all(broken) == 0
        browser.close()
    pictures = list(sheet.parent.glob("*.png"))
    assert len(pictures) == len(LOOKS) * len(scenes)
    assert all(picture.stat().st_size > 2000 for picture in pictures)
