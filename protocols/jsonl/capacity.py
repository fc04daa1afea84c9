"""The choice of the game that ends for a newcomer when the server is full, and how long ended games are shown."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from protocols.jsonl.game import Game
from protocols.jsonl.jobs import Jobs
from protocols.jsonl.session import Session
from protocols.limits import GameLimits

Running = tuple[Game, list[Session]]  # a game that is not over, and its clients


def game_to_end(games: Iterable[Game], address: str, now: float, limits: GameLimits) -> Game | None:
    """Return the running game that should end so that a client of this address can create one, or None.

    The first choice are games whose clients are all disconnected: those without a decision of a client, then the one
    that was left first. The second choice is a game that waits for its clients. Without this rule, remote clients
    that create games and leave or do nothing could keep all others out.
    """
    running = [(game, players) for game in games if (players := [*game.lines.players()])]
    left = [each for each in running if all(player.connection is None for player in each[1])]
    return min(left, key=_claim)[0] if left else _waiting_game(running, address, now, limits)


def _claim(running: Running) -> tuple[bool, float]:
    """Return the rank of a game without connected players: has_begun(), and the time when the last player left."""
    game, players = running
    return has_begun(game), max(session.lost_at or 0.0 for session in players)


def has_begun(game: Game) -> bool:
    """Return whether a client has made a decision in a game."""
    return any(seat.session and seat.decisions > 1 for seat in game.seats)


def _waiting_game(running: Sequence[Running], address: str, now: float, limits: GameLimits) -> Game | None:
    """Return the game, of the address with the most games, that has had no action for the longest time, or None.

    A game ends only for a newcomer whose address then has fewer games than the address of the game's clients had, and
    only if it has waited long enough or that address has more than its share. Games with a client of this machine do
    not end.
    """
    games_of = Counter(player.address for _, players in running for player in players)

    def may_end(share: int, game: Game) -> bool:
        wait = limits.idle_game_seconds if has_begun(game) else limits.undecided_game_seconds
        return now - game.acted_at >= wait or share > limits.games_of_address

    shares = (
        (min(games_of[player.address] for player in players), game)
        for game, players in running
        if all(player.address for player in players)  # "" is a program of this machine
    )
    may = [
        (share, -game.acted_at, game)
        for share, game in shares
        if share > games_of[address] + 1 and may_end(share, game)
    ]
    return max(may, key=itemgetter(0, 1))[2] if may else None


class FinishedItems:
    """The games or matches that are over and still shown: the last `most` of them, for `seconds` each."""

    def __init__(self, jobs: Jobs, most: int, seconds: float) -> None:
        self._jobs = jobs
        self._max_finished = most
        self._seconds = seconds
        self._forget: deque[tuple[float, Callable[[], object]]] = deque()  # when and how to forget each
        self._is_scheduled = False

    def add(self, forget: Callable[[], object]) -> None:
        """Add a game or match that has just ended; `forget` is called when it should no longer be shown."""
        self._forget.append((self._jobs.clock() + self._seconds, forget))
        self._forget_old()

    def _forget_old(self) -> None:
        now = self._jobs.clock()
        while self._forget and (len(self._forget) > self._max_finished or self._forget[0][0] <= now):
            _, forget = self._forget.popleft()
            forget()
        if self._forget and not self._is_scheduled:
            self._is_scheduled = True
            self._jobs.call_at(self._forget[0][0], self._wake)

    def _wake(self) -> None:
        self._is_scheduled = False
        self._forget_old()
