"""A game of Advanced Protection at the terminal: what is told, what is asked, and how Chaos played at its end."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from rich.console import Console

from protocols.jsonl.connection import Connection, Message, Refused
from tools.play.protection import picture, wording
from tools.play.protection.draft import Draft
from tools.play.protection.film import Frame, frames
from tools.play.protection.painter import paint
from tools.play.protection.projector import Key, project

WIDTH: Final = 79
REASONS: Final = {
    "surrender": "Chaos surrenders: you are worth more than twenty times as much",
    "eliminated": "you have no unit, and no money for one",
    "chaos_twenty": "Chaos is worth more than twenty times as much as you are",
    "turn_cap": "the last turn is over",
    "resign": "you resign",
}
ENDS: Final = {"human": "You win", "chaos": "Chaos wins", "none": "A draw"}
UNTOLD: Final = ("setup_done",)


class Left(Exception):
    """The person at the keyboard leaves."""


class Dialogue:
    """One game of a person, at seat 0 of a new game."""

    def __init__(
        self, connection: Connection, lines: Callable[[], bytes], console: Console, *, echo: bool,
        keys: Callable[[Callable[[Key], Any]], Any] | None = None,
    ) -> None:  # fmt: skip
        """`echo` repeats what nobody typed; `keys` runs something with single keys, where there is a terminal."""
        self._connection = connection
        self._lines = lines
        self._console = console
        self._echo = echo
        self._keys = keys
        self._rules: dict[str, Any] = {}
        self._start: Message = {}
        self._game_id = ""
        self._stood: dict[tuple[int, int], str] = {}  # units as the last turn began
        self._turns = 0  # that are over

    def play(self, name: str, variant: str, chaos: str, **terms: Any) -> Message | None:
        """The end of the game; None if it was left. Refused if there can be none."""
        self._connection.say(type="hello", versions=[1], name=name, say=True, legal="rules")
        (description,) = self._connection.say(type="describe", game="protection", variant=variant)
        self._rules = description["rules"]
        wish = {"type": "create", "game": "protection", "variant": variant, "seats": ["me", chaos], **terms}
        try:
            heard = self._created(wish)
            while True:
                decide = self._tell(heard)
                if decide["type"] == "end":
                    return decide
                heard = self._decide(decide)
        except Left:
            self._print("The game is left unfinished.")
            return None

    def afterwards(self) -> None:
        """How Chaos played you, and its strings in words for whoever asks."""
        (story,) = self._connection.say(type="explain", game_id=self._game_id)
        self._print("\nHow Chaos played you")
        for line in story["text"]:
            self._wrap(line)
        if not self._turns:
            return
        while text := self._line(f"A turn, 1 to {self._turns}, for its string in words; nothing to leave> "):
            try:
                (told,) = self._connection.say(type="explain", game_id=self._game_id, turn=int(text))
            except ValueError as error:
                self._print(str(error))
                continue
            for line in [*told["text"], f"string {told['string']}"]:
                self._wrap(line)

    def record(self) -> Iterator[str]:
        """The lines of the game, which is over."""
        return self._connection.record(self._game_id)

    # -- What is told ------------------------------------------------------------------------------

    def _created(self, wish: Message) -> list[Message]:
        """Ratings of other strings are forgotten only if somebody says so."""
        try:
            return self._connection.say(**wish)
        except Refused as error:
            if "with the option reset" not in str(error):
                raise
            self._print(str(error).partition("; ")[0])
            if self._line("Forget them and play? (yes or no)> ").lower() not in ("y", "yes"):
                raise
        return self._connection.say(**{**wish, "options": {**wish.get("options", {}), "reset": True}})

    def _tell(self, heard: Sequence[Message]) -> Message:
        """Show what has happened; the decide or the end that follows."""
        for message in heard:
            match message["type"]:
                case "start":
                    self._game_id, self._start = message["game_id"], message
                case "event" if message["kind"] not in UNTOLD:
                    self._turns = max(self._turns, message["turn"] if message["kind"] == "turn_end" else 0)
                    self._wrap(message["say"])
                case "decide":
                    return message
                case "end":
                    result = message["result"]
                    human, chaos = result["values"]
                    self._print(
                        f"\n{ENDS[result['winner']]}: {REASONS.get(result['reason'], result['reason'])}."
                    )
                    self._print(f"You are worth ${human:,}, Chaos ${chaos:,} after turn {result['turns']}.")
                    return message
        raise AssertionError("neither a decision nor the end")

    def _wrap(self, text: str) -> None:
        indent = len(text) - len(text.lstrip())
        lead = " " * indent
        self._print(textwrap.fill(text.strip(), WIDTH, initial_indent=lead, subsequent_indent=lead + "  "))

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _show(self, decide: Message, draft: Draft) -> None:
        self._console.print()
        field = picture.picture(self._start, draft.units(), self._panel(decide)(draft))
        self._console.print(field, soft_wrap=True, highlight=False)
        self._console.print()

    def _panel(self, decide: Message) -> Callable[[Draft], list[str]]:
        seen = decide["observation"]

        def panel(draft: Draft) -> list[str]:
            preview = draft.preview
            return [
                f"Turn {seen['turn']}",
                f"You have    ${preview['treasury']:>7,}",
                f"worth       ${preview['human_value']:>7,}",
                f"Chaos worth ${seen['chaos_value']:>7,}",
                f"income      ${preview['income']:>7,} a phase",
                f"cost        ${preview['cost']:>7,}",
                f"refund      ${preview['refund']:>7,}",
                "",
                *picture.prices(self._rules),
            ]

        return panel

    # -- What is asked -----------------------------------------------------------------------------

    def _decide(self, decide: Message) -> list[Message]:
        """Ask until the turn is to begin; what comes of it."""
        draft = Draft(decide["observation"], lambda action: self._checked(decide, action))
        self._show(decide, draft)
        while True:
            money = f"${draft.preview['treasury']:,} left, +{draft.preview['income']} a phase"
            try:
                text = self._line(f"{money}> ")
                order = wording.read(text, (unit["name"] for unit in self._rules["units"])) if text else ""
            except ValueError as error:
                self._print(f"{error} (`help` for help)")
                continue
            match order:
                case "":
                    continue
                case wording.Place():
                    self._place(draft, order)
                case wording.Sell():
                    self._sell(draft, order)
                case "quit":
                    raise Left
                case "resign":
                    _, *heard = self._connection.say(type="resign", game_id=self._game_id)
                    return heard
                case "go":
                    return self._go(decide, draft)
                case "cursor" if self._keys is not None:
                    if self._keys(
                        lambda key: paint(self._console, self._start, draft, self._panel(decide), key)
                    ):
                        return self._go(decide, draft)
                case _:
                    self._obey(order, decide, draft)

    def _place(self, draft: Draft, order: wording.Place) -> None:
        for square in order.squares:
            if problem := draft.place(order.unit, square):
                self._print(problem)
                return

    def _sell(self, draft: Draft, order: wording.Sell) -> None:
        for x, y in order.squares:
            if not draft.sell((x, y)):
                self._print(f"nothing of yours stands on {x} {y}")

    def _go(self, decide: Message, draft: Draft) -> list[Message]:
        self._stood = draft.units()
        return self._connection.say(
            type="action", re=decide["id"], game_id=self._game_id, seq=decide["seq"], action=draft.action
        )

    def _checked(self, decide: Message, action: dict[str, Any]) -> dict[str, Any]:
        (checked,) = self._connection.say(type="check", re=decide["id"], game_id=self._game_id, action=action)
        return checked

    def _obey(self, command: str, decide: Message, draft: Draft) -> None:
        """Do what a command says that leaves the game as it is."""
        match command:
            case "help" | "?":
                for name, meaning in wording.COMMANDS.items():
                    self._print(f"  {name:18} {meaning}")
            case "undo":
                if not draft.undo():
                    self._print("there is nothing to undo")
            case "map":
                self._show(decide, draft)
            case "rules":
                for line in picture.chart(self._rules):
                    self._print(line)
            case "cursor":
                self._print("the cursor keys need a terminal; type `place drone 5 7` instead")
            case _ if not self._turns:
                self._print("no turn is over yet")
            case "log":
                self._log()
            case "film":
                self._film()

    def _last_turn(self) -> tuple[list[Frame], list[int]]:
        """Its frames, and the kind of each minion by number."""
        *events, _ = self._connection.say(type="replay", game_id=self._game_id, turn=self._turns)
        roster = [minion for event in events if event["kind"] == "roster" for minion in event["roster"]]
        phases = [event for event in events if event["kind"] == "phases"]
        twice = [kind for kind, minion in enumerate(self._rules["minions"]) if minion["actions"] == 2]
        return list(frames(self._stood, roster, phases, twice)), [minion[1] for minion in roster]

    def _log(self) -> None:
        film, kinds = self._last_turn()
        by_name = {unit["name"]: unit for unit in self._rules["units"]}
        fights = 0
        for before, frame in pairwise(film):
            for fight in frame.fights:
                unit = by_name.get(before.units.get(tuple(fight["at"]), ""))
                self._wrap(f"  {picture.odds(fight, self._rules['minions'][kinds[fight['by']]], unit)}")
                fights += 1
        if not fights:
            self._print("nobody fought")

    def _film(self) -> None:
        film, kinds = self._last_turn()
        if self._keys is None:
            self._print(f"the film needs a terminal; the turn has {len(film) - 1} phases, `log` tells them")
            return
        self._keys(lambda key: project(self._console, self._start, self._rules, film, kinds, key))

    def _line(self, prompt: str) -> str:
        """The next line. Left at the end of input."""
        self._console.print(prompt, end="", markup=False, highlight=False, soft_wrap=True)
        self._console.file.flush()
        line = self._lines()
        text = " ".join(line.decode("utf-8", "replace").split())
        if self._echo or not line:
            self._print(text)
        if not line:
            raise Left
        return text
