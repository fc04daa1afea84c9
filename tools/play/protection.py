"""Advanced Protection at the terminal: the text form of setups, the rules in words, and the client."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console

from engines.protection.profile import normalised_name
from protocols.jsonl.local import LocalClient, Message, Refused
from tools.cli import CommandError
from tools.play.jsonl_client import JsonlClient, Quit, ReadLine, play_here
from tools.play.protection_field import (
    MINIONS,
    UNITS,
    Facts,
    Frame,
    SetupDraft,
    Square,
    draw_field,
    fights,
    frames,
)

COMMANDS: Final = {
    "place UNIT X Y ...": "buy units; X counts from the left, Y from the top: place drone 5 7 9 7",
    "salvage X Y ...": "sell units; a unit bought this turn returns its full cost",
    "undo": "take back the last purchase or sale",
    "go": "start the turn",
    "map": "draw the map again, with the planned units",
    "rules": "print the rules of units and minions, and how the game ends",
    "log": "list the fights of the last turn, with their odds",
    "resign": "give up the game",
    "quit": "leave the game unfinished, as Ctrl-D and Ctrl-C do",
}
REASONS: Final = {
    "surrender": "Chaos surrenders, because you are worth more than twenty times as much",
    "eliminated": "you have no unit, and no money to buy one",
    "chaos_twenty": "Chaos is worth more than twenty times as much as you",
    "turn_cap": "the last turn has ended",
    "resign": "you have resigned",
}
ENDS: Final = {"human": "You win", "chaos": "Chaos wins", "none": "A draw"}
NOT_PRINTED: Final = ("setup_done", "left")  # effects of the person's own commands


def run(args: Namespace) -> int:
    """Play a game and return 0, also if the person leaves it. Raises CommandError if it cannot be played."""
    options: dict[str, Any] = {}
    if args.profiles:
        try:
            options["profile"] = normalised_name(args.name)
        except ValueError as error:
            raise CommandError(error) from None
    if args.study:
        if not (args.profiles and args.record):
            raise CommandError("--study needs --profiles and --record, the files that a study reads")
        options["study"] = True
    if args.target:
        options["target"] = _target(args.target)
    return play_here(
        ProtectionClient,
        args.record,
        args.name,
        args.variant,
        [f"chaos:{args.chaos}"],
        profiles=args.profiles,
        seed=args.seed,
        options=options,
    )


def _target(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


class ProtectionClient(JsonlClient):
    """A game of Advanced Protection, with the fights of all its turns."""

    GAME = "protection"

    def __init__(self, connection: LocalClient, read_line: ReadLine, console: Console, *, echo: bool) -> None:
        super().__init__(connection, read_line, console, echo=echo)
        self._start: Message = {}
        self._units: list[dict[Square, str]] = []  # at the start of each turn
        self._turns = 0  # turns that have ended

    def create(self, wanted: Message) -> list[Message]:
        """Create the game; if that resets the ratings of other strings, ask the person first."""
        try:
            return super().create(wanted)
        except Refused as error:
            if error.data.get("reason") != "needs_reset":
                raise
            self.print(str(error).partition("; ")[0])
            if self.ask("Forget them and play? (yes or no)").lower() not in ("y", "yes"):
                raise
        return super().create({**wanted, "options": {**wanted.get("options", {}), "reset": True}})

    def start(self, start: Message) -> None:
        self._start = start

    def event(self, event: Message) -> None:
        if event["kind"] == "turn_end":
            self._turns = event["turn"]
        if event["kind"] not in NOT_PRINTED:
            self.print_wrapped(event["say"])

    def decide(self, decide: Message) -> list[Message]:
        draft = SetupDraft(decide["observation"], lambda action: self.check(decide, action))

        def draw() -> None:
            panel = list(money_text(decide["observation"], draft.preview, self.rules))
            self.print_picture(draw_field(self._start, draft.units(), panel))

        draw()
        while True:
            money = f"${draft.preview['treasury']:,} left, +{draft.preview['income']} a phase"
            try:
                order = parse_order(self.ask(money), self.rules)
            except ValueError as error:
                self.print(f"{error} (`help` for help)")
                continue
            match order:
                case Place():
                    self._place(draft, order)
                case Sell():
                    self._sell(draft, order)
                case "quit":
                    raise Quit
                case "resign":
                    return self.resign()
                case "go":
                    self._units.append(draft.units())
                    return self.act(decide, draft.action)
                case "map":
                    draw()
                case "undo":
                    if not draft.undo():
                        self.print("there is nothing to undo")
                case _:
                    self._obey(order)

    def end(self, end: Message) -> None:
        result = end["result"]
        human, chaos = result["values"]
        when = f"after turn {result['turns']}" if result["turns"] else "before the first turn"
        self.print(f"\n{ENDS[result['winner']]}: {REASONS.get(result['reason'], result['reason'])}.")
        self.print(f"You are worth ${human:,}, Chaos ${chaos:,} {when}.")

    def review(self) -> None:
        """Print how Chaos played, and on request the string or the fights of a turn in words."""
        (story,) = self.request("explain")
        self.print("\nHow Chaos played")
        for line in story["text"]:
            self.print_wrapped(line)
        if not self._turns:
            return
        self.print(f"A turn, 1 to {self._turns}, shows its string in words; `log 1` lists its fights.")
        while text := self.ask("Turn (empty line to leave)"):
            try:
                is_log, turn = parse_review(text, self._turns)
            except ValueError as error:
                self.print(str(error))
                continue
            if is_log:
                self._log(turn)
                continue
            (explained,) = self.request("explain", turn=turn)
            for line in [*explained["text"], f"string {explained['string']}"]:
                self.print_wrapped(line)

    def _place(self, draft: SetupDraft, order: "Place") -> None:
        for square in order.squares:
            if problem := draft.place(order.unit, square):
                self.print(problem)
                return

    def _sell(self, draft: SetupDraft, order: "Sell") -> None:
        for x, y in order.squares:
            if not draft.sell((x, y)):
                self.print(f"you have no unit on {x} {y}")

    def _obey(self, command: str) -> None:
        """Obey a command that does not change the setup."""
        match command:
            case "help" | "?":
                self.print_commands(COMMANDS, 18)
            case "rules":
                for line in rules_text(self.rules):
                    self.print(line)
            case "log" if not self._turns:
                self.print("no turn has ended yet")
            case "log":
                self._log(self._turns)

    def _log(self, turn: int) -> None:
        film = self._frames(turn)
        texts = [text for at in range(len(film)) for text in fights(film, at, self.rules)]
        for text in texts:
            self.print_wrapped(f"  {text}")
        if not texts:
            self.print("there were no fights")

    def _frames(self, turn: int) -> list[Frame]:
        *events, _ = self.request("replay", turn=turn)
        roster = [minion for event in events if event["kind"] == "roster" for minion in event["roster"]]
        phases = [event for event in events if event["kind"] == "phases"]
        return list(frames(self._units[turn - 1], roster, phases, self.rules))


# -- The text form of setups ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """An order to buy a unit for each of these squares."""

    unit: str
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Sell:
    """An order to remove the units on these squares."""

    squares: tuple[Square, ...]


def parse_order(text: str, rules: Facts) -> Place | Sell | str:
    """Return the order or command in a line; empty for an empty line.

    Raises ValueError, with advice, for any other text.
    """
    if not (words := text.lower().replace(",", " ").split()):
        return ""
    command, *rest = words
    if command in ("salvage", "sell", "remove"):
        return Sell(_squares(rest, rules["side"]))
    names = [unit["name"] for unit in rules["units"]]
    if command in ("place", "buy"):
        if not rest:
            raise ValueError(f"name the unit to place: {', '.join(names)}")
        command, *rest = rest
        return Place(_unit(command, names), _squares(rest, rules["side"]))
    if rest:
        return Place(_unit(command, names), _squares(rest, rules["side"]))
    if command not in [each.split()[0] for each in (*COMMANDS, "help", "?")]:
        raise ValueError(f"not understood: {text[:40]!r}")
    return command


def parse_review(text: str, turns: int) -> tuple[bool, int]:
    """Return whether the text asks for fights, and the number of the turn. Raises ValueError for other text."""
    *words, number = text.lower().split()
    is_turn = number.isascii() and number.isdigit() and len(number) < 9 and 1 <= int(number) <= turns
    if words not in ([], ["log"]) or not is_turn:
        raise ValueError(f"type a number from 1 to {turns}, alone or after log")
    return bool(words), int(number)


def _unit(word: str, names: Sequence[str]) -> str:
    found = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
    if len(found) != 1:
        raise ValueError(f"not understood: {word[:40]!r}; the units are {', '.join(names)}")
    return found[0]


def _squares(words: Sequence[str], side: int) -> tuple[Square, ...]:
    are_numbers = all(word.isascii() and word.isdigit() and len(word) < 3 for word in words)
    if not words or len(words) % 2 or not are_numbers:
        raise ValueError("squares are pairs of numbers, X and Y, such as 5 7 9 7")
    numbers = list(map(int, words))
    if max(numbers) >= side:
        raise ValueError(f"X and Y must be 0 to {side - 1}")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


# -- The rules in words --------------------------------------------------------------------------------


def money_text(seen: Facts, preview: Facts, rules: Facts) -> Iterator[str]:
    """Yield the lines shown next to the field during a setup: money in dollars, then the prices of the units."""
    yield f"Turn {seen['turn']}"
    yield f"You have    ${preview['treasury']:>7,}"
    yield f"worth       ${preview['human_value']:>7,}"
    yield f"Chaos worth ${seen['chaos_value']:>7,}"
    yield f"income      ${preview['income']:>7,} a phase"
    yield f"cost        ${preview['cost']:>7,}"
    yield f"refund      ${preview['refund']:>7,}"
    yield ""
    yield "  unit       cost sell A/D"
    for unit in rules["units"]:
        farms = f" +{unit['rate']}" if unit["rate"] else ""
        strength = f"{unit['attack']}/{unit['defence']}"
        yield f"{UNITS[unit['name']]} {unit['name']:10}{unit['cost']:5}{unit['salvage']:5} {strength}{farms}"


def rules_text(rules: Facts) -> Iterator[str]:
    """Yield lines on farming, fights, minions and the end of a game."""
    phases, gold = rules["phases"], rules["gold_bonus"]
    yield f"Farms earn their rate and the ground's bonus in each of {phases} phases; gold ($) adds {gold}:"
    yield "  " + ", ".join(
        f"{ground['letter']} {ground['name']} {ground['farming']:+}" for ground in rules["terrains"]
    )
    ground = (f"{each['name']} +{each['defence']}" for each in rules["terrains"] if each["defence"])
    yield f"An attacked unit is defended by its D and the ground: {', '.join(ground)}."
    yield "An attack of A wins A times in A + D. No unit can stand on water or peaks."
    mine, bombs = rules["mine_attack"], rules["bombing_radius"]
    yield f"A mine (*) attacks entering minions with {mine}; artillery (R) bombs all within {bombs};"
    yield f"a jammer (J) keeps minions within {rules['jamming_radius']} from hearing scouts."
    for letter, minion in zip(MINIONS, rules["minions"], strict=True):
        twice = ", acts twice" if minion["actions"] == 2 else ""
        yield f"  {letter} {minion['name']:10} ${minion['cost']:<4} {minion['attack']:2}/{minion['defence']}{twice}"
    yield f"You win when you are worth more than {rules['human_wins_ratio']} times as much as Chaos."
    if rules["chaos_wins_ratio"]:
        yield f"Chaos wins when it is worth more than {rules['chaos_wins_ratio']} times as much as you,"
    yield f"and when you have no unit and less than ${rules['elimination_below']}."
    if rules["turn_cap"]:
        yield f"After {rules['turn_cap']} turns the side that is worth more wins."
