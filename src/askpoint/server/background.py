"""The background process: keeps the scorers running, and does the jobs, each lane in a thread.

Started by the web server, it ends when its standard input is closed, and its scorers with it.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

from askpoint.server.boot import set_up
from askpoint.server.options import options_of_parent

__all__ = ["main"]

_PAUSE = 0.25
_EXPIRE_EVERY = 30.0
_BEAT_EVERY = 10.0
_DELETE_EVERY = 3600.0
_MEASURE_EVERY = 300.0


def main() -> None:
    """Work until the web server is gone."""
    options = options_of_parent()
    set_up(options)
    from django.db import DatabaseError, close_old_connections

    from askpoint.server.classifiers.models import Classifier
    from askpoint.server.classifiers.processes import Supervisor, trouble_of
    from askpoint.server.classifiers.services import model_box
    from askpoint.server.classifiers.set_aside_cases import set_aside
    from askpoint.server.deployments.archiving import remove_deleted
    from askpoint.server.deployments.case_readings import log_readings
    from askpoint.server.deployments.decision_log import publish_heads
    from askpoint.server.deployments.label_times import measure_label_times
    from askpoint.server.deployments.pushing import push_waiting
    from askpoint.server.deployments.retention import delete_old_contents
    from askpoint.server.deployments.weekly_summaries import send_summaries
    from askpoint.server.extensions import load_each
    from askpoint.server.images.services import has_images
    from askpoint.server.jobs.kinds import functions_of
    from askpoint.server.jobs.lanes import LANES, PATIENT, drop_strangers, keep_at
    from askpoint.server.jobs.services import beat, hold_leases
    from askpoint.server.labelling.services import count_due
    from askpoint.server.licences.settling import settle_due
    from askpoint.server.reports.uploads import tidy_uploads
    from askpoint.server.uploads.services import READER as IMAGES, image_reader
    from askpoint.server.webhooks.outbox import DownWatch, Postman

    regular, scorers = list(load_each("regular")), list(load_each("scorers"))
    supervisor = Supervisor(
        options.sockets,
        options.model_python,
        options.model_variables,
        set_aside,
        model_box(options),
    )
    postman, downs = Postman(), DownWatch()
    gone = threading.Event()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        gone.set()

    def supervise() -> None:
        beaten = -_BEAT_EVERY
        while not gone.is_set():
            try:
                close_old_connections()
                models = {str(row.pk): row for row in Classifier.objects.all()}
                wanted = {name: row.scorer() for name, row in models.items()}
                for needed in scorers:
                    wanted |= needed(models.values())
                if any(row.cases == "image" for row in models.values()) or has_images():
                    wanted[IMAGES] = image_reader()
                supervisor.watch(wanted)
                downs.look(models, lambda name: trouble_of(options.sockets, name))
                count_due()
                push_waiting()
                postman.go()
                if time.monotonic() - beaten > _BEAT_EVERY:
                    beaten = time.monotonic()
                    beat()
            except DatabaseError as error:
                logging.getLogger(__name__).warning("the database does not answer: %s", error)
            time.sleep(_PAUSE)
        supervisor.stop()
        os._exit(0)

    def keep_at_lane(lane: str) -> None:
        if lane in PATIENT and sys.platform == "linux":  # where this is the thread's alone
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        keep_at(functions_of(lane), gone)

    drop_strangers()
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    threading.Thread(target=hold_leases, args=(gone,), daemon=True).start()
    supervising = threading.Thread(target=supervise, daemon=True)  # no job must stop it
    supervising.start()
    lanes = [threading.Thread(target=keep_at_lane, args=(lane,), daemon=True) for lane in LANES]
    for thread in lanes:
        thread.start()
    looked, measured = -_DELETE_EVERY, -_MEASURE_EVERY
    while all(thread.is_alive() for thread in lanes):
        try:
            close_old_connections()
            tidy_uploads()
            publish_heads()
            settle_due()
            send_summaries()
            for duty in regular:
                duty()
            if time.monotonic() - measured > _MEASURE_EVERY:
                measured = time.monotonic()
                measure_label_times()
            if time.monotonic() - looked > _DELETE_EVERY:
                looked = time.monotonic()
                delete_old_contents()
                remove_deleted()
                log_readings()
        except DatabaseError as error:
            logging.getLogger(__name__).warning("the database does not answer: %s", error)
        gone.wait(_EXPIRE_EVERY)
    if not gone.is_set():
        os._exit(1)  # a lane broke: the web server starts all of it again
    supervising.join()  # it ends the scorers, and then the process


if __name__ == "__main__":
    main()
