"""A turn of Advanced Protection: Chaos's minions are bought and placed, act for 50 phases, and are taken back.

"Advanced Protection, Appendix A". In a phase scouts act first, so that their broadcasts are heard in it, then the
other minions by kind; then artillery fires and farms produce. What units have made is reckoned at the end.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.arrangement import Arrangement
from core.protection.battle.dice import Dice
from core.protection.battle.fights import Fights
from core.protection.battle.log import Log
from core.protection.battle.minions import GONE
from core.protection.buying import buy
from core.protection.policy import FORWARD, RIGHT, SPECIAL, Policy
from core.protection.rules import (
    AMPHIBIOUS,
    COMMON,
    JUMP,
    KINDS,
    MINIONS,
    NO_UNIT,
    PHASES,
    SCAVENGER,
    SCOUT,
    SQUARES,
)
from core.protection.setting import CLOSED, OPEN, Setting
from core.protection.terrain.broadcasts import Broadcasts
from core.protection.terrain.field import (
    BARBARIANS,
    BLOCKED,
    INPUT,
    JAMMED,
    MINED,
    SCAVENGERS,
    SCOUTS,
    SWIMMERS,
)
from core.random import Random


@final
class Turn(Fights):
    """The field of one map, on which turn after turn can be played.

    The order of calls: arrange(); deploy() or call_up() and station(); play(); then the figures, which are those
    of the whole turn; and arrange() or again(). Dollars everywhere.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.arrangement = Arrangement(bytes(SQUARES))
        self.policy = Policy(bytes(132))
        self.counts = vec[i64]([0] * KINDS)  # [kind]: minions bought
        self.kept: i64 = 0  # of Chaos's money, unspent
        self._dry = vec[i64]([0] * SQUARES)  # squares where a minion may be placed
        self._dry_count: i64 = 0
        self._wet = vec[i64]([0] * SQUARES)  # and where an amphibious one may
        self._wet_count: i64 = 0
        self._farming: i64 = 0  # what all units make a phase
        self._broadcasts = Broadcasts()
        self._farmed = vec[i64]([0] * SQUARES)  # [square]: the last phase in which it has yielded
        self._phases_so_far: i64 = 0  # of all turns
        self._actions = vec[i64]([minion.actions for minion in MINIONS])
        self._hears = vec[i64]([minion.hears for minion in MINIONS])
        self._occupy()

    # -- A turn ------------------------------------------------------------------------------------

    def arrange(self, arrangement: Arrangement) -> None:
        """Put up these units. ValueError for one on water or peaks."""
        super().arrange(arrangement)
        self.fallen_count = 0
        self.arrangement = arrangement
        self._occupy()

    def again(self) -> None:
        """Put up once more what has fallen: cheaper than to arrange."""
        self.raise_fallen(self.arrangement)

    def deploy(self, policy: Policy, dollars: i64, rng: Random) -> None:
        """Chaos buys with all its money; each minion gets a random square and facing, if there is a free square."""
        kept = buy(
            policy.preferences, self.setting.minion_cost, dollars, self.setting.most_minions, self.counts
        )
        self.call_up(policy, self.counts, kept)
        for kind in range(i64(KINDS)):
            free, count = (self._wet, self._wet_count) if kind == AMPHIBIOUS else (self._dry, self._dry_count)
            if count:
                for number in range(self.begin[kind], self.begin[kind + 1]):
                    square = free[rng.below(count)]
                    self.station(number, square * 4 + rng.below(4))

    def call_up(self, policy: Policy, counts: vec[i64], kept: i64) -> None:
        """Chaos has bought so many of each kind; they wait to be stationed."""
        self.policy = policy
        self.counts = counts
        self.kept = kept
        self.muster(counts)

    def play(self, dice: Dice, log: Log | None = None, phases: i64 = PHASES) -> None:
        """The next phases, 50 in all; fewer where no minion is left to act."""
        self.dice = dice
        self.log = log
        if log is not None and not self.phase:
            log.roster = [
                (int(self.kinds[number]), int(self.words[number] >> 2)) for number in range(self.begin[KINDS])
            ]
        last = min(self.phase + phases, PHASES)
        while self.phase < last and self.living:
            self.phase += 1
            self._phases_so_far += 1
            if self._broadcasts.any:
                self._broadcasts.clear()
            if self.begin[SCOUT] < self.begin[SCOUT + 1]:
                self._scouts()
            if self.begin[SCAVENGER] < self.begin[SCAVENGER + 1]:
                self._scavengers()
            for kind in range(i64(COMMON), i64(KINDS)):
                if self.begin[kind] < self.begin[kind + 1]:
                    self._barbarians(kind)
            if self.standing_artilleries:
                self.bomb()
            if log is not None:
                log.end_phase()

    # -- The figures of the turn -------------------------------------------------------------------

    def produced(self) -> i64:
        """What all units have made, also those that have fallen."""
        made = self.harvest()
        for place in range(self.fallen_count):
            square = self.fallen[place]
            made += (self.fallen_phase[square] - 1) * self._yield_of(square)
        return made

    def harvest(self) -> i64:
        """What the surviving units have made: it goes to the human's treasury."""
        farming = self._farming
        for place in range(self.fallen_count):
            farming -= self._yield_of(self.fallen[place])
        return farming * PHASES

    def units_lost(self) -> i64:
        """The cost of the units that have fallen."""
        lost: i64 = 0
        for place in range(self.fallen_count):
            lost += self.setting.unit_cost[self.arrangement.codes[self.fallen[place]]]
        return lost

    def carried_home(self) -> i64:
        """What the surviving minions carry: it goes to Chaos's treasury."""
        total: i64 = 0
        for number in range(self.begin[KINDS]):
            total += self.carried[number]
        return total

    def minions_lost(self) -> i64:
        """The cost of the minions that have been destroyed; all others are refunded."""
        lost: i64 = 0
        for kind in range(i64(KINDS)):
            lost += self.lost[kind] * self.setting.minion_cost[kind]
        return lost

    def human_change(self) -> i64:
        """How the human's value has changed."""
        return self.harvest() - self.units_lost()

    def chaos_change(self) -> i64:
        """How Chaos's value has changed. The rating of its string is the human's change less this."""
        return self.carried_home() - self.minions_lost()

    def survivors(self) -> Arrangement:
        """The units that stand."""
        return Arrangement(bytes([int(unit) for unit in self.units]))

    def _yield_of(self, square: i64) -> i64:
        return self.setting.yields[i64(self.arrangement.codes[square]) * SQUARES + square]

    def _occupy(self) -> None:
        """List the free squares, and sum what the units make."""
        setting = self.setting
        self._dry_count = 0
        self._wet_count = 0
        self._farming = 0
        for square in range(i64(SQUARES)):
            if self.units[square] != NO_UNIT:
                self._farming += setting.yields[self.units[square] * SQUARES + square]
            elif setting.ground[square] != CLOSED:
                self._wet[self._wet_count] = square
                self._wet_count += 1
                if setting.ground[square] == OPEN:
                    self._dry[self._dry_count] = square
                    self._dry_count += 1

    # -- A phase -----------------------------------------------------------------------------------

    def _scouts(self) -> None:
        words, entries, ahead = self.words, self.entries, self.setting.ahead
        automata, log, broadcasts = self.policy.automata, self.log, self._broadcasts
        for number in range(self.begin[SCOUT], self.begin[SCOUT + 1]):
            word = words[number]
            if word == GONE:
                continue
            pose = word >> 2
            entry = i64(entries[SCOUTS + pose])
            nibble = automata[SCOUT * 32 + (word & 3) * 8 + (entry & INPUT)]
            action = nibble & 3
            squares: i64 = 0
            if action == FORWARD:
                if not entry & BLOCKED:
                    pose = ahead[pose]
                    squares = 1
            elif action == SPECIAL:
                broadcasts.send(pose >> 2)
            else:
                pose = _turned(pose, action)
            words[number] = (pose << 2) | (nibble >> 2)
            if log is not None:
                log.act(action, squares)
            if squares and entry & MINED:
                self.trigger(number)

    def _scavengers(self) -> None:
        words, entries, ahead = self.words, self.entries, self.setting.ahead
        automata, log, carried = self.policy.automata, self.log, self.carried
        scavenged, farmed, once = self.setting.scavenged, self._farmed, self.setting.yields_once
        now = self._phases_so_far
        for number in range(self.begin[SCAVENGER], self.begin[SCAVENGER + 1]):
            word = words[number]
            if word == GONE:
                continue
            pose = word >> 2
            entry = i64(entries[SCAVENGERS + pose])
            nibble = automata[SCAVENGER * 32 + (word & 3) * 8 + (entry & INPUT)]
            action = nibble & 3
            squares: i64 = 0
            if action == FORWARD:
                if not entry & BLOCKED:
                    pose = ahead[pose]
                    squares = 1
            elif action == SPECIAL:
                square = pose >> 2
                if not once or farmed[square] != now:
                    farmed[square] = now
                    carried[number] += scavenged[square]
            else:
                pose = _turned(pose, action)
            words[number] = (pose << 2) | (nibble >> 2)
            if log is not None:
                log.act(action, squares)
            if squares and entry & MINED:
                self.trigger(number)

    def _barbarians(self, kind: i64) -> None:
        words, entries, ahead = self.words, self.entries, self.setting.ahead
        automata, log, broadcasts = self.policy.automata, self.log, self._broadcasts
        table: i64 = SWIMMERS if kind == AMPHIBIOUS else BARBARIANS
        hears = self._hears[kind]
        actions = self._actions[kind]
        listens = broadcasts.any
        for number in range(self.begin[kind], self.begin[kind + 1]):
            for _time in range(actions):
                word = words[number]
                if word == GONE:
                    break
                pose = word >> 2
                entry = i64(entries[table + pose])
                sensed = entry & INPUT
                if listens and not sensed and not entry & JAMMED:
                    sensed = broadcasts.heard(pose, hears)
                nibble = automata[kind * 32 + (word & 3) * 8 + sensed]
                action = nibble & 3
                squares: i64 = 0
                if action == FORWARD:
                    if not entry & BLOCKED:
                        pose = ahead[pose]
                        squares = 1
                elif action != SPECIAL:
                    pose = _turned(pose, action)
                words[number] = (pose << 2) | (nibble >> 2)
                if entry & (BLOCKED | MINED):
                    if action == FORWARD and kind == JUMP and entry & BLOCKED:
                        squares = self.leap(number)
                    elif squares:
                        self.trigger(number)
                    elif action == SPECIAL and entry & BLOCKED and sensed >= 4:
                        self.attack(number, ahead[pose] >> 2)
                if log is not None:
                    log.act(action, squares)


def _turned(pose: i64, action: i64) -> i64:
    """The pose after a turn to the right or left."""
    return (pose & ~3) | ((pose + (1 if action == RIGHT else 3)) & 3)
