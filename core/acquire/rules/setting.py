"""Rules made ready for a number of players: what a game asks every turn, as numbers."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import empty_board, stride, tiles
from core.acquire.rules.rules import Rules


@final
class Setting:
    """Shared by all games of the same rules and number of players. ValueError for a wrong number."""

    def __init__(self, rules: Rules, seats: int) -> None:
        fewest, most = rules.seats
        if not fewest <= seats <= most:
            raise ValueError(f"{rules.name} is for {fewest} to {most} players, not {seats}")
        self.rules: Final = rules
        self.seats: Final[i64] = seats
        self.chains: Final[i64] = len(rules.chains)
        self.all_chains: Final[i64] = 2 ** len(rules.chains) - 1
        self.stride: Final[i64] = stride(rules)
        self.hand: Final[i64] = rules.hand
        self.max_buy: Final[i64] = rules.max_buy
        self.safe: Final[i64] = rules.safe
        self.end: Final[i64] = rules.end
        self.squares: Final[i64] = rules.squares
        self.empty_board: Final = empty_board(rules)
        self.tiles: Final = vec[i64](tiles(rules))
        self.prices: Final = vec[i64](
            [
                rules.price(chain, size)
                for chain in range(len(rules.chains))
                for size in range(rules.squares + 1)
            ]
        )
        self.has_position_tiles: Final = rules.position_tiles == "stay"
        self.reseats: Final = rules.start_order == "column_first_reseat"
        self.pays_all_first: Final = rules.merge_pay == "all_bonuses_first"
        self.ends_any_time: Final = rules.end_check == "any_time"
        self.replaces_dead: Final = rules.dead_replace != "never"
        self.replaces_until_clean: Final = rules.dead_replace == "until_clean"
        self.ends_without_tiles: Final = rules.hand_out_end != "off"
        self.ends_with_first_hand: Final = rules.hand_out_end == "first"
        self.ends_stuck: Final = rules.stuck_round == "on"
        self.draws_new_hand: Final = rules.no_tile == "new_hand"
        self.has_phantom: Final = rules.phantom == "tile_number" and seats == 2
        self.hides_holdings: Final = rules.holdings == "hidden"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setting) and self.seats == other.seats and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules, int(self.seats)))

    def __reduce__(self) -> tuple[object, tuple[Rules, int]]:
        return Setting, (self.rules, int(self.seats))
