"""The genomes of chess as the page asks for them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from engines.chess.genome_file import bundled, load_bundled
from protocols.web.genomes import chess_genomes
from protocols.web.guard import Guard


@pytest_asyncio.fixture
async def client() -> AsyncIterator[TestClient[web.Request, web.Application]]:
    application = web.Application(middlewares=[Guard(frozenset()).middleware()])
    application.add_routes(chess_genomes())
    async with TestClient(TestServer(application)) as client:
        yield client


async def test_their_names(client: TestClient[web.Request, web.Application]) -> None:
    answer = await client.get("/api/genomes/chess")
    assert await answer.json() == list(bundled())


@pytest.mark.parametrize("name", bundled())
async def test_one_genome(name: str, client: TestClient[web.Request, web.Application]) -> None:
    told = await (await client.get(f"/api/genomes/chess/{name}")).json()
    genome = load_bundled(name)
    assert [(gene["name"], gene["active"]) for gene in told["genes"]] == [
        (gene.name, gene.active) for gene in genome.genes
    ]
    values = [each["value"] for gene in told["genes"] for each in gene["values"]]
    assert values == [value for gene in genome.genes for value in gene.values]
    assert told["notes"] and not any("#" in note for note in told["notes"])


async def test_an_unknown_genome(client: TestClient[web.Request, web.Application]) -> None:
    answer = await client.get("/api/genomes/chess/..%2Fevolved")
    assert answer.status == 404
    assert "there are evolved" in (await answer.json())["error"]
