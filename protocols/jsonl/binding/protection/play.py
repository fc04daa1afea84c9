"""One game of Advanced Protection for the protocol."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from core.protection.rules import CHAOS, HUMAN, NOBODY, PHASES, SQUARES
from core.protection.turn import TurnLog
from engines.protection.adaptation import EVEN, Calibration
from engines.protection.boardfiles import UNITS, map_rows
from engines.protection.chaos import OpponentModel, rate
from engines.protection.game import ProtectionGame, Setup
from engines.protection.pool import Pool
from engines.protection.profile import dumps
from protocols.jsonl.binding.binding import Chore, Explanation, Happening, Move, Play
from protocols.jsonl.binding.protection import actions, news, sentences
from protocols.jsonl.binding.protection.actions import Strategy
from protocols.jsonl.binding.protection.chaos.story import Told
from protocols.jsonl.binding.protection.lexicon import place_of
from protocols.jsonl.binding.protection.past import Began, Past
from protocols.jsonl.binding.protection.shapes import ends, events, moves, observations
from protocols.jsonl.messages.events import GameEvent

PHASE_NAMES: Final = ("setup", "strategy")  # by seat
WINNERS: Final = {HUMAN: ("human", [1.0, 0.0]), CHAOS: ("chaos", [0.0, 1.0]), NOBODY: ("none", [0.5, 0.5])}
BY_NAME: Final = {name: winner for winner, (name, _) in WINNERS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a game was created with, besides rules, map and money."""

    profile: str | None = None
    detail: str = "summary"  # or none, or phases
    calibration: Calibration = EVEN
    tests: int | None = None  # of a string a turn
    shows_ratings: bool = False
    keeps_arrangements: bool = False
    buys_freely: bool = False  # a client that plays Chaos


class ProtectionPlay(Play):
    """A game under way; a move is a Setup or a Strategy."""

    def __init__(
        self, game: ProtectionGame, variant: str, rules_hash: str, pool: Pool, wishes: Wishes
    ) -> None:
        self.variant = variant
        self.rules_hash = rules_hash
        self.game: Final = game
        self.pool: Final = pool
        self.wishes: Final = wishes
        self.memory: OpponentModel | None = None  # of the house's Chaos
        self.is_watched = False  # by a user who learns from the phases
        self._past = Past(game)
        self._winner = NOBODY

    # -- The course of the game --------------------------------------------------------------------

    def seating(self) -> Sequence[int]:
        return (HUMAN, CHAOS)

    def opening(self) -> observations.Opening:
        ground = self.game.state.scenario.map
        return observations.Opening(map=map_rows(ground), gold=list(map(place_of, ground.gold)))

    def begin(self) -> list[Happening]:
        return []

    def due(self) -> Sequence[int]:
        return () if self.game.over else (HUMAN, CHAOS)

    def phase(self, seat: int) -> str:
        return PHASE_NAMES[seat]

    def ending(self) -> bool:
        return False

    def observation(self, seat: int | None) -> observations.Observation:
        state = self.game.state
        seen = observations.Observation(
            turn=state.turn, human_value=state.human_value(), chaos_value=state.chaos_value()
        )
        if seat == HUMAN:
            yields = state.scenario.yields
            seen.treasury = state.treasury
            seen.units = [
                observations.OwnUnit(
                    id=unit.number,
                    unit=UNITS[unit.code],
                    at=place_of(unit.square),
                    made=int(yields[unit.code * SQUARES + unit.square]),
                )
                for unit in state.units.values()
            ]
        elif seat == CHAOS:
            seen.treasury = state.chaos_treasury
            seen.string = self.default(CHAOS).string.hex()
        return seen

    def legal(self, seat: int, form: Literal["list", "rules"]) -> moves.LegalSetup | moves.LegalStrategy:
        """Rules in either form."""
        state = self.game.state
        if seat == HUMAN:
            return actions.legal_setup(state)
        return actions.legal_strategy(state, self.pool, buys_freely=self.wishes.buys_freely)

    def read(self, seat: int, action: bytes) -> Move:
        if seat == HUMAN:
            return actions.read_setup(self.game.state, action)
        return actions.read_strategy(self.game.state, self.pool, action, buys_freely=self.wishes.buys_freely)

    def preview(self, seat: int, move: Move) -> moves.Preview | None:
        return actions.preview_setup(self.game.state, move) if seat == HUMAN else None

    def shown(self, seat: int, move: Move) -> moves.Setup | moves.Strategy:
        return actions.show_setup(move) if seat == HUMAN else actions.show_strategy(move)

    def default(self, seat: int) -> Move:
        """Place nothing; the string of the last turn, or the one to begin with."""
        if seat == HUMAN:
            return Setup()
        if self._past.turns:
            return replace(self._past.turns[-1].told.strategy, bought=None, aim=None)
        starter = self.pool.starter
        return Strategy(string=self.pool.entries[starter].genome.code, index=starter)

    def play(self, moves: Mapping[int, Move]) -> list[Happening]:
        game, wishes, strategy = self.game, self.wishes, moves[CHAOS]
        state, turn = game.state, game.state.turn
        done = game.set_up(moves[HUMAN])
        if self.memory:
            self.memory.set_up(state, game.streams)
        arrangement, treasury, chaos_treasury = state.arrangement(), state.treasury, state.chaos_treasury
        has_log = wishes.detail == "phases" or self.is_watched
        played = game.play(strategy.string, TurnLog() if has_log else None, strategy.bought)
        if len(game.turns) > 1:
            game.turns[-2] = replace(game.turns[-2], log=None)  # it may be longer than all else
        told = Told(played=replace(played, log=None), strategy=strategy)
        self._past.turns.append(
            Began(arrangement=arrangement, treasury=treasury, chaos_treasury=chaos_treasury, told=told)
        )
        told_of: list[GameEvent] = [events.SetupDone(seat=HUMAN, turn=turn)]
        if wishes.shows_ratings and strategy.aim:
            told_of.append(_ratings(turn, strategy))
        if wishes.detail != "none":
            told_of += news.begun(turn, done, played, with_roster=wishes.detail == "phases")
        if wishes.detail == "phases" and played.log:
            told_of += news.phases_of(turn, played.log, 1, PHASES, news.MOST_BYTES)
        told_of += news.ended(played, state.treasury)
        return [Happening(event=event) for event in told_of]

    # -- The end -----------------------------------------------------------------------------------

    def result(self) -> ends.Result | None:
        over = self.game.over
        return None if over is None else self._result(*over)

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> ends.Result:
        return self._result(CHAOS if HUMAN in seats else HUMAN, reason)

    def reveal(self) -> ends.Reveal:
        return ends.Reveal(
            strings=[
                ends.Played(
                    turn=each.told.played.turn,
                    index=each.told.strategy.index,
                    hybrid=each.told.strategy.hybrid,
                )
                for each in self._past.turns
            ],
            pool_hash=f"sha256:{self.pool.hash}",
            mode=self.memory.mode.name if self.memory else "client",
        )

    def say(self, event: GameEvent, names: Sequence[str]) -> str:
        return sentences.sentence(event, names)

    def chores(self) -> Sequence[Chore]:
        jobs = self.memory.jobs() if self.memory else ()
        return [Chore(function=rate, task=job, about="ratings of strings", done=done) for job, done in jobs]

    def close(self, result: Any) -> None:
        self._winner = BY_NAME[result.winner]
        if self.memory:
            self.memory.finish(self._winner)

    # -- Afterwards --------------------------------------------------------------------------------

    def replay(self, turn: int, first: int, last: int | None, most: int) -> Sequence[GameEvent]:
        last = news.last_phase(last)
        log = self._past.log(turn)
        most = min(most, news.MOST_BYTES)
        return [*news.rosters_of(turn, log, most), *news.phases_of(turn, log, first, last, most)]

    def explain(self, turn: int | None) -> Explanation:
        if turn is not None:
            return self._past.story(turn)
        return self._past.whole_story(self._winner)

    def export(self, name: str) -> Sequence[str] | None:
        if name == "apu":
            if self.memory is None:
                raise ValueError("nobody of the house played Chaos here")
            return dumps(self.memory.chaos.profile).splitlines()
        if name != "arrangements":
            return None
        if not self.wishes.keeps_arrangements:
            raise ValueError("the game was created without the option arrangements")
        return [each.dumps() for each in self._past.arrangements(self.rules_hash)]

    # -- Helpers -----------------------------------------------------------------------------------

    def _result(self, winner: int, reason: str) -> ends.Result:
        state = self.game.state
        name, score = WINNERS[winner]
        return ends.Result(
            winner=name,
            reason=reason,
            turns=len(self._past.turns),
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
