"""Numbers that are kept in order for later: some in memory, the others in a file."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterable, Iterator
from typing import IO


class Spill:
    """A list that only grows, of which about `in_memory` numbers are in memory at a time.

    The file has no name, and ends with the process at the latest.
    """

    def __init__(self, code: str, in_memory: int = 1 << 18) -> None:
        self._most = in_memory
        self._code = code
        self._last = array(code)
        self._sizes: list[int] = []
        self._file: IO[bytes] | None = None

    def add(self, numbers: Iterable[int]) -> None:
        """Add some numbers, which will be in one part if `settle` is called after that."""
        self._last.extend(numbers)

    def settle(self) -> None:
        """Call this often: many numbers go to the file."""
        if len(self._last) >= self._most:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by `parts`
            self._last.tofile(self._file)
            self._sizes.append(len(self._last))
            del self._last[:]

    def parts(self) -> Iterator[array[int]]:
        """Everything that was added, part by part; it is gone after that."""
        if self._file is not None:
            with self._file as file:
                file.seek(0)
                for size in self._sizes:
                    part = array(self._code)
                    part.fromfile(file, size)
                    yield part
        yield self._last
