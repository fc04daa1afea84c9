"""States of populations: equal after their text, checked where a stranger may have written it, and read from older runs."""

import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from engines.acquire.gp_evolution import GpState
from engines.acquire.league import IslandsState, LeagueState
from engines.acquire.nes import NesState
from engines.chess import experiment as chess
from engines.chess.breeding import SearchState, Survivors
from engines.chess.champion_tuning import TuningState
from engines.chess.es_population import EsState
from engines.chess.gene_pool import GenePoolState
from engines.config import RUN_FILE
from engines.corewar.evolution.population import TribesState
from engines.evolution.run import GenerationRecorded
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore, StoreError
from engines.evolution.state import dump_state, load_state
from engines.protection.arms_race import ArmsRaceState
from engines.protection.ga import GaState
from engines.worker_pool import WorkerPool
from tests.engines.chess.test_experiment import SEED_RULES, STRATEGY
from tests.engines.corewar.evolution import runs as corewar
from tests.engines.test_curves import curves_of
from tests.engines.test_populations import RUNS
from tests.fifth_game.tictactoe import evolution as squares
from tests.fifth_game.tictactoe.evolution import SquaresState
from tests.toy import InlinePool, Runs

GoneOn = Callable[[Path, str, int, WorkerPool], Awaitable[list[GenerationRecorded]]]

# After four generations, by the version before states had types, with the hash of the run after three more. The states of
# champions that are tuned have but a few of their numbers left.
STORED: Final[dict[str, dict[str, str]]] = json.loads(
    Path(__file__).with_name("states.json").read_text(encoding="utf-8")
)
KINDS: Final[dict[str, Any]] = {
    "gp": GpState,
    "league-four": LeagueState,
    "islands": IslandsState,
    "nes-two": NesState,
    "ga": GaState,
    "arms-race": ArmsRaceState,
    "tribes-elected": TribesState,
    "tribes-scrimmage": TribesState,
    "chess-pool": GenePoolState,
    "chess-search": EsState,
    "chess-examination": TuningState[SearchState | None],
    "chess-mating": TuningState[Survivors],
    "squares": SquaresState,
}
CHESS: Final = Runs(game="chess", open_experiment=chess.open_experiment, seed_in=chess.seed_in).gone_on
SQUARES: Final = Runs(
    game="tic-tac-toe", open_experiment=squares.open_experiment, seed_in=squares.seed_in
).gone_on
GONE_ON: Final[dict[str, tuple[GoneOn, str]]] = {
    **{name: RUNS[name][:2] for name in RUNS if name in STORED},
    "chess-pool": (CHESS, SEED_RULES),
    "chess-search": (CHESS, STRATEGY.replace("genes = all", "genes = search")),
    "squares": (SQUARES, "size = 6\nseed = 5\n"),
}


def write_state(run: Path, text: str) -> None:
    with closing(sqlite3.connect(run / RUN_FILE)) as database, database:
        database.execute("UPDATE run SET value = ? WHERE key = 'state'", (text,))


# -- Older runs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STORED)
def test_a_stored_state_keeps_its_text(name: str) -> None:
    """The text is part of the hash of a run."""
    text = STORED[name]["state"]
    assert dump_state(load_state(text, KINDS[name])) == text


@pytest.mark.parametrize("name", GONE_ON)
async def test_a_stored_run_resumes_to_the_same_hash(name: str, tmp_path: Path) -> None:
    gone_on, config = GONE_ON[name]
    if name.startswith("tribes"):
        config = corewar.config_in(tmp_path, config)
    run, text = tmp_path / "run", STORED[name]["state"]
    await gone_on(run, config, 4, InlinePool())
    with RunStore.open(run) as store:
        assert store.state == text
    write_state(run, text)
    *_, last = await gone_on(run, config, 3, InlinePool())
    assert last.hash == STORED[name]["hash"]


# -- All states ------------------------------------------------------------------------------------


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Return values of a type, within its constraints."""
    match kind:
        case inspect.IntType():
            return st.integers(-(2**63) if kind.ge is None else kind.ge, 2**63 - 1)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.StrType():
            return st.from_regex(kind.pattern, fullmatch=True) if kind.pattern else st.text()
        case inspect.UnionType():
            return st.one_of(*map(values, kind.types))
        case inspect.TupleType():
            return st.tuples(*map(values, kind.item_types))
        case inspect.VarTupleType() | inspect.ListType():
            items = st.lists(
                values(kind.item_type), min_size=kind.min_length or 0, max_size=kind.max_length or 9
            )
            return items if isinstance(kind, inspect.ListType) else items.map(tuple)
        case inspect.StructType():
            fields = {field.name: values(field.type) for field in kind.fields}
            return st.fixed_dictionaries(fields).map(lambda found: kind.cls(**found))
    raise AssertionError(f"no values of {kind}")


@pytest.mark.parametrize("name", KINDS)
@given(data=st.data())
def test_a_state_reads_back(name: str, data: st.DataObject) -> None:
    state = data.draw(values(inspect.type_info(KINDS[name])))
    text = dump_state(state)
    assert load_state(text, KINDS[name]) == state
    assert dump_state(load_state(text, KINDS[name])) == text


def test_an_empty_text_loads_as_no_state() -> None:
    assert load_state("", GpState) is None


# -- Damaged states --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", "truncated"),
        ("[" * 100_000, "array"),
        ('{"living": ' * 100_000, "recursion|array"),
        ("[]", "array"),
        ('{"generation": 3}', "next_id"),
        ('{"generation": -1, "next_id": 0, "living": [], "played": []}', "generation"),
        ('{"generation": 1.5, "next_id": 0, "living": [], "played": []}', "generation"),
        ('{"generation": 1, "next_id": 0, "living": [3, -4], "played": []}', r"living\[1|living\[\.\.\."),
        ('{"generation": 1, "next_id": 0, "living": [NaN], "played": []}', "malformed"),
        ('{"generation": 1, "next_id": 0, "living": ["\ud800"], "played": []}', "surrogates"),
    ],
    ids=range(10),
)
def test_a_damaged_state_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(ValueError, match=f"(?s)its state is damaged, or of another version.*({place})"):
        load_state(text, GpState)


async def test_a_tribe_member_with_a_field_of_a_wrong_type_is_refused(tmp_path: Path) -> None:
    run, config = tmp_path / "run", corewar.config_in(tmp_path, corewar.SCRIMMAGE)
    await corewar.gone_on(run, config, 2, InlinePool())
    with RunStore.open(run) as store:
        state = json.loads(store.state)
    state["tribes"][0][0][2] = None
    write_state(run, json.dumps(state))
    with pytest.raises(ValueError, match="wins"):
        await corewar.gone_on(run, config, 1, InlinePool())


@pytest.mark.parametrize("text", ['{"pools": 1}', '{"pools": ' * 10_000, "x"])
async def test_reading_a_damaged_state_raises_an_error_that_names_the_file(text: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    await CHESS(run, SEED_RULES, 2, InlinePool())
    write_state(run, text)
    with pytest.raises(StoreError, match=r"run\.sqlite: its state is damaged"), RunStore.open(run) as store:
        RunHistory(store).champion(curves_of("chess"))


@pytest.mark.parametrize("name", GONE_ON)
async def test_a_run_with_a_damaged_state_is_not_resumed(name: str, tmp_path: Path) -> None:
    gone_on, config = GONE_ON[name]
    if name.startswith("tribes"):
        config = corewar.config_in(tmp_path, config)
    await gone_on(tmp_path / "run", config, 1, InlinePool())
    for text, reason in (('{"generation": 1}', "its state is damaged"), ("[]", "damaged|shorter")):
        write_state(tmp_path / "run", text)
        with pytest.raises(ValueError, match=reason):
            await gone_on(tmp_path / "run", config, 1, InlinePool())
