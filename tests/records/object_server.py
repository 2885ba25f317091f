"""A server of the S3 protocol on this machine, and how programs find it."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.request

import pytest

from cast import require


@pytest.fixture(scope="module")
def objects():
    """The address of a bucket in a server of the S3 protocol, which the environment names."""
    program = require("objects")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen([program, "-p", str(port)], stdout=quiet, stderr=quiet)
    try:
        _await(port, server)
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (
                ("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}"),
                ("AWS_ALLOW_HTTP", "true"),
                ("AWS_ACCESS_KEY_ID", "key"),
                ("AWS_SECRET_ACCESS_KEY", "secret"),
                ("AWS_REGION", "us-east-1"),
            ):
                patch.setenv(name, value)
            bucket = urllib.request.Request(f"http://127.0.0.1:{port}/audit", method="PUT")
            urllib.request.urlopen(bucket)  # noqa: S310  # this machine
            yield "s3://audit"
    finally:
        server.kill()
        server.wait()


def _await(port, server):
    for _ in range(600):
        assert server.poll() is None, "the store of objects ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the store of objects does not answer")
