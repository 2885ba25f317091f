"""The deployment of docs/deploy.md: what its proxy sends, and nginx itself where it is there."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from django.utils import timezone

from askpoint.server.jobs.models import Beat, Job
from askpoint.server.jobs.services import beat
from server.running import Server

PAGE = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text()
NAME = "play.example.org"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The server as its unit starts it."""
    words = re.search(r"ExecStart=\S+ serve (.*?)\nRestart", PAGE, re.DOTALL)[1]
    assert f"--url https://{NAME}" in words
    server = Server(tmp_path_factory.mktemp("served"), "", "--url", f"https://{NAME}")
    yield server.wait()
    server.stop()


def ask(port, path, *, tls=None, method="GET", body=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if tls:
        wire = http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=tls)
    else:
        wire = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    wire.request(method, path, body, headers={"Host": NAME, **headers})
    answer = wire.getresponse()
    said = answer.read().decode()
    wire.close()
    return answer, said


@pytest.mark.whole
def test_behind_a_proxy_everything_is_https(served):
    plain, _ = ask(served.port, "/sign-in/")
    assert (plain.status, plain.headers["Location"]) == (301, f"https://{NAME}/sign-in/")
    sent = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "192.0.2.7"}
    page, _ = ask(served.port, "/sign-in/", **sent)
    assert page.status == 200
    assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
    assert "Secure" in page.headers["Set-Cookie"]
    other, _ = ask(served.port, "/sign-in/", **{**sent, "Host": "other.example.org"})
    assert other.status == 400
    for path in ("/health/", "/health/ready/"):  # asked on the machine itself, without https
        deadline = time.monotonic() + 30
        while (found := ask(served.port, path))[0].status != 200:
            assert time.monotonic() < deadline, found[1]
            time.sleep(0.2)


def test_what_is_not_ready_says_why(stage, enter):
    def said():
        answer = enter().get("/health/ready/")
        return answer.status_code, answer.content.decode().strip()

    assert said() == (503, "not ready: the background process is not there")
    beat()
    assert said() == (200, "ready")
    Beat.objects.update(at=timezone.now() - timedelta(seconds=90))
    assert said()[0] == 503
    beat()
    Job.objects.create(kind="learn", about="x", due=timezone.now() - timedelta(hours=1))
    assert said() == (503, "not ready: jobs wait, the oldest for 60 minutes")


@pytest.mark.whole
def test_nginx_runs_the_file_of_the_page(served, tmp_path):
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    with socket.socket() as one, socket.socket() as two:
        for wire in (one, two):
            wire.bind(("127.0.0.1", 0))
        plain, secure = one.getsockname()[1], two.getsockname()[1]
    authority = trustme.CA()
    made = authority.issue_cert(NAME, "127.0.0.1")
    made.private_key_pem.write_to_path(tmp_path / "privkey.pem")
    made.cert_chain_pems[0].write_to_path(tmp_path / "fullchain.pem")
    text = re.search(r"```nginx\n(.*?)```", PAGE, re.DOTALL)[1]
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl;"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl;\n", ""),
        (f"/etc/letsencrypt/live/{NAME}/", f"{tmp_path}/"),
        ("127.0.0.1:8000", f"127.0.0.1:{served.port}"),
    ):
        assert old in text
        text = text.replace(old, new)
    paths = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = tmp_path / "nginx.conf"
    user = "user root;\n" if os.getuid() == 0 else ""  # who else could not write in this folder
    conf.write_text(
        f"{user}pid {tmp_path}/pid;\nerror_log {tmp_path}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{text}}}\n"
    )
    process = subprocess.Popen([nginx, "-c", conf, "-p", tmp_path, "-g", "daemon off;"])
    try:
        tls = ssl.create_default_context()
        authority.configure_trust(tls)
        deadline = time.monotonic() + 20
        while True:
            try:
                answer, _ = ask(plain, "/")
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert (answer.status, answer.headers["Location"]) == (301, f"https://{NAME}/")
        page, body = ask(secure, "/sign-in/", tls=tls, X_Forwarded_For="203.0.113.9")
        assert page.status == 200
        assert "Secure" in page.headers["Set-Cookie"]
        assert "Sign in" in body
        refused, _ = ask(secure, "/api/run", tls=tls)
        assert refused.headers["Content-Type"] == "application/problem+json"
        for path, says in 5 * (("/reports/", "text/plain"), ("/sign-in/", "text/html")):
            large, _ = ask(secure, path, tls=tls, method="POST", body=b"x" * 9_000_000)
            assert large.status == 413
            assert large.headers["Content-Type"].startswith(says)  # the server's word, or nginx's
        statuses = [ask(secure, "/health/", tls=tls)[0].status for _ in range(160)]
        assert set(statuses) <= {200, 429}
    finally:
        process.terminate()
        process.wait(20)
