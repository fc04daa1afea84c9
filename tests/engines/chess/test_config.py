"""The configuration of a gene pool: the manual's example, the bounds of its keys, and what contradicts each other.

How a file is read, and what its errors say, is in tests/engines/test_config.py.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines.chess
from core.chess.notation import START
from engines.chess.config import PoolConfig
from engines.config import ConfigError, keys_of

EXAMPLE = (Path(engines.chess.__path__[0]) / "runs" / "example.txt").read_text(encoding="utf-8") + "\n"
LINE_OF = {
    line.partition(" = ")[0]: number for number, line in enumerate(EXAMPLE.split("\n"), 1) if " = " in line
}
LAST = EXAMPLE.count("\n") + 1  # of what a test adds
KING_AND_PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
MANUALS = PoolConfig(
    maximum_simultaneous_games=8,
    gene_pool_population=16,
    gene_pool_count=3,
    draw_kill_probability=0.05,
    pool_swap_interval=1000,
    minimum_game_time=30.0,
    maximum_game_time=120.0,
    game_time_increment=0.0,
    gene_pool_file="pool.txt",
)


def test_the_example_of_the_manual_loads() -> None:
    assert PoolConfig.loads(EXAMPLE) == MANUALS
    assert (MANUALS.nodes_per_second, MANUALS.seed, MANUALS.fen) == (1000, 1, START)


def test_impossible_castling_rights_in_a_fen_are_dropped_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    config = PoolConfig.loads(EXAMPLE + "FEN = 4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1")
    assert config.fen == KING_AND_PAWN
    assert "castling rights 'KQ' dropped" in caplog.text


@pytest.mark.parametrize(
    ("lines", "changes"),
    [
        (f"FEN = {KING_AND_PAWN}", {"fen": KING_AND_PAWN}),
        ("fen = 4k3/8/8/8/8/8/4P3/4K3 w - -", {"fen": KING_AND_PAWN}),
        ("output volume = Quiet", {"output_volume": "quiet"}),
        ("time limit = 90 min # or so", {"time_limit": 5400.0}),
        ("time limit = None", {"time_limit": None}),
        ("start delay = 5 minutes", {"start_delay": 300.0}),
        ("seed = 18446744073709551615", {"seed": 2**64 - 1}),
        ("search = strong", {"search": "strong"}),
        ("nodes per second = wall", {"nodes_per_second": None}),
        ("nodes per second = 2.5e4", {"nodes_per_second": 25000.0}),
        ("nodes per move = 2000", {"nodes_per_move": 2000}),
        ("time increment = .1", {"time_increment": 0.1}),
        ("pool rules = 2025", {"pool_rules": "2025"}),
        ("game time = ramp", {"game_time": "ramp"}),
        ("games per pairing = 2", {"games_per_pairing": 2}),
        ("openings = standard", {"openings": "standard"}),
        ("openings = My Openings.epd", {"openings": "My Openings.epd"}),
        ("genes = all\nlearning rate = 0.2\nplanned rounds = 90",
         {"genes": "all", "learning_rate": 0.2, "planned_rounds": 90}),
        ("hall of fame = 10", {"hall_of_fame": 10.0}),
        ("panel games = 4\npanel interval = 50", {"panel_games": 4, "panel_interval": 50}),
        ("founder = old/pool.txt", {"founder": "old/pool.txt"}),
        ("first step = 0.05\nmaximum moves = 200", {"first_step": 0.05, "maximum_moves": 200}),
    ],
)  # fmt: skip
def test_optional_keys_change_the_configuration(lines: str, changes: dict[str, Any]) -> None:
    assert PoolConfig.loads(EXAMPLE + lines) == replace(MANUALS, **changes)


def test_mutations_alternate() -> None:
    rates = "first mutation rate = 30\nfirst mutation interval = 2\n"
    rates += "second mutation rate = 1\nsecond mutation interval = 3\n"
    pool = PoolConfig.loads(EXAMPLE + rates)
    assert [pool.mutations(rounds) for rounds in range(11)] == [30, 30, 1, 1, 1, 30, 30, 1, 1, 1, 30]
    assert {MANUALS.mutations(rounds) for rounds in range(11)} == {1}


# -- Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "must_be"),
    [
        ("maximum simultaneous games", "0", "a whole number from 1 to 10000"),
        ("gene pool population", "15", "an even number from 2 to 10000"),
        ("gene pool count", "1001", "a whole number from 1 to 1000"),
        ("draw kill probability", "5", "0 to 1"),
        ("pool swap interval", "0", "a whole number from 1 to 1000000000"),
        ("minimum game time", "0", "0.001 to 86400 seconds"),
        ("maximum game time", "2 days", "0.001 to 86400 seconds"),
        ("maximum game time", "20", "at least the minimum game time, 30"),
        ("game time increment", "-1", "0 or more where game time = oscillate"),
        ("gene pool file", "../pool.txt", "the plain name of a file"),
    ],
)
def test_invalid_values_of_required_keys_are_refused(key: str, value: str, must_be: str) -> None:
    lines = [f"{key} = {value}" if line.startswith(f"{key} = ") else line for line in EXAMPLE.split("\n")]
    with pytest.raises(ConfigError) as caught:
        PoolConfig.loads("\n".join(lines))
    assert (caught.value.line, caught.value.key) == (LINE_OF[key], key)
    assert str(caught.value).startswith(f"line {LINE_OF[key]}: {key} must be {must_be}")


@pytest.mark.parametrize(
    ("added", "key", "words"),
    [
        ("FEN = 8/8/8/8/8/8/8/8 w - -", "FEN", "FEN must be a position (FEN: White must have one king, has 0)"),
        ("FEN = 7k/5Q2/6K1/8/8/8/8/8 b - -", "FEN", "FEN must be a position in which the game has not ended"),
        (f"FEN = {KING_AND_PAWN}\nopenings = standard", "FEN", "left out where openings = standard"),
        ("output volume = loud", "output volume", "must be verbose or quiet, not 'loud'"),
        ("time limit = 0", "time limit", "must be none or 0.001 to 1000000000 seconds"),
        ("nodes per second = 0", "nodes per second", "must be wall or 1 to 1000000000, not '0'"),
        ("pool rules = 2016", "pool rules", "must be 2017 or 2025 or strategy or examination, not '2016'"),
        ("games per pairing = 3", "games per pairing", "must be 1 or an even number from 2 to 1000, not '3'"),
        ("openings = a\0b", "openings", "must be start, standard or the name of a file, not 'a\\x00b'"),
        ("seed = 18446744073709551616", "seed", "must be a whole number from 0 to 18446744073709551615"),
        ("panel games = 4", "panel games", "must both be 0 or neither, not '4' and '0'"),
        ("panel interval = 4", "panel interval", "must both be 0 or neither, not '0' and '4'"),
        ("pool rules = strategy", "founder", "needs a founder, such as unevolved"),
        ("founder = unevolved\npool rules = strategy", "pool rules", "needs gene pool count = 1, and an even"),
        ("pool rules = examination", "pool rules", "needs genes = positional and gene pool count = 1"),
        ("last nodes per move = 9", "last nodes per move", "last nodes per move needs nodes per move"),
        ("trial nodes = 9", "trial nodes", "trial nodes needs nodes per move"),
        ("target nodes = 9", "target nodes", "must be more than nodes per move and last nodes per move"),
        ("nodes per move = 9\nlast nodes per move = 20\ntarget nodes = 20", "target nodes", "must be more than"),
        ("paper positions = 9\nminimum positions = 10", "minimum positions", "at most the paper positions, 9, not '10'"),
        ("random plies = 101", "random plies", "must be a whole number from 0 to 100"),
        ("genes = search", "genes", "genes = search needs pool rules = strategy"),
        ("breeding = luck", "breeding", "must be strategy or mating, not 'luck'"),
        ("trial games = 3", "trial games", "must be an even number from 2 to 10000"),
        ("result weight = 2", "result weight", "must be 0 to 1"),
    ],
)  # fmt: skip
def test_invalid_values_of_optional_keys_are_refused(added: str, key: str, words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)) as caught:
        PoolConfig.loads(EXAMPLE + added)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("trial games = 8", "trial games is for pool rules = examination, not 2017"),
        (
            "pool rules = 2025\nfirst step = 2",
            "first step is for pool rules = strategy or examination, not 2025",
        ),
    ],
)
def test_a_new_run_takes_no_keys_of_other_pool_rules(added: str, words: str) -> None:
    """A run on record may have them; and a key with its default says nothing."""
    with pytest.raises(ConfigError, match=re.escape(words)) as caught:
        PoolConfig.loads_new(EXAMPLE + added)
    assert caught.value.line == (EXAMPLE + added).count("\n") + 1
    assert PoolConfig.loads_new(PoolConfig.loads(EXAMPLE).dumps()) == PoolConfig.loads(EXAMPLE)
    PoolConfig.loads(EXAMPLE + added)


@pytest.mark.parametrize("key", LINE_OF)
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(ConfigError, match=f"^missing key: {key}$"):
        PoolConfig.loads(EXAMPLE.replace(f"{key} = ", "# "))


def test_mutation_keys_come_all_or_none() -> None:
    with pytest.raises(
        ConfigError, match="missing keys: first mutation interval, second mutation rate, second"
    ):
        PoolConfig.loads(EXAMPLE + "first mutation rate = 30")


# -- Laws ------------------------------------------------------------------------------------------

NUMBERS = st.floats(0.001, 86_400)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)


@st.composite
def configs(draw: st.DrawFn) -> PoolConfig:
    least, most = sorted((draw(NUMBERS), draw(NUMBERS)))
    ramp = draw(st.booleans())
    changes: dict[str, Any] = {
        "gene_pool_population": 2 * draw(st.integers(1, 5000)),
        "draw_kill_probability": draw(st.floats(0, 1)),
        "minimum_game_time": least,
        "maximum_game_time": most,
        "game_time_increment": draw(st.floats(-86_400 if ramp else 0, 86_400)),
        "game_time": "ramp" if ramp else "oscillate",
        "time_limit": draw(st.none() | NUMBERS),
        "seed": draw(st.integers(0, 2**64 - 1)),
        "nodes_per_second": draw(st.none() | st.floats(1, 1e9)),
        "nodes_per_move": draw(st.none() | st.integers(1, 10**9)),
        "openings": draw(NAMES.filter(lambda name: "#" not in name and name == name.lower())),
        "first_step": draw(st.floats(1e-6, 100)),
    }
    return replace(MANUALS, **changes)


@given(pool=configs())
def test_a_configuration_reads_back(pool: PoolConfig) -> None:
    assert PoolConfig.loads(pool.dumps()) == pool
    assert len(pool.dumps().splitlines()) == len(keys_of(PoolConfig)) == 52
