"""A mail server that keeps what it is sent, in this process."""

from __future__ import annotations

import socketserver
import threading
from contextlib import contextmanager

__all__ = ["mail_server"]


class _Smtp(socketserver.StreamRequestHandler):
    """As much of RFC 5321 as a client needs."""

    def handle(self):
        self.say("220 here")
        while line := self.rfile.readline().decode().strip():
            word = line.split(maxsplit=1)[0].upper()
            if word == "DATA":
                self.say("354 go on")
                text = []
                while (row := self.rfile.readline().decode().rstrip("\r\n")) != ".":
                    text.append(row)
                self.server.heard.append("\n".join(text))
            self.say("221 bye" if word == "QUIT" else "250 ok")
            if word == "QUIT":
                return

    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def mail_server():
    """A server on this machine; what it was sent stands in `heard`, a text each."""
    with socketserver.TCPServer(("127.0.0.1", 0), _Smtp) as server:
        server.heard = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
