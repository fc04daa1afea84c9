"""A turn of Advanced Protection: Chaos's minions are bought and placed, act for 50 phases, and are taken back.

A phase clears the broadcasts of the phase before; then all minions act, by kind and within a kind in the order of
purchase; then every artillery fires at every minion near it. Scouts are the first kind, so a broadcast reaches every
barbarian in the phase in which it is sent, and only then. Mobile and kamikazee minions act twice in a row, each time
with a new input.

A minion knows its state and one input of three bits. Its automaton gives the next state and an action: forward,
right, left, or special (scouts broadcast, scavengers farm, barbarians attack). The state changes even if the action
fails. Inputs of the ground and of units come from the tables of core.protection.field. Broadcasts change with every
phase, so they are asked for only by barbarians that sense nothing else. A broadcast is faced if it lies in the front
quadrant, not on the square ahead. With the square ahead alone, communication was worthless and evolution dropped the
scouts. With the quadrant, of 44 evolved strings whose scouts were silenced, 20 became significantly worse and none
better; on average they lost 20 % of the budget.

An attack of strength A on a defence D wins if a die of A + D sides shows more than D. D includes the defence bonus of
the defender's square. A strength of 0 never wins, and no die is rolled for it. A barbarian whose attack fails suffers
one counter-attack. A winner stays where it is; only a jump barbarian, which leaps over what blocks it, lands. A
kamikazee destroys its target and itself without a roll. Every minion that enters a mine's square sets the mine off;
an armored one is not harmed. Bombs hit more often at distance 2 than at distance 1, as in the paper.

Units produce the same amount in each phase, so nothing is added up phase by phase: a unit destroyed in phase p has
made p - 1 times its yield, a survivor 50 times. A barbarian that destroys a unit, other than a kamikazee, takes what
the unit has made in this turn. Money on a minion is lost with the minion. Surviving minions are refunded in full, so
Chaos's change of value is what they carry less the cost of those that were destroyed.

A Turn is used for many turns. Calls come in this order:

    arrange(), or reset()        all units stand
    deploy(), deploy_bought(), or spawn() and place_minion()
                                 the minions of this turn replace those of the turn before
    play()                       phases pass; units and minions are destroyed
    produced(), harvest() ...    the figures of the whole turn; valid until reset() or arrange()

Minions are numbered in acting order. `minions` has pose * 4 + state of each, or DESTROYED_MINION for one that is destroyed or
found no free square. `fallen` lists the squares of destroyed units in order. reset() puts back only these, because a
new arrangement rewrites the tables of the field. For the same reason `_farmed` is never cleared: it has numbers of
phases counted through all turns. Compiled, a prototype of this module took 50 to 110 ns an action and was 25 to 115
times as fast as interpreted.

Reference: "Advanced Protection, Appendix A".
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from core.protection.board import CLOSED, NEAR, OPEN, Arrangement, Scenario
from core.protection.field import (
    BARBARIANS,
    BLOCKED,
    INPUT,
    JAMMED,
    MINED,
    SCAVENGERS,
    SCOUTS,
    SWIMMERS,
    Broadcasts,
    Field,
)
from core.protection.policy import FORWARD, RIGHT, SPECIAL, STRING_BYTES, Policy
from core.protection.rules import (
    AMPHIBIOUS,
    ARMORED,
    ARTILLERY,
    BOMB_SIDES,
    COMMON,
    JUMP,
    KAMIKAZEE,
    KINDS,
    MAJOR_HIT,
    MINE,
    MINE_ATTACK,
    MINIONS,
    MINOR_HIT,
    NO_UNIT,
    PHASES,
    SCAVENGER,
    SCOUT,
    SQUARES,
    buy,
)
from core.random import Random

DESTROYED_MINION: Final = -1  # instead of the pose and state of a minion

# The outcome of an attack for the attacker.
WON: Final = 0
REPELLED: Final = 1
DIED: Final = 2

# Kinds of fights.
ATTACK: Final = 0  # by a minion on a unit
COUNTER: Final = 1  # by the unit, after an attack that failed
MINE_FIRES: Final = 2
BOMB: Final = 3
RAM: Final = 4  # by a kamikazee: no roll
SWEEP: Final = 5  # of a mine by an armored minion: no roll
FIGHTS: Final = ("attack", "counter", "mine", "bomb", "ram", "sweep")

LETTERS: Final = "FRLS"  # by action


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """The dice of combat, rolled by a random source."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def roll(self, sides: i64) -> i64:
        """Return a number from 1 to `sides`."""
        return self._rng.below(sides) + 1


@final
class TurnLog:
    """All actions and fights of a turn, for replays.

    `roster` has (kind, pose) of each minion at the start, by number; pose -1 is off the board. `acts` has a string
    for each phase with a letter for each action, in acting order: F moved, f blocked, R right, L left, S special, J
    jumped. A fight is (phase, kind of fight, number of the minion, square of the unit, n, of, 1 if the attacker has
    won, plunder in dollars): n is the roll of a die of `of` sides, and both are 0 if no die was rolled.
    """

    def __init__(self) -> None:
        self.roster: list[tuple[int, int]] = []
        self.acts: list[str] = []
        self.fights: list[tuple[int, int, int, int, int, int, int, int]] = []
        self._letters: list[str] = []

    def act(self, action: i64, squares: i64) -> None:
        """Record an action of a minion, with the number of squares that it has moved."""
        if action == FORWARD:
            self._letters.append("f" if squares == 0 else "F" if squares == 1 else "J")
        else:
            self._letters.append(LETTERS[action])

    def end_phase(self) -> None:
        self.acts.append("".join(self._letters))
        self._letters.clear()


@final
class Turn:
    """The field of one map, on which many turns can be played; the module's text gives the order of calls.

    All money is in dollars.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario: Final = scenario
        self.field: Final = Field(scenario)
        self.arrangement = Arrangement(bytes(SQUARES))
        self.policy = Policy(bytes(STRING_BYTES))
        self.counts = vec[i64]([0] * KINDS)  # [kind]: minions bought
        self.unspent: i64 = 0  # what Chaos has left after buying
        self.minions = vec[i64]([0] * 64)  # [number]: pose * 4 + state, or DESTROYED_MINION
        self.kinds = vec[i64]([0] * 64)
        self.carried = vec[i64]([0] * 64)  # dollars
        self.begin = vec[i64]([0] * (KINDS + 1))  # [kind]: its first number; [KINDS]: the number of minions
        self.living: i64 = 0
        self.lost = vec[i64]([0] * KINDS)  # [kind]: minions destroyed this turn
        self.fallen = vec[i64]([0] * SQUARES)  # squares whose unit was destroyed this turn, in order
        self.fallen_phase = vec[i64]([0] * SQUARES)  # [square]
        self.fallen_count: i64 = 0
        self.plundered: i64 = 0  # dollars taken this turn, also by minions that have been destroyed since
        self.phase: i64 = 0
        self.dice = Dice(Random(0))
        self.log: TurnLog | None = None
        self._broadcasts = Broadcasts()
        self._farmed = vec[i64]([0] * SQUARES)  # [square]: the last phase in which a scavenger farmed it
        self._phase_count: i64 = 0  # in all turns
        self._actions = vec[i64]([minion.actions for minion in MINIONS])
        self._hears = vec[i64]([minion.hears for minion in MINIONS])
        self._land_squares = vec[i64]([0] * SQUARES)  # free squares for all kinds but the amphibious
        self._land_count: i64 = 0
        self._amphibious_squares = vec[i64]([0] * SQUARES)  # free squares for the amphibious
        self._amphibious_count: i64 = 0
        self._farming: i64 = 0  # what all units make a phase
        self._list_free_squares()

    # -- A turn ----------------------------------------------------------------------------------------

    def arrange(self, arrangement: Arrangement) -> None:
        """Replace all units by those of an arrangement. Raises ValueError if a unit is on water or peaks."""
        self.field.arrange(arrangement)
        self.fallen_count = 0
        self.arrangement = arrangement
        self._list_free_squares()

    def reset(self) -> None:
        """Put back the units that were destroyed; cheaper than arrange()."""
        for place in range(self.fallen_count):
            square = self.fallen[place]
            self.field.put(square, self.arrangement.codes[square])
        self.fallen_count = 0

    def deploy(self, policy: Policy, dollars: i64, rng: Random) -> None:
        """Buy minions by the preferences of the string with up to `dollars`, and place them at random."""
        unspent = buy(
            policy.preferences, self.scenario.minion_cost, dollars, self.scenario.minion_limit, self.counts
        )
        self.spawn(policy, self.counts, unspent)
        self.place_randomly(rng)

    def deploy_bought(self, policy: Policy, bought: list[int], dollars: int, rng: Random) -> None:
        """Buy `bought` minions of each kind, whatever the preferences of the string, and place them at random.

        Raises ValueError if they cost more than `dollars` or exceed the limit of minions.
        """
        cost = sum([count * kind.cost for count, kind in zip(bought, MINIONS, strict=True)])
        if min(bought) < 0 or cost > dollars or sum(bought) > self.scenario.minion_limit:
            raise ValueError(f"Chaos cannot buy {bought} minions with ${dollars}")
        self.spawn(policy, vec[i64]([i64(count) for count in bought]), i64(dollars - cost))
        self.place_randomly(rng)

    def spawn(self, policy: Policy, counts: vec[i64], unspent: i64) -> None:
        """Create `counts` minions of each kind, off the board until place_minion() places them."""
        self.policy = policy
        self.counts = counts
        self.unspent = unspent
        total: i64 = 0
        begin = self.begin
        for kind in range(i64(KINDS)):
            begin[kind] = total
            total += counts[kind]
            self.lost[kind] = 0
        begin[KINDS] = total
        if total > len(self.minions):
            self.minions = vec[i64]([0] * int(2 * total))
            self.kinds = vec[i64]([0] * int(2 * total))
            self.carried = vec[i64]([0] * int(2 * total))
        minions, kinds, carried = self.minions, self.kinds, self.carried
        for kind in range(i64(KINDS)):
            for number in range(begin[kind], begin[kind + 1]):
                minions[number] = DESTROYED_MINION
                kinds[number] = kind
                carried[number] = 0
        self.living = 0
        self.plundered = 0
        self.phase = 0

    def place_randomly(self, rng: Random) -> None:
        """Place each minion on a random free square with a random facing.

        Minions stay off the board if there is no free square for their kind.
        """
        for kind in range(i64(KINDS)):
            free, count = (
                (self._amphibious_squares, self._amphibious_count)
                if kind == AMPHIBIOUS
                else (self._land_squares, self._land_count)
            )
            if count:
                for number in range(self.begin[kind], self.begin[kind + 1]):
                    square = free[rng.below(count)]
                    self.place_minion(number, square * 4 + rng.below(4))

    def place_minion(self, number: i64, pose: i64) -> None:
        """Place a minion on the board, in state 0."""
        self.minions[number] = pose << 2
        self.living += 1

    def play(self, dice: Dice, log: TurnLog | None = None, phases: i64 = PHASES) -> None:
        """Play the next phases, up to phase 50; stop early when no minion is left."""
        self.dice = dice
        self.log = log
        if log is not None and not self.phase:
            log.roster = [
                (int(self.kinds[number]), int(self.minions[number] >> 2))
                for number in range(self.begin[KINDS])
            ]
        last = min(self.phase + phases, PHASES)
        while self.phase < last and self.living:
            self.phase += 1
            self._phase_count += 1
            if self._broadcasts.any:
                self._broadcasts.clear()
            if self.begin[SCOUT] < self.begin[SCOUT + 1]:
                self._move_scouts()
            if self.begin[SCAVENGER] < self.begin[SCAVENGER + 1]:
                self._move_scavengers()
            for kind in range(i64(COMMON), i64(KINDS)):
                if self.begin[kind] < self.begin[kind + 1]:
                    self._move_barbarians(kind)
            if self.field.standing_artilleries:
                self._bomb()
            if log is not None:
                log.end_phase()

    # -- The figures of the turn -----------------------------------------------------------------------

    def produced(self) -> i64:
        """Return what all units have made, including those that were destroyed."""
        made = self.harvest()
        for place in range(self.fallen_count):
            square = self.fallen[place]
            made += (self.fallen_phase[square] - 1) * self._yield_of(square)
        return made

    def harvest(self) -> i64:
        """Return what the surviving units have made; this goes to the human's treasury."""
        farming = self._farming
        for place in range(self.fallen_count):
            farming -= self._yield_of(self.fallen[place])
        return farming * PHASES

    def units_lost(self) -> i64:
        """Return the cost of the units that were destroyed."""
        lost: i64 = 0
        for place in range(self.fallen_count):
            lost += self.scenario.unit_cost[self.arrangement.codes[self.fallen[place]]]
        return lost

    def carried_home(self) -> i64:
        """Return what the surviving minions carry; this goes to Chaos's treasury."""
        total: i64 = 0
        for number in range(self.begin[KINDS]):
            total += self.carried[number]
        return total

    def minions_lost(self) -> i64:
        """Return the cost of the minions that were destroyed; all others are refunded."""
        lost: i64 = 0
        for kind in range(i64(KINDS)):
            lost += self.lost[kind] * self.scenario.minion_cost[kind]
        return lost

    def human_change(self) -> i64:
        """Return by how much the human's value has changed."""
        return self.harvest() - self.units_lost()

    def chaos_change(self) -> i64:
        """Return by how much Chaos's value has changed; the rating of its string is human_change() less this."""
        return self.carried_home() - self.minions_lost()

    # -- Phases ----------------------------------------------------------------------------------------

    def _move_scouts(self) -> None:
        minions, sensors, ahead = self.minions, self.field.sensors, self.scenario.ahead
        automata, log, broadcasts = self.policy.automata, self.log, self._broadcasts
        for number in range(self.begin[SCOUT], self.begin[SCOUT + 1]):
            minion = minions[number]
            if minion == DESTROYED_MINION:
                continue
            pose = minion >> 2
            entry = i64(sensors[SCOUTS + pose])
            nibble = automata[SCOUT * 32 + (minion & 3) * 8 + (entry & INPUT)]
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
            minions[number] = (pose << 2) | (nibble >> 2)
            if log is not None:
                log.act(action, squares)
            if squares and entry & MINED:
                self._trigger_mine(number)

    def _move_scavengers(self) -> None:
        minions, sensors, ahead = self.minions, self.field.sensors, self.scenario.ahead
        automata, log, carried = self.policy.automata, self.log, self.carried
        scavenged, farmed, once = self.scenario.scavenged, self._farmed, self.scenario.yields_once
        now = self._phase_count
        for number in range(self.begin[SCAVENGER], self.begin[SCAVENGER + 1]):
            minion = minions[number]
            if minion == DESTROYED_MINION:
                continue
            pose = minion >> 2
            entry = i64(sensors[SCAVENGERS + pose])
            nibble = automata[SCAVENGER * 32 + (minion & 3) * 8 + (entry & INPUT)]
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
            minions[number] = (pose << 2) | (nibble >> 2)
            if log is not None:
                log.act(action, squares)
            if squares and entry & MINED:
                self._trigger_mine(number)

    def _move_barbarians(self, kind: i64) -> None:
        minions, sensors, ahead = self.minions, self.field.sensors, self.scenario.ahead
        automata, log, broadcasts = self.policy.automata, self.log, self._broadcasts
        table: i64 = SWIMMERS if kind == AMPHIBIOUS else BARBARIANS
        hears = self._hears[kind]
        actions = self._actions[kind]
        listens = broadcasts.any
        for number in range(self.begin[kind], self.begin[kind + 1]):
            for _time in range(actions):
                minion = minions[number]
                if minion == DESTROYED_MINION:
                    break
                pose = minion >> 2
                entry = i64(sensors[table + pose])
                sensed = entry & INPUT
                if listens and not sensed and not entry & JAMMED:
                    sensed = broadcasts.received(pose, hears)
                nibble = automata[kind * 32 + (minion & 3) * 8 + sensed]
                action = nibble & 3
                squares: i64 = 0
                if action == FORWARD:
                    if not entry & BLOCKED:
                        pose = ahead[pose]
                        squares = 1
                elif action != SPECIAL:
                    pose = _turned(pose, action)
                minions[number] = (pose << 2) | (nibble >> 2)
                if entry & (BLOCKED | MINED):
                    if action == FORWARD and kind == JUMP and entry & BLOCKED:
                        squares = self._leap(number)
                    elif squares:
                        self._trigger_mine(number)
                    elif action == SPECIAL and entry & BLOCKED and sensed >= 4:
                        self._attack(number, ahead[pose] >> 2)
                if log is not None:
                    log.act(action, squares)

    # -- Combat ----------------------------------------------------------------------------------------

    def _attack(self, number: i64, square: i64) -> i64:
        """Let a barbarian attack the unit on a square, which is no mine, and return WON, REPELLED or DIED."""
        scenario = self.scenario
        kind = self.kinds[number]
        unit = self.field.units[square]
        if kind == KAMIKAZEE:
            self._destroy_unit(square)
            self._lose(number)
            self._log_fight(RAM, number, square, 0, 0, True, 0)
            return DIED
        strength = scenario.minion_attack[kind]
        defence = scenario.unit_defence[unit] + scenario.defence[square]
        rolled = self.dice.roll(strength + defence)
        if rolled > defence:
            plunder = self._destroy_unit(square)
            self.carried[number] += plunder
            self.plundered += plunder
            self._log_fight(ATTACK, number, square, rolled, strength + defence, True, plunder)
            return WON
        self._log_fight(ATTACK, number, square, rolled, strength + defence, False, 0)
        return DIED if self._hit(COUNTER, number, square, scenario.unit_attack[unit]) else REPELLED

    def _trigger_mine(self, number: i64) -> None:
        """Set off the mine on whose square a minion stands."""
        square = self.minions[number] >> 4
        self._destroy_unit(square)
        if self.kinds[number] == ARMORED:
            self._log_fight(SWEEP, number, square, 0, 0, True, 0)
        else:
            self._hit(MINE_FIRES, number, square, MINE_ATTACK)

    def _leap(self, number: i64) -> i64:
        """Let a jump barbarian leap over the square that blocks it, and return the squares that it has moved."""
        scenario = self.scenario
        minion = self.minions[number]
        pose = minion >> 2
        landing = scenario.ahead[scenario.ahead[pose]]
        square = landing >> 2
        if scenario.ground[square] != OPEN:
            return 0
        unit = self.field.units[square]
        if unit != NO_UNIT and unit != MINE:
            if self._attack(number, square) != WON:
                return 0
        self.minions[number] = (landing << 2) | (minion & 3)
        if unit == MINE:
            self._trigger_mine(number)
        return 2

    def _bomb(self) -> None:
        """Let every artillery fire at every minion near it: minions in acting order, artilleries by square."""
        scenario = self.scenario
        minions, units, artilleries = self.minions, self.field.units, self.field.artilleries
        near, near_distance = scenario.near, scenario.near_distance
        for number in range(self.begin[KINDS]):
            if minions[number] == DESTROYED_MINION or not artilleries[minions[number] >> 4]:
                continue
            first = (minions[number] >> 4) * NEAR
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
        """Let the human's unit on a square strike a minion, and return whether the minion is destroyed."""
        if not strength:
            return False
        scenario = self.scenario
        defence = scenario.minion_defence[self.kinds[number]] + scenario.defence[self.minions[number] >> 4]
        rolled = self.dice.roll(strength + defence)
        if rolled > defence:
            self._lose(number)
        self._log_fight(fight, number, square, rolled, strength + defence, rolled > defence, 0)
        return rolled > defence

    def _lose(self, number: i64) -> None:
        """Destroy a minion and the money that it carries."""
        self.minions[number] = DESTROYED_MINION
        self.carried[number] = 0
        self.lost[self.kinds[number]] += 1
        self.living -= 1

    def _destroy_unit(self, square: i64) -> i64:
        """Destroy the unit on a square and return the dollars that it has made in this turn."""
        made = (self.phase - 1) * self.scenario.yields[self.field.units[square] * SQUARES + square]
        self.field.put(square, 0)
        self.fallen[self.fallen_count] = square
        self.fallen_phase[square] = self.phase
        self.fallen_count += 1
        return made

    def _log_fight(
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

    # -- Helpers ---------------------------------------------------------------------------------------

    def _yield_of(self, square: i64) -> i64:
        return self.scenario.yields[i64(self.arrangement.codes[square]) * SQUARES + square]

    def _list_free_squares(self) -> None:
        """List the free squares, and add up what all units make in a phase."""
        scenario = self.scenario
        self._land_count = 0
        self._amphibious_count = 0
        self._farming = 0
        for square in range(i64(SQUARES)):
            if self.field.units[square] != NO_UNIT:
                self._farming += scenario.yields[self.field.units[square] * SQUARES + square]
            elif scenario.ground[square] != CLOSED:
                self._amphibious_squares[self._amphibious_count] = square
                self._amphibious_count += 1
                if scenario.ground[square] == OPEN:
                    self._land_squares[self._land_count] = square
                    self._land_count += 1


def _turned(pose: i64, action: i64) -> i64:
    """Return the pose after turning to the right or to the left."""
    return (pose & ~3) | ((pose + (1 if action == RIGHT else 3)) & 3)
