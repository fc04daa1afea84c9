"""Combat: attacks and counter-attacks, mines, rams and bombs.

An attack of strength A on a defence of D wins if a die of A + D sides shows more than D; who has no strength never
wins and rolls no die. D is the defender's, with the bonus of the square it stands on.
"""

from typing import Final

from mypy_extensions import i64

from core.protection.battle.log import ATTACK, BOMB, COUNTER, MINE_FIRES, RAM, SWEEP
from core.protection.battle.minions import GONE, Minions
from core.protection.rules import (
    ARMORED,
    ARTILLERY,
    BOMB_SIDES,
    KAMIKAZEE,
    MAJOR_HIT,
    MINE,
    MINE_ATTACK,
    MINOR_HIT,
    NO_UNIT,
)
from core.protection.setting import NEAR, OPEN

# How an attack ends for who attacked
WON: Final = 0
REPELLED: Final = 1
DIED: Final = 2


class Fights(Minions):
    def attack(self, number: i64, square: i64) -> i64:
        """A barbarian attacks the unit on a square, which is no mine: WON, REPELLED or DIED."""
        setting = self.setting
        kind = self.kinds[number]
        unit = self.units[square]
        if kind == KAMIKAZEE:
            self.fell(square)
            self.lose(number)
            self._note(RAM, number, square, 0, 0, True, 0)
            return DIED
        strength = setting.minion_attack[kind]
        defence = setting.unit_defence[unit] + setting.defence[square]
        rolled = self.dice.roll(strength + defence)
        if rolled > defence:
            plunder = self.fell(square)
            self.carried[number] += plunder
            self.plundered += plunder
            self._note(ATTACK, number, square, rolled, strength + defence, True, plunder)
            return WON
        self._note(ATTACK, number, square, rolled, strength + defence, False, 0)
        return DIED if self._hit(COUNTER, number, square, setting.unit_attack[unit]) else REPELLED

    def trigger(self, number: i64) -> None:
        """A minion has entered the square of a mine."""
        square = self.words[number] >> 4
        self.fell(square)
        if self.kinds[number] == ARMORED:
            self._note(SWEEP, number, square, 0, 0, True, 0)
        else:
            self._hit(MINE_FIRES, number, square, MINE_ATTACK)

    def leap(self, number: i64) -> i64:
        """A jump barbarian whose way is blocked tries the square behind; the squares that it has moved."""
        setting = self.setting
        word = self.words[number]
        pose = word >> 2
        landing = setting.ahead[setting.ahead[pose]]
        square = landing >> 2
        if setting.ground[square] != OPEN:
            return 0
        unit = self.units[square]
        if unit != NO_UNIT and unit != MINE:
            if self.attack(number, square) != WON:
                return 0
        self.words[number] = (landing << 2) | (word & 3)
        if unit == MINE:
            self.trigger(number)
        return 2

    def bomb(self) -> None:
        """Every artillery fires at every minion near it: minions in acting order, artilleries by square."""
        setting = self.setting
        words, units, artilleries = self.words, self.units, self.artilleries
        near, near_distance = setting.near, setting.near_distance
        for number in range(self.begin[8]):
            if words[number] == GONE or not artilleries[words[number] >> 4]:
                continue
            first = (words[number] >> 4) * NEAR
            for place in range(first, first + NEAR):
                if units[near[place]] == ARTILLERY:
                    shot = self.dice.roll(BOMB_SIDES) - 1
                    strength: i64 = 0
                    if near_distance[place] == 1:
                        if shot == 0:
                            strength = MINOR_HIT
                    elif shot <= 1:
                        strength = MAJOR_HIT if shot == 0 else MINOR_HIT
                    if self._hit(BOMB, number, near[place], strength):
                        break

    def _hit(self, fight: i64, number: i64, square: i64, strength: i64) -> bool:
        """The human's unit on a square strikes a minion: whether that is destroyed."""
        if not strength:
            return False
        setting = self.setting
        defence = setting.minion_defence[self.kinds[number]] + setting.defence[self.words[number] >> 4]
        rolled = self.dice.roll(strength + defence)
        if rolled > defence:
            self.lose(number)
        self._note(fight, number, square, rolled, strength + defence, rolled > defence, 0)
        return rolled > defence

    def _note(
        self, fight: i64, number: i64, square: i64, rolled: i64, sides: i64, won: bool, plunder: i64
    ) -> None:
        log = self.log
        if log is not None:
            log.fights.append(
                (
                    int(self.phase),
                    int(fight),
                    int(number),
                    int(square),
                    int(rolled),
                    int(sides),
                    1 if won else 0,
                    int(plunder),
                )
            )
