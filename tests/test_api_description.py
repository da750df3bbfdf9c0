"""Schemathesis asks the service whatever its own description allows, and more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import datasette_errdex

schemathesis = pytest.importorskip("schemathesis")

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
def address(
    case_database: Path, serving: Callable[[Path], AbstractContextManager[str]]
) -> Iterator[str]:
    """A real server: schemathesis speaks HTTP, broken bytes included."""
    with serving(case_database) as address:
        yield address


@pytest.mark.parametrize(("path", "method", "mode"), ALLOWED + FORBIDDEN)
def test_the_service_does_what_it_says(address: str, path: str, method: str, mode: str) -> None:
    schema = schemathesis.openapi.from_url(f"{address}api/openapi.json")
    cases = schema[path][method].as_strategy(
        generation_mode=schemathesis.GenerationMode[mode.upper()]
    )

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def ask(case: object) -> None:
        case.call_and_validate()  # type: ignore[attr-defined]  # schemathesis may be missing

    ask()
