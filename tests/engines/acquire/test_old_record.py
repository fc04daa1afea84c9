"""Records of earlier versions: those of others are replayed without a difference, faults are found, and all are converted."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.acquire.rules import PRESETS, GameSpec, Rules
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.old_record import MismatchError, replay
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.acquire_record import convert
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.core.acquire.tables import SMALL, random_state
from tests.engines.acquire.old_records import written

PLAYERS = 3


def lines(rules: Rules, seed: int = 3, players: int = PLAYERS) -> list[str]:
    """A game by chance, on file."""
    rng = Random(seed)

    def choose(state: AcquireState) -> int:
        actions = state.legal_actions()
        return actions[rng.below(len(actions))]

    setting = GameSpec(rules, min(players, rules.seats[1]))
    bag = [int(tile) for tile in random_state(setting, seed).bag]
    return [line + "\n" for line in written(setting, bag, choose, seed)]


def test_games_of_the_public_server_replay(shared_data: Path) -> None:
    decisions = 0
    for path in sorted((shared_data / "acquire" / "games").glob("*.jsonl")):
        with path.open(encoding="utf-8") as recorded:
            decisions += len(replay(recorded).actions)
    assert decisions == 2_153


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_written_records_replay_whole_or_torn(rules: Rules) -> None:
    recorded = lines(rules)
    assert len(replay(recorded).actions) == len(recorded) - 2
    assert len(replay(recorded[:-1]).actions) == len(recorded) - 2
    assert len(replay([*recorded[:5], recorded[5][:40]]).actions) == 4  # the last line is torn


def test_records_of_small_games_replay() -> None:
    for seed in range(20):
        recorded = lines(SMALL, seed, 2)
        assert len(replay(recorded).actions) == len(recorded) - 2


def test_records_with_custom_rules_replay() -> None:
    own = Rules("own", cash=3000, hand=4, safe=6, end=15)
    recorded = lines(own)
    assert len(replay(recorded).actions) == len(recorded) - 2
    header = json.loads(recorded[0])
    del header["rules"]
    with pytest.raises(ValueError, match="no rules are named 'own'"):
        replay([json.dumps(header)])


def test_a_wrong_end_of_the_game_is_detected() -> None:
    recorded = lines(PRESETS["mini"])
    with pytest.raises(
        MismatchError, match='t: the record has "final", the rules give "the game is not over"'
    ):
        replay([*recorded[:-3], recorded[-1]])
    with pytest.raises(MismatchError, match='t: the record has "decide", the rules give "the game is over"'):
        replay([*recorded[:-1], recorded[-2]])


def fields(record: dict[str, object]) -> Iterator[str]:
    yield from (
        name for name in record if name not in ("t", "format", "preset", "seed", "players", "bag", "action")
    )


def test_a_difference_in_any_field_is_found() -> None:
    recorded = lines(PRESETS["tlstyer"])
    for at in (0, 1, 2, 30, len(recorded) - 1):
        record = json.loads(recorded[at])
        for name in fields(record):
            wrong = json.dumps(record | {name: "?"}) + "\n"
            with pytest.raises(MismatchError) as difference:
                replay([*recorded[:at], wrong, *recorded[at + 1 :]])
            assert difference.value.line == at + 1 and difference.value.field == name
        for name in fields(record):
            wrong = json.dumps({key: value for key, value in record.items() if key != name}) + "\n"
            without = "nothing"
            if name == "events" and record["t"] == "decide":  # has no events if it does not mention them
                without = "[]"
            if record[name] != without and record[name] != []:
                complaint = f"line {at + 1}: {name}: the record has {without}, the rules give "
                with pytest.raises(MismatchError, match=re.escape(complaint)):
                    replay([*recorded[:at], wrong])


@pytest.mark.parametrize(
    "change",
    [{"safe": 12}, {"end": 42}, {"merge_pay": "chain_by_chain"}, {"dead_replace": "once"}, {"cash": 5900}],
)
def test_replaying_under_wrong_rules_is_detected(change: dict[str, int | str], shared_data: Path) -> None:
    """Each of these faults shows in some of the recorded games."""
    preset = PRESETS["tlstyer"]
    values = {"cash": preset.cash, "safe": preset.safe, "end": preset.end, **preset.options(), **change}
    wrong = Rules("wrong", **values)  # type: ignore[arg-type]
    found = 0
    for path in sorted((shared_data / "acquire" / "games").glob("*.jsonl")):
        header, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
        header = json.dumps(json.loads(header) | {"preset": "wrong", "rules": wrong.text()})
        try:
            replay([header + "\n", *rest])
        except ValueError:
            found += 1
    assert found


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "the record is empty"),
        (["[]\n"], "line 1: game, decide or final"),
        (["nonsense\n", "{}"], "line 1 is not JSON"),
        (['{"t":"decide"}\n'], "the first line of a"),
        (['{"t":"game","format":"galapagos-acquire-record/1"}'], "the game cannot start"),
    ],
)
def test_invalid_records_are_refused(wrong: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay(wrong)


@pytest.mark.parametrize(
    "action", [{}, None, {"tile": "13A"}, {"tile": 7}, {"tile": "1A"}, {"chain": "L"}, {"shares": ["Q"]}]
)
def test_impossible_actions_are_refused(action: object) -> None:
    recorded = lines(PRESETS["tlstyer"])
    record = json.loads(recorded[1])
    assert record["action"] != action and "1A" not in record["options"]
    with pytest.raises(ValueError, match="line 2: "):
        replay([recorded[0], json.dumps(record | {"action": action}) + "\n"])


# -- Converted --------------------------------------------------------------------------------------


def converted(recorded: list[str]) -> list[bytes]:
    """The record of the JSON lines, which the rules agree with."""
    lines = [line.rstrip(b"\n") for line in convert(replay(recorded))]
    replay_record(lines, {"acquire": AcquireAdapter()}, GameLimits())
    return lines


@pytest.mark.parametrize(
    "rules",
    [*PRESETS.values(), Rules("own", cash=3000, hand=4, safe=6, end=15)],
    ids=lambda rules: rules.name,
)
def test_converted_games_keep_their_final_scores(rules: Rules) -> None:
    recorded = lines(rules)
    *_, last = converted(recorded)
    assert json.loads(last)["result"]["worth"] == json.loads(recorded[-1])["scores"]


def test_the_games_of_the_public_server_are_converted(shared_data: Path) -> None:
    for path in sorted((shared_data / "acquire" / "games").glob("*.jsonl")):
        recorded = path.read_text(encoding="utf-8").splitlines(keepends=True)
        *_, last = converted(recorded)
        assert json.loads(last)["result"]["worth"] == json.loads(recorded[-1])["scores"]


def test_names_stay_in_their_seats() -> None:
    recorded = lines(PRESETS["tlstyer"])
    header = json.loads(recorded[0]) | {"names": ["a", "b", "c"]}
    head, *_ = converted([json.dumps(header) + "\n", *recorded[1:]])
    assert [seat["name"] for seat in json.loads(head)["seats"]] == ["a", "b", "c"]


def test_unfinished_games_are_converted_up_to_their_last_action() -> None:
    recorded = lines(PRESETS["classic"])
    short = converted(recorded[:20])
    assert sum(b'"type":"action"' in line for line in short) == 19
    assert json.loads(short[-1])["type"] != "end"


def test_rules_outside_the_options_cannot_be_converted() -> None:
    own = Rules("own", steps=(2, 3, 5, 9, 20, 30))
    recorded = lines(own)
    assert replay(recorded).actions
    with pytest.raises(ValueError, match="these rules cannot be converted"):
        convert(replay(recorded))
