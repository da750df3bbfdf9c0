"""One source → its lines or items, whatever it is packed in."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from errdex.errors import SourceDamaged, SourceForeign, SourceMissing, SourceUnreadable
from errdex.sources.items import BrokenOffError, split_items
from errdex.sources.line import Line
from errdex.sources.lines import split_lines
from errdex.sources.unpack import DAMAGE, unpack

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "standard input"

Meter = Callable[[memoryview], None]
"""Is given the packed bytes of a source as they are read."""

_BUFFER = 1 << 18
_FIRST = 1 << 16


def read_lines(
    source: str, meter: Meter | None = None, *, name: str | None = None
) -> Iterator[Line]:
    """The lines of a file, or of standard input for `-`; items where it holds JSON.

    `name` is what the source is called in the lines and in errors.

    Raises SourceMissing, SourceUnreadable, SourceForeign or SourceDamaged, the last two
    perhaps after some lines.
    """
    if source == "-":
        yield from _read(sys.stdin.buffer, STANDARD_INPUT, meter)
        return
    name = name or source
    try:
        with Path(source).open("rb", buffering=0) as raw:
            if stat.S_ISCHR(os.fstat(raw.fileno()).st_mode) and not raw.isatty():
                raise SourceForeign(source=name, what="a device")  # it may never end
            yield from _read(raw, name, meter)
    except FileNotFoundError:
        raise SourceMissing(source=name) from None
    except OSError as problem:
        raise SourceUnreadable(source=name, reason=problem.strerror or problem) from None


def _read(raw: io.RawIOBase | IO[bytes], source: str, meter: Meter | None) -> Iterator[Line]:
    last = 0
    try:
        stream = unpack(io.BufferedReader(_Metered(raw, meter), _BUFFER), source)
        for line in _split(stream, source):
            last = line.number
            yield line
    except BrokenOffError as problem:
        raise SourceDamaged(source=source, line=problem.items, reason=problem) from None
    except DAMAGE as problem:
        raise SourceDamaged(source=source, line=last, reason=problem) from None
    except OSError as problem:
        if problem.errno is not None:
            raise
        raise SourceDamaged(source=source, line=last, reason=problem) from None


class _Metered(io.RawIOBase):
    """Shows the meter what passes."""

    def __init__(self, raw: io.RawIOBase | IO[bytes], meter: Meter | None) -> None:
        self._raw = raw
        self._meter = meter

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        size = self._raw.readinto(view) or 0  # type: ignore[union-attr]  # both have it
        if self._meter is not None:
            self._meter(view[:size])
        return size


def _split(stream: IO[bytes], source: str) -> Iterator[Line]:
    """Lines or items, told by how the stream begins."""
    first = stream.read(_FIRST)
    whole = _Joined(first, stream)
    begin = first.lstrip()
    if begin.startswith(b"["):
        return split_items(whole, source, array=True)
    if _goes_over_lines(begin):
        return split_items(whole, source, array=False)
    return split_lines(whole, source)


class _Joined:
    """A stream with what was already read of it in front."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first = first
        self._stream = stream

    def read(self, size: int) -> bytes:
        first, self._first = self._first, b""
        return first or self._stream.read(size)


def _goes_over_lines(begin: bytes) -> bool:
    """True if the first line only begins an object, and the second goes on with it."""
    line, _, rest = begin.partition(b"\n")
    if not line.startswith(b"{") or rest.lstrip().startswith(b"{"):
        return False
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError as problem:
        return "truncated" in str(problem) and bool(rest.strip())
    except (msgspec.ValidationError, RecursionError):
        return False
    return False
