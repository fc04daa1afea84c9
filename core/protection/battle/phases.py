"""The phases of a turn: what every minion senses and does.

Scouts act first, so that their broadcasts are heard in the same phase, then the other minions by kind; then
artillery fires. A minion knows its state and one input, and its automaton says the rest.
"""

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.battle.dice import Dice
from core.protection.battle.fights import Fights
from core.protection.battle.log import Log
from core.protection.battle.minions import GONE
from core.protection.policy import FORWARD, RIGHT, SPECIAL, STRING_BYTES, Policy
from core.protection.rules import AMPHIBIOUS, COMMON, JUMP, KINDS, MINIONS, PHASES, SCAVENGER, SCOUT, SQUARES
from core.protection.setting import Setting
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


class Phases(Fights):
    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.policy = Policy(bytes(STRING_BYTES))
        self._broadcasts = Broadcasts()
        self._farmed = vec[i64]([0] * SQUARES)  # [square]: the last phase in which it has yielded
        self._phases_so_far: i64 = 0  # of all turns
        self._actions = vec[i64]([minion.actions for minion in MINIONS])
        self._hears = vec[i64]([minion.hears for minion in MINIONS])

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
