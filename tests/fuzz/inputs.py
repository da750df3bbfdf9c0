"""What the fuzz targets are fed: texts, bytes and records, most of them nearly right.

A text that is random through and through is refused at the first step. These are put together
from what each step looks for, so that some get far.
"""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
SEED: dict[str, object] = json.loads((ROOT / "data" / "seed.jsonl").read_bytes())["record"]
RECORD_LINES = (CASES / "records.jsonl").read_bytes().splitlines()
RECORDS = [json.loads(line)["record"] for line in RECORD_LINES]
PASTES = [
    json.loads(line)["text"]
    for line in (CASES / "pastes.jsonl").read_text(encoding="utf-8").splitlines()
]
HOSTILE = [
    value
    for value in json.loads((CASES / "hostile.json").read_text()).values()
    if isinstance(value, str)
]


def a_share(of: float) -> settings:
    """So many of the profile's examples: more than all for what is quick, few for what is not."""
    return settings(max_examples=max(1, int(settings.default.max_examples * of)))


MARKS = (
    "\x1b[31m", "\x1b[2K\x1b[1G", "\r\n", "\r", "\x00", "x\x08", "\ufeff", "<b>", "</b>", "&lt;",
    "[a](https://b.c)", "“x”", "…", "\n", "\n\n", "web-1  | ", "db-1  | ", "[rank0]: ", "│ ", " │",
    "2026-11-30 12:00:01 ERROR ", '{"a": "b c\\n', '\\"', '"}', ',"a ""b"" c",', "b'x y\\n'",
    "ValueError('a', 'b')", "\\u00e9", "\\ud83d", "y" * 80, "word ", "é", "😀", "(", '"', "'",
)  # fmt: skip
"""What the cleaning passes look for."""

MARKUP = (
    "<script>alert(1)</script>", "</script>", "<!--", "-->", "]]>", "<img src=x onerror=a>",
    "&#60;", "[x](javascript:a)", "[x](https://x.example)", "![i](https://x.example/i.png)", "`",
    "```\n", "**", "__", "~~", "# ", "> ", "- ", "1. ", "| a | b |\n|---|---|\n", "\\", "<https://x.example>",
    "{{ 7 * 7 }}", "{% raw %}", "{name}", "\u202e", "\u2028", "\x1b[31m", "# before\n", "# after\n",
    '"onload="a', "'", "\n", "    ", "\t", "raise X(", '"""', "/*", "*/", "//", "é", "&", "<",
)  # fmt: skip
"""What pages might take for more than text."""

any_text = st.text(max_size=200)
text_with_halves = st.text(st.characters(codec=None), max_size=20)  # lone surrogates too
markup = st.lists(
    st.one_of(st.sampled_from((*MARKUP, *HOSTILE)), st.text(max_size=6)), max_size=20
).map("".join)
pieces_of_pastes = st.builds(
    lambda paste, start, size: paste[start % (len(paste) + 1) :][:size],
    st.sampled_from(PASTES),
    st.integers(0, 2000),
    st.integers(1, 300),
)
pastes = st.lists(
    st.one_of(
        pieces_of_pastes,
        st.sampled_from([record["errorMessage"] for record in RECORDS]),
        st.sampled_from(MARKS),
        text_with_halves,
    ),
    max_size=8,
).map("".join)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with a few changed, lost, doubled, or put in."""
    made = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(made)))
        end = min(len(made), start + draw(st.sampled_from([0, 1, 2, 16, 300])))
        new = draw(st.sampled_from([b"", b"\x00", b'"', b"\n", b"{", b"\xff", bytes(made[:40])]))
        made[start:end] = draw(st.sampled_from([new, bytes(made[start:end] * 2)]))
    return bytes(made)


hostile_texts = st.one_of(markup, st.text(max_size=30), st.just("x" * 500))
hostile_fields = st.builds(
    lambda texts, lists, number: {**texts, **lists, "lineNumber": number},
    st.dictionaries(
        st.sampled_from(
            [
                "errorMessage", "errorClass", "errorCode", "messagePattern", "filePath",
                "documentation", "triggerScenarios", "commonSituations", "exampleFix",
                "validationCode", "typeGuard", "tryCatchPattern", "sourceCode",
            ]
        ),
        hostile_texts,
        max_size=6,
    ),
    st.dictionaries(
        st.sampled_from(["solutions", "preventionTips"]), st.lists(hostile_texts, max_size=3)
    ),
    st.integers(1, 50),
)  # fmt: skip
"""Values for the fields that hold free text, each an attack; some break a rule."""


def record_line(fields: dict[str, object], number: int = 0) -> bytes:
    """A record with these fields and all others of the seed, in a place of its own."""
    place = {"id": f"{number:016x}", "slug": f"made-{number}"}
    return json.dumps(
        {**SEED, "sourceCodeStart": 1, "sourceCodeEnd": 50, **place, **fields}
    ).encode()
