"""What several test files share: the cases of tests/cases, in a database made by a real import."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.sources import read_lines
from tests.chromium import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A shell starts what it puts into the background with interrupts ignored, and children
# inherit that: commands that a test interrupts would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Timing lives in bench/, so nothing has a deadline. On CI every run tries the same examples;
# `pytest tests/fuzz --hypothesis-profile fuzz` tries many more, with fresh seeds.
settings.register_profile("errdex", deadline=None, derandomize="CI" in os.environ)
settings.register_profile("fuzz", deadline=None, derandomize=False, max_examples=10_000)
settings.load_profile("errdex")

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="session", autouse=True)
def _own_priority() -> Iterator[None]:
    """Imports that run in this process may not lower its priority: nobody could raise it again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("errdex.cli.ingest.step_back", lambda: None)
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    from playwright.sync_api import sync_playwright  # here, since few tests need it

    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium here")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def case_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of tests/cases/records.jsonl."""
    path = tmp_path_factory.mktemp("cases") / "errdex.db"
    load(read_lines(str(CASES / "records.jsonl")), path)
    return path


@pytest.fixture(scope="session")
def case_matcher(case_database: Path) -> Iterator[Matcher]:
    """A matcher over the records of the cases."""
    with closing(open_for_reading(case_database)) as connection:
        yield Matcher(connection)


@contextmanager
def _serving(database: Path) -> Iterator[str]:
    import uvicorn

    from datasette_errdex.configured import datasette_for
    from datasette_errdex.options import Options
    from datasette_errdex.server import address_of, bind

    listener = bind("127.0.0.1", 0)
    app = datasette_for(Options(database)).app()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        thread.join(0.05)
    try:
        yield address_of(listener)
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def serving() -> Callable[[Path], AbstractContextManager[str]]:
    """Serves a database on a real port for the length of a `with`; gives the address."""
    return _serving


@pytest.fixture
def needs_node() -> None:
    """Skip the test where Node is missing."""
    if shutil.which("node") is None:
        pytest.skip("Node is missing here")
