"""Acquire over the protocol: whole random games of every preset, illegal actions, hidden holdings, options."""

from typing import Any

import msgspec
import pytest

from core.acquire.actions import BUY
from core.acquire.rules import PRESETS
from engines.seeds import SeededStreams
from protocols.jsonl import acquire_messages
from protocols.jsonl.acquire import AcquireAdapter as acquire_adapter
from protocols.jsonl.acquire import AcquireGameState
from protocols.jsonl.adapter import GameConfig, IllegalMove, OptionError
from protocols.jsonl.messages import COMMON_EVENTS
from tests.protocols.jsonl.fakes import Client, FakeServer, FixedIds
from tests.protocols.jsonl.scripted import acquire

EVENTS = {kind.__struct_config__.tag: kind for kind in (*acquire_messages.EVENTS, *COMMON_EVENTS)}
ADAPTER = acquire_adapter()


def opened(variant: str = "mini", seats: int = 2, seed: int = 0, **options: Any) -> AcquireGameState:
    plan = GameConfig(variant=variant, seats=seats, options=options, streams=SeededStreams(seed))
    play = ADAPTER.open(plan)
    assert isinstance(play, AcquireGameState)
    play.begin()
    return play


@pytest.mark.parametrize("variant", PRESETS)
def test_random_games_of_every_preset_end_and_send_well_formed_messages(variant: str) -> None:
    """Everything that is listed is taken, events are well-formed, and sentences can be said of them."""
    seen = kinds_of_a_game(variant, 2 if variant == "mini" else 4, 1)
    assert seen >= {"turn", "placed", "drew", "bought", "founded"}


def kinds_of_a_game(variant: str, most: int, seed: int) -> set[str]:
    """The kinds of events that happen while everything that is said is looked at."""
    server = FakeServer(acquire(), ids=FixedIds())
    client = server.player(say=True)
    received = client.create(
        game="acquire", variant=variant, seats=["me", *["random"] * (most - 1)], seed=seed
    )
    seen: set[str] = set()

    def choose(decide: dict[str, Any]) -> Any:
        play = server.games.games[decide["game_id"]].state
        assert isinstance(play, AcquireGameState)
        actions = decide["legal"]["actions"]
        numbers = [play.parse_action(decide["seat"], msgspec.json.encode(action)) for action in actions]
        assert numbers == play.state.legal_actions()[: len(numbers)]
        assert set(decide["observation"]) == set(acquire_messages.Observation.__struct_fields__)
        action = actions[decide["seq"] % len(actions)]
        return {**action, "end": True} if decide["legal"].get("may_end") else action

    while True:
        for line in received:
            if line["type"] == "event":
                assert isinstance(line.pop("say"), str)
                kind = EVENTS[line["kind"]]
                payload = {key: value for key, value in line.items() if key not in ("type", "game_id", "seq")}
                decoded = msgspec.json.decode(msgspec.json.encode(msgspec.convert(payload, kind)))
                assert decoded == payload
                seen.add(line["kind"])
        if received[-1]["type"] == "end":
            break
        decide = received[-1]
        client.say(type="action", re=decide["id"], game_id="g-12", seq=decide["seq"], action=choose(decide))
        received = client.received()
    result = received[-1]["result"]
    assert min(result["rank"]) == 1 and len(result["worth"]) == most
    return seen


ILLEGAL = [
    ({"kind": "buy", "shares": ["Luxor"]}, ["not_on_board"]),
    ({"kind": "buy", "shares": ["Tower"]}, ["no_such_chain"]),
    ({"kind": "buy", "shares": ["Imperial"] * 4}, ["too_many"]),
    ({"kind": "buy", "shares": ["Imperial"] * 6}, ["bank", "too_many", "money"]),
    ({"kind": "buy", "shares": ["Luxor", "Tower", "Imperial", "Imperial"]},
     ["not_on_board", "no_such_chain", "too_many"]),
    ({"kind": "buy", "shares": [], "end": True}, ["not_allowed"]),
    ({"kind": "place", "tile": "4B"}, ["wrong_phase"]),
]  # fmt: skip
BAG = ["1A", "2C", "4B", "3C", "1B", "4A", "1C", "4C", "2A", "3B", "3A", "2B"]


def opened_at_purchase() -> AcquireGameState:
    play = opened(bag=BAG)
    for action in (b'{"kind":"place","tile":"3C"}', b'{"kind":"found","chain":"Imperial"}'):
        play.apply({0: play.parse_action(0, action)})
    assert play.state.phase() == BUY
    return play


@pytest.mark.parametrize(("action", "reasons"), ILLEGAL)
def test_every_problem_of_a_purchase_is_reported(action: dict[str, Any], reasons: list[str]) -> None:
    play = opened_at_purchase()
    before = play.state.legal_actions()
    with pytest.raises(IllegalMove) as caught:
        play.parse_action(0, msgspec.json.encode(action))
    assert [problem["reason"] for problem in caught.value.problems] == reasons
    assert play.state.legal_actions() == before


def test_parsing_a_formatted_action_returns_the_same_move() -> None:
    play = opened("classic", seats=3, seed=4)
    count = 0
    while play.result() is None:
        (seat,) = play.due()
        for move in play.state.legal_actions():
            assert play.parse_action(seat, msgspec.json.encode(play.format_action(seat, move))) == move
            count += 1
        moves = play.state.legal_actions()
        play.apply({seat: moves[(7 * count) % len(moves)]})
    assert count > 1000


def test_a_pass_buys_nothing_and_is_illegal_when_placing() -> None:
    play = opened_at_purchase()
    assert play.parse_action(0, b'{"kind":"pass"}') == 0
    with pytest.raises(IllegalMove, match="must be of the kind place, not pass"):
        opened().parse_action(0, b'{"kind":"pass"}')


def test_hidden_holdings_show_only_the_own_cash_and_shares() -> None:
    play = opened("classic", holdings="hidden")
    own, public = play.observation(0), play.observation(None)
    assert own.cash == [6000, None] and public.cash == [None, None]
    assert own.shares == [[0] * 7, None] and public.hand is None
    assert play.variant == "custom" and play.rules_hash != opened("classic").rules_hash


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"bag": ["1A"]}, "$.options.bag"),
        ({"bag": "1A"}, "$.options.bag"),
        ({"bag": [*BAG[:-1], "9Z"]}, "$.options.bag"),
        ({"holdings": "secret"}, "$.options.holdings"),
        ({"cash": 150}, "$.options"),
        ({"cash": "much"}, "$.options.cash"),
        ({"hand": 60}, "$.options"),
        ({"columns": 2**80}, "$.options"),
        ({"wings": 2}, "$.options.wings"),
        ({"chains": [{"name": "Luxor"}]}, "$.options.chains"),
        ({"chains": 3}, "$.options.chains"),
        ({"chains": [{"name": "Lu\u202exor", "letter": "L", "tier": 0}]}, "$.options.chains"),
    ],
)  # fmt: skip
def test_invalid_options_are_refused_with_their_path(options: dict[str, Any], path: str) -> None:
    with pytest.raises(OptionError) as caught:
        opened(**options)
    assert caught.value.path == path


def test_a_game_with_other_chains_and_sizes_is_custom() -> None:
    chains = [{"name": "Hydra", "letter": "H", "tier": 1}]
    play = opened("classic", chains=chains, columns=6, rows=5, hand=3, safe=6)
    assert (play.variant, len(play.observation(0).board), play.observation(0).size) == ("custom", 5, [0])
    assert opened("classic", safe=11).variant == "classic", "nothing is changed by it"


def test_the_heuristic_and_monte_carlo_players_finish_and_explain_a_game() -> None:
    assert {"random", "heuristic", "mc-10"} <= set(ADAPTER.agents)
    assert ADAPTER.has_agent("mc-7", 0) and not ADAPTER.has_agent("mc-0", 0)
    assert not ADAPTER.has_agent("me", 0)
    server = FakeServer({"acquire": ADAPTER})
    client: Client = server.player()
    (created,) = client.create(game="acquire", variant="mini", seats=["heuristic", "mc-2"])
    client.say(type="watch", game_id=created["game_id"])
    server.work()
    assert client.received()[-1]["type"] == "end"
    assert client.ask(type="explain", game_id=created["game_id"])["text"][0].startswith("seat ")


def test_a_player_that_resigns_is_ranked_last() -> None:
    """Whatever each has; the others share or rank by that."""
    play = opened("classic", seats=3)
    result = play.abandoned((1,), "resign")
    assert (result.rank, result.reason, len(set(result.worth))) == ([1, 3, 1], "resign", 1)


def test_start_has_the_rules_of_a_custom_game() -> None:
    """Those of a variant can be described; nothing else says what rules a game with options has."""
    server = FakeServer(acquire(), ids=FixedIds())
    for options, own in (({}, None), ({"max_buy": 2}, 2), ({"holdings": "hidden"}, 3)):
        received = server.player().create(
            game="acquire", variant="mini", seats=["me", "random"], options=options
        )
        start = next(line for line in received if line["type"] == "start")
        rules = start.get("rules", {})
        assert rules.get("max_buy") == own
        assert (start["variant"] == "custom") == bool(rules)


@pytest.mark.parametrize("variant", PRESETS)
def test_every_option_is_described_with_the_default_of_the_variant(variant: str) -> None:
    info = ADAPTER.describe(variant)
    assert info.options["cash"] == {"type": "integer", "default": PRESETS[variant].cash}
    assert {*info.rules} - {"seats", "steps", "bonus_rounding"} | {"bag"} == {*info.options}
    defaults = {name: option["default"] for name, option in info.options.items()}
    assert opened(variant, **defaults).variant == variant


def test_a_mistyped_option_is_answered_with_a_similar_one() -> None:
    with pytest.raises(OptionError, match="acquire has no option 'cahs'; did you mean cash"):
        opened(cahs=3000)
