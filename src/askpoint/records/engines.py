"""Logs that an engine reads and counts where they lie: DuckDB here, Spark on its cluster."""

from __future__ import annotations

import os
import shlex
import socket
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from askpoint.errors import InputError, LogError
from askpoint.records.addresses import is_address
from askpoint.records.artefacts import read_text
from askpoint.records.engine_faults import engine_errors, first_line
from askpoint.records.engine_names import ENGINES
from askpoint.records.partitioned_logs import find_parts, join_parts
from askpoint.records.table_files import open_file

__all__ = ["open_duckdb", "open_on_engine", "open_spark"]

_PATIENCE = 5.0  # seconds, for a cluster to answer
_PARQUET = ".parquet"


def open_on_engine(engine: str, source: str) -> Any:
    """Return a log as a lazy dataframe of an engine; no row comes here.

    Parameters
    ----------
    engine : {"duckdb", "spark"}
        A name among `ENGINES`.
    source : str
        Parquet: a file, a directory, a pattern, or an address that the engine knows.

    Returns
    -------
    dataframe
        For `open_table`, or `ScoreSketch.from_frame` and `VoteSketch.from_frame`.

    Raises
    ------
    InputError
        If the engine is not installed, or its cluster does not answer.
    LogError
        If it cannot read the log.
    """
    if not is_address(source) and _lies_here(source):
        _check_parts(source)
        source = str(Path(source).absolute())
    elif not is_address(source) and engine == "duckdb":
        open_file(Path(source))  # says that there is none
    read = ENGINES[engine]()
    try:
        return read(source)
    except engine_errors(OSError) as error:
        raise LogError(f"{engine} cannot read {source}: {first_line(error)}") from None


def _lies_here(source: str) -> bool:
    try:
        return Path(source).exists() or find_parts(source) is not None
    except LogError:
        return Path(source).is_dir()  # an empty one; a pattern may mean files of the cluster


def _check_parts(source: str) -> None:
    found = find_parts(source)
    table = open_file(Path(source)) if found is None else join_parts(source, found)
    files = [part.path for part in table.parts or (table,)]
    other = next((path for path in files if path is not None and path.suffix != _PARQUET), None)
    if other is not None:
        raise LogError(f"engines read Parquet, not {other.name}; read it without one")


def open_duckdb() -> Callable[[str], Any]:
    """Return what reads Parquet into DuckDB."""
    try:
        import duckdb
    except ImportError:
        raise InputError('DuckDB is an extra part: pip install "askpoint[duckdb]"') from None

    def read(source: str) -> Any:
        pattern = f"{source}/**/*.parquet" if Path(source).is_dir() else source
        return duckdb.connect().read_parquet(
            pattern, union_by_name=True, hive_partitioning="=" in source or Path(source).is_dir()
        )

    return read


def open_spark() -> Callable[[str], Any]:
    """Return what reads Parquet into the Spark that its own configuration names."""
    try:
        from pyspark.sql import SparkSession
        from pyspark.sql.utils import is_remote
    except ImportError:
        raise InputError('Spark is an extra part: pip install "askpoint[spark]"') from None
    _check_cluster(_master_setting())
    is_ours = SparkSession.getActiveSession() is None
    try:
        session = SparkSession.builder.getOrCreate()
        if is_ours and not is_remote():  # what goes wrong is said by us, in one line
            session.sparkContext.setLogLevel("OFF")
    except engine_errors(ImportError, OSError) as error:
        raise InputError(
            f"there is no Spark session to be had: {first_line(error)}; Spark's own configuration names the cluster "
            "(spark.master in conf/spark-defaults.conf, or SPARK_REMOTE), and it needs Java"
        ) from None

    def read(source: str) -> Any:
        return session.read.parquet(source)

    return read


def _master_setting() -> str:
    """Return the cluster that Spark's own configuration names, where it does so in plain sight."""
    if remote := os.environ.get("SPARK_REMOTE"):
        return remote
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    for option, value in pairwise(words):
        if option == "--master":
            return value
        if option == "--conf" and value.startswith("spark.master="):
            return value.partition("=")[2]
    home = os.environ.get("SPARK_HOME")
    folder = os.environ.get("SPARK_CONF_DIR") or (home and f"{home}/conf")
    defaults = Path(folder or "", "spark-defaults.conf")
    lines = read_text(defaults).splitlines() if folder and defaults.is_file() else []
    stated = (line.replace("=", " ").split() for line in lines)
    return next((line[1] for line in stated if len(line) > 1 and line[0] == "spark.master"), "")


def _check_cluster(master: str) -> None:
    """Ask the hosts of a cluster for an answer: Spark itself would try for minutes."""
    scheme, _, rest = master.partition("://")
    if scheme not in ("spark", "sc"):
        return
    hosts = [host.partition("/")[0] for host in rest.split(",")]
    for host in hosts:
        name, _, port = host.rpartition(":") if ":" in host else (host, ":", "15002")
        try:
            socket.create_connection((name, int(port)), timeout=_PATIENCE).close()
        except (OSError, ValueError):
            continue
        return
    raise InputError(
        f"no Spark cluster answers at {master}; Spark's own configuration names it (spark.master in "
        "conf/spark-defaults.conf, or SPARK_REMOTE): start the cluster, or name another"
    )
