"""The genome of an Acquire player: programs for its decisions, and the ADFs and registers that the programs share.

A genome has at most one program for each of six decisions: place, buy, found, survivor, end and dispose. A decision
without a program is left to the random player and to the player options, which are not part of the genome. The
program for `end` is a truth; all others are numbers, and the player takes the option after which its program is
largest. At least one decision has a program.

The text of a genome is one form or more: `(define place TREE)`, `(define buy TREE)` and so on. ADFs are functions of
a fixed signature that all programs may call: `(define (rate-1 it) TREE)`. Programs that set a register run after each
purchase, `(define remember-1 TREE)`; all programs read that register as `(memory-1)`.

The kind of player follows from the programs alone. Programs for place and buy with primitives of the thesis make a
RankedPlayer, so that the thesis's programs play as they did there; all else makes a TypedPlayer. The interpreter has
no calls: express() expands ADFs, and changed() refuses programs that would call a missing ADF or expand beyond the
interpreter's limits. Registers belong to a player and not to its genome.

Reference: "Evolving Board Evaluation Functions", sections 3.2 and 5.3 (strong typing, a unified strategy, functions,
internal state).

>>> genome = Genome.loads("(define buy (- 2 cash)) (define place (+ my-worth 1))")
>>> [name for name, program in genome.programs()]
['place', 'buy']
>>> print(genome.dumps(), end="")
(define place
  (+ (my-worth) 1))
<BLANKLINE>
(define buy
  (- 2 (cash)))
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from core.acquire.players import Player
from core.acquire.ranked_player import RankedFeatures, RankedPlayer
from core.acquire.rules import Rules
from core.acquire.typed_features import FEATURES, TypedFeatures
from core.acquire.typed_player import Decisions, Memory, TypedPlayer
from engines.acquire.gp.primitives import ADF_NAMES, MEMORY_NAMES, PRIMITIVES, THESIS, Type
from engines.acquire.gp.sexpr import TreeError, dumps_forms, loads_forms
from engines.acquire.gp.simplify import Facts, shortest_programs
from engines.acquire.gp.tree import Tree, called_adfs, compile_tree, costs, expand
from engines.names import near

DECISIONS: Final = ("place", "buy", "found", "survivor", "end", "dispose")
TRUTHS: Final = ("end",)  # decisions whose program is a truth, not a number
REMEMBERING: Final = tuple(MEMORY_NAMES)  # programs that each set a register
THESIS_NAMES: Final = frozenset(each.name for each in THESIS.primitives)

# The words of options, in the order of the constants in core.acquire.ranked_player and core.acquire.players.
TIES: Final = ("random", "first", "last")
PURCHASES: Final = ("all", "most", "single")
DISPOSING: Final = ("trade then sell", "sell all", "random split")
ENDING: Final = ("coin", "always", "never")
RANDOM_BUY: Final = ("number first", "any set")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOptions:
    """The options of a player apart from its programs, which "Evolving Board Evaluation Functions" leaves open.

    Options in words are indices into TIES, PURCHASES, DISPOSING, ENDING and RANDOM_BUY. The strengths of the thesis's
    pairs hold for the first word of each.
    """

    tie: int = 0
    purchases: int = 0
    samples: int = 1  # sampled outcomes of a tile; 0: the exact expectation
    dollar: float = 1.0  # the unit of money in programs of the thesis's primitives
    disposing: int = 0
    ending: int = 0
    buying: int = 0

    @property
    def chance_arguments(self) -> tuple[int, int, int]:
        """The options for decisions that are left to chance, as arguments of the random player."""
        return self.disposing, self.ending, self.buying

    def __str__(self) -> str:
        """Return the options in words, for display with each strength."""
        return (
            f"tie {TIES[self.tie]}, purchases {PURCHASES[self.purchases]}, "
            f"outcomes {self.samples or 'all'}, disposing {DISPOSING[self.disposing]}, "
            f"ending {ENDING[self.ending]}"
        )


DEFAULT_OPTIONS: Final = PlayerOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """The programs of a player by decision, None where there is none; then ADFs and register programs, by name."""

    place: Tree | None = None
    buy: Tree | None = None
    found: Tree | None = None
    survivor: Tree | None = None
    end: Tree | None = None
    dispose: Tree | None = None
    functions: tuple[tuple[str, Tree], ...] = ()
    registers: tuple[tuple[str, Tree], ...] = ()

    @classmethod
    def of(cls, programs: Iterable[tuple[str, Tree | None]]) -> Self:
        """Return the genome of named programs; of two programs with the same name the last counts."""
        found = {name: tree for name, tree in dict(programs).items() if tree is not None}
        return cls(
            functions=tuple((name, found.pop(name)) for name in ADF_NAMES if name in found),
            registers=tuple((name, found.pop(name)) for name in REMEMBERING if name in found),
            **found,
        )

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the genome of a text. Raises TreeError, a ValueError, with line and column."""
        programs = loads_forms(text, TRUTHS)
        for name in programs:
            if name not in (*DECISIONS, *ADF_NAMES, *REMEMBERING):
                raise TreeError(f"no decision is called {name}; {near(name, (*DECISIONS, *REMEMBERING))}")
        if programs.keys().isdisjoint(DECISIONS):
            raise TreeError("no program: (define place ...) or (define buy ...) is expected")
        return cls.of(programs.items())

    def dumps(self) -> str:
        """Return the text of the genome: ADFs first, then decisions, then registers."""
        return dumps_forms(dict(self.functions) | dict(self.programs()))

    def programs(self) -> list[tuple[str, Tree]]:
        """Return the programs by name: those for decisions, then ADFs, then those that set registers."""
        pairs = ((name, self[name]) for name in DECISIONS)
        return [
            *((name, tree) for name, tree in pairs if tree is not None),
            *self.functions,
            *self.registers,
        ]

    def __getitem__(self, name: str) -> Tree | None:
        if name not in DECISIONS:
            return dict((*self.functions, *self.registers)).get(name)
        tree: Tree | None = getattr(self, name)
        return tree

    def simplified(self, rules: Rules) -> Self:
        """Return a shorter genome that decides the same under these rules.

        Sums may be cancelled only because money is in dollars.
        """
        return self.of(shortest_programs(dict(self.programs()), Facts.of(rules)).items())

    def alone(self, name: str) -> Self:
        """Return a genome with this program only, and the ADFs."""
        return self.of([*self.functions, (name, self[name])])

    def changed(self, name: str, tree: Tree) -> Self:
        """Return the genome with another program of this name, or the same genome if the result would be unsound.

        A genome is unsound if the new program calls an ADF that is missing, or a program is too large when expanded.
        """
        genome = self.of([*self.programs(), (name, tree)])
        if not self.functions and not called_adfs(tree):
            return genome
        programs = dict(genome.programs())
        is_sound = called_adfs(tree) <= programs.keys() and all(
            cost.is_small for cost in costs(programs).values()
        )
        return genome if is_sound else self

    @property
    def is_of_thesis(self) -> bool:
        """Whether only primitives of the thesis occur, in programs for place and buy."""
        programs = dict(self.programs())
        names = {node for tree in programs.values() for node in tree if isinstance(node, str)}
        return names <= THESIS_NAMES and not programs.keys() - {"place", "buy"}

    def express(self, options: PlayerOptions = DEFAULT_OPTIONS) -> Player:
        """Return a new player. It keeps the state of its game, so two seats need two players."""
        if self.is_of_thesis:
            return RankedPlayer(
                _ranked_features(self.place, options.dollar),
                _ranked_features(self.buy, options.dollar),
                options.tie,
                *options.chance_arguments,
                options.purchases,
                options.samples,
            )
        whole = expand(dict(self.programs()))
        features = [_typed_features(whole.get(name)) for name in DECISIONS]
        memory = None
        if self.registers:
            registers = [_typed_features(whole.get(name)) for name in REMEMBERING]
            memory = Memory(registers, [each for each in features if each])
        return TypedPlayer(Decisions(*features), options.tie, *options.chance_arguments, memory)


def result_of(program: str) -> Type:
    """Return the type of the value of the program with this name."""
    if program in ADF_NAMES:
        return PRIMITIVES[program].result
    return Type.TRUTH if program in TRUTHS else Type.NUMBER


def _ranked_features(tree: Tree | None, dollar: float) -> RankedFeatures | None:
    return None if tree is None else RankedFeatures(compile_tree(tree), dollar)


def _typed_features(tree: Tree | None) -> TypedFeatures | None:
    """Return the features of a typed program, in which money is in hundreds of dollars."""
    return None if tree is None else TypedFeatures(compile_tree(tree, FEATURES, 0), 0.01)
