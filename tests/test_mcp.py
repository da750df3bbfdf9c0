"""`errdex mcp`, asked by the SDK's own client: in process, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from errdex.cli import main

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters  # skipped as a whole without it

from errdex.agents import Desk
from errdex.cli.mcp import server_for

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
CASES = Path(__file__).parent / "cases" / "records.jsonl"
ID = "aaead811d0809fef"
SLUG = "lora-with-eagle-nextn-eagle3-speculative-decoding"
PASTE = (
    "Traceback (most recent call last):\n"
    '  File "server_args.py", line 10731, in validate\n'
    "ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding does not support X: no.\n"
)

pytestmark = pytest.mark.asyncio


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "errdex.db"
    result = CliRunner().invoke(main, ["ingest", str(SEED), "--db", str(path)])
    assert result.exit_code == 0, result.output
    return path


async def call(client: Client, tool: str, **arguments: object) -> str:
    """The one text that a tool answers with."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    (content,) = result.content
    assert content.type == "text"
    return content.text


async def test_each_tool_says_when_to_call_it(database: Path) -> None:
    async with Client(server_for(Desk(database))) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert client.instructions is not None
    assert sorted(tools) == ["get_error", "list_repos", "refresh_dataset", "search_error"]
    for tool in tools.values():
        assert tool.description is not None
        assert "Call" in tool.description or "call" in tool.description
    assert sorted(tools["search_error"].input_schema["properties"]) == ["limit", "message", "repo"]
    assert tools["search_error"].input_schema["required"] == ["message"]


async def test_a_traceback_is_found_with_its_values_and_fixes(database: Path) -> None:
    async with Client(server_for(Desk(database, "https://errors.example.org/"))) as client:
        found = json.loads(await call(client, "search_error", message=PASTE))
    assert found["known"] is True
    first = found["matches"][0]
    assert first["id"] == ID
    assert first["values"] == {"reason": "does not support X: no"}
    assert first["solutions"][0].startswith("Follow does not support X: no: disable")
    assert first["page"] == f"https://errors.example.org/e/{ID}"


async def test_an_unknown_error_is_said_to_be_unknown(database: Path) -> None:
    async with Client(server_for(Desk(database))) as client:
        found = json.loads(await call(client, "search_error", message="zzz qqq"))
        other = json.loads(await call(client, "search_error", message=PASTE, repo="no/such"))
    assert found == other == {"matches": [], "known": False}


@pytest.mark.parametrize("arguments", [{"id": ID}, {"repo": "sgl-project/sglang", "slug": SLUG}])
async def test_a_record_is_given_as_markdown(database: Path, arguments: dict[str, str]) -> None:
    async with Client(server_for(Desk(database))) as client:
        text = await call(client, "get_error", **arguments)
    assert text.startswith("# `ValueError: LoRA with EAGLE")
    assert "\n## Fixes\n" in text


async def test_repos_are_listed(database: Path) -> None:
    async with Client(server_for(Desk(database))) as client:
        listed = json.loads(await call(client, "list_repos"))
    assert listed == {"repos": [{"repo": "sgl-project/sglang", "errors": 1}]}


async def test_an_unknown_record_is_an_answer_that_an_agent_can_read(database: Path) -> None:
    async with Client(server_for(Desk(database))) as client:
        result = await client.call_tool("get_error", {"id": "0" * 16})
    assert result.is_error
    assert "no record is called 0000000000000000" in result.content[0].text


async def test_refresh_imports_again_from_the_source(tmp_path: Path) -> None:
    source, path = tmp_path / "records.jsonl", tmp_path / "errdex.db"
    source.write_bytes(SEED.read_bytes())
    assert CliRunner().invoke(main, ["ingest", str(source), "--db", str(path)]).exit_code == 0
    source.write_bytes(SEED.read_bytes() + CASES.read_bytes())
    async with Client(server_for(Desk(path))) as client:
        refreshed = json.loads(await call(client, "refresh_dataset"))
        listed = json.loads(await call(client, "list_repos"))
    assert refreshed["sources"] == [str(source)]
    assert refreshed["added"] == len(CASES.read_text().splitlines())
    assert len(listed["repos"]) > 5


async def test_refresh_without_its_source_says_so(tmp_path: Path) -> None:
    source, path = tmp_path / "records.jsonl", tmp_path / "errdex.db"
    source.write_bytes(SEED.read_bytes())
    assert CliRunner().invoke(main, ["ingest", str(source), "--db", str(path)]).exit_code == 0
    source.unlink()
    async with Client(server_for(Desk(path))) as client:
        result = await client.call_tool("refresh_dataset", {})
    assert result.is_error
    assert f"{source} does not exist" in result.content[0].text


async def test_it_speaks_on_standard_input_and_output(database: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "errdex", "mcp", "--db", str(database)]
    )
    async with Client(parameters) as client:
        found = json.loads(await call(client, "search_error", message=PASTE))
    assert found["matches"][0]["id"] == ID


async def test_it_speaks_http(database: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "errdex", "mcp", "--http", "--port", str(port), "--db", database],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        address = re.search(r"http://\S+/mcp", process.stderr.readline())
        assert address is not None
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            await asyncio.sleep(0.1)
        async with Client(address[0]) as client:
            found = json.loads(await call(client, "search_error", message=PASTE))
        assert found["matches"][0]["id"] == ID
    finally:
        process.terminate()
        process.communicate()


async def test_a_missing_database_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["mcp", "--db", str(tmp_path / "none.db")])
    assert result.exit_code == 1
    assert "none.db does not exist; make it with `errdex ingest" in result.output


async def test_a_missing_package_is_named(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    result = CliRunner().invoke(main, ["mcp", "--db", str(database)])
    assert result.exit_code == 1
    assert result.output == (
        "errdex: `errdex mcp` needs the package mcp, which is not installed;"
        " install it beside errdex: `pip install mcp`. [errdex explain ED503]\n"
    )
