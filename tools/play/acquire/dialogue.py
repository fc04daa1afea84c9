"""The evening at the table: what is told, what is asked, what a person may type, and how it ends."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from rich.console import Console

from protocols.jsonl.connection import Connection, Message, Refused
from tools.play.acquire import picture, wording

WIDTH: Final = 79
PROMPTS: Final = {
    "place": "Place a tile",
    "found": "Found which chain",
    "survivor": "Which chain survives",
    "order": "Which chain goes first",
    "dispose": "Your {held} shares of {defunct}, ${price} each, survivor {survivor}",
    "buy": "Buy",
}
COMMANDS: Final = {
    "moves": "list all that can be done",
    "board": "draw the table again",
    "rules": "prices, and when the game may end",
    "resign": "give the game up",
    "quit": "leave it, as Ctrl-D and Ctrl-C do",
}
REASONS: Final = {
    "declared": "the end was announced",
    "all_tiles_played": "all tiles are played",
    "stuck_round": "nobody could place a tile for a whole round",
    "resign": "you resign",
}
UNTOLD: Final = ("turn", "final_bonus", "final_sale")  # shown in the table, or at the end


class Left(Exception):
    """The person at the keyboard leaves."""


class Dialogue:
    """One game of a person, in the seat `me` of a new game."""

    def __init__(
        self, connection: Connection, lines: Callable[[], bytes], console: Console, *, echo: bool
    ) -> None:
        """`echo` repeats what nobody typed."""
        self._connection = connection
        self._lines = lines
        self._console = console
        self._echo = echo
        self._rules: dict[str, Any] = {}
        self._name = ""
        self._names: list[str] = []
        self._seat = 0
        self._game_id = ""
        self._seen: dict[str, Any] = {}
        self._told: list[str] = []  # and not yet printed
        self._finals: list[Message] = []

    def play(self, name: str, variant: str, opponents: Sequence[str], **terms: Any) -> Message | None:
        """The end of the game; None if it was left. Refused if there can be none."""
        self._name = name
        self._connection.say(type="hello", versions=[1], name=name, say=True)
        (description,) = self._connection.say(type="describe", game="acquire", variant=variant)
        self._rules = description["rules"]
        heard = self._connection.say(
            type="create", game="acquire", variant=variant, seats=["me", *opponents], **terms
        )
        try:
            while True:
                decide = self._tell(heard)
                if decide["type"] == "end":
                    return decide
                heard = self._decide(decide)
        except Left:
            self._print("The game is left unfinished.")
            return None

    def record(self) -> Iterator[str]:
        """The lines of the game, which is over."""
        return self._connection.record(self._game_id)

    # -- What is told -------------------------------------------------------------------------------

    def _tell(self, heard: Sequence[Message]) -> Message:
        """Show what has happened; the decide or the end that follows."""
        for message in heard:
            match message["type"]:
                case "start":
                    self._game_id = message["game_id"]
                    self._seat = message["seat"]
                    self._names = [each["name"] for each in message["seats"]]
                    self._names[self._seat] = self._name
                    self._seen = message["observation"]
                case "event":
                    self._note(message)
                case "decide":
                    self._flush()
                    return message
                case "end":
                    self._flush()
                    self._end(message)
                    return message
        raise AssertionError("neither a decision nor the end")

    def _note(self, event: Message) -> None:
        if event["kind"] == "turn":
            self._flush()
        if event["kind"].startswith("final_"):
            self._finals.append(event)
        if event["kind"] in UNTOLD or (event["kind"] == "drew" and "tiles" not in event):
            return
        self._told.append(event["say"])

    def _flush(self) -> None:
        """One turn, or what has happened of it, is a paragraph."""
        if self._told:
            self._print(
                textwrap.fill(" ".join(self._told), WIDTH, initial_indent="  ", subsequent_indent="    ")
            )
        self._told.clear()

    def _end(self, end: Message) -> None:
        result = end["result"]
        self._print(f"\nThe game is over: {REASONS.get(result['reason'], result['reason'])}.\n")
        earned = [[0, 0] for _ in self._names]
        for event in self._finals:
            earned[event["seat"]][event["kind"] == "final_sale"] += event["amount"]
        self._print(f"    {'':24}{'before':>10}{'bonuses':>10}{'shares':>10}{'worth':>10}")
        for seat in sorted(range(len(self._names)), key=lambda seat: int(result["rank"][seat])):
            bonuses, sales = earned[seat]
            worth = result["worth"][seat]
            sums = "".join(f"{f'${sum:,}':>10}" for sum in (worth - bonuses - sales, bonuses, sales, worth))
            self._print(f"{result['rank'][seat]:2}. {self._names[seat][:24]:24}{sums}")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _show(self) -> None:
        self._console.print()
        self._console.print(picture.picture(self._rules, self._seen, self._names, self._seat), soft_wrap=True)
        self._console.print()

    # -- What is asked ------------------------------------------------------------------------------

    def _decide(self, decide: Message) -> list[Message]:
        """Ask until an action is made; what comes of it."""
        self._seen = decide["observation"]
        if decide["phase"] == "place":
            self._show()
        if decide["phase"] == "buy":
            self._print(textwrap.fill(picture.shop(self._rules, self._seen, self._seat), WIDTH))
        chains = self._rules["chains"]
        while True:
            text = self._ask(decide)
            match text.lower():
                case "":
                    continue
                case "quit":
                    raise Left
                case "resign":
                    _, *heard = self._connection.say(type="resign", game_id=self._game_id)
                    return heard
                case command if self._obeyed(command, decide):
                    continue
            try:
                action = wording.read(decide, chains, text)
                if not self._is_allowed(decide, action):
                    continue
            except ValueError as error:
                self._print(f"{error} (`help` for help)")
                continue
            return self._connection.say(
                type="action", re=decide["id"], game_id=self._game_id, seq=decide["seq"], action=action
            )

    def _ask(self, decide: Message) -> str:
        prompt = PROMPTS[decide["phase"]].format(**decide["legal"])
        if decide["phase"] in ("found", "survivor", "order"):
            prompt += f" ({', '.join(action['chain'] for action in decide['legal']['actions'])})"
        self._console.print(f"{prompt}> ", end="", markup=False, highlight=False, soft_wrap=True)
        self._console.file.flush()
        line = self._lines()
        text = " ".join(line.decode("utf-8", "replace").split())
        if self._echo or not line:
            self._print(text)
        if not line:
            raise Left
        return text

    def _obeyed(self, command: str, decide: Message) -> bool:
        """Do what a command says that leaves the game as it is; False if this is none."""
        match command:
            case "help" | "?":
                self._print(f"Write {wording.advice(decide)}, or")
                for name, meaning in COMMANDS.items():
                    self._print(f"  {name:8} {meaning}")
            case "moves":
                chains = self._rules["chains"]
                moves = [wording.written(action, chains) for action in decide["legal"]["actions"]]
                self._print(textwrap.fill(", ".join(moves), WIDTH))
            case "board":
                self._show()
            case "rules":
                for line in picture.chart(self._rules):
                    self._print(line)
            case _:
                return False
        return True

    def _is_allowed(self, decide: Message, action: dict[str, Any]) -> bool:
        """Ask before it counts; say what is wrong."""
        try:
            (checked,) = self._connection.say(
                type="check", re=decide["id"], game_id=self._game_id, action=action
            )
        except Refused as error:
            self._print(f"{error} (`help` for help)")
            return False
        for problem in checked["problems"]:
            self._print(f"{_worded(problem)} (`help` for help)")
        return bool(checked["ok"])


def _worded(problem: dict[str, Any]) -> str:
    """A problem of an action, for people: its reason, and the numbers that go with it."""
    facts = ", ".join(f"{key} {value}" for key, value in problem.items() if key not in ("field", "reason"))
    reason = problem["reason"].replace("_", " ")
    return f"{problem['field']}: {reason}" + (f", {facts}" if facts else "")
