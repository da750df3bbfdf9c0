"""A stream of bytes that holds JSON over several lines → its items, one at a time.

Takes an array (`[…, …]`), or JSON texts one after another, such as one pretty-printed
record. Only brackets and strings are looked at: whether an item is JSON, its decoder says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from errdex.sources.line import KEPT_OF_LONGER, LONGEST, Line, Readable, too_long
from errdex.sources.lines import CHUNK

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[{}\[\],]', re.DOTALL)
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_QUOTE = ord('"')
_SPACE = b" \t\r\n\v\f"


class BrokenOffError(EOFError):
    """The stream ends inside an item or an array; `items` came before."""

    def __init__(self, items: int) -> None:
        super().__init__("it ends inside an item")
        self.items = items


def split_items(stream: Readable, source: str, *, array: bool) -> Iterator[Line]:
    """The items of the array that the stream begins with, or the JSON texts that it holds.

    What follows an array comes as further items. Raises BrokenOffError where the stream
    ends too early.
    """
    scan = _Scan(stream)
    number = 0
    for data, size, begin in scan.items(array):
        if data:
            number += 1
            fault = too_long(size, begin) if size > LONGEST else None
            yield Line(source, number, data, item=True, fault=fault)
    if scan.inside:
        raise BrokenOffError(number)


class _Scan:
    """One pass over a stream; holds one item and one chunk at most."""

    def __init__(self, stream: Readable) -> None:
        self.inside = False
        """True once the stream has ended inside an item or a string."""
        self._stream = stream
        self._text = b""
        self._at = 0  # where in `_text` the next token is looked for
        self._start = 0  # where in `_text` the item begins
        self._begin = 0  # where in the stream the item begins
        self._quoted = False  # whether that is inside a string
        self._cut = b""  # the beginning of an item too long to be kept; else empty
        self._cut_size = 0  # bytes of that item which are no longer in `_text`

    def items(self, array: bool) -> Iterator[tuple[bytes, int, int]]:
        """Each item's bytes (its beginning if it is too long), size and offset."""
        depth = 0
        while token := self._next():
            if token in b"[{":
                depth += 1
                if array and depth == 1:
                    self._item(0)  # what lies before the array is nothing but space
            elif token == b",":
                if array and depth == 1:
                    yield self._item(1)
            else:
                depth = max(0, depth - 1)
                if depth == 0:
                    yield self._item(1 if array else 0)
                    array = False
        self._at = len(self._text)
        self.inside = self.inside or depth > 0
        yield self._item(0)

    def _item(self, behind: int) -> tuple[bytes, int, int]:
        """What was read since the last item, less the `behind` bytes of the last token."""
        data, begin = self._text[self._start : self._at - behind].strip(_SPACE), self._begin
        size = self._cut_size + self._at - behind - self._start
        self._begin += self._cut_size + self._at - self._start
        self._start = self._at
        if self._cut:
            data = self._cut
        elif size > LONGEST:
            data = data[:KEPT_OF_LONGER]
        self._cut, self._cut_size = b"", 0
        return data, size, begin

    def _next(self) -> bytes:
        """The next bracket or comma outside strings; empty at the end of the stream."""
        while True:
            if self._quoted and not self._leave_string():
                self.inside = True
                return b""
            token = _TOKEN.search(self._text, self._at)
            if token is None:
                self._at = len(self._text)
                if not self._read():
                    return b""
            else:
                self._at = token.end()
                if token[1] is None:
                    return token[0]
                self._quoted = not token[1]

    def _leave_string(self) -> bool:
        """Go behind the string that the last chunk ended in; False if it has no end."""
        while self._at == len(self._text) or self._text[self._at] != _QUOTE:
            if not self._read():
                return False
            self._at = _IN_STRING.match(self._text, self._at).end()  # type: ignore[union-attr]  # any
        self._at += 1
        self._quoted = False
        return True

    def _read(self) -> bool:
        """Add a chunk; drop what lies before the item, and most of an item too long."""
        chunk = self._stream.read(CHUNK)
        keep = self._start
        if len(self._text) - self._start > LONGEST:
            self._cut = self._cut or self._text[self._start :][:KEPT_OF_LONGER].strip(_SPACE)
            self._cut_size += self._at - self._start
            keep = self._at
        self._text = self._text[keep:] + chunk
        self._at -= keep
        self._start = 0
        return bool(chunk)
