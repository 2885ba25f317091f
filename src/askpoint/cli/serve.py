"""``askpoint serve``: people beat a machine in their browsers."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from askpoint.cli.server_folder import database_address, database_options
from askpoint.errors import InputError

__all__ = ["serve_command"]

_OPPONENT = "profanity_check:predict_prob"


@click.command("serve")
@database_options
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; by default only this machine can reach it.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    default=8000,
    show_default=True,
    help="Port to listen on.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Processes that answer requests.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help="Requests that each of them answers at a time.",
)
@click.option(
    "--url", default="", help="The public address, https://NAME, if the server is behind a proxy."
)
@click.option(
    "--plain-http",
    is_flag=True,
    help="Accept other machines without https; only for a private network.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODULE:FUNCTION",
    help="A function that organisers may choose as an opponent; may be given more than once.",
)
@click.option(
    "--model-python",
    default="",
    help="The Python that runs these functions; without it, the server's own.",
)
@click.option(
    "--model-variable",
    "model_variables",
    multiple=True,
    metavar="NAME",
    help="A variable of the environment that these functions need; they get few without it.",
)
@click.option(
    "--model-key",
    "model_keys",
    multiple=True,
    metavar="ORIGIN=PLACE",
    help="A key for models at an address, like https://api.example.org=env:EXAMPLE_KEY, or a file in "
    "place of env:NAME; sent to that origin alone, and never stored.",
)
@click.option(
    "--model-network",
    "model_networks",
    multiple=True,
    metavar="NETWORK",
    help="A private network or address where models may be asked, like 127.0.0.1 or 10.1.0.0/16; "
    "none without it.",
)
@click.option(
    "--model-sandbox",
    type=click.Choice(["require", "try", "off"]),
    default="try",
    show_default=True,
    help="The box around functions: no secret, database or network; with require, models run in a whole one only.",
)
@click.option(
    "--model-reads",
    multiple=True,
    metavar="PATH",
    help="A file or folder that functions may read, besides their own folder and Python.",
)
@click.option(
    "--most-log",
    type=click.IntRange(1, 2000),
    default=200,
    show_default=True,
    metavar="MB",
    help="Largest log that can be uploaded; a proxy in front must let it pass.",
)
@click.option(
    "--second-factor",
    type=click.Choice(["required", "offered"]),
    default=None,
    help="Whether people who own a workspace or pay others need a second factor; required with --url, else offered.",
)
@click.option(
    "--openid",
    multiple=True,
    metavar="FILE",
    help="JSON with the keys id, name, server, client_id and secret: a company by whose OpenID Connect people may "
    "sign in; may be given more than once.",
)
@click.option(
    "--owner-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A file whose only line is the database's address for the role that owns its tables: it changes them at the "
    "start; all else is done by the role of --database-file, which can drop no trigger.",
)
@click.option("--demo", is_flag=True, help="A live campaign to look around in, without passwords.")
def serve_command(
    database: str | None,
    database_file: Path | None,
    folder: Path,
    host: str,
    port: int,
    workers: int,
    threads: int,
    url: str,
    plain_http: bool,
    models: tuple[str, ...],
    model_python: str,
    model_variables: tuple[str, ...],
    model_keys: tuple[str, ...],
    model_networks: tuple[str, ...],
    model_sandbox: str,
    model_reads: tuple[str, ...],
    most_log: int,
    second_factor: str | None,
    openid: tuple[str, ...],
    owner_file: Path | None,
    demo: bool,
) -> None:
    """Start the server for classifiers, agents and campaigns.

    The first time, it prints a link for the first organiser. To look around first, add --demo.
    """
    address = database_address(database, database_file, folder)
    from askpoint.server.addresses import read_network
    from askpoint.server.classifiers.keys import check_keys
    from askpoint.server.options import Options, load_secret, own_folder

    check_keys(model_keys)
    for network in model_networks:
        read_network(network)
    for model in models:
        if ":" not in model:
            raise InputError(f"a model is a function, MODULE:FUNCTION; got {model!r}")
    if demo and not models:
        models = (_OPPONENT,)
        if not model_python and importlib.util.find_spec("profanity_check") is None:
            raise InputError(
                "the demo's opponent is not installed: run `make play`, or pip install "
                "alt-profanity-check, or name another with --model MODULE:FUNCTION"
            )
    os.umask(0o077)  # database, secret and what belongs to them: for their owner only
    folder.mkdir(parents=True, exist_ok=True)
    own_folder(folder)
    with tempfile.TemporaryDirectory(prefix="askpoint-") as sockets:
        options = Options(
            database=address,
            secret=load_secret(folder),
            sockets=sockets,
            host=host,
            port=port,
            workers=workers,
            threads=threads,
            url=url.rstrip("/"),
            plain_http=plain_http,
            demo=demo,
            models=models,
            model_python=model_python,
            model_variables=model_variables,
            model_keys=model_keys,
            model_networks=model_networks,
            model_sandbox=model_sandbox,
            model_reads=model_reads,
            folder=str(folder.absolute()),
            most_log=most_log * 1_000_000,
            second_factor=second_factor or "",
            openid=tuple(str(Path(path).absolute()) for path in openid),
        )
        _check_port(options.host, options.port)
        preparing = options
        if owner_file is not None:
            owner = database_address(None, owner_file, folder)
            preparing = replace(
                options, database=owner, works_as=unquote(urlsplit(address).username or "")
            )
        welcome = _prepare(preparing.environment())
        from askpoint.server.web import serve

        serve(options, welcome)


def _check_port(host: str, port: int) -> None:
    """Check that the server can listen, before it says that it does."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            wire.bind((host, port))
        except OSError as error:
            raise InputError(
                f"cannot listen on {host}, port {port}: {error.strerror}; "
                "is the server running already? Choose another port with --port"
            ) from None


def _prepare(environment: dict[str, str]) -> str:
    """Migrate, and return how to come in; in a child, so that workers share no connection."""
    command = [sys.executable, "-m", "askpoint.server.prepare"]
    done = subprocess.run(command, env=environment, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise InputError("the server could not start; the reason is above")
    return done.stdout
