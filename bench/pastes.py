"""Pastes with a known answer, drawn from a corpus: each record's message, made messy.

Every kind of mess is a function from a filled-in message to a paste. They imitate what
loggers, terminals, build pages and people do to a message, with random widths, names
and times; none of them knows how the matcher cleans.
"""

from __future__ import annotations

import json
import random
import re
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

VALUES = (
    "42", "'cuda:0'", "torch.float16", "/data/models/llama-7b/config.json", "None",
    "<class 'int'>", "['a', 'b']", "127.0.0.1:8000", "my_model", "(3, 224, 224)", "0.25",
    "user-id", "Qwen/Qwen2.5-7B", "expected str, got bytes", "C:\\Users\\me\\file.txt",
    "name with spaces", "3.11.7", "{'k': 1}", "é",
)  # fmt: skip
WORDS = "alpha bravo carrot delta ember falcon gravel harbor indigo jasper kettle lumen".split()  # noqa: SIM905 # a word list


class Paste(NamedTuple):
    """A text and the records that are right for it: all that share its pattern."""

    kind: str
    text: str
    right: frozenset[str]
    very: str
    """The record it was made from."""
    values: tuple[str, ...]


class Raised(NamedTuple):
    """One error as it would be raised."""

    message: str
    error_class: str
    path: str
    line: int
    template: str
    values: tuple[str, ...]
    parts: tuple[str, ...]


def _traceback(error: Raised, rng: random.Random) -> str:
    root = rng.choice(
        ["/usr/lib/python3.11/site-packages", "/home/ann/.venv/lib/python3.12/site-packages"]
    )
    return (
        "Traceback (most recent call last):\n"
        f'  File "/srv/{rng.choice(WORDS)}/main.py", line {rng.randint(3, 400)}, in <module>\n'
        f"    {rng.choice(WORDS)}({rng.choice(WORDS)})\n"
        f'  File "{root}/{error.path}", line {error.line}, in {rng.choice(WORDS)}\n'
        f"    raise {error.error_class}(message)\n"
        f"{error.error_class}: {error.message}"
    )


def _each_line(text: str, prefix: Callable[[], str]) -> str:
    return "\n".join(prefix() + line for line in text.split("\n"))


def bare(e: Raised, rng: random.Random) -> str:
    return e.message


def classed(e: Raised, rng: random.Random) -> str:
    return f"{e.error_class}: {e.message}"


def traceback(e: Raised, rng: random.Random) -> str:
    return _traceback(e, rng)


def logger(e: Raised, rng: random.Random) -> str:
    ms = rng.randint(100, 999)
    formats = [
        f"2026-11-30 12:00:01,{ms} ERROR [root] {{}}",
        f"2026-11-30T12:00:01.{ms}Z ERROR {rng.choice(WORDS)}: {{}}",
        "[2026-11-30 12:00:01] production.ERROR: {}",
        f"ERROR:{rng.choice(WORDS)}.core:{{}}",
        f"E1130 12:00:01.{ms}456 {rng.randint(1, 999)} manager.go:81] {{}}",
        f"(EngineCore pid={rng.randint(10, 9999)}) ERROR 11-30 12:00:01 [core.py:{ms}] {{}}",
        f"Nov 30 12:00:01 {rng.choice(WORDS)} {rng.choice(WORDS)}[{rng.randint(1, 999)}]: {{}}",
        f"12:00:01.{ms} [main-{rng.randint(1, 9)}] ERROR c.e.{rng.choice(WORDS).title()} - {{}}",
        f"ts=2026-11-30T12:00:01Z level=error caller={rng.choice(WORDS)}.go:12 {{}}",
        f"{rng.choice(WORDS)} | 12:00:01 | ERROR | {{}}",
        f"[rank{rng.randint(0, 7)}]: {{}}",
        f"[{rng.randint(1, 99)}.{ms}123] {{}}",
    ]
    return rng.choice(formats).format(classed(e, rng) if rng.random() < 0.5 else e.message)


def prefixed_traceback(e: Raised, rng: random.Random) -> str:
    pid, name = rng.randint(10, 99999), rng.choice(WORDS)
    prefix = rng.choice(
        [
            f"({name.title()}Worker pid={pid}) ",
            f"{name}-1  | ",
            f"[rank{pid % 8}]: ",
            f"<{name} {pid}> ",
            f"[pod/{name}-0/server] 2026-11-30T12:00:01Z ",
            f"#{pid % 40} {pid % 90}.{pid % 900 + 100} ",
            f"Nov 30 12:00:01 host {name}[{pid}]: ",
            f"2026-11-30 12:00:01,123 - {name} - ERROR - ",
            f"{pid % 9}|{name[:7]} | 2026-11-30T12:00:01: ",
            "E   ",
            "> ",
        ]
    )
    return _each_line(_traceback(e, rng), lambda: prefix)


def hard_wrapped(e: Raised, rng: random.Random) -> str:
    width = rng.choice([76, 80, 84, 100, 120, 132])
    text = _traceback(e, rng)
    if rng.random() < 0.5:
        prefix = f"({rng.choice(WORDS)} pid={rng.randint(1, 99999)}) "
        text = _each_line(text, lambda: prefix)
    return "\n".join(
        line[i : i + width] for line in text.split("\n") for i in range(0, max(1, len(line)), width)
    )


def soft_wrapped(e: Raised, rng: random.Random) -> str:
    return "\n".join(textwrap.wrap(classed(e, rng), rng.randint(50, 90), break_long_words=False))


def boxed(e: Raised, rng: random.Random) -> str:
    width = rng.randint(70, 100)
    lines = [
        f"│ {line[: width - 4]:<{width - 4}} │" for line in _traceback(e, rng).split("\n")[:-1]
    ]
    top = "╭" + " Traceback (most recent call last) ".center(width - 2, "─") + "╮"
    message = textwrap.fill(classed(e, rng), width, break_long_words=False)
    return "\n".join([top, *lines, "╰" + "─" * (width - 2) + "╯", message])


def compose(e: Raised, rng: random.Random) -> str:
    ours, other = rng.sample(WORDS, 2)
    out = []
    for line in _traceback(e, rng).split("\n"):
        out.append(f"{ours}-1  | {line}")
        if rng.random() < 0.4:
            out.append(
                f"{other}-1  | LOG:  checkpoint complete: wrote {rng.randint(1, 99)} buffers"
            )
    return "\n".join(out)


def json_once(e: Raised, rng: random.Random) -> str:
    return json.dumps({"level": "error", "ts": 1, "msg": "failed", "error": _traceback(e, rng)})


def json_twice(e: Raised, rng: random.Random) -> str:
    inner = json.dumps({"event": "end", "error": {"name": e.error_class, "message": e.message}})
    return json.dumps({"t": "2026-06-18T05:40:12.119Z", "payload": inner})


def python_repr(e: Raised, rng: random.Random) -> str:
    form = rng.randrange(3)
    if form == 0:
        return (
            f"step 'x' gave CompletedProcess(returncode=4, stderr={_traceback(e, rng).encode()!r})"
        )
    if form == 1:
        return f"job 7 ended with {e.error_class}({e.message!r})"
    return f"2026-11-30 worker result: {e.error_class}({e.message!r},)"


def csv_row(e: Raised, rng: random.Random) -> str:
    field = f'"{e.error_class}: {e.message}"'.replace('"', '""')[1:-1]
    return f"id,state,detail,n\n1,OK,,0\n2,FAILED,{field},2\n3,OK,,0"


def html_page(e: Raised, rng: random.Random) -> str:
    from html import escape

    words = escape(e.message).split(" ")
    k = rng.randrange(len(words))
    words[k] = f"<b>{words[k]}</b>"
    return (
        '<ol class="log">\n<li id="L1"><span class="dim">start&nbsp;now</span></li>\n'
        f'<li id="L2"><span class="bad">{e.error_class}</span>: {" ".join(words)}</li>\n</ol>'
    )


def ansi(e: Raised, rng: random.Random) -> str:
    words = e.message.split(" ")
    k = rng.randrange(len(words))
    words[k] = f"\x1b[1;33m{words[k]}\x1b[0m"
    return f"\x1b[2K\x1b[1G\x1b[31m{e.error_class}\x1b[39m: {' '.join(words)}\x1b[0m\n"


def crlf(e: Raised, rng: random.Random) -> str:
    return _traceback(e, rng).replace("\n", "\r\n")


def wide_bytes(e: Raised, rng: random.Random) -> str:
    return "\ufeffstart\n" + "".join(c + "\x00" for c in classed(e, rng)) + "\r\x00\n\x00"


def smart_quotes(e: Raised, rng: random.Random) -> str:
    text = re.sub(r'"([^"]*)"', r"“\1”", e.message)
    text = re.sub(r"'([^']*)'", r"‘\1’", text).replace("--", "—")
    return f"Hi all, since the update I get: {text} Any ideas?"


def double_spaced(e: Raised, rng: random.Random) -> str:
    return _traceback(e, rng).replace("\n", "\n\n") + "\n\nworker exited\n"


def chained(e: Raised, rng: random.Random) -> str:
    return (
        _traceback(e, rng)
        + "\n\nThe above exception was the direct cause of the following exception:\n\n"
        + 'Traceback (most recent call last):\n  File "/app/run.py", line 8, in run\n    step()\n'
        + f"RuntimeError: job {rng.randint(1, 99)} did not finish"
    )


def cut_tail(e: Raised, rng: random.Random) -> str:
    keep = int(len(e.message) * rng.uniform(0.55, 0.8))
    return _traceback(e._replace(message=e.message[:keep]), rng)


def cut_head(e: Raised, rng: random.Random) -> str:
    return e.message[int(len(e.message) * rng.uniform(0.2, 0.45)) :] + "\n$ "


def drifted(e: Raised, rng: random.Random) -> str:
    long = [w for part in e.parts for w in re.findall(r"[a-z]{5,}", part)]
    if not long:
        return _traceback(e, rng)
    return _traceback(e._replace(message=e.message.replace(rng.choice(long), "altered", 1)), rng)


def empty_values(e: Raised, rng: random.Random) -> str:
    return f"ERROR {e.error_class}: " + "".join(e.parts)


def source_only(e: Raised, rng: random.Random) -> str:
    text = _traceback(e, rng).split("\n")
    quote = '"' if '"' not in e.template else "'"
    return "\n".join([*text[:4], f"    raise {e.error_class}(f{quote}{e.template}{quote})"])


KINDS: dict[str, Callable[[Raised, random.Random], str]] = {
    kind.__name__: kind
    for kind in (
        bare, classed, traceback, logger, prefixed_traceback, hard_wrapped, soft_wrapped, boxed,
        compose, json_once, json_twice, python_repr, csv_row, html_page, ansi, crlf, wide_bytes,
        smart_quotes, double_spaced, chained, cut_tail, cut_head, drifted, empty_values,
        source_only,
    )
}  # fmt: skip


def draw(corpus: Path, each: int, seed: int = 1, least_literal: int = 20) -> Iterator[Paste]:
    """`each` pastes of every kind; messages with fewer literal characters are left out."""
    rng = random.Random(seed)  # noqa: S311 # nothing secret is drawn
    by_pattern: dict[str, list[str]] = defaultdict(list)
    rows = []
    with corpus.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)["record"]
            by_pattern[record["messagePattern"]].append(record["id"])
            rows.append(
                tuple(
                    record[k]
                    for k in (
                        "id",
                        "messagePattern",
                        "errorMessage",
                        "errorClass",
                        "filePath",
                        "lineNumber",
                    )
                )
            )
    for kind, make in KINDS.items():
        for record_id, pattern, template, error_class, path, line in rng.sample(rows, each * 2):
            parts = tuple(re.sub(r"\\(.)", r"\1", p) for p in pattern.split("(.+?)"))
            if sum(map(len, parts)) < least_literal:
                continue
            values = tuple(rng.choice(VALUES) for _ in parts[1:])
            message = parts[0] + "".join(v + p for v, p in zip(values, parts[1:], strict=True))
            error = Raised(
                message, error_class or "RuntimeError", path, line or 1, template, values, parts
            )
            text = make(error, rng)
            yield Paste(kind, text, frozenset(by_pattern[pattern]), record_id, values)
