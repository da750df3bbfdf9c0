"""A real server of a published dataset that does wrong when it is told to."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType

WRONG: dict[str, tuple[int, dict[str, str], bytes, str]] = {
    "leads to a file": (
        302,
        {"Location": "file:///etc/passwd"},
        b"",
        "Request URL has an unsupported protocol 'file://'.",
    ),
    "leads in a circle": (
        302,
        {"Location": "manifest.json"},
        b"",
        "Exceeded maximum allowed redirects.",
    ),
    "packs far too much": (
        200,
        {"Content-Encoding": "gzip"},
        gzip.compress(bytes(20 << 20)),
        "it has more than 16777216 bytes",
    ),
    "packs nonsense": (
        200,
        {"Content-Encoding": "gzip"},
        b"\x1f\x8bnonsense",
        "Error -3 while decompressing data: unknown compression method, 5 times",
    ),
    "sends a part that nobody asked for": (206, {}, b"{}", "status 206"),
    "has no such part, nor the whole": (416, {}, b"", "status 416, 5 times"),
}
"""Answers of a bad server: status, header, body; and what is said of it."""


class Server(ThreadingHTTPServer):
    """Serves a folder with ETags and ranges; notes what was asked and sent."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.log: list[tuple[str, int, int]] = []
        """Path, status and bytes of each answer."""
        self.hurt: Callable[[str, int], str | None] = lambda path, times: None
        """What to do wrong: `cut`, `busy`, one of WRONG or None; asked with the path and how
        often it came."""
        self.ranges = True

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/data/manifest.json"

    def asked(self, ending: str) -> list[tuple[int, int]]:
        return [(status, size) for path, status, size in self.log if path.endswith(ending)]


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server = self.server
        times = len(server.asked(self.path))
        hurt = server.hurt(self.path, times)
        file = server.folder / self.path.removeprefix("/data/")
        if hurt in WRONG:
            status, header, body, _ = WRONG[hurt]
            self._answer(status, body, header=header)
            return
        if hurt == "busy" or not file.is_file():
            self._answer(503 if hurt else 404, b"")
            return
        data = file.read_bytes()
        etag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == etag:
            self._answer(304, b"", etag)
            return
        status, wanted = 200, self.headers.get("Range")
        if server.ranges and wanted and self.headers.get("If-Range") == etag:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            status, data = 206, data[start:]
        self._answer(status, data, etag, sent=len(data) // 2 if hurt == "cut" else len(data))

    def _answer(
        self,
        status: int,
        data: bytes,
        etag: str = "",
        sent: int | None = None,
        header: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.server.log.append((self.path, status, len(data)))
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        if etag:
            self.send_header("ETag", etag)
        for name, value in header.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[:sent])
        if sent is not None and sent < len(data):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # its name there
        """Say nothing."""
