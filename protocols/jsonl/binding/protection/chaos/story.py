"""How Chaos played you: a finished game told turn by turn, and one of its strings in words."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.protection.battle.log import ATTACK, BOMB, COUNTER, MINE_FIRES, RAM, Log
from core.protection.ending import CHAOS, HUMAN
from core.protection.rules import SCOUT
from engines.protection.game.game import Played
from engines.protection.genome import Genome
from engines.protection.reading.english import explained
from protocols.jsonl.binding.binding import Explanation
from protocols.jsonl.binding.protection.actions import Strategy
from protocols.jsonl.binding.protection.lexicon import KINDS, by_kind

DEFENCES: Final = {COUNTER: "counter-attacks", MINE_FIRES: "mines", BOMB: "bombs"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A turn that is over, with Chaos's choice."""

    played: Played
    strategy: Strategy


def turn_story(told: Told, log: Log) -> Explanation:
    """One turn: the string in words, why it was chosen, and what became of it."""
    strategy = told.strategy
    lines = explained(Genome(code=strategy.string)).splitlines()
    return Explanation(
        turn=told.played.turn,
        index=strategy.index,
        string=strategy.string.hex(),
        text=[*(line for line in lines if line), *_course(told, log)],
        aim=strategy.aim,
    )


def game_story(turns: Sequence[Told], winner: int, log_of: Callable[[int], Log]) -> Explanation:
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
    lines.append("Chaos's money, which bought all it had:")
    lines += [f"  {told.played.audit}" for told in turns]
    return Explanation(text=lines)


# -- Helpers ---------------------------------------------------------------------------------------


def _verdict(winner: int, turns: int) -> str:
    count = f"{turns} turn{'s' * (turns != 1)}"
    return {HUMAN: f"You won after {count}.", CHAOS: f"Chaos won after {count}."}.get(
        winner, f"Nobody won within {count}."
    )


def _choice(strategy: Strategy) -> str:
    """Which string it was, and what was looked for."""
    aim = strategy.aim
    name = "a string of its own" if strategy.index is None else f"string {strategy.index}"
    if strategy.hybrid:
        name = f"hybrid {strategy.index}"
    if aim is None:
        return f"{name}."
    if aim.target is None:
        return f"{name}, by mode {aim.mode}."
    stale = f" ({aim.done} of {aim.of} ratings were of the last arrangement)" if aim.done < aim.of else ""
    return f"{name}, rated {aim.rating:,} where {aim.target:,.0f} was looked for{stale}."


def _course(told: Told, log: Log) -> Iterator[str]:
    report = told.played.report
    yield f"Bought: {_counted(by_kind(report.bought)) or 'nothing'}; destroyed: {_counted(by_kind(report.lost_minions)) or 'none'}."
    killers = Counter(
        KINDS[log.roster[number][0]]
        for _, fight, number, _, _, _, has_won, _ in log.fights
        if fight in (ATTACK, RAM) and has_won
    )
    if killers:
        yield f"Units of yours that fell to it: {_counted(killers)}."
    defences = Counter(
        DEFENCES[fight] for _, fight, _, _, _, _, has_won, _ in log.fights if fight in DEFENCES and has_won
    )
    if defences:
        yield f"Minions that you destroyed by {_counted(defences)}."
    if report.bought[SCOUT]:
        yield f"Broadcasts of its {report.bought[SCOUT]} scouts: {_broadcasts(log):,}."
    yield f"Your value changed by {report.human_change:+,}, Chaos's by {report.chaos_change:+,}: rating {report.rating:+,}."


def _broadcasts(log: Log) -> int:
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


def _counted(counts: "dict[str, int] | Counter[str]") -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
