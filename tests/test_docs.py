"""The docs cover what the code has: commands, fields, columns, addresses; and hold together."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import get_args

import click
import msgspec
import pytest
from click.testing import CliRunner

from datasette_errdex import front
from errdex import records
from errdex.cli import COMMANDS, main
from errdex.errors import registry
from errdex_site import addresses
from tools import codes, import_graph, reference

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")])
FIELDS = msgspec.structs.fields(records.Record)


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(page: str) -> dict[str, str]:
    """Rows of tables whose first cell is code: its text → the whole row."""
    found = {}
    for row in re.findall(r"^\| (`.*)$", page, re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", row.split(" | ")[0]):
            found[name] = row
    return found


def test_the_command_line_is_described_as_it_is() -> None:
    assert reference.outputs() == {reference.PAGE: reference.PAGE.read_text("utf-8")}, (
        "run python -m tools"
    )


def test_every_code_is_listed_as_it_is() -> None:
    assert codes.outputs() == {codes.PAGE: codes.PAGE.read_text("utf-8")}, "run python -m tools"
    assert rows(read("codes.md")).keys() >= registry().keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_docs_and_has_a_help_text(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    page = read("cli.md")
    assert f"## errdex {name}\n" in page
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.opts[0] in page
            assert parameter.envvar is None or f"`{parameter.envvar}`" in page


def test_the_import_graph_is_drawn_as_it_is() -> None:
    assert import_graph.outputs() == {import_graph.PAGE: import_graph.PAGE.read_text("utf-8")}, (
        "run python -m tools"
    )


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.encode_name)
def test_every_field_of_a_record_is_described(field: msgspec.structs.FieldInfo) -> None:
    row = rows(read("record-schema.md"))[field.encode_name]
    assert ("null" in row) == (not field.required), "a field that may be left out may be null"


@pytest.mark.parametrize(
    "values", [records.ErrorType, records.Severity, records.HandlingStrategy], ids=str
)
def test_every_value_of_a_choice_is_described(values: object) -> None:
    page = read("record-schema.md")
    assert [value for value in get_args(values) if f"`{value}`" not in page] == []


def test_every_table_and_column_is_described(tmp_path: Path) -> None:
    seed = str(ROOT / "data" / "seed.jsonl")
    path = tmp_path / "errdex.db"
    assert CliRunner().invoke(main, ["ingest", seed, "--db", str(path)]).exit_code == 0
    parts = re.split(r"^## ", read("database-schema.md"), flags=re.MULTILINE)
    described = {part.splitlines()[0]: part for part in parts}
    connection = sqlite3.connect(path)
    try:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_%' ESCAPE '\\'"
            " AND name NOT LIKE 'errors_fts_%'"
        ).fetchall()
        missing = [
            f"{table}.{column}"
            for (table,) in tables
            for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")
            if f"`{column}`" not in described.get(table, "")
        ]
    finally:
        connection.close()
    assert missing == []


def test_every_file_of_a_site_is_described() -> None:
    page = read("addresses.md")
    assert [path for path in addresses.FILES if f"`{path}`" not in page] == []


def test_every_kind_of_address_is_described() -> None:
    described = rows(read("addresses.md"))
    known = {
        route.kind
        for path in described
        if (
            route := addresses.parse(
                path.replace("{owner}", "o").replace("{repo}", "r").replace("{slug}", "s")
                .replace("{name}", "r").replace("{xxx}", "000").replace("{xx}", "00")
                .replace("{n}", "1")
                .replace("{errorCode}", "E1").replace("{tag}", "t").replace("{id}", "0" * 16)
                .replace("{backgroundTag}", "f").replace("{page}", "p").replace("…", "x")
            )
        )
    }  # fmt: skip
    assert known == set(get_args(addresses.Kind))


def test_every_address_of_the_live_service_is_described() -> None:
    page = read("addresses.md")
    live = {*front._FIXED, *json.loads(front.api._description())["paths"]}
    assert [path for path in sorted(live) if f"`{path}`" not in page] == []


def links(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    missing = [
        target for target in links(page) if not (page.parent / target.partition("#")[0]).exists()
    ]
    assert missing == []


def test_every_page_of_the_docs_is_in_the_index() -> None:
    listed = set(links(DOCS / "index.md"))
    assert {page.name for page in DOCS.glob("*.md")} - listed == {"index.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_codes_that_the_docs_name_exist(page: Path) -> None:
    named = set(re.findall(r"\bED\d{3}\b", page.read_text(encoding="utf-8")))
    assert named <= set(registry())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_that_the_docs_name_exist(page: Path) -> None:
    """Code spans that begin with a folder of the checkout."""
    tops = "ingest|site|templates|data|tests|bench|tools|docs"
    text = page.read_text(encoding="utf-8")
    named = re.findall(rf"`((?:{tops})/[\w./-]*)`", text)
    ours = re.findall(r"`(errdex(?:_site)?/[\w./-]+|datasette_errdex/[\w./-]+)`", text)
    homes = {"errdex": "ingest", "errdex_site": "site", "datasette_errdex": "site"}
    named += [f"{homes[name.partition('/')[0]]}/{name}" for name in ours if name.count("/") > 0]
    gone = [name for name in named if not (ROOT / name).exists()]
    assert [name for name in gone if "errdex/errdex/" not in name] == []


PROMISES = re.findall(r"`(tests/[\w/]+\.py)::(\w+)` \|$", read("reliability.md"), re.MULTILINE)


def test_every_promise_names_its_test() -> None:
    told = [row for row in read("reliability.md").splitlines() if row.startswith("| ")][1:]
    assert len(told) == len(PROMISES) > 20


@pytest.mark.parametrize(("path", "name"), PROMISES)
def test_the_test_of_a_promise_exists(path: str, name: str) -> None:
    assert re.search(rf"^(?:async )?def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "guide", ["tutorial", "records", "hosting", "trackers", "ci", "agents", "serving"]
)
def test_every_guide_is_reached_from_the_front_page_of_the_docs(guide: str) -> None:
    assert f"{guide}.md" in links(DOCS / "index.md")


def test_every_benchmark_is_described() -> None:
    from bench.__main__ import PARTS

    assert [part for part in PARTS if f"`bench/{part}.py`" not in read("benchmarks.md")] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_the_docs_show_have_the_options_that_they_use(page: Path) -> None:
    fenced = re.findall(r"^```.*?\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    shown = re.findall(r"^(?:- | {2})?(?:run: )?errdex (\w+) (.*)$", "".join(fenced), re.MULTILINE)
    wrong = []
    for name, rest in shown:
        command = main.get_command(click.Context(main), name)
        if command is None:
            wrong.append(name)
            continue
        own = rest.partition(" -- ")[0].partition("#")[0].partition("|")[0]
        known = {option for parameter in command.params for option in parameter.opts}
        known |= {option for parameter in command.params for option in parameter.secondary_opts}
        known |= {"--help"}
        wrong += [f"{name} {o}" for o in re.findall(r"(?<!\S)--[a-z-]+", own) if o not in known]
    assert wrong == []


@pytest.mark.parametrize(
    "file",
    [
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        *(f".github/ISSUE_TEMPLATE/{name}.md" for name in ("bug", "match", "record")),
    ],
)
def test_what_people_look_for_in_a_repository_is_there(file: str) -> None:
    assert (ROOT / file).stat().st_size > 200
