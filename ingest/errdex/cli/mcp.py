"""`errdex mcp`: let coding agents look errors up, over the Model Context Protocol."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from errdex import __version__
from errdex.agents import Desk
from errdex.cli import options
from errdex.database.connection import open_for_reading
from errdex.errors import ErrdexError, PackageMissing

if TYPE_CHECKING:  # the package comes with the extra errdex[mcp] alone
    from mcp.server import MCPServer

P = ParamSpec("P")
R = TypeVar("R")

_INSTRUCTIONS = (
    "errdex knows the errors that open-source code raises: what each means, where it is raised"
    " and how to fix it. When a program prints an error that comes from a library, call"
    " search_error with the text as it was printed before you guess or search the web."
)
_SEARCH = (
    "Find out what an error from a library means and how to fix it. Call this as soon as a"
    " program, test or build prints an error or traceback that your own code does not raise,"
    " and pass the printed text verbatim, up to a few hundred lines: it need not be cleaned."
    " `known` is false when nothing surely fits; then treat the matches as hints. Matches with"
    " the same `group` fit equally well. Each has the captured `values` and its `solutions`;"
    " call get_error with its id for the whole story."
)
_GET = (
    "The whole record of one error as Markdown: what it means, when it is raised, all fixes in"
    " order, an example, how to prevent it, and the raising line. Call it for the best match of"
    " search_error before you change code. Give `id`, or `repo` and `slug`."
)
_REPOS = (
    "The repositories whose errors are known, with how many. Call it to learn whether a library"
    " is covered, or to find the exact name for search_error's `repo`."
)
_REFRESH = (
    "Import the records again from where they came from. Call it only when the user asks for"
    " newer data, or when a library was just released and its errors are not found."
)


@click.command("mcp")
@options.database
@click.option("--http", is_flag=True, help="Listen for streamable HTTP; else speak on stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8002, show_default=True, help="With --http."
)
@click.option("--site", default="", metavar="URL", help="Address of the site, to link to pages.")
def command(database: Path, http: bool, host: str, port: int, site: str) -> None:
    """Serve coding agents over the Model Context Protocol (needs errdex[mcp]).

    Speaks on standard input and output, as agents start it, or with --http at /mcp.
    """
    open_for_reading(database).close()
    server = server_for(Desk(database, site))
    if http:
        from datasette_errdex.server import bind

        bind(host, port).close()  # a sentence, where the web server would print a traceback
        click.echo(f"Serving agents at http://{host}:{port}/mcp  (Ctrl-C stops it)", err=True)
        server.run("streamable-http", host=host, port=port)
    else:
        server.run("stdio")


def server_for(desk: Desk) -> MCPServer[object]:
    """The MCP server with its four tools. Raises PackageMissing."""
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise PackageMissing(command="mcp", package="mcp") from None

    def telling(tool: Callable[P, R]) -> Callable[P, R]:
        """The tool, with our errors as answers that an agent can read."""

        @functools.wraps(tool)
        def told(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return tool(*args, **kwargs)
            except ErrdexError as error:
                raise ToolError(str(error)) from None

        return told

    server: MCPServer[object] = MCPServer(
        "errdex", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING"
    )
    server.add_tool(telling(desk.search_error), description=_SEARCH)
    server.add_tool(telling(desk.get_error), description=_GET)
    server.add_tool(telling(desk.list_repos), description=_REPOS)
    server.add_tool(telling(desk.refresh_dataset), description=_REFRESH)
    return server
