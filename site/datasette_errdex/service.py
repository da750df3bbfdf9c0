"""What a running service knows: its database, its limits, and where it is mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast
from weakref import WeakKeyDictionary

from datasette_errdex.limits import RateLimit
from datasette_errdex.options import NAME, Options
from datasette_errdex.readers import Readers
from errdex.database.connection import open_for_reading
from errdex.errors import ErrdexError

PLUGIN = "errdex"
"""The name under which Datasette keeps this plugin's settings."""


class AttachedDatabase(Protocol):
    """What we need to know of one of Datasette's databases."""

    path: str | None
    route: str | None


class Host(Protocol):
    """What both lines of Datasette offer, as far as we use it."""

    databases: Mapping[str, AttachedDatabase]

    def plugin_config(self, plugin_name: str) -> dict[str, object] | None:
        """The settings of this plugin."""

    def setting(self, key: str) -> object:
        """One of Datasette's own settings."""


@dataclass(frozen=True)
class Service:
    """One errdex database, served."""

    name: str
    """What Datasette calls the database."""
    readers: Readers
    rate_limit: RateLimit
    mount: str
    """The folder that the site is served under; begins and ends with `/`."""


_services: WeakKeyDictionary[Host, Service] = WeakKeyDictionary()
_without: WeakKeyDictionary[Host, frozenset[str]] = WeakKeyDictionary()
"""Names of databases that were looked at and are not ours."""


def service_of(host: Host) -> Service | None:
    """The service of this Datasette; None where no errdex database is attached.

    With several, the setting `database` names the one; else it is the first.
    """
    known = _services.get(host)
    if known is not None:
        return known
    attached = frozenset(host.databases)
    if _without.get(host) == attached:
        return None
    settings = host.plugin_config(PLUGIN) or {}
    for name, database in host.databases.items():
        if database.path is None or settings.get("database", name) != name:
            continue
        path = Path(database.path)
        if not _is_ours(path):
            continue
        per_minute = settings.get("requests_per_minute", 0)
        service = Service(
            name=name,
            readers=Readers(path, str(settings.get("base_url", ""))),
            rate_limit=RateLimit(per_minute if isinstance(per_minute, int) else 0),
            mount=cast("str", host.setting("base_url")),
        )
        _services[host] = service
        return service
    _without[host] = attached
    return None


def service_for(options: Options) -> Service:
    """The service that `errdex serve` is asked for; nothing is opened yet."""
    return Service(
        name=NAME,
        readers=Readers(options.database, options.base_url),
        rate_limit=RateLimit(-(-options.requests_per_minute // options.workers)),
        mount=options.mount,
    )


def adopt(host: Host, service: Service) -> None:
    """Let a Datasette use a service that exists already."""
    _services[host] = service


def _is_ours(path: Path) -> bool:
    try:
        open_for_reading(path).close()
    except ErrdexError:
        return False
    return True
