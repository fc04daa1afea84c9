"""The finished turns of a game of Advanced Protection: replayed phase by phase, and explained in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.protection.board import Arrangement, Scenario
from core.protection.policy import Policy
from core.protection.rules import CHAOS, HUMAN, SCOUT
from core.protection.turn import ATTACK, BOMB, COUNTER, MINE_FIRES, RAM, Dice, Turn, TurnLog
from engines.protection.automata import explain_string
from engines.protection.boardfiles import UNITS, ArrangementRecord
from engines.protection.game import ProtectionGame, Purchase, TurnRecord, combat_purpose, placement_purpose
from engines.protection.genome import Genome
from engines.seeds import RandomStreams
from protocols.jsonl import protection_events as events
from protocols.jsonl.codec import unpack
from protocols.jsonl.messages import Explained, GameEvent, enumeration
from protocols.jsonl.protection_messages import KINDS, Aim, by_kind, counted, number, plural

DEFENCES: Final = {COUNTER: "counter-attack", MINE_FIRES: "mine", BOMB: "bomb"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """The decision of Chaos for a turn."""

    string: bytes
    index: int | None = None  # in the pool; from 250 on, of a hybrid; None if a client gave no number
    hybrid: bool = False
    bought: Purchase | None = None  # minions by kind; None if the preferences in the string decide
    aim: Aim | None = None  # the reasons of a built-in Chaos


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTurn:
    """A finished turn: the arrangement and the treasuries (dollars) at its start, the strategy, and the outcome."""

    arrangement: Arrangement
    treasury: int
    chaos_treasury: int
    strategy: Strategy
    record: TurnRecord  # without its log

    @property
    def number(self) -> int:
        return self.record.turn

    @property
    def rating(self) -> int:
        return self.record.report.rating


class TurnHistory:
    """The finished turns of one game, from the first on."""

    def __init__(self, game: ProtectionGame) -> None:
        self.turns: Final[list[FinishedTurn]] = []
        self.game: Final = game

    def log(self, number: int) -> TurnLog:
        """Play a turn again and return its log. Raises ValueError if there was no such turn."""
        return played_again(self.game.streams, self.game.state.scenario, self.turn(number))

    def explain_turn(self, number: int) -> Explained:
        """Explain a turn: its string in words, the reasons for the choice, and the course of the turn.

        Raises ValueError if there was no such turn.
        """
        turn = self.turn(number)
        strategy = turn.strategy
        lines = explain_string(Genome(code=strategy.string)).splitlines()
        return Explained(
            turn=number,
            index=strategy.index,
            string=strategy.string.hex(),
            text=[*filter(None, lines), *_course(turn, self.log(number))],
            aim=strategy.aim,
        )

    def explain_game(self, winner: int) -> Explained:
        """Explain the choices of Chaos and the course of all turns."""
        lines = [_verdict(winner, len(self.turns))]
        for turn in self.turns:
            lines.append(f"Turn {turn.number}: {_choice(turn.strategy)}")
            lines += [f"  {line}" for line in _course(turn, self.log(turn.number))]
        ordered = sorted(self.turns, key=lambda turn: turn.rating)
        lines += _strings("Strings that did best against you", [turn for turn in ordered if turn.rating < 0])
        lines += _strings(
            "Strings that you stood up to", [turn for turn in ordered[::-1] if turn.rating >= 0]
        )
        if self.turns:
            lines.append("The money of Chaos, which paid for all its minions:")
        lines += [f"  {turn.record.audit}" for turn in self.turns]
        return Explained(text=lines)

    def arrangements(self, rules_hash: str) -> Iterator[ArrangementRecord]:
        """Yield the arrangement of each turn, for programs that learn from them."""
        for turn in self.turns:
            yield ArrangementRecord(
                board=self.game.state.scenario.map,
                arrangement=turn.arrangement,
                rules_hash=rules_hash,
                turn=turn.number,
                treasury=turn.treasury,
                chaos_treasury=turn.chaos_treasury,
            )

    def turn(self, number: int) -> FinishedTurn:
        """Return a turn by its number, from 1. Raises ValueError if there was no such turn."""
        if not 1 <= number <= len(self.turns):
            raise ValueError(
                f"the game has no finished turn {number}; the last one is {len(self.turns)}"
                if self.turns
                else "the game has no finished turn"
            )
        return self.turns[number - 1]


def played_again(streams: RandomStreams, scenario: Scenario, turn: FinishedTurn) -> TurnLog:
    """Play a finished turn again and return its log; keeping all logs would take a hundred times the memory."""
    field, log = Turn(scenario), TurnLog()
    policy, rng = Policy(turn.strategy.string), streams.stream(placement_purpose(turn.number))
    field.arrange(turn.arrangement)
    if turn.strategy.bought is None:
        field.deploy(policy, turn.chaos_treasury, rng)
    else:
        field.deploy_bought(policy, list(turn.strategy.bought), turn.chaos_treasury, rng)
    field.play(Dice(streams.stream(combat_purpose(turn.number))), log)
    return log


# -- Calls for another process ---------------------------------------------------------------------


def turn_events(
    streams: RandomStreams, scenario: Scenario, turn: FinishedTurn, phases: tuple[int, int], most: int
) -> Sequence[GameEvent]:
    """Return the events of phases of a turn, from the first to the last, each of at most `most` bytes."""
    log = played_again(streams, scenario, turn)
    return [
        *events.rosters_of(turn.number, log, most),
        *events.phases_of(turn.number, log, *phases, most),
    ]


def past_turn_events(packed: bytes, number: int, phases: tuple[int, int], most: int) -> Sequence[GameEvent]:
    """Return the events of phases of a turn of a packed history. Raises ValueError if there was no such turn."""
    history: TurnHistory = unpack(packed)
    game = history.game
    return turn_events(game.streams, game.state.scenario, history.turn(number), phases, most)


def explain(packed: bytes, turn: int | None, winner: int) -> Explained:
    """Explain a turn of a packed history, or the whole game. Raises ValueError if there was no such turn."""
    history: TurnHistory = unpack(packed)
    return history.explain_game(winner) if turn is None else history.explain_turn(turn)


def arrangement_lines(packed: bytes, rules_hash: str) -> Sequence[str]:
    """Return the arrangements of a packed history, one in each line."""
    history: TurnHistory = unpack(packed)
    return [each.dumps() for each in history.arrangements(rules_hash)]


# -- Helpers ---------------------------------------------------------------------------------------


def _verdict(winner: int, turns: int) -> str:
    if winner not in (HUMAN, CHAOS):
        return f"Nobody won within {number(turns, 'turn')}."
    when = f"after {number(turns, 'turn')}" if turns else "before the first turn"
    return f"{'You' if winner == HUMAN else 'Chaos'} won {when}."


def _choice(strategy: Strategy) -> str:
    """Return a sentence about the string that Chaos chose, and the rating that it looked for."""
    aim = strategy.aim
    name = "a string of its own" if strategy.index is None else f"string {strategy.index}"
    if strategy.hybrid:
        name = f"hybrid {strategy.index}"
    if aim is None:
        return f"{name}."
    stale = f" ({aim.done} of {aim.of} ratings were of the last arrangement)" if aim.done < aim.of else ""
    if aim.due and aim.ratio is not None:
        return f"{name}. {_aim_clause(aim.due, aim.ratio, aim.expected)}{stale}."
    if aim.target is None:
        return f"{name}, by mode {aim.mode}."
    return f"{name}, rated {aim.rating:,}, with a target of {aim.target:,.0f}{stale}."


def _aim_clause(due: str, ratio: float, expected: float | None) -> str:
    """Return a clause about the value ratio at which Chaos aimed in the mode `pilot`."""
    winner = "you" if due == "human" else "Chaos"
    tests = "" if expected is None else f"; in its tests this string led to {_ratio(expected)}"
    return f"The intended winner was {winner}, with {_ratio(ratio)} after the turn{tests}"


def _ratio(ratio: float) -> str:
    """Return the ratio of the human's value to that of Chaos in words."""
    if 0.95 < ratio < 1.05:
        return "both being worth the same"
    richer, times = ("you", ratio) if ratio > 1 else ("Chaos", 1 / max(ratio, 0.001))
    return f"{richer} being worth {times:,.1f} times as much"


def _course(turn: FinishedTurn, log: TurnLog) -> Iterator[str]:
    """Yield sentences about the course of a turn."""
    report = turn.record.report
    yield f"Bought: {counted(by_kind(report.bought)) or 'nothing'}; destroyed: {counted(by_kind(report.lost_minions)) or 'none'}."
    killers = Counter(
        KINDS[log.roster[number][0]]
        for _, fight, number, _, _, _, has_won, _ in log.fights
        if fight in (ATTACK, RAM) and has_won
    )
    if lost := Counter(UNITS[unit.code] for unit, _ in report.lost_units):
        destroyers = [f"{plural(kind)} destroyed {count:,}" for kind, count in killers.items()]
        yield f"You lost {'; '.join(filter(None, (counted(lost), enumeration(destroyers))))}."
    defences = Counter(
        DEFENCES[fight] for _, fight, _, _, _, _, has_won, _ in log.fights if fight in DEFENCES and has_won
    )
    if defences:
        yield f"Its minions fell to {counted(defences)} of yours."
    if report.bought[SCOUT]:
        yield f"Broadcasts of its {number(report.bought[SCOUT], 'scout')}: {_broadcasts(log):,}."
    yield f"Your value changed by {report.human_change:+,}, Chaos's by {report.chaos_change:+,}: rating {report.rating:+,}."


def _broadcasts(log: TurnLog) -> int:
    """Return the number of broadcasts in a turn.

    Scouts act first in a phase, with one letter each, so the broadcasts are the letters S among the first letters of
    a phase, as many as scouts are alive.
    """
    fallen = {
        number: phase
        for phase, fight, number, _, _, _, has_won, _ in log.fights
        if fight in DEFENCES and has_won
    }
    placed = [number for number, (kind, pose) in enumerate(log.roster) if kind == SCOUT and pose >= 0]
    count = 0
    for phase, acts in enumerate(log.acts, 1):
        alive = sum(fallen.get(number, phase) >= phase for number in placed)
        count += acts[:alive].count("S")
    return count


def _strings(title: str, turns: Sequence[FinishedTurn]) -> list[str]:
    if not turns:
        return []
    named = [f"{turn.strategy.index} in turn {turn.number} ({turn.rating:+,})" for turn in turns[:5]]
    return [f"{title}: {', '.join(named)}."]
