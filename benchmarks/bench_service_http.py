"""The service of docs/how-to/service.md with batches, on PostgreSQL, through HTTP: decisions a second of two cores.

    python benchmarks/bench_service_http.py [BATCHES]

uvicorn runs it in two processes; one process of eight threads sends BATCHES (2,000) batches of 100 cases. Processor
seconds of callers, service and the database's sessions for it are added: their sum is what two cores have to do, and twice its
inverse is what two cores can do with nothing else on them. ASKPOINT_POSTGRES names a server in which databases may be made.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psycopg
from bench_live_speed import SECRET, fresh, world

from askpoint.records.stores.deployment import Deployment

SIZE, CALLERS, PORT = 100, 8, 8765
SERVICE = """
import os
from fastapi import FastAPI
from pydantic import BaseModel
from askpoint import Deployment

app = FastAPI()
service = Deployment(os.environ["DEPLOYMENT"])

class Cases(BaseModel):
    key: list[str]
    confidence: list[float]

@app.post("/decide")
def decide(cases: Cases):
    made = service.decide(cases.key, confidence=cases.confidence)
    return {"answer": made.answer.tolist(), "audit": made.audit.tolist()}
"""


def seconds_of(pid):
    """Return the processor seconds of a process and of all below it."""
    tree, found = [pid], 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = stat.read_text().rpartition(")")[2].split()
        if int(fields[1]) in tree:
            tree.append(int(stat.parent.name))
    for one in tree:
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def sessions_of(where):
    """Return the processor seconds of all sessions of a database so far."""
    with psycopg.connect(where) as connection:
        query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
        return sum(seconds_of(pid) for (pid,) in connection.execute(query))


def caller(number, batches):
    c, _ = world(SIZE, len(number))
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
    for batch in range(batches):
        body = {"key": [f"{number}-{batch}-{i}" for i in range(SIZE)], "confidence": c.tolist()}
        connection.request(
            "POST", "/decide", json.dumps(body), {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        said = json.loads(answer.read())
        assert len(said["answer"]) == SIZE, said


def wait_for(port):
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/openapi.json")
            return connection.getresponse().read()
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the service does not answer")


def main(batches, where):
    Deployment(where, fresh("http"), secret=SECRET).close()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "service.py").write_text(SERVICE)
        command = [sys.executable, "-m", "uvicorn", "service:app", "--workers", "2", "--port", str(PORT), "--log-level", "warning"]  # fmt: skip
        running = subprocess.Popen(command, cwd=folder, env=os.environ | {"DEPLOYMENT": where})
        try:
            wait_for(PORT)
            run("warm", 20)
            service, database, own, wall = seconds_of(running.pid), sessions_of(where), time.process_time(), time.perf_counter()  # fmt: skip
            run("counted", batches // CALLERS)
            n = batches // CALLERS * CALLERS * SIZE
            parts = {
                "callers": time.process_time() - own,
                "service": seconds_of(running.pid) - service,
                "database": sessions_of(where) - database,
            }
            for name, spent in parts.items():
                print(f"{name}: {1e6 * spent / n:.1f} microseconds of processor a decision")
            print(
                f"two cores: {2 * n / sum(parts.values()):,.0f} decisions a second by processor time"
            )
            print(
                f"by the clock, on this machine as busy as it is: {n / (time.perf_counter() - wall):,.0f}"
            )
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait()
    with Deployment(where) as deployment:
        print(
            f"kept: {deployment.watch().decided - deployment.document.state.decided:,}; {deployment.verify().difference or 'no difference'}"
        )


def run(name, batches):
    threads = [
        threading.Thread(target=caller, args=(f"{name}{i}", batches)) for i in range(CALLERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    server = os.environ["ASKPOINT_POSTGRES"]
    name = f"bench_http_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            main(
                int(sys.argv[1]) if len(sys.argv) > 1 else 2000,
                f"{server.rpartition('/')[0]}/{name}",
            )
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
