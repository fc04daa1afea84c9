"""The interface of all games: a Game creates States, and a State is played from action to action.

The methods have the names of OpenSpiel. Players are numbered from 0. Actions are plain ints with a meaning for their
State alone. Returns are one number for each player: 1 for a win, -1 for a loss, 0 for a draw.
"""

from typing import Final

from mypy_extensions import mypyc_attr

from core.random import Random

SPECTATOR: Final = -1  # for State.observation(): the view of an observer without a seat


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position of a game. Actions are ints, which outlive the State that listed them.

    States can be pickled, to be sent to worker processes. A State in plain Python is pickled by its attributes;
    compiled ones define __reduce__() themselves.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (type(self), vars(self))

    def player(self) -> int:
        """Return the player whose turn it is, 0 to players - 1; the value has no meaning once the game is over."""
        raise NotImplementedError

    def legal_actions(self) -> list[int]:
        """Return all actions of player(), in a fixed order; empty if and only if the game is over."""
        raise NotImplementedError

    def apply(self, action: int) -> None:
        """Play one of legal_actions(). Raises ValueError for any other action."""
        raise NotImplementedError

    def is_terminal(self) -> bool:
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Return the result of each player; all are zero until the game is over."""
        raise NotImplementedError

    def can_win(self, player: int) -> bool:
        """Return whether `player` could still win; a loss on time against a player who cannot win is a draw."""
        return True

    def clone(self) -> "State":
        """Return a copy; changes of either State do not affect the other."""
        raise NotImplementedError

    def observation(self, seat: int) -> "State":
        """Return what a seat, or a SPECTATOR, may see; a player of the seat decides from this alone.

        By default that is everything. The result may be this State itself, so it must not be changed.
        """
        return self

    def resample(self, seat: int, rng: Random) -> "State":
        """Return a State that agrees with a seat's observation, with the rest drawn at random, to look ahead from."""
        return self.clone()

    def text(self) -> str:
        """Return the position as text for people, on any number of lines; "" if the game has no such text."""
        return ""

    def action_text(self, action: int) -> str:
        """Return an action as people and protocols write it; action_from() reads the text back."""
        raise NotImplementedError

    def action_from(self, text: str) -> int:
        """Return the legal action that `text` names. Raises ValueError, with the reason, if there is none."""
        for action in self.legal_actions():
            if self.action_text(action) == text:
                return action
        raise ValueError(f"illegal action: {text!r}")


def restored(kind: type[State], attributes: dict[str, object]) -> State:
    """Return the State from the parts that __reduce__() gives; mypyc's own way loses the attributes of a subclass."""
    state = kind.__new__(kind)
    vars(state).update(attributes)
    return state


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game with its rules; `players` is the number of seats."""

    def __init__(self, name: str, players: int) -> None:
        self.name = name
        self.players = players

    def new_state(self, rng: Random) -> State:
        """Return the start of a game; `rng` makes all random choices of the deal."""
        raise NotImplementedError

    def state_from(self, text: str) -> State:
        """Return the position that `text` describes (for chess, a FEN). Raises ValueError for an invalid text."""
        raise NotImplementedError
