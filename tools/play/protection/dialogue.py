"""A game of Advanced Protection at the terminal: what is told, what is asked, and how Chaos played at its end."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from rich.console import Console

from protocols.jsonl.connection import Connection, Message, Refused
from tools.play.protection import wording
from tools.play.protection.draft import Draft
from tools.play.protection.past import Past
from tools.play.protection.screen import picture
from tools.play.protection.screen.painter import paint
from tools.play.protection.screen.projector import Key, project

WIDTH: Final = 79
UNTOLD: Final = ("setup_done", "left")  # who resigns knows it


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
        self._past = Past(connection, "", {})
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
        self._print(
            f"A turn, 1 to {self._turns}, tells its string in words; `log 1` and `film 1` show the turn."
        )
        while text := self._line("A turn; nothing to leave> "):
            try:
                what, turn = wording.asked(text, self._turns)
            except ValueError as error:
                self._print(str(error))
                continue
            match what:
                case "log":
                    self._log(turn)
                case "film":
                    self._film(turn)
                case _:
                    self._string(turn)

    def record(self) -> Iterator[str]:
        """The lines of the game, which is over."""
        return self._connection.record(self._game_id)

    def _string(self, turn: int) -> None:
        (told,) = self._connection.say(type="explain", game_id=self._game_id, turn=turn)
        for line in [*told["text"], f"string {told['string']}"]:
            self._wrap(line)

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
                    self._past = Past(self._connection, self._game_id, self._rules)
                case "event" if message["kind"] not in UNTOLD:
                    self._turns = max(self._turns, message["turn"] if message["kind"] == "turn_end" else 0)
                    self._wrap(message["say"])
                case "decide":
                    return message
                case "end":
                    for line in wording.verdict(message["result"]):
                        self._print(line)
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
        return lambda draft: list(picture.panel(decide["observation"], draft.preview, self._rules))

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
        self._past.stood.append(draft.units())
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
                self._log(self._turns)
            case "film":
                self._film(self._turns)

    def _log(self, turn: int) -> None:
        fights = list(self._past.log(turn))
        for fight in fights:
            self._wrap(f"  {fight}")
        if not fights:
            self._print("nobody fought")

    def _film(self, turn: int) -> None:
        film, kinds = self._past.film(turn)
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
