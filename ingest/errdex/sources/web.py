"""Fetching one file over HTTP: with patience, from where it broke off, and never twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from errdex import __version__
from errdex.errors import SourceUnfetched

ATTEMPTS = 5
FIRST_PAUSE = 0.5
"""Seconds before the second attempt; each further pause is twice as long."""

_LONGEST_PAUSE = 30.0
_TIMEOUT = 30.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})


class Fetched(NamedTuple):
    """A file that was fetched whole."""

    path: Path
    etag: str | None


class Web:
    """Fetches files into a folder. A file that breaks off is gone on with, also later."""

    def __init__(
        self,
        client: httpx.Client,
        folder: Path,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._folder = folder
        self._pause = pause

    def fetch(
        self, address: str, name: str, *, most: int, etag: str | None = None
    ) -> Fetched | None:
        """The file at `address`, at most `most` bytes; None if it still has this `etag`.

        `name` is that of the file in the folder. Raises SourceUnfetched after ATTEMPTS.
        """
        part = _Part(self._folder / f"{name}.part", self._folder / f"{name}.etag")
        reason = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._pause(min(FIRST_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE))
            try:
                with self._client.stream("GET", address, headers=part.headers(etag)) as response:
                    if response.status_code == httpx.codes.NOT_MODIFIED:
                        return None
                    if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                        part.drop()
                        reason = f"status {response.status_code}"
                        continue
                    if response.status_code in _AGAIN:
                        reason = f"status {response.status_code}"
                        continue
                    if response.status_code not in part.awaited():
                        raise SourceUnfetched(
                            source=address, reason=f"status {response.status_code}"
                        )
                    part.take(response, address, most)
                    return Fetched(part.finish(self._folder / name), response.headers.get("etag"))
            except (httpx.InvalidURL, httpx.TooManyRedirects, httpx.UnsupportedProtocol) as problem:
                raise SourceUnfetched(source=address, reason=problem) from None
            except (httpx.TransportError, httpx.DecodingError) as problem:
                reason = str(problem) or type(problem).__name__
            except OSError as problem:
                raise SourceUnfetched(source=address, reason=problem.strerror) from None
        raise SourceUnfetched(source=address, reason=f"{reason}, {ATTEMPTS} times")


class _Part:
    """The beginning of a file, and the ETag of the file that it is the beginning of."""

    def __init__(self, data: Path, mark: Path) -> None:
        self._data = data
        self._mark = mark

    def headers(self, etag: str | None) -> dict[str, str]:
        """Ask for the rest of what is there; for a change where nothing is."""
        size = self._data.stat().st_size if self._data.exists() else 0
        if size and self._mark.exists():
            return {"Range": f"bytes={size}-", "If-Range": self._mark.read_text()}
        return {"If-None-Match": etag} if etag else {}

    def awaited(self) -> tuple[int, ...]:
        """The statuses that bring the file: a part of it only where there is the beginning."""
        return (200, 206) if self._data.exists() else (200,)

    def take(self, response: httpx.Response, address: str, most: int) -> None:
        """Write the body behind what is there, or anew if the server sends all of it."""
        whole = response.status_code == httpx.codes.OK
        if whole:
            self.drop()
            mark = response.headers.get("etag", "")
            if mark and not mark.startswith("W/") and "content-encoding" not in response.headers:
                self._mark.write_text(mark)
        size = 0 if whole else self._data.stat().st_size
        with self._data.open("ab") as file:
            for chunk in response.iter_bytes():  # as they come: what was sent is not lost
                size += len(chunk)
                if size > most:
                    raise SourceUnfetched(source=address, reason=f"it has more than {most} bytes")
                file.write(chunk)

    def finish(self, path: Path) -> Path:
        """The whole file, under its own name."""
        self._data.replace(path)
        self._mark.unlink(missing_ok=True)
        return path

    def drop(self) -> None:
        """Begin anew."""
        self._data.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)


@contextmanager
def web(folder: Path, pause: Callable[[float], None] = time.sleep) -> Iterator[Web]:
    """A connection that is kept open between files; redirects lead to http(s) only."""
    headers = {"User-Agent": f"errdex/{__version__}", "Accept-Encoding": "identity"}
    with httpx.Client(
        headers=headers, follow_redirects=True, max_redirects=5, timeout=_TIMEOUT
    ) as client:
        yield Web(client, folder, pause)
