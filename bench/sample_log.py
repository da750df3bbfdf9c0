"""A log made up for measurements: ordinary lines, and among them errors that are known."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

_VALUES = (
    "42", "'cuda:0'", "/data/models/llama-7b/config.json", "None", "<class 'int'>", "['a', 'b']",
    "127.0.0.1:8000", "my_model", "x", "(3, 224, 224)", "0.25", "user-id", "name with spaces",
)  # fmt: skip
_WORDS = (
    "request", "worker", "cache", "queue", "shard", "index", "batch", "model", "session", "token",
    "stream", "client", "server", "node", "replica", "snapshot", "segment", "bucket", "tenant",
    "upload", "download", "refresh", "schedule", "compact", "flush", "sync", "connect", "accept",
    "retry", "backoff", "probe", "metric", "gauge", "timer", "lease", "lock", "user", "order",
    "invoice", "payment",
)  # fmt: skip
_VERBS = (
    "started", "finished", "accepted", "loaded", "resumed", "scheduled", "flushed", "opened",
    "closed", "renewed",
)  # fmt: skip
_LEVELS = ("INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARNING")
_METHODS = ("GET", "GET", "GET", "POST", "PUT", "DELETE")
_GROUP = re.compile(r"\(\.[+*]\??\)")


def write_log(path: Path, size: int, share: float, database: Path, seed: int = 1) -> int:
    """Write about `size` bytes, of whose lines `share` are errors; the number of lines."""
    rng = random.Random(seed)  # noqa: S311  # the same log each time
    messages = _messages(database)
    lines = written = 0
    with path.open("w", encoding="utf-8") as out:
        for number, line in enumerate(_ordinary(rng)):
            if rng.random() < share:
                line = _error(rng, messages)
            out.write(line + "\n")
            written += len(line) + 1
            lines = number + line.count("\n") + 1
            if written >= size:
                break
    return lines


def _messages(database: Path) -> list[tuple[str, str, str]]:
    """Class, pattern and file of errors whose patterns are plain wildcards."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    rows = connection.execute(
        "SELECT coalesce(error_class, ''), message_pattern, file_path FROM errors"
        " JOIN patterns USING (pattern) WHERE kind = 'W' AND bits >= 12 ORDER BY id LIMIT 60000"
    ).fetchall()
    connection.close()
    return rows


def _clock(rng: random.Random) -> str:
    return (
        f"2026-11-{rng.randrange(1, 31):02} {rng.randrange(24):02}:{rng.randrange(60):02}:"
        f"{rng.randrange(60):02},{rng.randrange(1000):03}"
    )


def _ordinary(rng: random.Random) -> Iterator[str]:
    while True:
        kind = rng.randrange(5)
        if kind == 0:
            yield (
                f"{rng.randrange(1, 255)}.{rng.randrange(255)}.{rng.randrange(255)}.7 - - "
                f"[{rng.randrange(1, 31):02}/Nov/2026:{rng.randrange(24):02}:12:07 +0000] "
                f'"{rng.choice(_METHODS)} /api/{rng.choice(_WORDS)}/{rng.randrange(10**6)}'
                f' HTTP/1.1" 200 {rng.randrange(10**5)} "-" "Mozilla/5.0 (X11; Linux x86_64)"'
            )
        elif kind == 1:
            yield (
                f'{{"ts":"{_clock(rng)}","level":"info","msg":"{rng.choice(_WORDS)} '
                f'{rng.choice(_VERBS)}","id":{rng.randrange(10**9)},"took_ms":{rng.random():.3f}}}'
            )
        else:
            yield (
                f"{_clock(rng)} {rng.choice(_LEVELS)} [{rng.choice(_WORDS)}.{rng.choice(_WORDS)}]"
                f" {rng.choice(_WORDS)} {rng.choice(_WORDS)} {rng.choice(_VERBS)}"
                f" id={rng.randrange(10**8):08x} after {rng.random() * 9:.2f} s"
                f" ({rng.randrange(10**4)} {rng.choice(_WORDS)}s left)"
            )


def _error(rng: random.Random, messages: list[tuple[str, str, str]]) -> str:
    name, pattern, place = rng.choice(messages)
    parts = [re.sub(r"\\(.)", r"\1", part) for part in _GROUP.split(pattern)]
    message = "".join(part + rng.choice(_VALUES) for part in parts[:-1]) + parts[-1]
    said = f"{name}: {message}" if name else message
    if rng.random() < 0.9:
        return f"{_clock(rng)} ERROR [{rng.choice(_WORDS)}] {said}".replace("\n", " ")
    return (
        "Traceback (most recent call last):\n"
        f'  File "/app/main.py", line {rng.randrange(1, 500)}, in run\n    main()\n'
        f'  File "/usr/lib/python3.11/site-packages/{place}", line {rng.randrange(1, 900)}, in f\n'
        f"    raise {name or 'RuntimeError'}(message)\n{said}"
    )
