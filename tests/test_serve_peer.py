"""A client of such datasets that others wrote reads ours, live, without a change.

`@standardbeagle/errlookup-mcp` is an MCP server that downloads a dataset from
`ERRLOOKUP_BASE_URL`. We start it and talk to it over its standard input and output.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import CliRunner

from errdex.cli import main

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
CASES = Path(__file__).parent / "cases" / "records.jsonl"
PACKAGE = "@standardbeagle/errlookup-mcp@0.1.2"

pytestmark = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")


@pytest.fixture(scope="module")
def address(
    tmp_path_factory: pytest.TempPathFactory,
    serving: Callable[[Path], AbstractContextManager[str]],
) -> Iterator[str]:
    path = tmp_path_factory.mktemp("peer") / "errdex.db"
    result = CliRunner().invoke(main, ["ingest", str(SEED), str(CASES), "--db", str(path)])
    assert result.exit_code == 0, result.output
    with serving(path) as address:
        yield address.rstrip("/")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("npm")
    try:
        got = subprocess.run(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE],
            capture_output=True,
            text=True,
            timeout=180,
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm cannot install the peer: its registry does not answer")
    if got.returncode:
        pytest.skip(f"npm cannot install the peer: {got.stderr.strip()[-200:]}")
    return folder / "node_modules" / ".bin" / "errlookup-mcp"


class Peer:
    """The peer, running; one tool call at a time."""

    def __init__(self, program: Path, address: str, cache: Path) -> None:
        self._process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"ERRLOOKUP_BASE_URL": address, "ERRLOOKUP_CACHE_DIR": str(cache)},
        )
        self._number = 0
        self._ask(
            "initialize",
            {
                "protocolVersion": "2024-11-05",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        )
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: object) -> list[str]:
        """The texts that a tool answers with."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        return [part["text"] for part in result["content"]]

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, method: str, parameters: dict[str, object]) -> dict[str, object]:
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        answer: dict[str, object] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer
        return answer["result"]

    def _write(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


@pytest.fixture(scope="module")
def peer(program: Path, address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    running = Peer(program, address, tmp_path_factory.mktemp("cache"))
    yield running
    running.close()


def test_the_peer_finds_an_error_in_our_dataset(peer: Peer) -> None:
    message = "LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is not supported."
    found = json.loads(peer.call("search_error", message=message)[0])
    assert "aaead811d0809fef" in {match["id"] for match in found["matches"]}
    assert found["datasetVersion"]


def test_the_peer_gets_a_whole_record(peer: Peer) -> None:
    text = peer.call("get_error", id="aaead811d0809fef")[0]
    assert "**Repo:** sgl-project/sglang" in text
    assert "1. Follow {reason}: disable the flagged feature" in text


def test_the_peer_lists_our_repos(peer: Peer) -> None:
    repos = json.loads(peer.call("list_repos")[0])["repos"]
    assert {"repo": "sgl-project/sglang", "errorCount": 1}.items() <= next(
        repo.items() for repo in repos if repo["repo"] == "sgl-project/sglang"
    )


def test_the_peer_checks_what_it_downloaded(peer: Peer) -> None:
    refreshed = json.loads(peer.call("refresh_dataset")[0])
    assert refreshed["errors"] == 1 + len(CASES.read_text().splitlines())
