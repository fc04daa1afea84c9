"""The rules of a game as code sees them: a Game makes States, and a State plays itself out.

The verbs are OpenSpiel's. Players are numbered from 0, actions are plain ints that mean something
to their State alone, and returns are one number a player: 1 for a win, -1 for a loss, 0 for a draw.
"""

from typing import Final

from mypy_extensions import mypyc_attr

from core.random import Random

SPECTATOR: Final = -1  # a seat for State.observation(): somebody who has none


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One position of one game. Actions are ints and outlive the State that listed them.

    A State can be pickled: it travels to worker processes. One in plain Python is pickled by its attributes; compiled
    ones say themselves how.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (type(self), vars(self))

    def player(self) -> int:
        """Whose turn it is, 0 to players - 1; meaningless once the game is over."""
        raise NotImplementedError

    def legal_actions(self) -> list[int]:
        """Every action of player() here, in a fixed order; empty if and only if the game is over."""
        raise NotImplementedError

    def apply(self, action: int) -> None:
        """Play one of legal_actions(). Anything else is the caller's error (ValueError)."""
        raise NotImplementedError

    def is_terminal(self) -> bool:
        raise NotImplementedError

    def returns(self) -> list[float]:
        """The result for each player; all zero while the game goes on."""
        raise NotImplementedError

    def can_win(self, player: int) -> bool:
        """Whether `player` could still win; a loss on time against one who cannot is a draw."""
        return True

    def clone(self) -> "State":
        """A copy that shares nothing with this State."""
        raise NotImplementedError

    def observation(self, seat: int) -> "State":
        """Return what the seat, or a SPECTATOR, may see of it: whoever decides for a seat decides from this. By default all.

        It must not be changed; it may be the State itself.
        """
        return self

    def resample(self, seat: int, rng: Random) -> "State":
        """A State that agrees with the seat's observation, all else drawn by chance: for those who look ahead."""
        return self.clone()

    def text(self) -> str:
        """Return the position as people read it, on as many lines as it needs; "" if the game has no such text."""
        return ""

    def action_text(self, action: int) -> str:
        """The action as people and protocols write it; action_from() reads it back."""
        raise NotImplementedError

    def action_from(self, text: str) -> int:
        """The legal action that `text` names. ValueError says what is wrong with it."""
        for action in self.legal_actions():
            if self.action_text(action) == text:
                return action
        raise ValueError(f"illegal action: {text!r}")


def restored(kind: type[State], attributes: dict[str, object]) -> State:
    """Return the State that __reduce__() took apart. What mypyc adds for pickle knows no attributes of a subclass."""
    state = kind.__new__(kind)
    vars(state).update(attributes)
    return state


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A set of rules with a name; `players` is the number of seats."""

    def __init__(self, name: str, players: int) -> None:
        self.name = name
        self.players = players

    def new_state(self, rng: Random) -> State:
        """The start of a game; `rng` deals the cards, where there are any."""
        raise NotImplementedError

    def state_from(self, text: str) -> State:
        """The position that `text` describes (for chess, a FEN). ValueError if it is no such thing."""
        raise NotImplementedError
