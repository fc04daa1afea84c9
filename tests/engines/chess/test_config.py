"""The configuration of a gene pool: the manual's example, every error by line and key, and any text at all."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chess.notation import START
from engines import config
from engines.chess.config import KEYS, PoolConfig
from engines.config import ConfigError
from engines.time_control import TimeControl

EXAMPLE = """\
# Gene Pool Configuration (# indicate comments)

# The number of processors used will be the minimum
# of this number and half the gene pool population.
maximum simultaneous games = 8

# How many players in each pool
gene pool population = 16


# How many gene pools
gene pool count = 3

# Probability of killing a player after a draw
draw kill probability = 0.05

# Games in between swapping players between pools
pool swap interval = 1000

# Oscillating game time
#
# The time for each game starts at the minimum, then goes up
# by the increment after each round of games. When it reaches
# the maximum, the increment is reversed and the time for each
# game goes down until it reaches the minimum. Then, the cycle
# starts again.
minimum game time = 30 # seconds
maximum game time = 120 # seconds
game time increment = 0 # seconds

# The name of the file where the genomes will be recorded.
# Games will be recorded in a file with "_games.txt" appended
# to the name.
gene pool file = pool.txt

"""
LINE_OF = {
    line.partition(" = ")[0]: number for number, line in enumerate(EXAMPLE.split("\n"), 1) if " = " in line
}
LAST = EXAMPLE.count("\n") + 1  # of what a test adds

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


# -- What is read ----------------------------------------------------------------------------------


def test_the_manuals_example_as_it_stands() -> None:
    assert PoolConfig.loads(EXAMPLE) == MANUALS
    assert MANUALS.nodes_per_second == 1000
    assert MANUALS.seed == 1
    assert MANUALS.fen == START


def test_case_spaces_line_ends_and_order_are_free() -> None:
    spaced = EXAMPLE.replace("gene pool count = 3", "\tGENE  Pool\tCount=3#three")
    assert PoolConfig.loads("\ufeff" + spaced.replace("\n", "\r\n")) == MANUALS
    assert PoolConfig.loads("\n".join(reversed(EXAMPLE.split("\n")))) == MANUALS


@pytest.mark.parametrize(
    ("lines", "changes"),
    [
        ("FEN = 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", {"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}),
        ("fen = 4k3/8/8/8/8/8/4P3/4K3 w - -", {"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}),
        ("output volume = Quiet", {"output_volume": "quiet"}),
        ("time limit = 90 min # or so", {"time_limit": 5400.0}),
        ("time limit = 1.5 hours", {"time_limit": 5400.0}),
        ("time limit = 2h", {"time_limit": 7200.0}),
        ("time limit = 1 day", {"time_limit": 86400.0}),
        ("time limit = 10 SEC", {"time_limit": 10.0}),
        ("time limit = 10", {"time_limit": 10.0}),
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
        ("openings = a=b.epd", {"openings": "a=b.epd"}),
        ("genes = all\nlearning rate = 0.2\nplanned rounds = 90",
         {"genes": "all", "learning_rate": 0.2, "planned_rounds": 90}),
        ("hall of fame = 10", {"hall_of_fame": 10.0}),
        ("panel games = 4\npanel interval = 50", {"panel_games": 4, "panel_interval": 50}),
        ("founder = handset", {"founder": "handset"}),
        ("founder = old/pool.txt", {"founder": "old/pool.txt"}),
        ("first step = 0.05\nmaximum moves = 200", {"first_step": 0.05, "maximum_moves": 200}),
    ],
)  # fmt: skip
def test_what_may_be_left_out(lines: str, changes: dict[str, Any]) -> None:
    assert PoolConfig.loads(EXAMPLE + lines) == replace(MANUALS, **changes)


def test_mutations_alternate() -> None:
    rates = "first mutation rate = 30\nfirst mutation interval = 2\n"
    rates += "second mutation rate = 1\nsecond mutation interval = 3\n"
    pool = PoolConfig.loads(EXAMPLE + rates)
    assert [pool.mutations(rounds) for rounds in range(11)] == [30, 30, 1, 1, 1, 30, 30, 1, 1, 1, 30]
    assert {MANUALS.mutations(rounds) for rounds in range(11)} == {1}


def test_the_time_control_of_a_game() -> None:
    assert MANUALS.time_control(38.5) == TimeControl(seconds=38.5, nodes_per_second=1000.0)
    on_the_wall = replace(MANUALS, nodes_per_second=None, time_increment=0.5)
    assert on_the_wall.time_control(30.0) == TimeControl(seconds=30.0, increment=0.5)
    assert replace(MANUALS, nodes_per_move=500).time_control(30.0) == TimeControl(nodes=500)


# -- Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "must_be"),
    [
        ("maximum simultaneous games", "0", "a whole number from 1 to 10000"),
        ("maximum simultaneous games", "1_000", "a whole number"),
        ("maximum simultaneous games", "-8", "a whole number"),
        ("maximum simultaneous games", "\u0668", "a whole number"),
        ("maximum simultaneous games", "9" * 30, "a whole number"),
        ("gene pool population", "15", "an even number from 2 to 10000"),
        ("gene pool population", "0", "an even number"),
        ("gene pool population", "10002", "an even number"),
        ("gene pool population", "16.5", "an even number"),
        ("gene pool count", "three", "a whole number from 1 to 1000"),
        ("draw kill probability", "5", "0 to 1"),
        ("draw kill probability", "-0.1", "0 to 1"),
        ("draw kill probability", "5 %", "0 to 1"),
        ("draw kill probability", "nan", "0 to 1"),
        ("draw kill probability", "inf", "0 to 1"),
        ("draw kill probability", "1e999", "0 to 1"),
        ("pool swap interval", "0", "a whole number from 1 to 1000000000"),
        ("minimum game time", "0", "0.001 to 86400 seconds"),
        ("minimum game time", "1 fortnight", "0.001 to 86400 seconds"),
        ("maximum game time", "infinity", "0.001 to 86400 seconds"),
        ("maximum game time", "20", "at least the minimum game time, 30"),
        ("maximum game time", "2 days", "0.001 to 86400 seconds"),
        ("game time increment", "-1", "0 or more where game time = oscillate"),
        ("gene pool file", "../pool.txt", "the plain name of a file"),
        ("gene pool file", "a\\b", "the plain name of a file"),
        ("gene pool file", ".pool", "the plain name of a file"),
        ("gene pool file", "po\x07ol", "the plain name of a file"),
        ("gene pool file", "p" * 201, "the plain name of a file"),
        ("gene pool file", "Run.SQLite-wal", "another name than run.sqlite"),
    ],
)  # fmt: skip
def test_errors_in_what_is_needed(key: str, value: str, must_be: str) -> None:
    lines = [
        f"{key} = {value} # changed" if line.startswith(f"{key} = ") else line for line in EXAMPLE.split("\n")
    ]
    with pytest.raises(ConfigError) as caught:
        PoolConfig.loads("\n".join(lines))
    assert (caught.value.line, caught.value.key) == (LINE_OF[key], key)
    assert str(caught.value).startswith(f"line {LINE_OF[key]}: {key} must be {must_be}")
    assert str(caught.value).endswith(f", not {value[:60]!r}")


@pytest.mark.parametrize(
    ("added", "key", "words"),
    [
        ("FEN = 8/8/8/8/8/8/8/8 w - -", "FEN", "FEN must be a position (FEN: White must have one king, has 0)"),
        ("FEN = 7k/5Q2/6K1/8/8/8/8/8 b - -", "FEN", "FEN must be a position in which the game goes on"),
        ("FEN = 4k3/8/8/8/8/8/4P3/4K3 w - -\nopenings = standard", "FEN", "left out where openings = standard"),
        ("output volume = loud", "output volume", "must be verbose or quiet, not 'loud'"),
        ("time limit = 0", "time limit", "must be none or 0.001 to 1000000000 seconds (s, min, h and d"),
        ("time limit = 1 h 30 min", "time limit", "not '1 h 30 min'"),
        ("nodes per second = 0", "nodes per second", "must be wall or 1 to 1000000000, not '0'"),
        ("pool rules = 2016", "pool rules", "must be 2017 or 2025 or strategy, not '2016'"),
        ("games per pairing = 3", "games per pairing", "must be 1 or an even number from 2 to 1000, not '3'"),
        ("openings = a\0b", "openings", "must be start, standard or the name of a file, not 'a\\x00b'"),
        ("seed = -1", "seed", "must be a whole number"),
        ("seed = 18446744073709551616", "seed", "must be a whole number from 0 to 18446744073709551615"),
        ("panel games = 4", "panel games", "must both be 0 or neither, not '4' and '0'"),
        ("panel interval = 4", "panel interval", "must both be 0 or neither, not '0' and '4'"),
        ("gene pool count = 4", "gene pool count", f"is there already, in line {LINE_OF['gene pool count']}"),
        ("Gene Pool  Count = 4", "gene pool count", "is there already"),
        ("gene pool populatoin = 4", "gene pool populatoin",
         "unknown key 'gene pool populatoin'; gene pool population?"),
        ("fem = x", "fem", "unknown key 'fem'; FEN?"),
        ("xyzzy = 4", "xyzzy", "unknown key 'xyzzy'"),
        ("seed =", "seed", "seed has no value"),
        ("seed = # none", "seed", "seed has no value"),
        ("= 4", None, "no key before '4'"),
        ("seed 4", None, "a line is `key = value`, not 'seed 4'"),
    ],
)  # fmt: skip
def test_errors_in_what_is_added(added: str, key: str | None, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        PoolConfig.loads(EXAMPLE + added)
    assert (caught.value.line, caught.value.key) == (LAST, key)
    assert str(caught.value).startswith(f"line {LAST}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("key", LINE_OF)
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(ConfigError, match=f"^missing: {key}$") as caught:
        PoolConfig.loads(EXAMPLE.replace(f"{key} = ", "# "))
    assert (caught.value.line, caught.value.key) == (None, key)


def test_all_missing_keys_are_named() -> None:
    with pytest.raises(ConfigError, match=r"^missing: maximum simultaneous games, .*, gene pool file$"):
        PoolConfig.loads("# nothing\n")
    with pytest.raises(ConfigError, match="missing: first mutation interval, second mutation rate, second"):
        PoolConfig.loads(EXAMPLE + "first mutation rate = 30")


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "MAX_CHARACTERS", 100)
    with pytest.raises(ConfigError, match="too large"):
        PoolConfig.loads(EXAMPLE)


@pytest.mark.parametrize(
    "changes",
    [
        {"gene_pool_population": 15},
        {"draw_kill_probability": float("nan")},
        {"time_limit": float("inf")},
        {"fen": f"{START} "},
        {"openings": "a # b"},
        {"gene_pool_file": ""},
        {"gene_pool_file": "a/b"},
        {"gene_pool_file": " pool.txt"},
        {"founder": ""},
        {"founder": "two\nlines"},
        {"game_time_increment": -1.0},
        {"minimum_game_time": None},
    ],
)
def test_what_no_file_can_say_cannot_be(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        replace(MANUALS, **changes)


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
def test_what_is_written_reads_back(pool: PoolConfig) -> None:
    assert PoolConfig.loads(pool.dumps()) == pool
    assert len(pool.dumps().splitlines()) == len(KEYS)


def check_only_config_errors(text: str) -> None:
    try:
        pool = PoolConfig.loads(text)
    except ConfigError as error:
        assert error.line is None or 1 <= error.line <= text.count("\n") + 1
    else:
        assert PoolConfig.loads(pool.dumps()) == pool


@given(text=st.text() | st.text(st.sampled_from("=#\n \r\x0bFENseed.0-")))
def test_any_text_is_a_configuration_or_a_config_error(text: str) -> None:
    check_only_config_errors(text)


@settings(max_examples=300)
@given(data=st.data())
def test_a_damaged_file_is_a_configuration_or_a_config_error(data: st.DataObject) -> None:
    lines = [*EXAMPLE.split("\n"), *(f"{key.name} = " for key in KEYS[9:])]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        key, equals, _ = lines[at].partition("= ")
        value = data.draw(
            st.text(max_size=12)
            | st.integers().map(str)
            | st.floats().map(str)
            | st.sampled_from(
                ["none", "wall", "1", "2 h", "start", START, "", "ramp", "\0", "8/8/8/8/8/8/8/8 w"]
            )
        )
        lines[at] = key + equals + value
    check_only_config_errors("\n".join(line for line in lines if not line.endswith("= ")))
