"""The table on 80 columns: every line fits, own tiles are marked and explained, colours only where there are any."""

import io
from typing import Any

from rich.console import Console

from core.acquire.rules import PRESETS
from protocols.jsonl.binding.acquire.binding import rules_data
from tools.play.acquire.picture import chart, picture, shop

RULES = rules_data(PRESETS["classic"])
SEEN: dict[str, Any] = {
    "board": ["............"] * 2 + ["..LL.o.TTT.x"] + ["............"] * 5 + ["...........*"],
    "size": [11, 3, 0, 0, 0, 0, 0],
    "price": [700, 400, 0, 0, 0, 0, 0],
    "bank": [0, 20, 25, 25, 25, 25, 25],
    "cash": [1500, 123456],
    "shares": [[13, 0, 0, 0, 0, 0, 0], [12, 5, 0, 0, 0, 0, 0]],
    "bag_left": 3,
    "turn": 1,
    "idle": 0,
    "hand": [["1A", "lone"], ["5C", "grow"], ["7C", "found"], ["9B", "grow"], ["12D", "dead"]],
}
NAMES = ["Ann", "a player with a very long name indeed"]


def drawn(seen: dict[str, Any], *, colours: bool = False) -> list[str]:
    screen = io.StringIO()
    console = Console(
        file=screen, width=80, force_terminal=colours, color_system="truecolor" if colours else None
    )
    console.print(picture(RULES, seen, NAMES, 0), soft_wrap=True)
    return screen.getvalue().splitlines()


def test_everything_is_there() -> None:
    lines = drawn(SEEN)
    assert max(map(len, lines)) < 80 and len(lines) < 20
    assert lines[0].startswith("    1  2  3  4  5  6  7  8  9 10 11 12")
    assert lines[3].startswith(" C  .  .  L  L  +  o  +  T  T  T  .  x ")
    assert lines[1].split()[:3] == ["A", "+", "."] and lines[9].split()[12] == "*"
    assert lines[1].endswith("L Luxor          11!   $700     0"), "safe"
    assert lines[3].endswith("A American        -       -    25")
    assert lines[9].endswith("3 tiles in the bag")
    assert any(line.startswith("   Ann ") and "$1,500   13   ." in line for line in lines)
    assert any(line.startswith(" > a player with a very lon") and "$123,456" in line for line in lines)


def test_each_tile_tells_what_it_would_do() -> None:
    text = "\n".join(drawn(SEEN))
    for words in (
        "1A  lies alone",
        "5C  grows Luxor",
        "7C  founds a chain",
        "9B  grows Tower",
        "12D  dead: two safe",
    ):
        assert words in text
    merging = "\n".join(
        drawn(SEEN | {"board": ["LLLLLL.TTTTT"] + ["............"] * 8, "hand": [["7A", "merge"]]})
    )
    assert "7A  merges Luxor, Tower" in merging
    around = ["WW.CC" + "." * 7, "..A" + "." * 9] + ["............"] * 7
    three = drawn(SEEN | {"board": around, "hand": [["3A", "merge"], ["12I", "blocked"]]})
    assert three[-2:] == ["  3A  merges American, Worldwide, Continental", " 12I  blocked: no chain is left"]
    assert "You have no tiles." in "\n".join(drawn(SEEN | {"hand": []}))


def test_hidden_holdings() -> None:
    (other,) = [
        line for line in drawn(SEEN | {"cash": [6000, None], "shares": [[0] * 7, None]}) if "> a" in line
    ]
    assert other.count("?") == 8


def test_colours_are_for_terminals() -> None:
    assert not any("\x1b" in line for line in drawn(SEEN))
    assert "\x1b[1;37;41m L \x1b[0m" in drawn(SEEN, colours=True)[3]


def test_what_is_for_sale() -> None:
    assert shop(RULES, SEEN, 0) == "You have $1,500. For sale: Tower $400 (20)."
    assert shop(RULES, SEEN | {"price": [0] * 7}, 0).endswith("For sale: nothing.")


def test_the_chart_is_the_rules() -> None:
    lines = list(chart(RULES))
    assert max(map(len, lines)) < 80
    table = {line[:6].strip(): line[6:].split() for line in lines[1:5]}
    assert table[""] == ["2", "3", "4", "5", "6-10", "11-20", "21-30", "31-40", "41+"]
    rules = PRESETS["classic"]
    for index, chain in enumerate(rules.chains):
        (row,) = (prices for letters, prices in table.items() if chain.letter in letters)
        assert row == [str(rules.price(index, size)) for size in rules.steps]
