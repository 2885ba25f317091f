"""A wire to a server that can be cut at any message, on its way there or back."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class CutWire:
    """Hand on what comes to a port of this machine to a server, until it is cut.

    Parameters
    ----------
    url : str
        Of the server.
    """

    def __init__(self, url):
        parts = urlsplit(url)
        self._server = (parts.hostname, parts.port or 5432)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(0.1)
        user = parts.netloc.rpartition("@")[0]
        port = self._listening.getsockname()[1]
        self.url = parts._replace(netloc=f"{user}@127.0.0.1:{port}").geturl()
        self.is_down = False
        self.left = None  # messages until it is cut
        self.direction, self.cuts = "", 0
        self._pairs, self._lock, self._is_closed = [], threading.Lock(), False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_after(self, messages, direction):
        """Cut once after so many messages "there" or "back"; the last one there still arrives."""
        self.left, self.direction = messages, direction

    def cut(self):
        """Cut all connections now."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def close(self):
        """Cut it for good."""
        self._is_closed = True
        self.cut()
        self._listening.close()

    def _accept(self):
        while not self._is_closed:
            try:
                near, _ = self._listening.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            if self.is_down:
                near.close()
                continue
            near.settimeout(None)
            far = socket.create_connection(self._server)
            with self._lock:
                self._pairs.append((near, far))
            for pump in ((near, far, "there"), (far, near, "back")):
                threading.Thread(target=self._pump, args=pump, daemon=True).start()

    def _pump(self, source, to, direction):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                is_last = self._counts_down(direction)
                if not is_last or direction == "there":
                    to.sendall(data)
                if is_last:
                    self.cuts += 1
                    break
        with self._lock:
            self._pairs = [pair for pair in self._pairs if source not in pair]
        for end in (source, to):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _counts_down(self, direction):
        with self._lock:
            if self.left is None or direction != self.direction:
                return False
            self.left -= 1
            if self.left > 0:
                return False
            self.left = None
            return True
