"""The formats in which findings are written; hostile text in each."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from errdex.database.fixes import Fixes
from errdex.match.answers import Answer, Match, Span
from errdex.records import Record
from errdex.report import FORMATS, writer
from errdex.report.filling import fill
from errdex.report.links import page_address
from errdex.report.prose import safe, value_span
from errdex.report.sighting import Setting, Sighting
from errdex.style import Style

RECORD = Record(
    id="0123456789abcdef",
    repo="acme/flowline",
    slug="sink-refused",
    error_class="SinkError",
    error_message="Sink {sink} refused {count} rows",
    message_pattern="Sink (.+?) refused (.+?) rows",
    error_type="exception",
    severity="error",
    file_path="flowline/sink.py",
    github_url="https://github.com/acme/flowline/blob/0/flowline/sink.py#L3",
    documentation="The sink {sink} is full.",
    trigger_scenarios="",
    common_situations="",
    solutions=["Empty {sink} first.", "Write less than {count} rows.", "Third.", "Fourth."],
    prevention_tips=[],
    tags=["sinks"],
    analyzed_sha="0" * 40,
    analyzed_at="2026-11-30T00:00:00Z",
    schema_version=2,
)
MATCH = Match(
    id=RECORD.id,
    repo=RECORD.repo,
    slug=RECORD.slug,
    error_class=RECORD.error_class,
    error_code=None,
    error_message=RECORD.error_message,
    severity="error",
    tier="exact",
    score=0.8,
    claimed=True,
    group=0,
    coverage=1.0,
    values={"sink": "tariffs", "count": "12"},
    reasons=["the whole message is there"],
    spans=[Span(0, 5)],
    line=1,
)
TEXT = "Sink tariffs refused 12 rows"
HOSTILE = [
    "```\n# out of the fence",
    "`` `a` ``` ",
    "<script>alert(1)</script><img src=x onerror=y>",
    "@everyone and #12 and GH-7",
    "![x](https://example.org/pixel.png)",
    "\x1b[31mred\x1b]8;;http://x\x07\x00\u202e",
    "::error::forged\r\n::set-output name=x::y",
    "a\n\n| b | c |\n|---|---|\n100% [x](javascript:alert(1))",
    "\ud800 lone",
    "{0} {sink} {{",
]


def match(**changed: Any) -> Match:
    return MATCH._replace(**changed)


def sighting(*matches: Match, **changed: Any) -> Sighting:
    answer = Answer(matches=list(matches or (MATCH,)), secret=False)
    return Sighting(TEXT, answer)._replace(**changed)


def written(form: str, *sightings: Sighting, record: Record = RECORD, **setting: Any) -> str:
    fixes = Fixes(record.documentation, record.github_url, record.solutions)
    return "".join(writer(form)(sightings, Setting(lambda _id: fixes, **setting)))


# -- text ---------------------------------------------------------------------------------


def test_equal_answers_are_shown_as_equal() -> None:
    shown = written("text", sighting(MATCH, match(id="f" * 16), match(id="e" * 16, group=1)))
    assert shown.startswith("2 records fit equally well:\n\n0123456789abcdef  acme/flowline/")
    assert "\n\nffffffffffffffff  acme/flowline/sink-refused\n" in shown
    assert "\nLess likely:\n  eeeeeeeeeeeeeeee  0.80  acme/flowline/sink-refused\n" in shown


def test_hints_are_marked_and_only_shown_where_nothing_matches() -> None:
    hint, guess = match(claimed=False, group=1), match(claimed=False, tier="text", group=2)
    shown = written("text", sighting(hint, guess))
    assert shown.startswith("No record matches.\n\nWeak hints, not matches:\n  0123456789abcdef")
    assert "\n\nGuesses by words only, not matches:\n" in shown
    assert "hints" not in written("text", sighting(MATCH, hint, guess))


def test_a_log_tells_where_and_how_often() -> None:
    seen = sighting(source="app.log", first_line=7, last_line=99, times=3)
    shown = written("text", seen, log=True)
    assert shown.startswith(f"app.log:7  3 times, last on line 99\n  {TEXT}\n0123456789abcdef")


def test_long_values_are_cut_and_lines_of_values_are_aligned() -> None:
    shown = written("text", sighting(match(values={"sink": "a\nb", "count": "x" * 5000})))
    assert "  sink = a\n         b\n" in shown
    assert f"  count = {'x' * 1000} … (4000 more characters)\n" in shown


def test_prose_is_wrapped_at_the_width_of_a_terminal() -> None:
    long = msgspec.structs.replace(RECORD, solutions=["word " * 60])
    shown = written("text", sighting(), record=long, style=Style(width=60))
    assert max(map(len, shown.splitlines())) <= 60


def test_links_lead_to_the_page_and_to_the_source() -> None:
    shown = written("text", sighting(), site="https://e.org", style=Style(links=True, color=True))
    assert "\x1b]8;;https://e.org/e/0123456789abcdef#v=sink=tariffs&count=12\x1b\\" in shown
    assert f"\x1b]8;;{RECORD.github_url}\x1b\\acme/flowline/sink-refused" in shown


# -- json, jsonl --------------------------------------------------------------------------


def test_jsonl_writes_a_match_a_line_of_a_paste_and_an_error_a_line_of_a_log() -> None:
    seen = sighting(MATCH, match(id="f" * 16))
    paste = [json.loads(line) for line in written("jsonl", seen).splitlines()]
    assert [one["id"] for one in paste] == ["0123456789abcdef", "f" * 16]
    log = [json.loads(line) for line in written("jsonl", seen, seen, log=True).splitlines()]
    assert [len(one["matches"]) for one in log] == [2, 2]
    assert log[0]["text"] == TEXT


# -- markdown -----------------------------------------------------------------------------


def test_the_comment_has_link_values_and_first_fixes() -> None:
    assert written("markdown", sighting(), site="https://e.org") == (
        "### [`SinkError: Sink {sink} refused {count} rows`]"
        "(<https://e.org/e/0123456789abcdef#v=sink=tariffs&count=12>)\n"
        "\n"
        f"`0123456789abcdef` · [acme/flowline](<{RECORD.github_url}>) · error · score 0.80"
        " · the whole message is there\n"
        "\n"
        "- `sink`: `tariffs`\n"
        "- `count`: `12`\n"
        "\n"
        "**First fixes**\n"
        "\n"
        "1. Empty `tariffs` first.\n"
        "2. Write less than `12` rows.\n"
        "3. Third.\n"
    )


def test_there_is_no_comment_where_nothing_matches() -> None:
    assert written("markdown", sighting(match(claimed=False))) == ""


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_stays_text_in_a_comment(hostile: str) -> None:
    record = msgspec.structs.replace(
        RECORD, error_message=hostile, solutions=[hostile, "a `{sink}` b {count} c"]
    )
    seen = match(error_message=hostile, values={"sink": hostile, "count": hostile})
    comment = written("markdown", sighting(seen), record=record)
    html = MarkdownIt("commonmark").render(comment.encode("utf-8", "replace").decode())
    assert not re.search(r"<(?!/?(?:h3|p|a|code|ul|ol|li|strong|pre|em)\b)[a-z]", html)
    assert html.count("<h3>") == 1
    outside = re.sub(r"<code[^>]*>.*?</code>", "", html, flags=re.DOTALL)
    assert not re.search(r"@\w|#\d|GH-\d", re.sub(r'href="[^"]*"', "", outside))
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', html))


@given(st.text(alphabet="`~{}sink \n<@#", max_size=60), st.text(max_size=20))
def test_code_in_prose_is_never_left_open(text: str, value: str) -> None:
    shown = safe(text, {"sink": value}) + "\n\n<b>end</b>"
    html = MarkdownIt("commonmark").render(shown.encode("utf-8", "replace").decode())
    assert html.rstrip().endswith("<b>end</b></p>")


def test_code_in_prose_stays_code() -> None:
    text = "Run `fix {sink}`:\n```sh\nrm -r {sink}\n```\nthen look at {sink}."
    assert safe(text, {"sink": "a`b"}) == (
        "Run ``fix a`b``:\n```sh\nrm -r a`b\n```\nthen look at ``a`b``."
    )


# -- github -------------------------------------------------------------------------------


def test_an_annotation_has_the_place_the_message_and_the_fix() -> None:
    seen = sighting(match(line=2), source="a,b:c.log", first_line=7, last_line=9, times=2)
    assert written("github", seen, log=True) == (
        "::error title=SinkError [0123456789abcdef],file=a%2Cb%3Ac.log,line=8::"
        "Sink tariffs refused 12 rows%0ASeen 2 times, last on line 9."
        f"%0AFix: Empty tariffs first.%0A{RECORD.github_url}\n"
    )


@pytest.mark.parametrize(
    ("severity", "command"),
    [("critical", "error"), ("error", "error"), ("warning", "warning"), ("info", "notice")],
)
def test_the_command_says_how_grave_it_is(severity: str, command: str) -> None:
    assert written("github", sighting(match(severity=severity))).startswith(f"::{command} title=")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_makes_no_command_of_its_own(hostile: str) -> None:
    record = msgspec.structs.replace(RECORD, solutions=[hostile])
    seen = match(error_message=hostile, error_class=hostile, values={"sink": hostile})
    shown = written("github", sighting(seen, source=hostile), record=record)
    assert shown.count("\n") == 1
    assert shown.endswith("\n")
    assert "\r" not in shown
    properties = shown[len("::error ") :].split("::", 1)[0]
    assert [pair.split("=", 1)[0] for pair in properties.split(",")] == ["title", "file", "line"]


# -- sarif --------------------------------------------------------------------------------


def test_sarif_has_a_rule_for_each_record_and_a_result_for_each_error() -> None:
    other = match(id="f" * 16, severity="info")
    log = [
        sighting(source="logs/a b.log", first_line=3, times=2),
        sighting(other, source="logs/c.log", first_line=5),
        sighting(source="logs/c.log", first_line=9),
        sighting(match(claimed=False)),
    ]
    document = json.loads(written("sarif", *log, log=True))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert run["tool"]["driver"]["name"] == "errdex"
    rules, results = run["tool"]["driver"]["rules"], run["results"]
    assert [rule["id"] for rule in rules] == ["0123456789abcdef", "f" * 16]
    assert [result["ruleIndex"] for result in results] == [0, 1, 0]
    assert [rules[result["ruleIndex"]]["id"] for result in results] == [
        result["ruleId"] for result in results
    ]
    assert [result["level"] for result in results] == ["error", "note", "error"]
    (place,) = results[0]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "logs/a%20b.log"},
        "region": {"startLine": 3},
    }
    assert results[0]["message"] == {"text": "Sink tariffs refused 12 rows"}
    assert results[0]["occurrenceCount"] == 2


def test_nothing_in_a_sarif_message_is_a_placeholder_or_a_link() -> None:
    seen = match(error_message="{0} and [x](http://e.org)", values={})
    (result,) = json.loads(written("sarif", sighting(seen)))["runs"][0]["results"]
    assert result["message"]["text"] == "{{0}} and [x\\](http://e.org)"


# -- all of them --------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "hostile"), list(product(FORMATS, HOSTILE)))
def test_no_format_lets_control_characters_through(form: str, hostile: str) -> None:
    record = msgspec.structs.replace(RECORD, solutions=[hostile], documentation=hostile)
    seen = match(error_message=hostile, error_class=hostile, values={"sink": hostile})
    shown = written(form, sighting(seen, text=hostile, source=hostile), record=record, log=True)
    shown.encode()
    if form in ("json", "jsonl", "sarif"):
        shown = json.dumps(json.loads(shown))  # there they are escaped
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", shown)


@pytest.mark.parametrize("form", FORMATS)
def test_a_record_that_has_gone_meanwhile_is_told_without_its_solutions(form: str) -> None:
    shown = "".join(writer(form)([sighting()], Setting(lambda _id: None)))
    assert "Sink" in shown
    assert "Empty" not in shown


def test_values_fill_placeholders_in_any_of_their_forms() -> None:
    values = {"sink": "x", "count": "3"}
    assert fill("{self.sink!r} {count:>4} {other} {}", values) == "x 3 {other} {}"


def test_a_link_carries_short_values_only() -> None:
    address = page_address("https://e.org", "0" * 16, {"a": "x y/é&", "b": "z" * 500})
    assert address == f"https://e.org/e/{'0' * 16}#v=a=x%20y%2F%C3%A9%26"
    assert page_address("https://e.org", "0" * 16, {}) == f"https://e.org/e/{'0' * 16}"


def test_a_value_is_one_short_span_of_code() -> None:
    assert value_span("a\nb") == "`a b`"
    assert len(value_span("x" * 1000)) == 302
