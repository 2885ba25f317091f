"""The deployment of docs/how-to/operate.md: what its proxy sends, and nginx itself where it is there."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from statistics import median

import httpx
import pytest
import trustme
from django.utils import timezone

from askpoint.server.jobs.models import Beat, Job
from askpoint.server.jobs.services import beat
from server.hostile_input import raw_requests
from server.running import Server

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "operate.md").read_text()
NAME = "play.example.org"
_OLGA = {"name": "olga", "password": "a long enough password"}


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


@pytest.fixture(scope="module")
def proxied(served, tmp_path_factory):
    """Nginx in front of it, by the page's file, with a certificate of its own: both ports, and whom to trust."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("nginx")
    with socket.socket() as one, socket.socket() as two:
        for wire in (one, two):
            wire.bind(("127.0.0.1", 0))
        plain, secure = one.getsockname()[1], two.getsockname()[1]
    authority = trustme.CA()
    made = authority.issue_cert(NAME, "127.0.0.1")
    made.private_key_pem.write_to_path(folder / "privkey.pem")
    made.cert_chain_pems[0].write_to_path(folder / "fullchain.pem")
    text = re.search(r"```nginx\n(.*?)```", PAGE, re.DOTALL)[1]
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl;"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl;\n", ""),
        (f"/etc/letsencrypt/live/{NAME}/", f"{folder}/"),
        ("127.0.0.1:8000", f"127.0.0.1:{served.port}"),
    ):
        assert old in text
        text = text.replace(old, new)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = folder / "nginx.conf"
    user = "user root;\n" if os.getuid() == 0 else ""  # who else could not write in this folder
    conf.write_text(
        f"{user}pid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{text}}}\n"
    )
    process = subprocess.Popen([nginx, "-c", conf, "-p", folder, "-g", "daemon off;"])
    try:
        tls = ssl.create_default_context()
        authority.configure_trust(tls)
        deadline = time.monotonic() + 20
        while True:
            try:
                ask(plain, "/")
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        yield plain, secure, tls
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.whole
def test_nginx_runs_the_file_of_the_page(proxied):
    plain, secure, tls = proxied
    answer, _ = ask(plain, "/")
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


def send(secure, tls, request, seconds=30):
    """Send bytes through nginx; the code of the answer, 0 where it hangs up without one."""
    heard = b""
    with (
        socket.create_connection(("127.0.0.1", secure), timeout=seconds) as raw,
        tls.wrap_socket(raw, server_hostname=NAME) as wire,
    ):
        with suppress(OSError):  # it has hung up meanwhile
            for part in request.parts:
                wire.sendall(part.replace(b"Host: localhost", f"Host: {NAME}".encode()))
        with suppress(OSError):
            while b"\r\n" not in heard and (more := wire.recv(4_096)):
                heard += more
    words = heard.split(b"\r\n")[0].split(b" ")
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


@pytest.mark.whole
def test_nginx_hands_on_nothing_that_breaks_the_server(served, proxied):
    _, secure, tls = proxied
    requests = raw_requests()
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda it: send(secure, tls, it), requests))
    own = {414, 494}  # words of nginx alone
    wrong = {
        it.name: code
        for it, code in zip(requests, codes, strict=True)
        if code not in it.codes | own
    }
    assert wrong == {}
    assert "Internal Server Error" not in served.log.read_text()
    assert ask(secure, "/health/", tls=tls)[0].status == 200


def pages(secure, tls, n=10):
    """Seconds that a page takes through nginx, asked for a few times."""
    took = []
    for _ in range(n):
        begun = time.monotonic()
        assert ask(secure, "/sign-in/", tls=tls)[0].status == 200
        took.append(time.monotonic() - begun)
        time.sleep(0.05)
    return took


@pytest.mark.whole
def test_200_half_sent_bodies_through_nginx_hold_up_nobody(proxied):
    """Nginx keeps a body until it is whole; who stops half-way is told so, and the server never hears of it."""
    _, secure, tls = proxied
    head = f"POST /sign-in/ HTTP/1.1\r\nHost: {NAME}\r\nTransfer-Encoding: chunked\r\n\r\n64\r\na="
    alone, wires, ended = pages(secure, tls), [], 0
    try:
        for _ in range(200):
            raw = socket.create_connection(("127.0.0.1", secure), timeout=60)
            wires.append(tls.wrap_socket(raw, server_hostname=NAME))
            wires[-1].sendall(head.encode())
            time.sleep(0.06)  # as often as the file lets one address ask
        beside = pages(secure, tls)
        for wire in wires:
            with suppress(OSError):
                ended += wire.recv(100).split(b" ")[1:2] != [b"200"]
    finally:
        for wire in wires:
            wire.close()
    assert ended == 200
    assert median(beside) < 2 * median(alone) + 0.1


@pytest.mark.whole
def test_a_log_of_200_mb_is_sent_through_nginx(served, proxied, tmp_path):
    _, secure, tls = proxied
    row = b"fine,hate,0.75\n"
    log = tmp_path / "log.csv"
    with log.open("wb") as file:
        file.write(b"label,prediction,confidence\n")
        for _ in range(200):
            file.write(row * (999_000 // len(row)))
    address = f"https://127.0.0.1:{secure}"
    head = {"Host": NAME, "Referer": f"https://{NAME}/"}
    with httpx.Client(verify=tls, headers=head, timeout=300) as person:

        def post(path, **form):
            token = {"csrfmiddlewaretoken": person.cookies.get("csrftoken", "")}
            files = form.pop("files", None)
            return person.post(address + path, data=form | token, files=files)

        joining = re.search(r"/join/\S+", served.log.read_text()).group()
        assert person.get(address + joining).status_code == 200
        assert post(joining, **_OLGA).status_code == 302
        with log.open("rb") as file:
            sent = post(
                "/reports/", aim="money", checks="20", files={"file": ("log.csv", file, "text/csv")}
            )
        assert sent.status_code == 302, sent.text
        there = sent.headers["Location"]
        assert person.get(address + there).status_code == 200


@pytest.mark.whole
def test_nginx_refuses_who_asks_more_often_than_the_file_allows(proxied):
    _, secure, tls = proxied
    ends = time.monotonic() + 60
    with ThreadPoolExecutor(16) as pool:
        while True:
            asked = pool.map(lambda _: ask(secure, "/static/none", tls=tls)[0].status, range(160))
            if (statuses := set(asked)) == {404, 429}:
                break
            assert statuses <= {404, 429}
            assert time.monotonic() < ends, "160 requests at once, and none too many"
