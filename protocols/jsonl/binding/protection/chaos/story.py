"""How Chaos played you: a finished game told turn by turn, and one of its strings in words."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.protection.rules import CHAOS, HUMAN, SCOUT
from core.protection.turn import ATTACK, BOMB, COUNTER, MINE_FIRES, RAM, TurnLog
from engines.protection.automata import explain_string
from engines.protection.boardfiles import UNITS
from engines.protection.game import TurnRecord
from engines.protection.genome import Genome
from protocols.jsonl.binding.binding import Explanation
from protocols.jsonl.binding.protection.actions import Strategy
from protocols.jsonl.binding.protection.lexicon import KINDS, by_kind, counted, listed, number, plural

DEFENCES: Final = {COUNTER: "counter-attack", MINE_FIRES: "mine", BOMB: "bomb"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A turn that is over, with Chaos's choice."""

    played: TurnRecord
    strategy: Strategy


def turn_story(told: Told, log: TurnLog) -> Explanation:
    """One turn: the string in words, why it was chosen, and what became of it."""
    strategy = told.strategy
    lines = explain_string(Genome(code=strategy.string)).splitlines()
    return Explanation(
        turn=told.played.turn,
        index=strategy.index,
        string=strategy.string.hex(),
        text=[*(line for line in lines if line), *_course(told, log)],
        aim=strategy.aim,
    )


def game_story(turns: Sequence[Told], winner: int, log_of: Callable[[int], TurnLog]) -> Explanation:
    """The whole game."""
    lines = [_verdict(winner, len(turns))]
    for told in turns:
        lines.append(f"Turn {told.played.turn}: {_choice(told.strategy)}")
        lines += [f"  {line}" for line in _course(told, log_of(told.played.turn))]
    by_rating = sorted(turns, key=lambda told: told.played.report.rating)
    lines += _strings("Strings that did best against you", [each for each in by_rating if _rating(each) < 0])
    lines += _strings(
        "Strings that you stood up to", [each for each in by_rating[::-1] if _rating(each) >= 0]
    )
    if turns:
        lines.append("Chaos's money, which bought all it had:")
    lines += [f"  {told.played.audit}" for told in turns]
    return Explanation(text=lines)


# -- Helpers ---------------------------------------------------------------------------------------


def _verdict(winner: int, turns: int) -> str:
    if winner not in (HUMAN, CHAOS):
        return f"Nobody won within {number(turns, 'turn')}."
    when = f"after {number(turns, 'turn')}" if turns else "before the first turn"
    return f"{'You' if winner == HUMAN else 'Chaos'} won {when}."


def _choice(strategy: Strategy) -> str:
    """Which string it was, and what was looked for."""
    aim = strategy.aim
    name = "a string of its own" if strategy.index is None else f"string {strategy.index}"
    if strategy.hybrid:
        name = f"hybrid {strategy.index}"
    if aim is None:
        return f"{name}."
    stale = f" ({aim.done} of {aim.of} ratings were of the last arrangement)" if aim.done < aim.of else ""
    if aim.due and aim.ratio is not None:
        return f"{name}. {_way(aim.due, aim.ratio, aim.expected)}{stale}."
    if aim.target is None:
        return f"{name}, by mode {aim.mode}."
    return f"{name}, rated {aim.rating:,} where {aim.target:,.0f} was looked for{stale}."


def _way(due: str, ratio: float, expected: float | None) -> str:
    """What a piloted game was led to."""
    winner = "you" if due == "human" else "Chaos"
    tests = "" if expected is None else f"; in its tests this string led to {_ratio(expected)}"
    return f"The game was to go to {winner}: aimed at {_ratio(ratio)} after the turn{tests}"


def _ratio(ratio: float) -> str:
    """How much more one side is worth."""
    if 0.95 < ratio < 1.05:
        return "both being worth the same"
    richer, times = ("you", ratio) if ratio > 1 else ("Chaos", 1 / max(ratio, 0.001))
    return f"{richer} being worth {times:,.1f} times as much"


def _course(told: Told, log: TurnLog) -> Iterator[str]:
    report = told.played.report
    yield f"Bought: {counted(by_kind(report.bought)) or 'nothing'}; destroyed: {counted(by_kind(report.lost_minions)) or 'none'}."
    killers = Counter(
        KINDS[log.roster[number][0]]
        for _, fight, number, _, _, _, has_won, _ in log.fights
        if fight in (ATTACK, RAM) and has_won
    )
    if lost := Counter(UNITS[unit.code] for unit, _ in report.lost_units):
        destroyers = [f"{plural(kind)} destroyed {count:,}" for kind, count in killers.items()]
        yield f"You lost {'; '.join(filter(None, (counted(lost), listed(destroyers))))}."
    defences = Counter(
        DEFENCES[fight] for _, fight, _, _, _, _, has_won, _ in log.fights if fight in DEFENCES and has_won
    )
    if defences:
        yield f"Its minions fell to {counted(defences)} of yours."
    if report.bought[SCOUT]:
        yield f"Broadcasts of its {number(report.bought[SCOUT], 'scout')}: {_broadcasts(log):,}."
    yield f"Your value changed by {report.human_change:+,}, Chaos's by {report.chaos_change:+,}: rating {report.rating:+,}."


def _broadcasts(log: TurnLog) -> int:
    """Scouts act first in a phase, one letter each; those that have fallen act no more."""
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


def _strings(title: str, turns: Sequence[Told]) -> list[str]:
    if not turns:
        return []
    named = [f"{each.strategy.index} in turn {each.played.turn} ({_rating(each):+,})" for each in turns[:5]]
    return [f"{title}: {', '.join(named)}."]


def _rating(told: Told) -> int:
    return told.played.report.rating
