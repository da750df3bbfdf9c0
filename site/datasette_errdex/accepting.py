"""Who of several processes takes a connection that comes on the socket they share.

Left to themselves, the one that happens to be awake takes most of those that come at once,
and who is answered by it waits while the others are idle. So each tells the others how many
connections it has, and one that has more than another lets that one go first for a moment.
"""

from __future__ import annotations

import asyncio
import logging
import mmap
import socket
from collections.abc import Callable

_AHEAD = 2
"""Connections more than another has, from which on it is let go first."""
_MOMENT = 0.005
"""Seconds of waiting for each connection more than another has."""
_LONGEST = 0.05
"""Seconds after which it takes one all the same: the others may be busy, or dead."""
_PAUSE = 0.5
"""Seconds until it tries again when the system gives it no connection."""
_ABSENT = 0xFFFF
"""In place of a number of connections: nobody is there."""

log = logging.getLogger("errdex")


class Counts:
    """How many connections each of some processes has, in memory that those forked share."""

    def __init__(self, places: int) -> None:
        self._numbers = memoryview(mmap.mmap(-1, 2 * places)).cast("H")
        for place in range(places):
            self._numbers[place] = _ABSENT

    def tell(self, place: int, number: int | None) -> None:
        """What this process has; None when it takes no more."""
        self._numbers[place] = _ABSENT if number is None else min(number, _ABSENT - 1)

    def least(self) -> int:
        """The fewest that any of them has."""
        return min(self._numbers)


class Acceptor:
    """Takes connections from a listening socket in turn with other processes."""

    def __init__(
        self,
        listener: socket.socket,
        counts: Counts,
        place: int,
        *,
        mine: Callable[[], int],
        protocol: Callable[[], asyncio.Protocol],
    ) -> None:
        """`mine` counts the open connections of this process, which has a `place` of its own
        among the counts; `protocol` makes what a new connection talks to."""
        self._listener = listener
        self._counts = counts
        self._place = place
        self._mine = mine
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.TimerHandle | None = None
        self._opening: set[asyncio.Task[object]] = set()

    def start(self) -> None:
        """Take connections from now on."""
        self._listener.setblocking(False)
        self.tell()
        self._loop.add_reader(self._listener, self._offered)

    def stop(self) -> None:
        """Take no more."""
        self._loop.remove_reader(self._listener)
        if self._waiting is not None:
            self._waiting.cancel()
        self._counts.tell(self._place, None)

    def tell(self) -> int:
        """Let the others know how many connections are open here; gives the number."""
        number = self._mine() + len(self._opening)
        self._counts.tell(self._place, number)
        return number

    def _offered(self) -> None:
        """Take what waits, until another has fewer."""
        while (more := self.tell() - self._counts.least()) < _AHEAD:
            if not self._take():
                return
        self._wait(min(more * _MOMENT, _LONGEST))

    def _wait(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._waiting = self._loop.call_later(seconds, self._after_waiting)

    def _after_waiting(self) -> None:
        self._waiting = None
        self._loop.add_reader(self._listener, self._offered)
        if self._take():
            self._offered()

    def _take(self) -> bool:
        """Take one connection; False when there is none to take now."""
        try:
            connection, _address = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):  # another took it
            return False
        except OSError as problem:  # no more files may be open, as a rule
            log.error("a connection cannot be taken: %s", problem)
            self._wait(_PAUSE)
            return False
        connection.setblocking(False)
        opening = self._loop.create_task(self._open(connection))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
        return True

    async def _open(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:  # it is gone already
            connection.close()
