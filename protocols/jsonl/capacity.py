"""When the server is full: which game ends for a newcomer."""

from collections import Counter
from collections.abc import Iterable, Sequence

from protocols.jsonl.game import Game
from protocols.limits import GameLimits


def game_to_end(games: Iterable[Game], address: str, now: float, limits: GameLimits) -> Game | None:
    """For a newcomer of this address; None if all may go on.

    First one that all have left: where nobody has decided anything, then the oldest. Else one that waits for its
    clients. Otherwise remote clients who begin games and go, or only stay, would keep everybody else out.
    """
    running = [game for game in games if not game.is_over and game.lines.players()]
    left = [game for game in running if all(player.connection is None for player in game.lines.players())]
    return min(left, key=claim) if left else _waiting_game(running, address, now, limits)


def claim(game: Game) -> tuple[bool, float]:
    """Of a game that all have left, for its place: whether anybody has decided anything, and when the last one went."""
    return has_begun(game), max(session.lost_at or 0.0 for session in game.lines.players())


def has_begun(game: Game) -> bool:
    """Whether a client has decided anything."""
    return any(seat.session and seat.decisions > 1 for seat in game.seats)


def _waiting_game(running: Sequence[Game], address: str, now: float, limits: GameLimits) -> Game | None:
    """Of the clients with most games, the game in which nobody has acted for longest, if it may be ended.

    No address gives way to one that would then have more games.
    """
    games_of = Counter(player.address for game in running for player in game.lines.players())

    def share(game: Game) -> int:
        return min(games_of[player.address] for player in game.lines.players())

    def may_end(game: Game) -> bool:
        is_trusted = any(not player.address for player in game.lines.players())
        if is_trusted or share(game) <= games_of[address] + 1:
            return False
        wait = limits.idle_game_seconds if has_begun(game) else limits.undecided_game_seconds
        return now - game.acted_at >= wait or share(game) > limits.games_of_address

    return max(filter(may_end, running), key=lambda game: (share(game), -game.acted_at), default=None)
