"""A served hill whose server is killed at random moments holds whole challenges, and those that it has told of."""

import random
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from engines.corewar.hill import Hill
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from tests.protocols.hill.warriors import bomber
from tests.tools.served import Served, served

PLACES = 6


def send(server: Served, steps: list[int], told: list[str]) -> None:
    """Warriors one after the other until the server is gone."""
    for step in steps:
        with suppress(OSError):
            answer = server.submit(bomber(step).encode())
            if "Your overall score: " in answer:
                told.append(f"Every {step}")


def check(store: HillStore, told: list[str]) -> None:
    """The laws of the hill hold, and no more than one challenge was on its way."""
    hill: Hill = HillStore.open(store.path).hill()
    sent = [challenger.warrior.name for challenger in store.challengers()]
    assert [name for name in sent if name in told] == told, "what was told is on record, in order"
    assert len(sent) == hill.challenges == len(set(sent))
    for number in range(1, hill.challenges + 1):
        challenge = store.challenge(number)
        assert challenge is not None and challenge.number == number and challenge.name == sent[number - 1]
        assert len(challenge.table) == min(number, PLACES + 1)
    ids = [entry.id for entry in hill.entries]
    assert len(ids) == min(hill.challenges, PLACES)
    assert set(hill.battles) == {(a, b) for a in ids for b in ids if a < b}
    last = store.challenge()
    if last:
        assert [row.id for row in last.table if row.fate == "on the hill"] == sorted(
            ids, key=[row.id for row in last.table].index
        )


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_twenty_kills(tmp_path: Path) -> None:
    store = HillStore.create(tmp_path / "nano.hill", replace(PRESETS["nano"], places=PLACES))
    moments = random.Random(7)
    told: list[str] = []
    steps = list(range(1, 1600))
    for kill in range(20):
        with served(store.path) as server:
            sender = threading.Thread(target=send, args=(server, steps, told))
            sender.start()
            sender.join(moments.uniform(0.0, 2.5))
            server.process.kill()
        sender.join()
        check(store, told)
        known = {challenger.warrior.name for challenger in store.challengers()}
        steps = [step for step in steps if f"Every {step}" not in known]
        print(f"kill {kill + 1}: {store.hill().challenges} challenges, {len(told)} told")
    again = HillStore.create(tmp_path / "again.hill", store.preset)
    assert len(told) >= 20
    with served(again.path) as server:
        for challenger in store.challengers():
            server.submit(challenger.source.encode("iso-8859-1"))
    assert again.hill() == store.hill(), "the hill of a quiet life"
