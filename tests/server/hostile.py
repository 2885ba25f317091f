"""Addresses that try to lead a server where it must not go, and what notices if one does."""

from __future__ import annotations

import ipaddress
import random
import socket
import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

from askpoint.arena.server.pages.fetching import fetch
from askpoint.server.addresses import Reach
from askpoint.server.outgoing import OutgoingError

__all__ = ["Town", "hostile_addresses", "is_somebodys_own"]

FRONT = "93.184.216.34"
"""A public address; in the town a server that redirects answers there."""

PRIVATE = (
    *("127.0.0.1", "127.0.0.1", "127.8.9.1", "10.0.0.7", "172.16.3.4", "192.168.1.1", "0.0.0.9"),
    *("169.254.169.254", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1", "240.0.0.1"),
)


def is_somebodys_own(address: str) -> bool:
    """The oracle: the standard library's word, also of IPv4 inside of IPv6."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    inside = [ip]
    if ip.version == 6:
        teredo = ip.teredo or ()
        inside += [it for it in (ip.ipv4_mapped, ip.sixtofour, *teredo) if it is not None]
        if ip in ipaddress.ip_network("64:ff9b::/96") or int(ip) < 2**32:
            inside.append(ipaddress.ip_address(int(ip) & 0xFFFFFFFF))
    return any(not it.is_global or it.is_multicast or it.is_reserved for it in inside)


def _spellings(number: int, rng: random.Random) -> list[str]:
    """One IPv4 address as many programs read it."""
    a, b, c, d = number.to_bytes(4, "big")
    parts = [a, b, c, d]
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    dotted = f"{a}.{b}.{c}.{d}"
    return [
        dotted,
        f"{dotted}.",
        str(number),
        hex(number),
        oct(number).replace("o", ""),
        ".".join(map(hex, parts)),
        ".".join(f"0{part:o}" for part in parts),
        ".".join(rng.choice((str, hex, lambda n: f"0{n:o}"))(part) for part in parts),
        f"{a}.{number & 0xFFFFFF}",
        f"{a}.{b}.{number & 0xFFFF}",
        dotted.translate(wide),
        dotted.replace(".", "。"),
        dotted.replace(".", "%2e"),
        f"%{ord(dotted[0]):x}{dotted[1:]}",
        f"[::ffff:{dotted}]",
        f"[::ffff:{a:02x}{b:02x}:{c:02x}{d:02x}]",
        f"[::{dotted}]",
        f"[64:ff9b::{dotted}]",
        f"[2002:{a:02x}{b:02x}:{c:02x}{d:02x}::]",
        f"[0:0:0:0:0:ffff:{dotted}]",
    ]


_OTHERS = (
    *("localhost", "LOCALHOST", "localhost.", "[::1]", "[::]", "[0::1]", "[fe80::1%25lo]"),
    *("[fc00::1]", "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "[::1%25]"),
)


def hostile_addresses(seed: int, count: int, port: int):
    """Yield web addresses, and through how many redirects each is reached."""
    rng = random.Random(seed)
    for number in range(count):
        if rng.random() < 0.15:
            host = rng.choice(_OTHERS)
        elif rng.random() < 0.25:  # names: private, one of both, and one that changes its mind
            host = f"{rng.choice(('private', 'both', 'rebind'))}-{number}.example"
        else:
            host = rng.choice(_spellings(int(ipaddress.ip_address(rng.choice(PRIVATE))), rng))
        front = "front.example"
        form = rng.choice(
            (
                *["http://{host}:{port}/x"] * 14,
                *["HTTP://{host}:{port}", "http:\\\\{host}:{port}/", "https://{host}:{port}/"],
                *["//{host}:{port}/", "http:/{host}:{port}/", " http://{host}:{port}/"],
                *["http://{front}@{host}:{port}/", "http://{front}:80@{host}:{port}/"],
                *["http://{host}:{port}#@{front}/", "http://{front}\\@{host}:{port}/"],
                *["http://{host}:{port}\\.{front}/", "http://{host}:{port}?@{front}/"],
                *[
                    "ht\ntp://{host}:{port}/",
                    "http://\t{host}:{port}/",
                    "http://{host}:{port}\r\nX: y",
                ],
                *["gopher://{host}:{port}/", "file://{host}/etc/passwd", "dict://{host}:{port}/"],
            )
        )
        yield form.format(host=host, port=port, front=front), rng.choice((0, 0, 1, 1, 2, 5, 6))


class Town:
    """A front that redirects anywhere, a door on loopback that nobody may knock at, a name server."""

    def __init__(self):
        self.tried: Counter[str] = Counter()
        self.knocks = 0
        self._asked: Counter[str] = Counter()

    def resolve(self, host, port):
        """Answer for names; numbers are read as the system reads them, in all their spellings."""
        self._asked[host] += 1
        if host == "front.example":
            return [FRONT]
        if host.endswith(".example"):
            private = PRIVATE[sum(map(ord, host)) % len(PRIVATE)]
            first = {"private": [private], "both": [FRONT, private], "rebind": [FRONT]}
            return [private] if self._asked[host] > 1 else first[host.partition("-")[0]]
        found = socket.getaddrinfo(
            host,
            port,
            type=socket.SOCK_STREAM,
            flags=0 if "local" in host else socket.AI_NUMERICHOST,
        )
        return [entry[4][0] for entry in found]

    @contextmanager
    def open(self, monkeypatch):
        """Listen, and lead the front's address to the front."""
        town = self

        class Front(BaseHTTPRequestHandler):
            def do_GET(self):
                _, _, rest = self.path.partition("/to/")
                left, _, last = rest.partition("/")
                if not left.isdecimal():
                    self.send_response(200)
                    self.send_header("Content-Type", "text/html")
                    self.end_headers()
                    self.wfile.write(b"<p>the front</p>")
                    return
                status = (301, 302, 303, 307, 308)[len(last) % 5]
                self.send_response(status)
                more = f"http://front.example/to/{int(left) - 1}/{last}"
                where = unquote(last) if int(left) <= 1 else more
                self.send_header(
                    "Location", " ".join(where.splitlines()).encode().decode("latin-1")
                )
                self.end_headers()

            def log_message(self, *_):
                pass

        front = ThreadingHTTPServer(("127.0.0.1", 0), Front)
        threading.Thread(target=front.serve_forever, args=(0.01,), daemon=True).start()
        doors = [socket.create_server(("127.0.0.1", 0))]
        self.port = doors[0].getsockname()[1]
        doors.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        for door in doors:
            threading.Thread(target=self._watch, args=(door,), daemon=True).start()
        connect = socket.create_connection

        def lead(address, *args, **named):
            town.tried[address[0]] += 1
            if address[0] == FRONT:
                return connect(front.server_address, *args, **named)
            if is_somebodys_own(address[0]):
                return connect(address, *args, **named)
            raise OSError("the town has no way out")

        monkeypatch.setattr(socket, "create_connection", lead)
        yield
        monkeypatch.setattr(socket, "create_connection", connect)
        front.shutdown()
        front.server_close()
        for door in doors:
            door.shutdown(socket.SHUT_RDWR)
            door.close()

    def _watch(self, door):
        while True:
            try:
                wire, _ = door.accept()
            except OSError:
                return
            self.knocks += 1
            wire.close()

    def send_for(self, seed, count, seconds=3.0):
        """Fetch hostile addresses; how each ended."""
        reach = Reach(resolve=self.resolve)
        ends: Counter[str] = Counter()
        for address, hops in hostile_addresses(seed, count, self.port):
            first = f"http://front.example/to/{hops}/{quote(address, safe='')}" if hops else address
            try:
                fetch(first, reach=reach, seconds=seconds)
                ends["the front"] += 1
            except OutgoingError as error:
                own = "can reach" in error.detail
                ends["a private address, refused" if own else error.kind] += 1
        return ends

    @property
    def trespasses(self):
        """Private addresses that somebody tried to connect to."""
        return [address for address in self.tried if is_somebodys_own(address)]
