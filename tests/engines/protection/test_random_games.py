"""Random games have one outcome in every process, however the games are divided and whatever a set's order is there."""

import json
import os
import subprocess
import sys
from typing import Final

import pytest

from engines.worker_pool import Workers
from tests.conftest import ROOT
from tests.engines.protection.random_games import GAMES, GOLDEN, MANY_GAMES, MANY_GOLDEN, digests, together

PARTS: Final = ((0, 7), (7, 30), (30, 41), (41, GAMES))
PROGRAM: Final = """
import json, sys
from tests.engines.protection.random_games import digests
print(json.dumps([hash("chaos"), digests(int(sys.argv[1]), int(sys.argv[2]))]))
"""


def part(bounds: tuple[int, int]) -> list[tuple[int, str]]:
    return digests(*bounds)


def digests_in_new_process(hash_seed: str, games: int) -> tuple[int, list[tuple[int, str]]]:
    """What it makes of a string's hash, and the games."""
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, "0", str(games)],
        cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, check=True, capture_output=True,
    )  # fmt: skip
    salted, found = json.loads(told.stdout)
    return salted, [(turns, each) for turns, each in found]


def test_random_games_have_the_golden_digest() -> None:
    found = digests(0, GAMES)
    assert together(found) == GOLDEN
    assert len({each for _, each in found}) == GAMES, "no two games are alike"


def test_another_process_plays_the_same_random_games() -> None:
    """Python salts the hashes of strings anew in each process, and with them the order of sets."""
    salted, found = digests_in_new_process("2" if os.environ.get("PYTHONHASHSEED") == "1" else "1", GAMES)
    assert salted != hash("chaos")
    assert together(found) == GOLDEN


async def test_games_divided_among_processes_have_the_golden_digest() -> None:
    async with Workers(2) as crew:
        found = await crew.map(part, PARTS)
    assert together(each for some in found for each in some) == GOLDEN


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_ten_thousand_turns_have_the_golden_digest() -> None:
    """Once here, and once in parts elsewhere."""
    found = digests(0, MANY_GAMES)
    assert sum(turns for turns, _ in found) >= 10_000
    assert together(found) == MANY_GOLDEN
    bounds = [(first, min(first + 97, MANY_GAMES)) for first in range(0, MANY_GAMES, 97)]
    async with Workers(2) as crew:
        divided = await crew.map(part, bounds)
    assert [each for some in divided for each in some] == found
