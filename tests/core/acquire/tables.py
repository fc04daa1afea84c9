"""What the tests of Acquire share: states for all presets, games by chance, scripted games, the naive twin."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from core.acquire.actions import PHASES, REASONS
from core.acquire.game import new_game, shuffled_bag
from core.acquire.notation import board_rows, from_text
from core.acquire.rules import PRESETS, GameSpec, Rules, parse_tile, tile_name, tiles
from core.acquire.state import AcquireState
from core.random import Random
from tests.core.acquire.reference import Naive, Variant

SMALL = Rules(
    "small", columns=6, rows=4, chains=PRESETS["mini"].chains, seats=(2, 3), hand=2, safe=4, end=20
)  # fmt: skip
KINDS_OF_TABLE = [
    GameSpec(rules, seats)
    for rules in (*PRESETS.values(), SMALL)
    for seats in range(rules.seats[0], rules.seats[1] + 1)
]


def table_name(setting: GameSpec) -> str:
    return f"{setting.rules.name}-{int(setting.seats)}"


def random_state(setting: GameSpec, seed: int) -> AcquireState:
    return new_game(setting, [int(tile) for tile in shuffled_bag(setting, Random(seed))])


def random_game(setting: GameSpec, seed: int) -> Iterator[AcquireState]:
    """One state, before each of its decisions and at its end. The policy varies with the seed."""
    state = random_state(setting, seed)
    rng = Random(seed + 1)
    yield state
    while not state.is_terminal():
        actions = state.legal_actions()
        if seed % 3 and PHASES[state.phase()] in ("place", "buy"):
            actions = (
                actions[: len(actions) // 2 or 1] if state.may_end() else actions
            )  # ends are listed last
        state.apply(actions[rng.below(len(actions))])
        yield state


def naive_of(state: AcquireState, **changes: Any) -> Naive:
    """The naive game with the same rules, or some changed, and the same bag."""
    rules = state.spec.rules
    variant = Variant(
        columns=rules.columns,
        rows="ABCDEFGHI"[: rules.rows],
        chains={chain.name: chain.tier for chain in rules.chains},
        cash=rules.cash,
        shares=rules.shares,
        hand=rules.hand,
        safe=rules.safe,
        end=rules.end,
        reseat=rules.start_order == "column_first_reseat",
        pay_all_first=rules.merge_pay == "all_bonuses_first",
        end_any_time=rules.end_check == "any_time",
        until_clean=rules.dead_replace == "until_clean",
    )
    bag = [tile_name(rules, int(tile)) for tile in state.bag]
    return Naive(variant=replace(variant, **changes), players=int(state.spec.seats), bag=bag)


def seen(state: AcquireState) -> dict[str, object]:
    """What both engines can be asked."""
    rules, seats = state.spec.rules, range(int(state.spec.seats))
    return {
        "phase": PHASES[state.phase()],
        "seat": state.player(),
        "options": sorted(state.action_text(action) for action in state.legal_actions()),
        "board": board_rows(state),
        "cash": state.cash_by_seat(),
        "shares": state.shares_by_seat(),
        "bank": state.banks(),
        "size": state.sizes(),
        "price": state.prices(),
        "hands": [[tile_name(rules, tile) for tile in state.hand(seat)] for seat in seats],
    }


def seen_naively(game: Naive) -> dict[str, object]:
    chains = game.variant.chains
    signs = {chain: chain[0] for chain in chains} | {"alone": "o", "dead": "x"}
    order = sorted(game.variant.rows)
    return {
        "phase": game.phase,
        "seat": game.seat,
        "options": sorted(game.options()),
        "board": [
            "".join(
                signs.get(game.square.get(f"{column}{row}", ""), ".")
                for column in range(1, game.variant.columns + 1)
            )
            for row in order
        ],
        "cash": game.cash,
        "shares": [[held[chain] for chain in chains] for held in game.held],
        "bank": [game.bank(chain) for chain in chains],
        "size": [game.size(chain) for chain in chains],
        "price": [game.price(chain) for chain in chains],
        "hands": [sorted(hand, key=lambda tile: (int(tile[:-1]), tile[-1])) for hand in game.hands],
    }


def scripted(rules: Rules, bag: str, seats: int = 2, watched: bool = False) -> AcquireState:
    """A game whose bag begins with the named tiles; the others follow in their order."""
    first = [parse_tile(rules, name) for name in bag.split()]
    rest = [tile for tile in tiles(rules) if tile not in first]
    return new_game(GameSpec(rules, seats), first + rest, watched)


def play(state: AcquireState, actions: Sequence[str]) -> AcquireState:
    for text in actions:
        state.apply(state.action_from(text))
    return state


def squares(names: str) -> list[str]:
    """`1A 3B-5B` as 1A 3B 4B 5B."""
    found = []
    for word in names.split():
        first, _, last = word.partition("-")
        columns = range(int(first[:-1]), int((last or first)[:-1]) + 1)
        found += [f"{column}{first[-1]}" for column in columns]
    return found


def position(
    rules: Rules,
    board: dict[str, str],
    hands: Sequence[str],
    *,
    cash: Sequence[int] = (),
    shares: Sequence[str] = (),
    draws: str = "",
    dead: str = "",
    phase: str = "place",
    idle: int = 0,
) -> AcquireState:
    """Seat 0 is to decide. `board` has the squares of each letter, `shares` those of each seat, as `LLA`.

    The bag goes on with `draws`; with `draws` of "-" it is empty, and all other tiles are out of play.
    """
    signs = {square: letter for letter, names in board.items() for square in squares(names)}
    signs |= dict.fromkeys(squares(dead), "x")
    held = [hand.split() for hand in hands]
    setting = GameSpec(rules, len(hands))
    names = [tile_name(rules, tile) for tile in tiles(rules)]
    drawn = [*signs, *(tile for hand in held for tile in hand)]
    coming = [] if draws == "-" else draws.split()
    rest = [name for name in names if name not in drawn and name not in coming]
    if draws == "-":
        signs |= dict.fromkeys(rest, "x")
        drawn, rest = drawn + rest, []
    letters = [chain.letter for chain in rules.chains]
    rows = [
        "".join(signs.get(f"{column}{chr(65 + row)}", ".") for column in range(1, rules.columns + 1))
        for row in range(rules.rows)
    ]
    dollars = cash or [rules.cash] * len(hands)
    owned = shares or [""] * len(hands)
    lines = [
        f"board {'/'.join(rows)}",
        f"bag {' '.join(drawn + coming + rest)}",
        f"drawn {len(drawn)}",
        f"joined {' '.join(str(seat) for seat in range(len(hands)))}",
        f"cash {' '.join(map(str, dollars))}",
        f"shares {' '.join(','.join(str(one.count(c)) for c in letters) for one in owned)}",
        f"hands {' '.join(','.join(hand + ['-'] * (rules.hand - len(hand))) for hand in held)}",
        f"phase {phase}",
        "seat 0",
        "turn 0",
        f"idle {idle}",
        "announced 0",
    ]
    return from_text(setting, "\n".join(lines))


def texts(state: AcquireState) -> list[str]:
    return [state.action_text(action) for action in state.legal_actions()]


def cash(state: AcquireState) -> list[int]:
    return state.cash_by_seat()


def held(state: AcquireState, seat: int) -> str:
    """Such as LLA."""
    chains = state.spec.rules.chains
    counts = state.shares_by_seat()[seat]
    return "".join(chain.letter * count for chain, count in zip(chains, counts, strict=True))


def phase(state: AcquireState) -> str:
    return PHASES[state.phase()]


def reason(state: AcquireState) -> str:
    return REASONS[state.end_reason()]


def worths(state: AcquireState) -> list[int]:
    return state.worths()
