"""The cases and labels that a deployment keeps: as tables, awaited, deleted, and those it could not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from askpoint.errors import InputError
from askpoint.live.blocks import Block
from askpoint.live.silence import list_wanted
from askpoint.records.stores.archive import list_parts
from askpoint.records.stores.arguments import as_micros
from askpoint.records.stores.commit_log import PolicyLog
from askpoint.records.stores.jobs import CallJob
from askpoint.records.stores.life import DECISIONS, LABELS, life_blocks
from askpoint.records.stores.tables import DecisionRow, decision_frame, label_frame
from askpoint.records.stores.transactions import Transaction, load_standing

__all__ = ["CaseLog"]


_GOLD = ("key", "judge", "label", "truth", "prediction")


class CaseLog(PolicyLog):
    """What is kept of each case, and how it is deleted."""

    def wanted_keys(self) -> list[str]:
        """Return the keys whose label is awaited, in the order of decisions: asked and audited cases.

        Returns
        -------
        list of str
        """
        return self.wanted_cases()["key"].to_list()

    def wanted_cases(self) -> pl.DataFrame:
        """Return the cases whose label is awaited: their keys, and their content where it was kept."""
        with self._reading() as reader:
            seqs: list[Any] = list_wanted(load_standing(reader, self.document).replay.state)
            select = "SELECT seq, key, content FROM decisions WHERE seq IN"
            found = sorted(reader.find(select, seqs))
            parts = list_parts(reader)
        known = {seq: text for seq, _, text in found if text is not None}
        if self._archive is not None:
            known |= self._archive.contents(parts, [seq for seq in seqs if seq not in known])
        cases = {
            "key": [key for _, key, _ in found],
            "content": [known.get(seq) for seq, *_ in found],
        }
        return pl.DataFrame(cases, schema={"key": pl.String, "content": pl.String})

    def decisions(self) -> pl.DataFrame:
        """Return all decisions so far as a table, with the content that was kept.

        Returns
        -------
        polars.DataFrame
        """
        with self._reading() as reader:
            frame = decision_frame(reader.stream(DECISIONS), self.document.id)
            parts = list_parts(reader)
        if self._archive is None:
            return frame
        gone = frame.filter(pl.col("content").is_null() & pl.col("digest").is_not_null())["seq"]
        found = dict(self._archive.contents(parts, gone.to_list()))
        texts = [found.get(seq, text) for seq, text in frame.select("seq", "content").iter_rows()]
        return frame.with_columns(content=pl.Series(texts, dtype=pl.String))

    def labels(self) -> pl.DataFrame:
        """Return all labels so far as a table.

        Returns
        -------
        polars.DataFrame
        """
        with self._reading() as reader:
            return label_frame(reader.stream(LABELS))

    def has_doubles(self) -> bool:
        """Return whether a case was labelled more than once, as audits are to tell people's errors."""
        with self._reading() as reader:
            return bool(
                reader.execute("SELECT 1 FROM labels GROUP BY key HAVING count(*) > 1 LIMIT 1")
            )

    def gold_labels(self) -> pl.DataFrame:
        """Return labels of gold cases that were decided, too: key, judge, label, truth and prediction of the model."""
        with self._reading() as reader:
            rows = reader.execute(
                "SELECT l.key, l.judge, l.label, l.truth, d.prediction FROM labels l "
                "JOIN decisions d ON d.key = l.key WHERE l.source = 'gold' ORDER BY l.n"
            )
        return pl.DataFrame(rows, schema=dict.fromkeys(_GOLD, pl.String), orient="row")

    def blocks(self) -> Iterator[Block]:
        """Yield decisions, labels and deletions in the order in which they were made."""
        with self._reading() as reader:
            yield from life_blocks(reader.stream)

    def forget(self, keys: Sequence[str], at: int | datetime | None = None) -> int:
        """Delete the content of cases and the salt of its digest; decisions and receipts stay.

        That it was done is a row of the log.

        Parameters
        ----------
        keys : sequence of str
            Cases.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        int
            How many contents are gone.

        Raises
        ------
        InputError
            If a case was never decided; nothing is deleted then.
        """
        names, moment = list(dict.fromkeys(keys)), as_micros(at)
        gone, old = self._do(
            CallJob(lambda made, now: self._forget(made, names, now if moment is None else moment))
        )
        for path in old:
            path.unlink(missing_ok=True)
        with self._queue.turn:
            self._database.clean()
        count: int = gone
        return count

    def bury(self, line: str, error: str, at: int | None = None) -> None:
        """Keep a line that could not be decided, and why.

        Parameters
        ----------
        line : str
            As it came.
        error : str
            What is wrong with it.
        at : int, optional
            When it came, in microseconds since 1970; by default now.
        """
        self._within(lambda now: self._note_dead(line, error, now if at is None else at))

    def dead(self) -> pl.DataFrame:
        """Return the lines that could not be decided, and why.

        Returns
        -------
        polars.DataFrame
            With the columns n, at, line and error.
        """
        with self._reading() as reader:
            found = reader.execute("SELECT n, at, line, error FROM dead ORDER BY n")
        schema = {"n": pl.Int64, "at": pl.Int64, "line": pl.String, "error": pl.String}
        frame = pl.DataFrame(found, schema=schema, orient="row")
        return frame.with_columns(pl.col("at").cast(pl.Datetime("us", "UTC")))

    def decided_rows(self, keys: Sequence[str]) -> dict[str, DecisionRow]:
        """Return the decisions of those of the keys that were decided.

        Parameters
        ----------
        keys : sequence of str
            Names of cases.

        Returns
        -------
        dict of str to DecisionRow
            By key.
        """
        if not keys:
            return {}
        select = f"SELECT {', '.join(DecisionRow._fields)} FROM decisions WHERE key IN"  # noqa: S608
        with self._reading() as reader:
            rows = [DecisionRow._make(values) for values in reader.find(select, list(keys))]
        return {row.key: row for row in rows}

    def drop_dead(self, numbers: Sequence[int]) -> None:
        """Remove lines that could not be decided, for they were decided by now or are of no use.

        Parameters
        ----------
        numbers : sequence of int
            Their column n.
        """
        rows = [(n,) for n in numbers]
        if rows:
            delete = "DELETE FROM dead WHERE n = ?"
            self._do(CallJob(lambda *_: self._database.change(delete, rows)))

    def _note_dead(self, line: str, error: str, at: int) -> None:
        """Write a dead line within the transaction."""
        ((last,),) = self._database.execute("SELECT max(n) FROM dead")
        texts = (text.replace("\0", "\ufffd").encode(errors="replace") for text in (line, error))
        row = (0 if last is None else last + 1, at, *map(bytes.decode, texts))
        self._database.insert("dead", ("n", "at", "line", "error"), [row])

    def _forget(
        self, transaction: Transaction, keys: list[str], moment: int
    ) -> tuple[int, list[Path]]:
        known = transaction.find_known_cases(keys)
        strangers = [key for key in keys if key not in known]
        if strangers:
            raise InputError(
                f"{len(strangers)} of the keys were never decided, the first {strangers[0][:80]!r}; nothing "
                "was deleted"
            )
        rows = [transaction.rows[key] for key in keys if transaction.rows[key].salt is not None]
        if not rows:
            return 0, []
        transaction.write_forgotten(rows, transaction.at(moment))
        if self._archive is None:
            return len(rows), []
        self._archive.settle(self._database)
        return len(rows), self._archive.forget(self._database, keys)
