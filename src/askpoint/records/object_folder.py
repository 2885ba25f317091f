"""A folder in a store of objects (S3, Google Cloud Storage, Azure), in which nothing is ever written over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from askpoint.errors import InputError, StoreError

__all__ = ["ObjectFolder"]

_SECONDS = 60.0  # for a store to answer: two requests, of which each may take half a minute
_KINDS = ("s3://", "gs://", "az://", "file://")


class ObjectFolder:
    """Objects under one address; each is written once, whole, by whoever comes first.

    Parameters
    ----------
    address : str
        ``"s3://BUCKET/PREFIX"``, gs://, az://, or file:// for a folder of this machine. Who may write there, the
        environment says, as for other programs of the provider (``AWS_ACCESS_KEY_ID``, ``AWS_ENDPOINT_URL``, ...).

    Raises
    ------
    InputError
        If it is no such address, or the package obstore is not installed.
    """

    def __init__(self, address: str) -> None:
        if not address.startswith(_KINDS):
            raise InputError(
                f"the address of an archive must be {', '.join(_KINDS[:-1])} or {_KINDS[-1]}..., with bucket and folder; got {address!r}"
            )
        try:
            import obstore
        except ImportError:
            raise InputError('install it with: pip install "askpoint[archive]"') from None
        self.address, self._obstore = address.rstrip("/"), obstore
        more: dict[str, Any] = {"mkdir": True} if address.startswith("file://") else _patience()
        try:
            self._store = obstore.store.from_url(address, **more)
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise InputError(f"{address} is not an address of an object store: {error}") from None

    def write_new(self, name: str, data: bytes) -> bool:
        """Write an object if there is none of this name; return whether it was written.

        Raises
        ------
        StoreError
            If the store cannot be reached, or does not allow it.
        """
        try:
            self._obstore.put(self._store, name, data, mode="create")
        except self._obstore.exceptions.AlreadyExistsError:
            return False
        except (self._obstore.exceptions.BaseError, OSError) as error:
            raise self._failure(name, "written", error) from None
        return True

    def read(self, name: str) -> bytes:
        """Return an object."""
        try:
            return bytes(self._obstore.get(self._store, name).bytes())
        except (self._obstore.exceptions.BaseError, OSError) as error:
            raise self._failure(name, "read", error) from None

    def names(self) -> set[str]:
        """Return the names of all objects."""
        try:
            pages = self._obstore.list(self._store)
            return {one["path"] for page in pages for one in page}
        except (self._obstore.exceptions.BaseError, OSError) as error:
            raise self._failure("", "listed", error) from None

    def _failure(self, name: str, what: str, error: Exception) -> StoreError:
        reason = " ".join(str(error).split())[:300]
        if "timedout" in str(error).casefold().replace(" ", ""):
            reason = f"the store did not answer in {_SECONDS:g} seconds"
        return StoreError(f"{self.address}/{name} cannot be {what}: {reason}")


def _patience() -> dict[str, Any]:
    """Return the options by which a store that never answers is given up, rather than asked for minutes."""
    whole = timedelta(seconds=_SECONDS)
    return {"retry_config": {"max_retries": 1, "retry_timeout": whole}}
