"""The genome of a defender: valid after any change, strict in its texts, and legal in every setup."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.protection.board import distance
from core.protection.rules import ARTILLERY, DRONE, INFANTRY, MINE, RULES, SETTLER
from core.random import Random
from engines.protection.bot_plans import UNITS, Observation, observe
from engines.protection.bots import create_bot, defender_bot, set_up
from engines.protection.defender import DIGITS, GENES, KINDS, WEIGHTS, Defender, DefenderError
from engines.protection.game import ProtectionGame, Setup, faults, new_game
from engines.protection.pool import handwritten
from engines.seeds import SeededStreams

DEFENDERS = st.binary(min_size=DIGITS, max_size=DIGITS).map(
    lambda drawn: Defender(genes=bytes(each & 15 for each in drawn))
)
STRING = handwritten()["wall"].code


def built(**rows: str) -> Defender:
    """A defender whose kinds have the genes that are named, such as drone="want 15 gold 3"; all others are 0."""
    lines = []
    for kind in KINDS:
        words = rows.get(kind, "").split()
        genes = dict(zip(words[::2], words[1::2], strict=True))
        lines.append(" ".join([kind, *(f"{name} {genes.get(name, '0')}" for name in ("want", *WEIGHTS))]))
    return Defender.loads("\n".join(lines))


def chosen(defender: Defender, seed: int = 1) -> tuple[Observation, Setup]:
    view = observe(new_game(RULES["improved"], SeededStreams(seed)))
    return view, defender_bot(defender).choose(view, Random(1))


# -- Texts -----------------------------------------------------------------------------------------


@given(defender=DEFENDERS)
def test_both_text_forms_read_back(defender: Defender) -> None:
    assert Defender.loads(defender.dumps()) == defender == Defender.loads(defender.hex)
    assert Defender.loads(f"# a comment\n\n{defender.dumps()}") == defender


LINES = Defender.random(Random(1)).dumps().splitlines()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "an empty text"),
        ("# nothing", "an empty text"),
        ("\n".join(LINES[:7]), "line 7: a defender has a line for each of 8 kinds"),
        ("\n".join([*LINES, "more"]), "line 9: a defender has a line"),
        ("\n".join([LINES[0], *LINES[:7]]), "line 2: `mine want N"),
        ("\n".join(["# x", LINES[0] + " 3", *LINES[1:]]), "line 2: `drone want N"),
        ("\n".join([LINES[0].replace("gold", "silver"), *LINES[1:]]), "line 1: `gold` of drone is expected"),
        ("\n".join([LINES[0].replace("want 5", "want 16"), *LINES[1:]]), "want of drone must be 0 to 15, not '16'"),
        ("\n".join([LINES[0].replace("want 5", "want -1"), *LINES[1:]]), "want of drone must be 0 to 15"),
        ("\n".join([LINES[0].replace("losses -2", "losses 8"), *LINES[1:]]), "losses of drone must be -8 to 7"),
        ("\n".join([LINES[0].replace("losses -2", "losses 1_0"), *LINES[1:]]), "losses of drone must be"),
        ("0" * 95, "96 hex digits, not 95"),
        ("0" * 95 + "g", "'g' is neither a hex digit"),
        ("minion scout pref 3", "'m' is neither"),
    ],
)  # fmt: skip
def test_an_invalid_text_is_refused_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(DefenderError) as error:
        Defender.loads(text)
    assert fault in str(error.value)


def test_genes_out_of_range_are_refused() -> None:
    for genes in (bytes(DIGITS - 1), bytes(DIGITS - 1) + b"\x10"):
        with pytest.raises(ValueError):
            Defender(genes=genes)


# -- Breeding --------------------------------------------------------------------------------------


@given(defender=DEFENDERS, seed=st.integers(0, 2**40))
def test_a_mutation_changes_one_gene_at_most(defender: Defender, seed: int) -> None:
    child = defender.mutate(Random(seed))
    assert sum(one != other for one, other in zip(defender.genes, child.genes, strict=True)) <= 1


@given(mother=DEFENDERS, father=DEFENDERS, seed=st.integers(0, 2**40))
def test_each_kind_of_a_child_comes_from_one_parent(mother: Defender, father: Defender, seed: int) -> None:
    child = mother.mate(father, Random(seed))
    for first in range(0, DIGITS, GENES):
        kind = slice(first, first + GENES)
        assert child.genes[kind] in (mother.genes[kind], father.genes[kind])


def test_mutations_reach_every_gene() -> None:
    defender, changed = Defender(genes=bytes(DIGITS)), set()
    for seed in range(4000):
        child = defender.mutate(Random(seed)).genes
        changed |= {place for place in range(DIGITS) if child[place]}
    assert len(changed) == DIGITS


# -- The policy ------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(defender=DEFENDERS, seed=st.integers(0, 2**40))
def test_every_setup_of_a_game_is_legal(defender: Defender, seed: int) -> None:
    game: ProtectionGame = new_game(RULES["improved"], SeededStreams(seed))
    bot = defender_bot(defender)
    while game.over is None and len(game.turns) < 3:
        setup = bot.choose(observe(game), Random(seed))
        assert faults(game.state, setup) == ()
        set_up(game, bot)
        game.play(STRING)


@given(defender=DEFENDERS)
@settings(max_examples=20, deadline=None)
def test_a_defender_spends_until_nothing_that_it_wants_is_affordable(defender: Defender) -> None:
    view, setup = chosen(defender)
    units = view.scenario.rules.units
    left = view.treasury - sum(units[item.unit].cost for item in setup.place)
    wanted = [unit for unit in UNITS if defender.want(unit)]
    assert {item.unit for item in setup.place} <= set(wanted)
    assert all(units[unit].cost > left for unit in wanted)


def test_a_defender_can_be_the_bot_drones() -> None:
    """Weights equal to the yields make the plan that takes the squares of the highest yield."""
    defender = built(drone="want 15 wetlands 2 forest 1 mountains -1 gold 2")
    view, setup = chosen(defender)
    other = create_bot("drones", 0).choose(view, Random(1))
    assert {item.unit for item in setup.place} == {DRONE}
    yields = [sorted(view.yields(DRONE, item.square) for item in each.place) for each in (setup, other)]
    assert yields[0] == yields[1]


def test_purchases_are_in_proportion_to_the_wants() -> None:
    _, setup = chosen(built(drone="want 10", mine="want 5", infantry="want 0"))
    kinds = [item.unit for item in setup.place]
    assert set(kinds) == {DRONE, MINE}
    assert abs(kinds.count(DRONE) - 2 * kinds.count(MINE)) <= 2


def test_neighbours_attract_and_repel() -> None:
    """Guns that shun guns stand apart; farms that want guns stand within their reach."""
    _, setup = chosen(built(drone="want 8 guns 7", artillery="want 4 guns -8"))
    guns = [item.square for item in setup.place if item.unit == ARTILLERY]
    first = [item.unit for item in setup.place].index(ARTILLERY)
    farms = [item.square for item in setup.place[first:] if item.unit == DRONE]
    assert (
        farms
        and len(guns) > 1
        and all(distance(one, other) > 2 for one in guns for other in guns if one != other)
    )
    assert all(min(distance(farm, gun) for gun in guns) <= 2 for farm in farms)


def test_losses_are_answered_where_they_were() -> None:
    defender = built(drone="want 15 wetlands 2 forest 1 gold 2", infantry="want 3 losses 7")
    for seed in range(9):
        game = new_game(RULES["improved"], SeededStreams(seed))
        bot = defender_bot(defender)
        set_up(game, bot)
        game.play(STRING)
        view = observe(game)
        if game.over is None and view.losses and view.treasury > 500:
            break
    placed = [item.square for item in bot.choose(view, Random(1)).place if item.unit == INFANTRY]
    assert placed and min(distance(placed[0], loss.square) for loss in view.losses) <= 2


def test_hex_digits_name_a_bot_with_a_skill() -> None:
    defender = built(settler="want 15 forest 3")
    view, setup = chosen(defender)
    assert {item.unit for item in setup.place} == {SETTLER}
    assert create_bot(defender.hex, 0).choose(view, Random(1)) == setup
    assert create_bot(f"{defender.hex}:0.3", 0).choose(view, Random(1)) != setup
