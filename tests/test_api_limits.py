"""How often one network address may ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasette_errdex.configured import datasette_for
from datasette_errdex.limits import RateLimit, network
from datasette_errdex.options import Options
from errdex.errors import TooManyRequests
from tests.test_api import failure


@pytest.mark.asyncio
async def test_one_address_may_ask_only_so_often(case_database: Path) -> None:
    service = datasette_for(Options(case_database, requests_per_minute=3))
    answers = [await service.client.get("/api/repos") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].json() == failure(
        429,
        "ED513",
        "more than 3 requests a minute came from your address; wait 20 seconds.",
    )
    assert answers[-1].headers["retry-after"] == "20"
    assert (await service.client.get("/db/errors.json")).status_code == 429
    assert (await service.client.get("/healthz")).status_code == 200


def test_tokens_come_back_with_time() -> None:
    now = [0.0]
    limit = RateLimit(60, clock=lambda: now[0])
    for _ in range(60):
        limit.spend("192.0.2.1")
    with pytest.raises(TooManyRequests):
        limit.spend("192.0.2.1")
    limit.spend("192.0.2.2")
    now[0] = 1.0
    limit.spend("192.0.2.1")
    with pytest.raises(TooManyRequests):
        limit.spend("192.0.2.1")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("", "unix", False),
    ],
)
def test_an_ipv6_network_shares_its_tokens(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same
