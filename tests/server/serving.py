"""The server in a thread of this process, so that a browser sees what the stage was set for."""

from __future__ import annotations

import threading

from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.test import Client
from playwright.sync_api import TimeoutError as PlaywrightTimeout

__all__ = ["Serving"]

# not while a form is on its way: what was typed may hold the words that are waited for
SEEN = """(words) => document.body && !document.querySelector(".htmx-request") && (document.body.innerText
    + [...document.querySelectorAll("input, textarea")].map((it) => it.value).join(" ")
).includes(words)"""


class _Quiet(WSGIRequestHandler):
    def log_message(self, *args) -> None:
        pass


def _session(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


class Serving:
    """Serves while the ``with`` lasts; signs its people in before a browser's loop runs."""

    def __init__(self, people) -> None:
        self._sessions = {user.username: _session(user) for user in people}

    def __enter__(self):
        self._server = ThreadedWSGIServer(("127.0.0.1", 0), _Quiet)
        self._server.set_app(get_wsgi_application())
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *problem):
        self._server.shutdown()
        self._server.server_close()

    def tab(self, browser, name=""):
        """Return a browser's tab where somebody is signed in."""
        context = browser.new_context(base_url=self.address)
        context.set_default_timeout(60_000)
        tab = context.new_page()
        self.seat(tab, name)
        return tab

    def seat(self, tab, name):
        """Let somebody sit down at a tab; nobody, if the name is empty."""
        tab.context.clear_cookies()
        if name:
            session = {"name": "sessionid", "value": self._sessions[name], "url": self.address}
            tab.context.add_cookies([session])

    @staticmethod
    def show(tab, scene):
        """Go to a scene, do what leads to it, and make sure that it is the one."""
        tab.goto(scene.path)
        if scene.fill:  # what is folded away is filled in, too
            tab.evaluate("document.querySelectorAll('main details').forEach(it => it.open = true)")
        for name, value in scene.fill.items():
            field = tab.locator(f"main [name='{name}']").first
            if field.evaluate("it => it.tagName") == "SELECT":
                field.select_option(value)
            elif field.get_attribute("type") == "radio":
                tab.check(f"main [name='{name}'][value='{value}']")
            else:
                field.fill(value)
        if scene.lose:
            tab.context.clear_cookies(name="csrftoken")
        if scene.press:
            tab.evaluate("document.querySelectorAll('form').forEach(it => it.noValidate = true)")
            tab.click(scene.press)
        try:
            tab.wait_for_function(SEEN, arg=scene.says, polling=100)  # milliseconds
        except PlaywrightTimeout:
            shown = tab.locator("main").inner_text()[:500]
            raise AssertionError(
                f"{scene.path} of {scene.who!r} does not say {scene.says!r}: {shown}"
            ) from None
