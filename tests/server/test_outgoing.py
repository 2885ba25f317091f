"""Requests to others' servers: which addresses are reached, in what time, and with which name."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from contextlib import contextmanager
from ipaddress import ip_address, ip_network

import httpx
import pytest
import trustme

from askpoint.errors import InputError
from askpoint.server.addresses import PUBLIC, Reach, RefusedAddressError, is_public, read_network
from askpoint.server.outgoing import OutgoingError, read_url, send

LOOPBACK = Reach((ip_network("127.0.0.1"),))

# From the registries of special-purpose addresses (IANA): one address of each block.
SPECIAL = (
    *("0.0.0.1", "10.9.8.7", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"),
    *("172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1"),
    *("198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::"),
    *("3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%lo", "fec0::1", "ff02::1"),
)


@pytest.mark.parametrize("address", SPECIAL)
def test_an_address_that_is_somebodys_own_is_not_public(address):
    assert not is_public(address)
    with pytest.raises(RefusedAddressError):
        Reach(resolve=lambda *_: ["8.8.8.8", address]).addresses("two.example", 80)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "172.32.0.1"])
def test_others_are(address):
    assert is_public(address)


def test_every_edge_of_a_private_network_is_found():
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8"):
        network = ip_network(text)
        assert not is_public(str(network[0]))
        assert not is_public(str(network[-1]))
        assert is_public(str(network[0] - 1)) or ip_address(network[0] - 1).is_loopback
        assert is_public(str(network[-1] + 1))


def test_a_named_network_is_reached_and_no_other():
    reach = Reach((read_network("10.1.0.0/16"), read_network("::1")))
    assert reach.may_reach("10.1.2.3")
    assert reach.may_reach("::1")
    assert not reach.may_reach("10.2.0.1")
    assert reach.may_reach("8.8.8.8")
    assert not Reach(reach.networks, named_only=True).may_reach("8.8.8.8")
    with pytest.raises(InputError, match="an address or a range"):
        read_network("10.1.2.3/8/9")


def test_this_machines_own_public_address_is_refused(monkeypatch):
    monkeypatch.setattr("askpoint.server.addresses.is_public", lambda _: True)
    assert not PUBLIC.may_reach("127.0.0.1")  # as if it were one that anybody can reach


def test_only_stated_ports_are_asked():
    reach = Reach(ports=frozenset((80, 443)), resolve=lambda *_: ["8.8.8.8"])
    assert reach.addresses("a.example", 443) == ["8.8.8.8"]
    with pytest.raises(RefusedAddressError, match="80 and 443"):
        reach.addresses("a.example", 22)


@contextmanager
def listening(answer, context=None):
    """A server that answers each connection by a function of its socket; its port."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve():
            while True:
                try:
                    wire, _ = door.accept()
                except OSError:
                    return
                with wire:
                    try:
                        tls = (
                            wire if context is None else context.wrap_socket(wire, server_side=True)
                        )
                        with tls:
                            answer(tls)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        yield door.getsockname()[1]
        door.shutdown(socket.SHUT_RDWR)


def replying(*parts, pause=0.0, asked=None):
    def answer(wire):
        found = wire.recv(65536)
        if asked is not None:
            asked.append(found)
        for part in parts:
            wire.sendall(part)
            time.sleep(pause)

    return answer


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


def get(port, seconds=2.0, most=1000, reach=LOOPBACK, host="127.0.0.1"):
    return send(
        "GET", read_url(f"http://{host}:{port}/a?b=c"), seconds=seconds, most=most, reach=reach
    )


def test_a_request_goes_out_with_its_name_and_comes_back_whole():
    asked = []
    names = Reach(LOOPBACK.networks, resolve=lambda *_: ["127.0.0.1"])
    with listening(replying(OK + b"\r\n", b"he", b"llo", asked=asked)) as port:
        reply = get(port, reach=names, host="models.example")
    assert (reply.status, reply.body) == (200, b"hello")
    assert reply.headers["content-TYPE"] == "text/plain"
    assert f"Host: models.example:{port}\r\n".encode() in asked[0]
    assert asked[0].startswith(b"GET /a?b=c HTTP/1.1")


@pytest.mark.parametrize(
    ("parts", "pause", "kind"),
    [
        ([OK + b"\r\n", *[b"x"] * 50], 0.1, "timeout"),  # a byte now and then
        ([OK[:1], *(OK[i : i + 1] for i in range(1, 40))], 0.1, "timeout"),  # also of the header
        ([OK + b"\r\n", b"x" * 2000], 0.0, "too-large"),
        ([OK + b"Content-Length: 99\r\n\r\nshort"], 0.0, "unreachable"),  # cut
        ([b"no http at all\r\n\r\n"], 0.0, "unreachable"),
        ([b""], 0.0, "unreachable"),
    ],
)
def test_what_is_slow_or_large_or_broken_ends(parts, pause, kind):
    with listening(replying(*parts, pause=pause)) as port:
        begun = time.monotonic()
        with pytest.raises(OutgoingError) as caught:
            get(port, seconds=0.6)
        assert caught.value.kind == kind
        assert time.monotonic() - begun < 1.5


def test_a_name_server_that_does_not_answer_is_not_waited_for():
    reach = Reach(resolve=lambda *_: time.sleep(5) or ["8.8.8.8"])
    begun = time.monotonic()
    with pytest.raises(OutgoingError) as caught:
        get(80, seconds=0.3, reach=reach, host="slow.example")
    assert caught.value.kind == "timeout"
    assert time.monotonic() - begun < 2


def test_the_name_is_asked_for_once_and_what_it_says_next_does_not_matter():
    """DNS rebinding: a public address for who checks, a private one for who connects."""
    said = []

    def resolve(*_):
        said.append(1)
        return ["192.0.2.7"] if len(said) > 1 else ["127.0.0.1"]

    with listening(replying(OK + b"\r\nhello")) as port:
        assert get(port, reach=Reach(LOOPBACK.networks, resolve=resolve), host="a.example").body
    assert len(said) == 1


def test_certificates_are_checked_for_the_name_and_not_the_number(tmp_path, monkeypatch):
    authority = trustme.CA()
    for names, says in ((["models.example"], None), (["other.example"], "unreachable")):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(*names).configure_cert(context)
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
        monkeypatch.setattr("askpoint.server.outgoing._certificates", lambda: trusting)  # noqa: B023
        reach = Reach(LOOPBACK.networks, resolve=lambda *_: ["127.0.0.1"])
        with listening(replying(OK + b"\r\nhello"), context) as port:
            url = read_url(f"https://models.example:{port}/")
            if says is None:
                assert send("GET", url, seconds=3, most=99, reach=reach).body == b"hello"
            else:
                with pytest.raises(OutgoingError) as caught:
                    send("GET", url, seconds=3, most=99, reach=reach)
                assert caught.value.kind == says


@pytest.mark.parametrize(
    "text",
    ["", "x", "ftp://a.example/", "http://", "http://[::1", "//a/", "http://u:p@a/"],
)
def test_what_is_no_web_address_is_said_so(text):
    with pytest.raises(OutgoingError):
        read_url(text)
    with pytest.raises(OutgoingError):
        read_url("http://a.example/" + "x" * 2_000)


def test_the_parts_of_an_address_are_read_once_by_one_reader():
    for text in ("http://a.example\\@127.0.0.1/", "http://127.0.0.1#@a.example/"):
        try:
            url = read_url(text)
        except OutgoingError:
            continue
        assert httpx.URL(str(url)).raw_host == url.raw_host
