"""How much one network address may ask for: a bucket of tokens that refills steadily."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable

from errdex.errors import TooManyRequests

_MAX_ADDRESSES = 20_000
"""Buckets that are kept; the address that has been quiet for longest is forgotten first."""


class RateLimit:
    """At most `per_minute` requests a minute from one address, and as many at once.

    It lives in memory only and knows nothing but addresses and numbers. Behind a proxy
    it needs the proxy's word for the address (`--behind-proxy`), or all share one bucket.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, client: str) -> None:
        """Take one token of this address. Raises TooManyRequests when it has none."""
        if not self._per_minute:
            return
        bucket = network(client)
        now = self._clock()
        tokens, seen = self._buckets.pop(bucket, (float(self._per_minute), now))
        rate = self._per_minute / 60
        tokens = min(self._per_minute, tokens + (now - seen) * rate)
        allowed = tokens >= 1
        self._buckets[bucket] = (tokens - allowed, now)
        if len(self._buckets) > _MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        if not allowed:
            raise TooManyRequests(
                limit=self._per_minute, seconds=max(1, math.ceil((1 - tokens) / rate))
            )


def network(client: str) -> str:
    """Who shares a bucket: one IPv4 address, or one IPv6 network of 64 bits."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return client
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return client
