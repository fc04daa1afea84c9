"""What the field looks like, on 80 columns: a letter for who stands on a square and one for the ground, and a panel.

Colours are for terminals alone; the letters say the same. Units are capitals, minions are not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from rich.text import Text

from tools.play.protection.screen.film import Frame

Facts = dict[str, Any]  # as they come in JSON
Square = tuple[int, int]

GROUND: Final = {
    "~": "white on rgb(30,60,140)",
    ",": "black on rgb(150,205,120)",
    "t": "white on rgb(20,95,40)",
    "n": "white on rgb(130,90,50)",
    "M": "black on rgb(150,150,150)",
    "^": "black on rgb(235,235,235)",
}
UNITS: Final = {
    "drone": "D",
    "mine": "*",
    "farmer": "F",
    "infantry": "I",
    "settler": "S",
    "jammer": "J",
    "armor": "A",
    "artillery": "R",
}
MINIONS: Final = "sgcamjkr"  # by kind: scout, scavenger, common, amphibious, mobile, jump, kamikazee, armored
CROWD: Final = "#"  # several minions
GOLD: Final = "$"
MARK: Final = "bold black on rgb(255,215,0)"
FOE: Final = "bold white on rgb(190,0,60)"
CURSOR: Final = "bold reverse"
PANEL: Final = 54  # where it begins


def picture(
    board: Facts, units: Mapping[Square, str], panel: Sequence[str] = (), frame: Frame | None = None,
    cursor: Square | None = None,
) -> Text:  # fmt: skip
    """The field, with the minions of a frame if there is one; `board` has `map` and `gold` as `start` does."""
    lines = [Text("   " + "".join(f"{column:<4}" for column in range(0, 24, 2)))]
    gold = {tuple(square) for square in board["gold"]}
    foes = _foes(frame) if frame else {}
    for y, row in enumerate(board["map"]):
        line = Text(f"{y:>2} ")
        for x, ground in enumerate(row):
            who, style = " ", GROUND[ground]
            if (x, y) in gold:
                who = GOLD
            if (x, y) in units:
                who, style = UNITS[units[x, y]], MARK
            if (x, y) in foes:
                who, style = foes[x, y], FOE
            line.append(who + ground, CURSOR if (x, y) == cursor else style)
        lines.append(line)
    return Text("\n").join(_beside(lines, panel))


def panel(seen: Facts, preview: Facts, rules: Facts) -> Iterator[str]:
    """What is to be known at a setup: money in dollars, then the prices."""
    yield f"Turn {seen['turn']}"
    yield f"You have    ${preview['treasury']:>7,}"
    yield f"worth       ${preview['human_value']:>7,}"
    yield f"Chaos worth ${seen['chaos_value']:>7,}"
    yield f"income      ${preview['income']:>7,} a phase"
    yield f"cost        ${preview['cost']:>7,}"
    yield f"refund      ${preview['refund']:>7,}"
    yield ""
    yield from prices(rules)


def prices(rules: Facts) -> Iterator[str]:
    """The units, as many columns as a panel has."""
    yield "  unit       cost sell A/D"
    for unit in rules["units"]:
        farms = f" +{unit['rate']}" if unit["rate"] else ""
        strength = f"{unit['attack']}/{unit['defence']}"
        yield f"{UNITS[unit['name']]} {unit['name']:10}{unit['cost']:5}{unit['salvage']:5} {strength}{farms}"


def chart(rules: Facts) -> Iterator[str]:
    """The rules that numbers tell."""
    yield "Farms make their rate and the ground's bonus each of 50 phases; gold ($) adds 2:"
    yield "  " + ", ".join(
        f"{ground['letter']} {ground['name']} {ground['farming']:+}" for ground in rules["terrains"]
    )
    yield "Who is attacked is defended by its D and the ground: hills +1, mountains +2."
    yield "An attack of A wins A times in A + D. No unit stands on water or peaks."
    yield "A mine (*) attacks who enters at 10; artillery (R) bombs all within 2; a jammer (J)"
    yield "keeps barbarians within 4 from hearing scouts."
    for letter, minion in zip(MINIONS, rules["minions"], strict=True):
        twice = ", acts twice" if minion["actions"] == 2 else ""
        yield f"  {letter} {minion['name']:10} ${minion['cost']:<4} {minion['attack']:2}/{minion['defence']}{twice}"
    yield f"You win when you are worth more than {rules['human_wins_ratio']} times what Chaos is."
    if rules["chaos_wins_ratio"]:
        yield f"Chaos wins when it is worth more than {rules['chaos_wins_ratio']} times what you are,"
    yield f"and when you have no unit and less than ${rules['elimination_below']}."
    if rules["turn_cap"]:
        yield f"After {rules['turn_cap']} turns who is worth more wins."


def odds(fight: Facts, kind: Facts, unit: Facts | None) -> str:
    """A fight in words: who, the chance of it, and how it went."""
    x, y = fight["at"]
    where = f"phase {fight['phase']}, {x} {y}"
    name, target = kind["name"], unit["name"] if unit else "unit"
    won = "wins" if fight["win"] else "fails"
    match fight["kind"]:
        case "ram":
            return f"{where}: {name} {fight['by']} rams {target}; both are gone"
        case "sweep":
            return f"{where}: {name} {fight['by']} sweeps a mine"
        case "attack":
            who, strength = f"{name} {fight['by']} attacks {target}", kind["attack"]
        case "counter":
            who, strength = f"{target} strikes back at {name} {fight['by']}", unit["attack"] if unit else 0
        case "mine":
            who, strength = f"a mine attacks {name} {fight['by']}", 10
        case _:
            return (
                f"{where}: artillery hits {name} {fight['by']}, rolls {fight['n']} of {fight['of']} and {won}"
            )
    plunder = f", plunders ${fight['plunder']:,}" if fight.get("plunder") else ""
    return f"{where}: {who}, {strength} in {fight['of']}; rolls {fight['n']} and {won}{plunder}"


# -- Helpers ---------------------------------------------------------------------------------------


def _foes(frame: Frame) -> dict[Square, str]:
    found: dict[Square, str] = {}
    for minion in frame.minions.values():
        found[minion.at] = CROWD if minion.at in found else MINIONS[minion.kind]
    return found


def _beside(lines: Iterable[Text], panel: Sequence[str]) -> Iterator[Text]:
    for left, right in zip_longest(lines, panel, fillvalue=None):
        line = left.copy() if isinstance(left, Text) else Text()
        if right:
            line.pad_right(max(PANEL - line.cell_len, 1))
            line.append(str(right))
        yield line
