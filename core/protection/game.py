"""Advanced Protection move by move, for programs that play any game of core.game: random players, searches, learners.

In a turn both sides decide at once. Here they decide one after the other, and Chaos does not see the setup:

    the human     buys or salvages units, one with each action, and ends the setup with GO
    Chaos         chooses one of its strings; then the turn is played

An action of the human is 0 for GO, 1 + unit * 576 + square to buy a unit (0 is the first kind), and 1 + 8 * 576 +
square to salvage the unit on a square. An action of Chaos is the number of a string. A setup has at most MAX_STEPS
actions besides GO, so that every setup ends. The dice of a turn follow from the seed of the game and the number of
the turn; observations hide the seed.
"""

from typing import Final, final

from core.game import Game, State
from core.protection.board import Scenario, generate_map
from core.protection.policy import STRING_BYTES, Policy
from core.protection.rules import CHAOS, HUMAN, NO_WINNER, SIDE, SQUARES, TERRAINS, Rules
from core.protection.state import ProtectionState
from core.protection.turn import Dice
from core.random import Random

GO: Final = 0
MAX_STEPS: Final = 600  # in a setup; more than there are squares
SEEDS: Final = 1 << 53
GO_TEXT: Final = "go"
SALVAGE: Final = "salvage"
STRING: Final = "string"


@final
class ProtectionMoves(State):
    """A game of Advanced Protection: in a setup, before Chaos's choice, or at its end."""

    def __init__(self, turns: ProtectionState, strings: bytes, seed: int) -> None:
        """Start at a setup of `turns`. `strings` has Chaos's strings of 132 bytes each; `seed` fixes the dice."""
        self.turns: Final = turns
        self.strings: Final = strings
        self.seed = seed
        self.steps = 0  # actions of the human in this setup
        self.is_set_up = False  # whether Chaos must choose now
        self.before: Final = turns.clone()  # at the start of the turn: all that Chaos sees of the human

    # -- The methods of a State -----------------------------------------------------------------------

    def player(self) -> int:
        return CHAOS if self.is_set_up else HUMAN

    def legal_actions(self) -> list[int]:
        turns = self.turns
        if turns.over is not None:
            return []
        if self.is_set_up:
            return list(range(len(self.strings) // STRING_BYTES))
        actions = [GO]
        if self.steps == MAX_STEPS:
            return actions
        units = turns.scenario.rules.units
        taken = {unit.square for unit in turns.units.values()}
        free = [
            square for square in range(SQUARES) if turns.scenario.map.is_land(square) and square not in taken
        ]
        for code in range(1, len(units)):
            if units[code].cost <= turns.treasury:
                first = 1 + (code - 1) * SQUARES
                actions += [first + square for square in free]
        salvages = 1 + (len(units) - 1) * SQUARES
        return actions + [salvages + square for square in sorted(taken)]

    def apply(self, action: int) -> None:
        turns = self.turns
        if turns.over is not None:
            raise ValueError("the game is over")
        if self.is_set_up:
            self._play(action)
        elif action == GO:
            self.is_set_up = True
        elif self.steps == MAX_STEPS:
            raise ValueError(f"a setup has at most {MAX_STEPS} actions")
        else:
            kinds = len(turns.scenario.rules.units) - 1
            if not 0 < action <= (kinds + 1) * SQUARES:
                raise ValueError(f"action {action} does not exist in a setup")
            kind, square = divmod(action - 1, SQUARES)
            if kind < kinds:
                turns.place(kind + 1, square)
            else:
                turns.salvage(self._unit_on(square))
            self.steps += 1

    def is_terminal(self) -> bool:
        return self.turns.over is not None

    def returns(self) -> list[float]:
        over = self.turns.over
        if over is None or over[0] == NO_WINNER:
            return [0.0, 0.0]
        return [1.0, -1.0] if over[0] == HUMAN else [-1.0, 1.0]

    def clone(self) -> "ProtectionMoves":
        return self._copy(self.turns, self.seed)

    def observation(self, seat: int) -> "ProtectionMoves":
        """Return the state as a seat sees it.

        The future dice are hidden from both seats, and the human's setup from Chaos until the turn is played.
        """
        return self._copy(self.turns if seat == HUMAN else self.before, 0)

    def resample(self, seat: int, rng: Random) -> "ProtectionMoves":
        """Return the state as a seat sees it, with new dice. For Chaos, this setup has no actions yet."""
        return self._copy(self.turns if seat == HUMAN else self.before, int(rng.below(SEEDS)))

    # -- Text -----------------------------------------------------------------------------------------

    def text(self) -> str:
        turns = self.turns
        codes = turns.scenario.map.codes
        rows = [[TERRAINS[codes[y * SIDE + x]].letter for x in range(SIDE)] for y in range(SIDE)]
        units = turns.scenario.rules.units
        placed = [
            f"{units[unit.code].name} {unit.square % SIDE},{unit.square // SIDE}"
            for unit in turns.units.values()
        ]
        lines = ["".join(row) for row in rows]
        whose = "Chaos chooses" if self.is_set_up else "setup"
        return "\n".join([
            f"turn {turns.turn}, {whose}: ${turns.treasury:,}, Chaos ${turns.chaos_treasury:,}",
            *lines,
            "; ".join(placed) or "no units",
        ])  # fmt: skip

    def action_text(self, action: int) -> str:
        if self.is_set_up:
            return f"{STRING} {action}"
        if action == GO:
            return GO_TEXT
        kind, square = divmod(action - 1, SQUARES)
        units = self.turns.scenario.rules.units
        name = units[kind + 1].name if kind < len(units) - 1 else SALVAGE
        return f"{name} {square % SIDE},{square // SIDE}"

    def action_from(self, text: str) -> int:
        action = self._action_of(text)
        if action < 0 or self.action_text(action) != text or not self._is_legal(action):
            raise ValueError(f"illegal action: {text!r}")
        return action

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restored, (self.turns, self.before, self.strings, self.seed, self.steps, self.is_set_up)

    # -- Helpers -------------------------------------------------------------------------------------

    def _play(self, number: int) -> None:
        """Play the turn against string `number`. Raises ValueError if there is no such string."""
        if not 0 <= number < len(self.strings) // STRING_BYTES:
            raise ValueError(f"there is no string {number}")
        turns = self.turns
        dice = (self.seed << 10) + 2 * turns.turn
        string = self.strings[number * STRING_BYTES : (number + 1) * STRING_BYTES]
        turns.play(Policy(string), Random(dice), Dice(Random(dice + 1)))
        self.before.become(turns)
        self.steps = 0
        self.is_set_up = False

    def _copy(self, turns: ProtectionState, seed: int) -> "ProtectionMoves":
        copy = ProtectionMoves(turns.clone(), self.strings, seed)
        copy.before.become(self.before)
        copy.steps, copy.is_set_up = self.steps, self.is_set_up
        return copy

    def _unit_on(self, square: int) -> int:
        """Return the number of the unit that stands on a square. Raises ValueError if there is none."""
        for number, unit in self.turns.units.items():
            if unit.square == square:
                return number
        raise ValueError(f"no unit stands on square {square}")

    def _action_of(self, text: str) -> int:
        """Return the action that a text names, legal or not, or -1 if the text names no action."""
        if text == GO_TEXT:
            return GO
        name, _, rest = text.partition(" ")
        numbers = rest.split(",")
        if not all(len(number) < 10 and number.isascii() and number.isdigit() for number in numbers):
            return -1
        if self.is_set_up:
            return int(rest) if name == STRING and len(numbers) == 1 else -1
        names = [unit.name for unit in self.turns.scenario.rules.units[1:]] + [SALVAGE]
        if name not in names or len(numbers) != 2 or int(numbers[0]) >= SIDE or int(numbers[1]) >= SIDE:
            return -1
        return 1 + names.index(name) * SQUARES + int(numbers[1]) * SIDE + int(numbers[0])

    def _is_legal(self, action: int) -> bool:
        turns = self.turns
        if turns.over is not None:
            return False
        if self.is_set_up:
            return action < len(self.strings) // STRING_BYTES
        if action == GO:
            return True
        units = turns.scenario.rules.units
        kind, square = divmod(action - 1, SQUARES)
        if self.steps == MAX_STEPS:
            return False
        if kind == len(units) - 1:
            return any(unit.square == square for unit in turns.units.values())
        return units[kind + 1].cost <= turns.treasury and turns.is_free(square)


def _restored(
    turns: ProtectionState, before: ProtectionState, strings: bytes, seed: int, steps: int, is_set_up: bool
) -> ProtectionMoves:
    state = ProtectionMoves(turns, strings, seed)
    state.before.become(before)
    state.steps, state.is_set_up = steps, is_set_up
    return state


@final
class Protection(Game):
    """The game by some rules, with the strings that Chaos can choose, 132 bytes each."""

    def __init__(self, rules: Rules, strings: bytes) -> None:
        if not strings or len(strings) % STRING_BYTES:
            raise ValueError(f"strings of {STRING_BYTES} bytes each are expected, not {len(strings)} bytes")
        super().__init__("protection", 2)
        self._rules: Final = rules
        self._strings: Final = strings

    def new_state(self, rng: Random) -> ProtectionMoves:
        """Return the start of a game on a new random map."""
        turns = ProtectionState(Scenario(self._rules, generate_map(rng)))
        return ProtectionMoves(turns, self._strings, int(rng.below(SEEDS)))
