"""Packed files → plain bytes; what a file is, its first bytes tell, never its name."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from typing import IO, cast

from errdex.errors import SourceForeign

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, gzip.BadGzipFile)
"""What the readers of packed files raise when the bytes are damaged or break off.

bz2 raises a plain OSError without an error number for the same."""

_FOREIGN = {
    b"PK\x03\x04": "a zip archive",
    b"SQLite format 3\x00": "an SQLite database",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
    b"%PDF": "a PDF file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x7fELF": "a program",
}
_BOM = b"\xef\xbb\xbf"


def unpack(raw: io.BufferedReader, source: str) -> IO[bytes]:
    """The plain bytes of a gzip, zstd, bzip2 or xz stream, or of a plain one.

    A byte order mark is passed over. Raises SourceForeign for what is surely no JSON.
    """
    start = raw.peek(16)[:16]
    stream: IO[bytes]
    if start.startswith(b"\x1f\x8b"):
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    elif start.startswith(b"\x28\xb5\x2f\xfd"):
        stream = cast("IO[bytes]", zstd.ZstdFile(raw))
    elif start.startswith(b"BZh"):
        stream = cast("IO[bytes]", bz2.BZ2File(raw))
    elif start.startswith(b"\xfd7zXZ\x00"):
        stream = cast("IO[bytes]", lzma.LZMAFile(raw))  # noqa: SIM115  # the caller closes raw
    else:
        stream = raw
    inside = io.BufferedReader(cast("io.RawIOBase", stream)) if stream is not raw else raw
    start = inside.peek(16)[:16]
    for magic, what in _FOREIGN.items():
        if start.startswith(magic):
            raise SourceForeign(source=source, what=what)
    if start.startswith(_BOM):
        inside.read(len(_BOM))
    return inside
