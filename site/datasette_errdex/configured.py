"""Datasette as `errdex serve` runs it: our database, safe settings, our descriptions."""

from __future__ import annotations

from datasette.app import Datasette

from datasette_errdex import metadata
from datasette_errdex.live import LiveDatabase
from datasette_errdex.options import NAME, Options
from datasette_errdex.service import PLUGIN, Service, adopt
from errdex.database.connection import open_for_reading

SETTINGS = {
    "allow_csv_stream": False,
    "allow_download": False,
    "default_cache_ttl": 60,
    "max_returned_rows": 500,
    "num_sql_threads": 3,
    "suggest_facets": False,
}
"""Safe on the internet: nobody takes the whole file, and no query is made unasked."""


def datasette_for(options: Options, service: Service | None = None) -> Datasette:
    """Datasette with our database. Raises what opening the database raises.

    With a service, something else stands in front of it already: see `later`.
    """
    open_for_reading(options.database).close()
    plugin = {
        "database": NAME,
        "base_url": options.base_url,
        "requests_per_minute": options.requests_per_minute,
        "front": service is None,
    }
    settings = {"default_allow_sql": options.allow_sql, "base_url": options.mount}
    datasette = Datasette(
        files=[str(options.database)],
        settings=SETTINGS | settings,
        metadata=metadata.describe(NAME) | {"plugins": {PLUGIN: plugin}},
    )
    if service is not None:
        adopt(datasette, service)
    for name in [name for name, known in datasette.databases.items() if known.path is not None]:
        if name not in ("_internal", "_memory"):
            datasette.remove_database(name)
    datasette.add_database(LiveDatabase(datasette, options.database), name=NAME)
    return datasette
