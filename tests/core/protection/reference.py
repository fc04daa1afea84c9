"""A second engine for Advanced Protection, written from the rules alone: slow, plain, and quick to read.

It draws from its random source in the order that the rules give, so that both engines see the same dice.
"""

from dataclasses import dataclass, field

from core.random import Random

UNITS = {  # cost, attack, defence, farm rate
    "drone": (20, 0, 1, 1),
    "mine": (50, 0, 0, None),
    "farmer": (100, 0, 1, 1),
    "infantry": (100, 3, 6, None),
    "settler": (150, 2, 4, 3),
    "jammer": (150, 0, 2, None),
    "armor": (200, 8, 10, None),
    "artillery": (400, 3, 2, None),
}
MINIONS = {  # cost, attack, defence, actions, hearing
    "scout": (10, 0, 1, 1, 0),
    "scavenger": (100, 0, 1, 1, 0),
    "common": (50, 6, 3, 1, 2),
    "amphibious": (60, 6, 3, 1, 2),
    "mobile": (70, 5, 3, 2, 3),
    "jump": (70, 6, 2, 1, 2),
    "kamikazee": (70, 0, 10, 2, 2),
    "armored": (200, 15, 10, 1, 3),
}
FARMING = {"~": 0, ",": 2, "t": 1, "n": 0, "M": -1, "^": 0}
DEFENCE = {"~": 0, ",": 0, "t": 0, "n": 1, "M": 2, "^": 0}
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
Square = tuple[int, int]


@dataclass
class Man:
    """A minion."""

    number: int
    kind: str
    at: Square = (-1, -1)
    facing: str = "N"
    state: int = 0
    money: int = 0
    on_board: bool = False


@dataclass
class Naive:
    """One turn; `lines` and `gold` are the map, `units` what stands on it."""

    rules: str
    lines: list[str]
    gold: set[Square]
    units: dict[Square, str]
    rng: Random
    men: list[Man] = field(default_factory=list)
    fights: list[tuple[int, str, int, Square, int, int, bool, int]] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    fallen: list[tuple[Square, int]] = field(default_factory=list)
    made: dict[Square, int] = field(default_factory=dict)
    kept: int = 0
    phase: int = 0
    broadcasting: set[Square] = field(default_factory=set)
    farmed: set[Square] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    plundered: int = 0

    # -- the turn

    def buy(self, preferences: list[int], money: int) -> None:
        bought = dict.fromkeys(MINIONS, 0)
        most = 1000 if self.rules == "improved" else 20_000
        while sum(bought.values()) < most:
            best, best_quotient = "", (0, 1)
            for kind, preference in zip(MINIONS, preferences, strict=True):
                quotient = (preference, bought[kind] + 1)
                if preference and MINIONS[kind][0] <= money:
                    if not best or quotient[0] * best_quotient[1] > best_quotient[0] * quotient[1]:
                        best, best_quotient = kind, quotient
            if not best:
                break
            bought[best] += 1
            money -= MINIONS[best][0]
        self.kept = money
        self.men = []
        for kind, count in bought.items():
            self.men += [Man(number, kind) for number in range(len(self.men), len(self.men) + count)]

    def place(self) -> None:
        for man in self.men:
            free = [
                (x, y)
                for y in range(24)
                for x in range(24)
                if (x, y) not in self.units and self.is_passable((x, y), man.kind)
            ]
            if free:
                man.at = free[self.rng.below(len(free))]
                man.facing = "NESW"[self.rng.below(4)]
                man.on_board = True

    def play(self, string: bytes) -> None:
        nibbles = [nibble for byte in string for nibble in (byte >> 4, byte & 15)]
        self.made = dict.fromkeys(self.units, 0)
        for self.phase in range(1, 51):
            self.broadcasting, self.farmed = set(), set()
            letters = ""
            for man in self.men:
                for _ in range(MINIONS[man.kind][3]):
                    if man.on_board:
                        place = list(MINIONS).index(man.kind) * 32 + man.state * 8 + self.sense(man)
                        man.state = nibbles[place] >> 2
                        letters += self.act(man, nibbles[place] & 3)
            self.acts.append(letters)
            self.fire()
            for square, unit in self.units.items():
                self.made[square] += self.farm(square, UNITS[unit][3], unit)

    # -- what the ground gives

    def ground(self, square: Square) -> str:
        return self.lines[square[1]][square[0]]

    def is_passable(self, square: Square, kind: str) -> bool:
        ground = self.ground(square)
        return ground != "^" and (ground != "~" or kind == "amphibious")

    def bonus(self, square: Square) -> int:
        return FARMING[self.ground(square)] + (2 if square in self.gold else 0)

    def farm(self, square: Square, rate: int | None, unit: str = "") -> int:
        if rate is None:
            return 0
        if unit == "farmer" and self.rules == "improved":
            rate = 2
        return max(0, rate + self.bonus(square))

    # -- where things are

    @staticmethod
    def ahead(square: Square, facing: str, steps: int = 1) -> Square:
        x, y = STEP[facing]
        return (square[0] + steps * x) % 24, (square[1] + steps * y) % 24

    @staticmethod
    def way(here: Square, there: Square) -> Square:
        """East and south, the short way."""
        return (there[0] - here[0] + 12) % 24 - 12, (there[1] - here[1] + 12) % 24 - 12

    def away(self, here: Square, there: Square) -> int:
        return max(abs(step) for step in self.way(here, there))

    def is_faced(self, man: Man, there: Square) -> bool:
        east, south = self.way(man.at, there)
        forward = {"N": -south, "S": south, "E": east, "W": -east}[man.facing]
        aside = abs(east) if man.facing in "NS" else abs(south)
        return forward >= 1 and forward >= aside

    def near(self, here: Square, unit: str, radius: int) -> bool:
        return any(kind == unit and self.away(here, square) <= radius for square, kind in self.units.items())

    # -- the three tables of inputs

    def sense(self, man: Man) -> int:
        front = self.ahead(man.at, man.facing)
        unit = self.units.get(front)
        if man.kind == "scout":
            if unit:
                return {"drone": 4, "farmer": 4, "armor": 6, "mine": 7}.get(unit, 5)
            if not self.is_passable(front, man.kind):
                return 1
            if self.near(man.at, "artillery", 2):
                return 3
            return 2 if self.near(man.at, "jammer", 4) else 0
        if man.kind == "scavenger":
            if unit and unit != "mine":
                return 0
            if not self.is_passable(front, man.kind):
                return 1
            near = [square for square in self.gold if self.away(man.at, square) <= 3]
            if near and man.at not in self.gold:
                return 3 if any(self.is_faced(man, square) for square in near) else 2
            return 4 + min(3, max(0, self.bonus(man.at)))
        if unit and unit != "mine":
            codes = {
                "drone": 4,
                "farmer": 4,
                "infantry": 5,
                "settler": 5,
                "armor": 6,
                "jammer": 7,
                "artillery": 7,
            }
            return codes[unit]
        if not self.is_passable(front, man.kind):
            return 1
        if not self.near(man.at, "jammer", 4):
            received = [
                there for there in self.broadcasting if self.away(man.at, there) <= MINIONS[man.kind][4]
            ]
            if received:
                return 3 if any(self.is_faced(man, there) for there in received) else 2
        return 0

    # -- the actions

    def act(self, man: Man, action: int) -> str:
        if action == 1:
            man.facing = "NESW"["NESW".index(man.facing) - 3]
        elif action == 2:
            man.facing = "NESW"["NESW".index(man.facing) - 1]
        elif action == 0:
            return self.walk(man)
        elif man.kind == "scout":
            self.broadcasting.add(man.at)
        elif man.kind == "scavenger":
            if man.at not in self.farmed or self.rules == "seed":
                man.money += self.farm(man.at, 2)
            self.farmed.add(man.at)
        else:
            front = self.ahead(man.at, man.facing)
            if self.units.get(front, "mine") != "mine":
                self.attack(man, front)
        return "FRLS"[action]

    def walk(self, man: Man) -> str:
        front = self.ahead(man.at, man.facing)
        if self.is_passable(front, man.kind) and self.units.get(front, "mine") == "mine":
            self.enter(man, front)
            return "F"
        landing = self.ahead(man.at, man.facing, 2)
        if man.kind != "jump" or not self.is_passable(landing, man.kind):
            return "f"
        if self.units.get(landing, "mine") != "mine":
            self.attack(man, landing)
            if landing in self.units or not man.on_board:
                return "f"
        self.enter(man, landing)
        return "J"

    def enter(self, man: Man, square: Square) -> None:
        man.at = square
        if self.units.get(square) == "mine":
            self.destroy(square)
            if man.kind == "armored":
                self.fights.append((self.phase, "sweep", man.number, square, 0, 0, True, 0))
            else:
                self.strike("mine", man, square, 10)

    # -- combat

    def attack(self, man: Man, square: Square) -> None:
        unit = self.units[square]
        if man.kind == "kamikazee":
            self.destroy(square)
            self.die(man)
            self.fights.append((self.phase, "ram", man.number, square, 0, 0, True, 0))
            return
        attack, defence = MINIONS[man.kind][1], UNITS[unit][2] + DEFENCE[self.ground(square)]
        rolled = self.rng.below(attack + defence) + 1
        if rolled > defence:
            plunder = self.made[square]
            self.destroy(square)
            man.money += plunder
            self.plundered += plunder
            self.fights.append(
                (self.phase, "attack", man.number, square, rolled, attack + defence, True, plunder)
            )
        else:
            self.fights.append((self.phase, "attack", man.number, square, rolled, attack + defence, False, 0))
            self.strike("counter", man, square, UNITS[unit][1])

    def strike(self, kind: str, man: Man, square: Square, attack: int) -> None:
        if attack:
            defence = MINIONS[man.kind][2] + DEFENCE[self.ground(man.at)]
            rolled = self.rng.below(attack + defence) + 1
            if rolled > defence:
                self.die(man)
            fight = (self.phase, kind, man.number, square, rolled, attack + defence, rolled > defence, 0)
            self.fights.append(fight)

    def fire(self) -> None:
        for man in self.men:
            for square in sorted(self.units, key=lambda square: (square[1], square[0])):
                if self.units[square] == "artillery" and man.on_board and self.away(square, man.at) <= 2:
                    shot = self.rng.below(8)
                    attacks = {0: 5} if self.away(square, man.at) == 1 else {0: 10, 1: 5}
                    self.strike("bomb", man, square, attacks.get(shot, 0))

    def destroy(self, square: Square) -> None:
        del self.units[square]
        self.fallen.append((square, self.phase))

    def die(self, man: Man) -> None:
        man.on_board = False
        man.money = 0
        self.lost.append(man.kind)
