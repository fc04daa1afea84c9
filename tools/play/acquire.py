"""Acquire at the terminal: the table on 80 columns, the text form of actions, and the client."""

import re
import textwrap
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from rich.text import Text

from protocols.jsonl.local import Message
from tools.cli import counted
from tools.play.jsonl_client import WIDTH, JsonlClient, Quit, play_here

OPPONENTS: Final = ("heuristic",)
PROMPTS: Final = {
    "place": "Place a tile",
    "found": "Found which chain",
    "survivor": "Which chain survives",
    "order": "Which chain goes first",
    "dispose": "Your {held} shares of {defunct}, ${price} each, survivor {survivor}",
    "buy": "Buy",
}
COMMANDS: Final = {
    "moves": "list all legal actions",
    "board": "draw the table again",
    "rules": "print the prices, and when the game may end",
    "resign": "give up the game",
    "quit": "leave the game unfinished, as Ctrl-D and Ctrl-C do",
}
REASONS: Final = {
    "declared": "a player has announced the end",
    "all_tiles_played": "all tiles are played",
    "stuck_round": "no player could place a tile for a whole round",
    "resign": "you have resigned",
}
NOT_PRINTED: Final = ("turn", "final_bonus", "final_sale")  # shown in the table, or at the end

Facts = dict[str, Any]  # an object of JSON


def run(args: Namespace) -> int:
    """Play a game and return 0, also if the person leaves it. Raises CommandError if it cannot be played."""
    options = {"holdings": "hidden"} if args.hidden else {}
    return play_here(
        AcquireClient,
        args.record,
        args.name,
        args.variant,
        args.opponents or OPPONENTS,
        seed=args.seed,
        options=options,
    )


class AcquireClient(JsonlClient):
    """A game of Acquire; the events between two decisions are printed as a paragraph for each turn."""

    GAME = "acquire"

    def start(self, start: Message) -> None:
        self._seat = start["seat"]
        self._names = [each["name"] for each in start["seats"]]
        self._names[self._seat] = self.name
        self._seen = start["observation"]
        self._sentences: list[str] = []  # not printed yet
        self._finals: list[Message] = []

    def event(self, event: Message) -> None:
        kind = event["kind"]
        if kind == "turn":
            self._print_sentences()
        if kind.startswith("final_"):
            self._finals.append(event)
        if kind not in NOT_PRINTED and (kind != "drew" or "tiles" in event):
            self._sentences.append(event["say"])

    def decide(self, decide: Message) -> list[Message]:
        self._print_sentences()
        self._seen = decide["observation"]
        if decide["phase"] == "place":
            self._draw()
        if decide["phase"] == "buy":
            self.print(textwrap.fill(offers(self.rules, self._seen, self._seat), WIDTH))
        prompt = PROMPTS[decide["phase"]].format(**decide["legal"])
        if decide["phase"] in ("found", "survivor", "order"):
            prompt += f" ({', '.join(action['chain'] for action in decide['legal']['actions'])})"
        while True:
            text = self.ask(prompt)
            match text.lower():
                case "":
                    continue
                case "quit":
                    raise Quit
                case "resign":
                    return self.resign()
                case command if self._obey(command, decide):
                    continue
            try:
                action = parse_action(decide, self.rules["chains"], text)
                problems = list(map(_problem, self.check(decide, action)["problems"]))
            except ValueError as error:  # Refused is one, too
                problems = [str(error)]
            if not problems:
                return self.act(decide, action)
            for problem in problems:
                self.print(f"{problem} (`help` for help)")

    def end(self, end: Message) -> None:
        """Print each player's worth before the end, the bonuses and sales of the end, and the final worth."""
        self._print_sentences()
        result = end["result"]
        self.print(f"\nThe game has ended: {REASONS.get(result['reason'], result['reason'])}.\n")
        earned = [[0, 0] for _ in self._names]
        for event in self._finals:
            earned[event["seat"]][event["kind"] == "final_sale"] += event["amount"]
        self.print(f"    {'':24}{'before':>10}{'bonuses':>10}{'shares':>10}{'worth':>10}")
        for seat in sorted(range(len(self._names)), key=lambda seat: int(result["rank"][seat])):
            bonuses, sales = earned[seat]
            worth = result["worth"][seat]
            sums = "".join(f"{f'${sum:,}':>10}" for sum in (worth - bonuses - sales, bonuses, sales, worth))
            self.print(f"{result['rank'][seat]:2}. {self._names[seat][:24]:24}{sums}")

    def _obey(self, command: str, decide: Message) -> bool:
        """Obey a command that does not change the game; return False for any other text."""
        match command:
            case "help" | "?":
                self.print(f"Type {advice(decide)}, or")
                self.print_commands(COMMANDS, 8)
            case "moves":
                moves = [action_text(action, self.rules["chains"]) for action in decide["legal"]["actions"]]
                self.print(textwrap.fill(", ".join(moves), WIDTH))
            case "board":
                self._draw()
            case "rules":
                for line in rules_text(self.rules):
                    self.print(line)
            case _:
                return False
        return True

    def _draw(self) -> None:
        self.print_picture(draw_table(self.rules, self._seen, self._names, self._seat))

    def _print_sentences(self) -> None:
        if self._sentences:
            self.print_wrapped("  " + " ".join(self._sentences))
        self._sentences.clear()


def _problem(problem: Facts) -> str:
    """Return the problem of an action in words: field, reason and further facts."""
    facts = ", ".join(f"{key} {value}" for key, value in problem.items() if key not in ("field", "reason"))
    reason = problem["reason"].replace("_", " ")
    return f"{problem['field']}: {reason}" + (f", {facts}" if facts else "")


# -- The text form of actions: `3c`, `lux`, `2l t end`, `trade 4 sell 2` ------------------------------

NOTHING: Final = ("-", "no", "none", "nothing", "pass")
PIECE: Final = re.compile(r"(\d*)\s*([a-z]+)\s*")
SHARE: Final = re.compile(r"(trade|t|sell|s|hold|h)\s*(\d+|all)?\s*")
ADVICE: Final = {
    "place": "a tile such as 3C",
    "found": "a chain, or its letter",
    "survivor": "a chain, or its letter",
    "order": "a chain, or its letter",
    "dispose": "hold, sell, trade, or numbers: trade 4 sell 2 (the remaining shares are held)",
    "buy": "chains or letters: L, LLT, 2L T; - for nothing",
}
END_ADVICE: Final = "; add `end` to end the game"

Chains = Sequence[Facts]  # as `describe` sends them: name, letter, tier


def parse_action(decide: Facts, chains: Chains, text: str) -> Facts:
    """Return the action that a text means, legal or not. Raises ValueError, with advice, if the text is no action."""
    phase = decide["phase"]
    words = text.lower().split()
    rest = " ".join(word for word in words if word != "end")
    try:
        if phase == "place":
            action: Facts = {"kind": phase, "tile": rest.upper()}
        elif phase == "buy":
            action = {"kind": phase, "shares": list(_shares(chains, rest)) if rest not in NOTHING else []}
        elif phase == "dispose":
            action = {"kind": phase, **_disposal(decide["legal"], rest)}
        else:
            action = {"kind": phase, "chain": _chain(chains, rest)}
    except LookupError:
        raise ValueError(f"not understood: {text[:40]!r}; write {advice(decide)}") from None
    return action | {"end": True} if "end" in words else action


def advice(decide: Facts) -> str:
    """Return how the required action is written."""
    return ADVICE[decide["phase"]] + (END_ADVICE if decide["legal"].get("may_end") else "")


def action_text(action: Facts, chains: Chains) -> str:
    """Return an action as a person types it."""
    match action["kind"]:
        case "place":
            return str(action["tile"])
        case "buy":
            letters = {chain["name"]: chain["letter"] for chain in chains}
            return "".join(letters[name] for name in action["shares"]) or "-"
        case "dispose":
            parts = [f"{verb} {action[verb]}" for verb in ("trade", "sell") if action[verb]]
            return " ".join(parts) or "hold"
    return str(action["chain"])


def _shares(chains: Chains, text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        piece = PIECE.match(text, at)
        if piece is None:
            raise LookupError
        at = piece.end()
        for name in _chain_names(chains, piece[2]):
            yield from [name] * min(int(piece[1] or 1), 99)


def _chain_names(chains: Chains, word: str) -> list[str]:
    """Return one chain, given the beginning of its name, or several, given their letters."""
    try:
        return [_chain(chains, word)]
    except LookupError:
        return [_chain(chains, letter) for letter in word]


def _chain(chains: Chains, word: str) -> str:
    by_letter = [chain["name"] for chain in chains if chain["letter"].lower() == word]
    begun = [chain["name"] for chain in chains if word and chain["name"].lower().startswith(word)]
    found = by_letter or begun
    if len(found) != 1:
        raise LookupError
    return str(found[0])


def _disposal(legal: Facts, text: str) -> dict[str, int]:
    """Return the numbers of shares to trade and to sell.

    `all`, or a missing number, means all shares that are left, or as many as the bank can trade.
    """
    counts = {"trade": 0, "sell": 0}
    most = max(action["trade"] for action in legal["actions"])
    at = 0
    while at < len(text) or not text:
        piece = SHARE.match(text, at)
        if piece is None:
            raise LookupError
        at = piece.end()
        verb = {"t": "trade", "s": "sell", "h": "hold"}[piece[1][0]]
        left = legal["held"] - counts["trade"] - counts["sell"]
        if verb != "hold":
            every = min(most, left) if verb == "trade" else left
            counts[verb] = every if piece[2] in (None, "all") else int(piece[2])
    return counts


# -- The table; only terminals show colours ----------------------------------------------------------

COLOURS: Final = {
    "L": "bold white on red",
    "T": "bold black on yellow",
    "A": "bold white on blue",
    "F": "bold white on green",
    "W": "bold white on rgb(120,80,40)",
    "C": "bold black on cyan",
    "I": "bold white on magenta",
    "o": "bold",
    "x": "dim",
    ".": "dim",
    "*": "bold reverse",
    "+": "bold reverse",
}
CLASSES: Final = {
    "lone": "lies alone",
    "found": "founds a chain",
    "grow": "grows",
    "merge": "merges",
    "blocked": "blocked: no chain is left",
    "dead": "dead: two safe chains meet there",
}
HALF: Final = 38  # columns


def draw_table(rules: Facts, seen: Facts, names: Sequence[str], seat: int) -> Text:
    """Return the whole table as `seat` sees it."""
    parts = [
        *_board_rows(rules, seen),
        Text(),
        *_player_rows(rules, seen, names, seat),
        Text(),
        *_hand_rows(rules, seen),
    ]
    return Text("\n").join(parts)


def offers(rules: Facts, seen: Facts, seat: int) -> str:
    """Return a line with the player's cash, and the price and stock of each chain for sale."""
    sold = [
        f"{chain['name']} ${price:,} ({bank})"
        for chain, price, bank in zip(rules["chains"], seen["price"], seen["bank"], strict=True)
        if price and bank
    ]
    return f"You have ${seen['cash'][seat]:,}. For sale: {', '.join(sold) or 'nothing'}."


def rules_text(rules: Facts) -> Iterator[str]:
    """Yield lines on prices, bonuses and the end of a game."""
    steps = rules["steps"]
    tiers: dict[int, list[str]] = {}
    for chain in rules["chains"]:
        tiers.setdefault(chain["tier"], []).append(chain["letter"])
    yield "Dollars for a share, by the tiles of its chain:"
    yield " " * 6 + "".join(f"{_span(steps, index):>7}" for index in range(len(steps)))
    for tier, letters in tiers.items():
        prices = "".join(f"{100 * (index + 2 + tier):7}" for index in range(len(steps)))
        yield f"{' '.join(letters):6}{prices}"
    yield "The majority bonus is ten times the price, the minority bonus five times."
    yield f"A chain of {rules['safe']} is safe. The game may end if one has {rules['end']}, or all are safe."
    yield f"At most {rules['max_buy']} shares can be bought in a turn; each chain has {rules['shares']}."


def _board_rows(rules: Facts, seen: Facts) -> Iterator[Text]:
    own = {tile for tile, _ in seen.get("hand") or ()}
    left = [Text("   " + "".join(f"{column + 1:^3}" for column in range(rules["columns"])))]
    for row, cells in enumerate(seen["board"]):
        letter = chr(ord("A") + row)
        line = Text(f" {letter} ")
        for column, cell in enumerate(cells):
            shown = "+" if f"{column + 1}{letter}" in own else cell
            line.append(f" {shown} ", COLOURS.get(shown, ""))
        left.append(line)
    right = [Text("  chain        tiles  price  bank", "dim"), *_chain_rows(rules, seen)]
    right += [Text()] * (len(left) - len(right) - 1)
    right.append(Text(f"  {counted(seen['bag_left'], 'tile')} in the bag"))
    for board, chains in zip_longest(left, right, fillvalue=Text()):
        line = board.copy()
        line.pad_right(max(6 + 3 * rules["columns"] - line.cell_len, 0))
        line.append_text(chains)
        line.rstrip()
        yield line


def _chain_rows(rules: Facts, seen: Facts) -> Iterator[Text]:
    for chain, size, price, bank in zip(
        rules["chains"], seen["size"], seen["price"], seen["bank"], strict=True
    ):
        line = Text()
        line.append(chain["letter"], COLOURS.get(chain["letter"], ""))
        tiles = f"{size}{'!' if size >= rules['safe'] else ' '}" if size else "- "
        line.append(f" {chain['name']:12} {tiles:>5} {f'${price:,}' if price else '-':>6} {bank:5}")
        yield line


def _player_rows(rules: Facts, seen: Facts, names: Sequence[str], seat: int) -> Iterator[Text]:
    head = Text(f"   {'':24}{'cash':>9} ")
    for chain in rules["chains"]:
        head.append("   ")
        head.append(chain["letter"], COLOURS.get(chain["letter"], ""))
    yield head
    for index, name in enumerate(names):
        cash, shares = seen["cash"][index], seen["shares"][index]
        held = (
            [f"{count or '.':>4}" for count in shares]
            if shares is not None
            else ["   ?"] * len(rules["chains"])
        )
        money = "?" if cash is None else f"${cash:,}"
        mark = ">" if index == seen["turn"] else " "
        yield Text(f" {mark} {name[:24]:24}{money:>9} {''.join(held)}", "bold" if index == seat else "")


def _hand_rows(rules: Facts, seen: Facts) -> Iterator[Text]:
    """Yield the tiles in hand with their effects, two to a line if they fit."""
    tiles = [
        f"{tile:>4}  {_meaning(rules, seen['board'], tile, kind)}" for tile, kind in seen.get("hand") or ()
    ]
    if not tiles:
        yield Text(" You have no tiles.")
    rows = (len(tiles) + 1) // 2 if max(map(len, tiles), default=0) <= HALF else len(tiles)
    for left, right in zip_longest(tiles[:rows], tiles[rows:], fillvalue=""):
        yield Text(f"{left:{HALF}} {right}".rstrip())


def _meaning(rules: Facts, board: Sequence[str], tile: str, kind: str) -> str:
    if kind not in ("grow", "merge"):
        return CLASSES[kind]
    letters = _neighbour_letters(board, int(tile[:-1]) - 1, ord(tile[-1]) - ord("A"))
    names = [chain["name"] for chain in rules["chains"] if chain["letter"] in letters]
    return f"{CLASSES[kind]} {', '.join(names)}"


def _neighbour_letters(board: Sequence[str], column: int, row: int) -> set[str]:
    places = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return {board[y][x] for x, y in places if 0 <= y < len(board) and 0 <= x < len(board[y])}


def _span(steps: Sequence[int], index: int) -> str:
    """Return the range of sizes with the same price, such as 6-10 or 41+."""
    if index + 1 == len(steps):
        return f"{steps[index]}+"
    last = steps[index + 1] - 1
    return str(last) if last == steps[index] else f"{steps[index]}-{last}"
