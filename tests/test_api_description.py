"""Schemathesis asks the service whatever its own description allows, and more."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings

import datasette_errdex
from datasette_errdex.configured import datasette_for
from datasette_errdex.options import Options
from datasette_errdex.server import bind
from errdex.cli import main

schemathesis = pytest.importorskip("schemathesis")

CASES = Path(__file__).parent / "cases" / "records.jsonl"
DESCRIPTION = Path(datasette_errdex.__file__).parent / "openapi.json"
OPERATIONS = [
    (path, method, operation)
    for path, methods in json.loads(DESCRIPTION.read_text())["paths"].items()
    for method, operation in methods.items()
]
ALLOWED = [(path, method, "positive") for path, method, _ in OPERATIONS]
FORBIDDEN = [
    (path, method, "negative")
    for path, method, operation in OPERATIONS
    if "requestBody" in operation or "query" in str(operation.get("parameters"))
]
"""Where nothing can be asked for wrongly, as at `/api/repos`, there is nothing to try."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server: schemathesis speaks HTTP, broken bytes included."""
    path = tmp_path_factory.mktemp("described") / "errdex.db"
    assert CliRunner().invoke(main, ["ingest", str(CASES), "--db", str(path)]).exit_code == 0
    listener = bind("127.0.0.1", 0)
    app = datasette_for(Options(path)).app()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        thread.join(0.05)
    host, port = listener.getsockname()
    yield f"http://{host}:{port}"
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize(("path", "method", "mode"), ALLOWED + FORBIDDEN)
def test_the_service_does_what_it_says(address: str, path: str, method: str, mode: str) -> None:
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    cases = schema[path][method].as_strategy(
        generation_mode=schemathesis.GenerationMode[mode.upper()]
    )

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def ask(case: object) -> None:
        case.call_and_validate()  # type: ignore[attr-defined]  # schemathesis may be missing

    ask()
