"""An event of Advanced Protection in an English sentence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from protocols.jsonl.binding.protection.lexicon import counted, number
from protocols.jsonl.binding.protection.shapes import events
from protocols.jsonl.messages.events import Forced, GameEvent, Left, Rejoined

FORCED: Final = {
    "illegal": "made too many illegal moves",
    "timeout": "was out of time",
    "gone": "is gone",
}


def sentence(event: GameEvent, names: Sequence[str]) -> str:
    """What happened, for people."""
    name = names[getattr(event, "seat", 0)]
    match event:
        case events.SetupDone():
            return f"{name} is ready for turn {event.turn}."
        case events.Ratings():
            stale = ", which are not all of the last arrangement" if event.stale else ""
            return f"Chaos chose string {event.chosen} by {event.done} of {event.of} ratings{stale}."
        case events.TurnStart():
            return _begun(event)
        case events.Roster():
            return f"{number(len(event.roster), 'minion')} placed."
        case events.Phases():
            attacks = sum(fight.kind in ("attack", "ram") for fight in event.fights)
            return f"Phases {event.from_} to {event.to}: {number(attacks, 'attack')}."
        case events.TurnEnd():
            return _ended(event)
        case events.Grant():
            return f"Chaos is granted ${event.amount:,} and has ${event.chaos_treasury:,}."
        case Forced():
            return f"The server plays for {name}, who {FORCED.get(event.reason, event.reason)}."
        case Left():
            return f"{name} has left."
        case Rejoined():
            return f"{name} is back."
    raise AssertionError(f"no sentence for {event}")


def _begun(event: events.TurnStart) -> str:
    placed, salvaged = _units(event.placed), _units(event.salvaged)
    parts = [f"Turn {event.turn} begins"]
    if placed:
        parts.append(f"with {placed} placed")
    if salvaged:
        parts.append(f"and {salvaged} salvaged" if placed else f"with {salvaged} salvaged")
    minions = counted(event.bought) or "nothing"
    left_off = f", of which {event.left_off} found no free square" if event.left_off else ""
    kept = f" and keeps ${event.kept:,}" if event.kept else ""
    return f"{' '.join(parts)}. Chaos sends {minions}{left_off}{kept}."


def _ended(event: events.TurnEnd) -> str:
    human, chaos = event.human, event.chaos
    plundered = f", of which ${human.plundered:,} was plundered" if human.plundered else ""
    lost = counted(Counter(each.unit for each in human.lost)) or "no unit"
    destroyed = counted(chaos.lost) or "no minion"
    return (
        f"Turn {event.turn} ends: farms made ${human.produced:,}{plundered}; {lost} lost, {destroyed} destroyed. "
        f"The human is worth ${human.value:,} ({event.change[0]:+,}), Chaos ${chaos.value:,} ({event.change[1]:+,})."
    )


def _units(units: Iterable[events.Stood]) -> str:
    return counted(Counter(each.unit for each in units))
