"""The store of a run: what is written comes back, hashes tell runs apart, and no damage goes unnoticed."""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.random import Random
from engines.config import RUN_FILE
from engines.evolution.population import Contest, Generation, Individual
from engines.evolution.run_store import (
    RunStore,
    StoredGeneration,
    StoredIndividual,
    StoreError,
    difference,
    full_text,
    other_id,
)
from engines.storage import InUseError
from tests.fifth_game.tictactoe import SquareWeights

GENOME = SquareWeights.random(Random(1))
SECOND = GENOME.mutate(Random(2))


def created(folder: Path) -> RunStore:
    return RunStore.create(folder, game="tic-tac-toe", config="size = 2\n", seed=7, version="1.0")


def generation(number: int, **changes: Any) -> Generation[SquareWeights]:
    facts: dict[str, Any] = {
        "number": number,
        "born": (
            Individual(
                id=number,
                genome=GENOME,
                parents=tuple(range(min(number, 2))),
                generation=number,
                origin="mating",
            ),
        ),
        "contests": (
            Contest(
                niche=2,
                players=(0, 1),
                returns=(1.0, -1.0),
                ending="over",
                length=9,
                record=b"\0x",
                remark="so",
            ),
        ),
        "statistics": {"living": [[0, 1]], "step": 0.25},
    }
    return Generation(**(facts | changes))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Three generations."""
    folder = tmp_path / "a" / "run"
    with created(folder) as store:
        for number in range(3):
            store.write(generation(number), f'"state {number}"', f"mark {number}", 0.5)
    return folder


# -- What is written -------------------------------------------------------------------------------


def test_a_new_run_has_its_settings_and_no_generations(tmp_path: Path) -> None:
    with created(tmp_path / "run") as store:
        assert (store.game, store.config, store.seed) == ("tic-tac-toe", "size = 2\n", 7)
        assert (store.state, store.checkpoint, store.hash) == ("", "", "")
        assert (
            not list(store.generations())
            and not list(map(store.individual, store.ids()))
            and not list(store.contests())
        )


def test_written_generations_are_read_back(run: Path) -> None:
    with RunStore.open(run) as store:
        assert (store.state, store.checkpoint) == ('"state 2"', "mark 2")
        past = list(store.generations())
        assert [each.number for each in past] == [0, 1, 2]
        assert past[1] == StoredGeneration(
            number=1, hash=past[1].hash, seconds=0.5, statistics={"living": [[0, 1]], "step": 0.25}
        )
        assert past[2].hash == store.hash and len({each.hash for each in past}) == 3
        assert store.individual(2) == StoredIndividual(
            id=2, generation=2, parents=(0, 1), origin="mating", genome=GENOME.dumps()
        )
        assert [born.id for born in map(store.individual, store.ids())] == [0, 1, 2]
        assert list(store.contests()) == [(number, *generation(number).contests) for number in range(3)]
        assert [store.count(table) for table in ("generation", "individual", "contest")] == [3, 3, 3]
        with pytest.raises(KeyError):
            store.individual(3)


@settings(max_examples=25)
@given(
    players=st.lists(st.integers(0, 2**60), min_size=1, max_size=6),
    values=st.lists(st.integers(-64, 64).map(lambda number: number / 64), min_size=6, max_size=6),
    record=st.binary(max_size=50),
    remark=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
)
def test_every_contest_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    players: list[int],
    values: list[float],
    record: bytes,
    remark: str,
) -> None:
    contest = Contest(
        players=tuple(players),
        returns=tuple(values[: len(players)]),
        record=record,
        remark=remark,
        ending=remark,
    )
    with created(tmp_path_factory.mktemp("run")) as store:
        store.write(generation(0, contests=(contest,)), "", "", 0.0)
        assert list(store.contests()) == [(0, contest)]


@pytest.mark.parametrize(
    "changes",
    [
        {"born": ()},
        {"born": (Individual(id=1, genome=SECOND, parents=(0,), generation=1, origin="mating"),)},
        {"born": (Individual(id=1, genome=GENOME, parents=(), generation=1, origin="mating"),)},
        {"born": (Individual(id=1, genome=GENOME, parents=(0,), generation=1, origin="draw"),)},
        {"contests": ()},
        {"contests": (Contest(players=(0, 1), returns=(1.0, -1.0)),)},
        {"statistics": {}},
        {"state": "other"},
    ],
)
def test_the_hash_depends_on_every_recorded_value(changes: dict[str, Any], tmp_path: Path) -> None:
    hashes: list[str] = []
    state = changes.pop("state", "state")
    for name, second, after in (("a", {}, "state"), ("b", {}, "state"), ("c", changes, state)):
        with created(tmp_path / name) as store:
            store.write(generation(0), "state", "", float(len(hashes)))
            hashes.append(store.write(generation(1, **second), after, name, 0.0))
            hashes[-1] = store.write(generation(2), "state", "", 0.0)
    assert hashes[0] == hashes[1], "seconds and marks make no difference"
    assert hashes[0] != hashes[2], "not even when the next generation is the same"


def test_a_generation_is_written_whole_or_not_at_all(run: Path) -> None:
    with RunStore.open(run, writing=True) as store:
        before = store.hash
        with pytest.raises(sqlite3.IntegrityError):
            store.write(generation(2), "state", "mark", 0.0)
        with pytest.raises(sqlite3.IntegrityError):
            store.write(generation(3, born=generation(2).born), "state", "mark", 0.0)
        assert (store.hash, store.checkpoint) == (before, "mark 2")
        assert [store.count(table) for table in ("generation", "individual", "contest")] == [3, 3, 3]
        assert store.write(generation(3), "state", "mark", 0.0) == store.hash


def test_a_run_may_be_read_while_one_process_writes(run: Path) -> None:
    with RunStore.open(run, writing=True) as writer, RunStore.open(run) as reader:
        writer.write(generation(3), "state", "mark", 0.0)
        assert reader.hash == writer.hash and reader.count("generation") == 4
        with pytest.raises(InUseError, match=f"in use by process {os.getpid()}"):
            RunStore.open(run, writing=True)
    RunStore.open(run, writing=True).close()


# -- What cannot be used ---------------------------------------------------------------------------


def test_a_run_is_created_only_in_an_empty_folder(run: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="holds a run already"):
        created(run)
    with pytest.raises(StoreError, match="not empty"):
        created(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        created(tmp_path / "file")
    (tmp_path / "empty").mkdir()
    created(tmp_path / "empty").close()


def spoil(run: Path, statement: str) -> None:
    database = sqlite3.connect(run / RUN_FILE)
    with database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM run WHERE key = 'seed'", "damaged: its seed is missing"),
        ("DELETE FROM generation WHERE number = 2", "not that of its last generation"),
        ("UPDATE run SET value = 'x' WHERE key = 'hash'", "not that of its last generation"),
        ("DROP TABLE generation", "its tables are not those of"),
    ],
)
def test_damaged_runs_are_refused(statement: str, reason: str, run: Path) -> None:
    spoil(run, statement)
    for writing in (False, True):
        with pytest.raises(StoreError, match=reason):
            RunStore.open(run, writing=writing)


# -- Texts as differences --------------------------------------------------------------------------

BASE = "\n".join(f"MOV.I  $ {number * 7919 % 8000}, @ {number * 104729 % 8000}" for number in range(100))


@given(st.text(max_size=200), st.text(max_size=200), st.integers(0, 2**40))
def test_a_text_is_restored_from_its_difference(text: str, other: str, id: int) -> None:
    kept = difference(text, id, other)
    if kept is not None:
        assert other_id(kept) == id
        assert 4 * len(kept) <= len(text.encode())
    assert full_text(kept or text, {id: other}.__getitem__) == text


def test_the_difference_of_a_mutant_is_short() -> None:
    mutant = BASE.replace("MOV.I  $ 7919", "SPL.B  # 7918")
    kept = difference(mutant, 3, BASE)
    assert kept is not None and len(kept) < 60
    assert full_text(kept, {3: BASE}.__getitem__) == mutant


def test_an_unrelated_text_is_kept_whole() -> None:
    assert difference(BASE[::-1], 3, "") is None
    assert full_text(BASE, {3: ""}.__getitem__) == BASE


@dataclass(frozen=True)
class Lines:
    """A genome of a hundred numbers, one a line."""

    numbers: tuple[int, ...]

    @classmethod
    def loads(cls, text: str) -> Self:
        return cls(tuple(map(int, text.split())))

    def dumps(self) -> str:
        return "".join(f"{number}\n" for number in self.numbers)

    def mutate(self, rng: Random) -> Self:
        place = rng.below(100)
        return replace(self, numbers=(*self.numbers[:place], rng.below(10**9), *self.numbers[place + 1 :]))


def test_descendants_are_kept_as_differences(tmp_path: Path) -> None:
    """Of anybody on record who is kept whole, also where the parent is not, or is of the same generation."""
    rng = Random(5)
    line = [Lines(tuple(rng.below(10**9) for _ in range(100)))]
    for _ in range(30):
        line.append(line[-1].mutate(rng))
    with created(tmp_path / "run") as store:
        for number in range(11):
            born = tuple(
                Individual(id=id, genome=line[id], parents=(id - 1,) if id else (), generation=number)
                for id in range(3 * number, min(3 * number + 3, 31))
            )
            store.write(Generation(number=number, born=born), "{}", "", 0.0)
        orphan = Individual(id=40, genome=line[30], parents=(39,))
        store.write(Generation(number=11, born=(orphan,)), "{}", "", 0.0)
        assert store.newest == 40 and store.ids() == [*range(31), 40]
    with RunStore.open(tmp_path / "run") as store:
        assert [born.genome for born in map(store.individual, store.ids())] == [
            genome.dumps() for genome in [*line, line[30]]
        ]
        assert store.individual(30).genome == line[30].dumps()
    with closing(sqlite3.connect(tmp_path / "run" / RUN_FILE)) as database:
        rows = database.execute("SELECT typeof(genome), length(genome) FROM individual").fetchall()
    assert sum(kind == "blob" for kind, _ in rows) > 20
    assert sum(length for kind, length in rows if kind == "blob") < 20 * len(line[0].dumps())
