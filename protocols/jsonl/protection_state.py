"""A game of Advanced Protection over the JSON lines: one decision of each side in a turn, and the finished turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from core.protection.rules import CHAOS, HUMAN, NO_WINNER, PHASES, SQUARES
from core.protection.turn import TurnLog
from engines.protection.adaptation import EVEN, Calibration
from engines.protection.boardfiles import UNITS, map_rows
from engines.protection.chaos import rate
from engines.protection.game import Preview, ProtectionGame, Setup, preview
from engines.protection.opponent_model import OpponentModel
from engines.protection.pool import Pool
from engines.protection.profile import exported
from protocols.jsonl import protection_events as events
from protocols.jsonl import protection_messages as messages
from protocols.jsonl.adapter import Call, Event, GameState, Job, Move
from protocols.jsonl.codec import pack, unpack
from protocols.jsonl.messages import GameEvent
from protocols.jsonl.protection_actions import (
    format_setup,
    format_strategy,
    legal_setup,
    legal_strategy,
    parse_setup,
    parse_strategy,
)
from protocols.jsonl.protection_explain import (
    FinishedTurn,
    Strategy,
    TurnHistory,
    arrangement_lines,
    explain,
    past_turn_events,
    turn_events,
)
from protocols.jsonl.protection_messages import place_of

PHASES_BY_SEAT: Final = ("setup", "strategy")
WINNERS: Final = {HUMAN: ("human", [1.0, 0.0]), CHAOS: ("chaos", [0.0, 1.0]), NO_WINNER: ("none", [0.5, 0.5])}
BY_NAME: Final = {name: winner for winner, (name, _) in WINNERS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The options of a game other than rules, map and money."""

    profile: str | None = None
    agrees: bool | None = None  # whether the user agrees to be studied; None: as the profile says
    detail: str = "summary"  # or none, or phases
    calibration: Calibration = EVEN
    tests: int | None = None  # of each string in a turn; None: as the mode has it
    shows_ratings: bool = False
    keeps_arrangements: bool = False
    buys_freely: bool = False  # a client that plays Chaos chooses the minions


class ProtectionGameState(GameState):
    """A running game of Advanced Protection; a move is a Setup or a Strategy."""

    def __init__(
        self, game: ProtectionGame, variant: str, rules_hash: str, pool: Pool, options: GameOptions
    ) -> None:
        self.variant = variant
        self.rules_hash = rules_hash
        self.pool: Final = pool
        self.options: Final = options
        self.opponent_model: OpponentModel | None = None  # of the Chaos agent
        self.is_watched = False  # a bot needs the logs of turns
        self._history: TurnHistory | None = TurnHistory(game)  # until the game is over
        self._packed = b""  # the history in compressed form, when the game is over
        self._winner = NO_WINNER

    @property
    def history(self) -> TurnHistory:
        """The finished turns and their game; unpacked at each access when the game is over."""
        if self._history is not None:
            return self._history
        history: TurnHistory = unpack(self._packed)
        return history

    @property
    def game(self) -> ProtectionGame:
        return self.history.game

    # -- The course of the game --------------------------------------------------------------------

    def seating(self) -> Sequence[int]:
        return (HUMAN, CHAOS)

    def opening(self) -> messages.Opening:
        ground = self.game.state.scenario.map
        return messages.Opening(map=map_rows(ground), gold=list(map(place_of, ground.gold)))

    def due(self) -> Sequence[int]:
        return () if self.game.over else (HUMAN, CHAOS)

    def phase(self, seat: int) -> str:
        return PHASES_BY_SEAT[seat]

    def observation(self, seat: int | None) -> messages.Observation:
        state = self.game.state
        seen = messages.Observation(
            turn=state.turn, human_value=state.human_value(), chaos_value=state.chaos_value()
        )
        if seat == HUMAN:
            yields = state.scenario.yields
            seen.treasury = state.treasury
            seen.units = [
                messages.OwnUnit(
                    id=unit.number,
                    unit=UNITS[unit.code],
                    at=place_of(unit.square),
                    made=int(yields[unit.code * SQUARES + unit.square]),
                )
                for unit in state.units.values()
            ]
        elif seat == CHAOS:
            seen.treasury = state.chaos_treasury
            seen.string = self.default_action(CHAOS).string.hex()
        return seen

    def legal(self, seat: int) -> messages.LegalSetup | messages.LegalStrategy:
        """Return the rules for the action of a seat."""
        state = self.game.state
        if seat == HUMAN:
            return legal_setup(state)
        return legal_strategy(state, self.pool, buys_freely=self.options.buys_freely)

    def parse_action(self, seat: int, action: bytes) -> Move:
        if seat == HUMAN:
            return parse_setup(self.game.state, action)
        return parse_strategy(self.game.state, self.pool, action, buys_freely=self.options.buys_freely)

    def preview(self, seat: int, move: Move) -> Preview | None:
        return preview(self.game.state, move) if seat == HUMAN else None

    def format_action(self, seat: int, move: Move) -> messages.Setup | messages.Strategy:
        return format_setup(move) if seat == HUMAN else format_strategy(move)

    def default_action(self, seat: int) -> Move:
        """Return an empty setup for the human; for Chaos the string of the last turn, or the starter of the pool."""
        if seat == HUMAN:
            return Setup()
        if self.history.turns:
            return replace(self.history.turns[-1].strategy, bought=None, aim=None)
        starter = self.pool.starter
        return Strategy(string=self.pool.entries[starter].genome.code, index=starter)

    def apply(self, moves: Mapping[int, Move]) -> list[Event]:
        game, options, strategy = self.game, self.options, moves[CHAOS]
        state, turn = game.state, game.state.turn
        applied = game.set_up(moves[HUMAN])
        if self.opponent_model:
            self.opponent_model.set_up(state, game.streams)
        arrangement, treasury, chaos_treasury = state.arrangement(), state.treasury, state.chaos_treasury
        has_log = options.detail == "phases" or self.is_watched
        record = game.play(strategy.string, TurnLog() if has_log else None, strategy.bought)
        if len(game.turns) > 1:
            game.turns[-2] = replace(game.turns[-2], log=None)  # it may be larger than all other data
        finished = FinishedTurn(
            arrangement=arrangement,
            treasury=treasury,
            chaos_treasury=chaos_treasury,
            strategy=strategy,
            record=replace(record, log=None) if record.log else record,
        )
        self.history.turns.append(finished)
        happened: list[GameEvent] = [events.SetupDone(seat=HUMAN, turn=turn)]
        if options.shows_ratings and strategy.aim:
            happened.append(_ratings(turn, strategy))
        if options.detail != "none":
            happened += events.turn_start(turn, applied, record, with_roster=options.detail == "phases")
        if options.detail == "phases" and record.log:
            happened += events.phases_of(turn, record.log, 1, PHASES, events.MAX_EVENT_BYTES)
        happened += events.turn_end(record, state.treasury)
        return [Event(public=event) for event in happened]

    # -- The end -----------------------------------------------------------------------------------

    def result(self) -> messages.Result | None:
        over = self.game.over
        return None if over is None else self._result(*over)

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> messages.Result:
        return self._result(CHAOS if HUMAN in seats else HUMAN, reason)

    def reveal(self) -> messages.Reveal:
        return messages.Reveal(
            strings=[
                messages.Played(turn=turn.number, index=turn.strategy.index, hybrid=turn.strategy.hybrid)
                for turn in self.history.turns
            ],
            pool_hash=f"sha256:{self.pool.hash}",
            mode=self.opponent_model.mode.name if self.opponent_model else "client",
        )

    def jobs(self) -> Sequence[Job]:
        model = self.opponent_model
        return [
            Job(function=rate, argument=job, description="ratings of strings", on_done=on_done)
            for job, on_done in (model.jobs() if model else ())
        ]

    def close(self, result: Any) -> None:
        self._winner = BY_NAME[result.winner]
        if self.opponent_model:
            self.opponent_model.finish(self._winner)
        self._packed = pack(self.history)
        self._history = None

    # -- Finished turns ----------------------------------------------------------------------------

    def replay(self, turn: int, first: int, last: int | None, most: int) -> Call:
        phases = first, events.last_phase(last)
        most = min(most, events.MAX_EVENT_BYTES)
        if self._history is None:
            return partial(past_turn_events, self._packed, turn, phases, most)
        game = self._history.game
        finished = self._history.turn(turn)
        return partial(turn_events, game.streams, game.state.scenario, finished, phases, most)

    def explain(self, turn: int | None) -> Call:
        return partial(explain, self._past(), turn, self._winner)

    def export(self, name: str) -> Call | None:
        if name == "apu":
            if self.opponent_model is None:
                raise ValueError("no built-in player played Chaos in this game")
            return partial(exported, self.opponent_model.chaos.profile)
        if name != "arrangements":
            return None
        if not self.options.keeps_arrangements:
            raise ValueError("the game was created without the option arrangements")
        return partial(arrangement_lines, self._past(), self.rules_hash)

    # -- Helpers -----------------------------------------------------------------------------------

    def _past(self) -> bytes:
        """Return the history in compressed form."""
        return self._packed if self._history is None else pack(self._history)

    def _result(self, winner: int, reason: str) -> messages.Result:
        state = self.game.state
        name, score = WINNERS[winner]
        return messages.Result(
            winner=name,
            reason=reason,
            turns=len(self.history.turns),
            values=[state.human_value(), state.chaos_value()],
            score=score,
        )


def _ratings(turn: int, strategy: Strategy) -> events.Ratings:
    aim = strategy.aim
    assert aim is not None
    return events.Ratings(
        turn=turn, done=aim.done, of=aim.of, ms=aim.ms, best=aim.best, chosen=strategy.index,
        stale=aim.done < aim.of,
    )  # fmt: skip
