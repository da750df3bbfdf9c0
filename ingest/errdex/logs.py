"""A log file, or standard input → its bytes as UTF-8, whatever it is packed in."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from errdex.errors import SourceForeign, TextDamaged, TextForeign, TextMissing, TextUnreadable

if TYPE_CHECKING:  # the package that it is in reads packed files, and is slow to import
    from errdex.sources.line import Readable

STANDARD_INPUT = "-"
_PLAIN_FIRST = frozenset(range(0x80)) - set(b"\x1f(BPS%\x7f")
"""A text that begins with one of these is certainly not packed, nor another kind of file."""
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_BUFFER = 1 << 20


@contextmanager
def open_log(source: str) -> Iterator[Readable]:
    """The plain bytes of a file, or of standard input for `-`.

    Raises TextMissing, TextUnreadable or TextForeign, and while it is read TextDamaged.
    """
    name = "standard input" if source == STANDARD_INPUT else source
    try:
        raw = sys.stdin.buffer if source == STANDARD_INPUT else Path(source).open("rb")  # noqa: SIM115  # closed below
    except FileNotFoundError:
        raise TextMissing(source=source) from None
    except OSError as problem:
        raise TextUnreadable(source=source, reason=problem.strerror or problem) from None
    try:
        yield _plain(cast("io.RawIOBase", raw), name)
    finally:
        if source != STANDARD_INPUT:
            raw.close()


class Begun:
    """A stream with what was already read of it in front."""

    def __init__(self, first: bytes, stream: Readable) -> None:
        self._first = first
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, and then perhaps the first part; none at the end."""
        first, self._first = self._first, b""
        return first or self._stream.read(size)


def _plain(raw: io.RawIOBase, name: str) -> Readable:
    buffered: io.BufferedReader = io.BufferedReader(raw, _BUFFER)
    first = buffered.peek(2)[:2]
    if first in _WIDE:
        return _Recoded(buffered, _WIDE[first])
    if not first or first[0] in _PLAIN_FIRST:
        return buffered
    from errdex.sources.unpack import DAMAGE, unpack  # slow to import, and seldom needed

    try:
        return _Guarded(unpack(buffered, name), name, DAMAGE)
    except SourceForeign as problem:
        raise TextForeign(**problem.values) from None
    except (*DAMAGE, OSError) as problem:
        raise TextDamaged(source=name, reason=problem) from None


class _Guarded:
    """Tells damage of a packed file in our own words."""

    def __init__(self, stream: IO[bytes], name: str, damage: tuple[type[Exception], ...]) -> None:
        self._stream = stream
        self._name = name
        self._damage: tuple[type[Exception], ...] = (*damage, OSError)

    def read(self, size: int, /) -> bytes:
        try:
            return self._stream.read(size)
        except self._damage as problem:
            raise TextDamaged(source=self._name, reason=problem) from None


class _Recoded:
    """16-bit text, such as PowerShell writes to files, as UTF-8."""

    def __init__(self, stream: Readable, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int, /) -> bytes:
        while data := self._stream.read(size):
            if text := self._decoder.decode(data).removeprefix("\ufeff"):
                return text.encode("utf-8", "replace")
        return self._decoder.decode(b"", final=True).encode("utf-8", "replace")
