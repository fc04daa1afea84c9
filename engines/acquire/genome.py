"""The genome of an Acquire player: a program for each decision that it does not leave to chance.

Its text is `(define place TREE)`, `(define buy TREE)` and so on, one or more; beside them functions that all programs
may call, `(define (rate-1 it) TREE)`, and what is remembered after a purchase, `(define remember-1 TREE)`, for all to
read as `(memory-1)`. Programs in the thesis's words for place and buy alone make a TreePlayer, all else a TypedPlayer.
Reference: "Evolving Board Evaluation Functions", sections 3.2 and 5.3 (strong typing, a unified strategy, functions,
internal state).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from core.acquire.players import Player
from core.acquire.ranked_player import RankedFeatures, RankedPlayer
from core.acquire.rules import Rules
from core.acquire.typed_features import FEATURES, TypedFeatures
from core.acquire.typed_player import Memory, TypedPlayer
from core.random import Random
from engines.acquire.conduct import Conduct
from engines.acquire.trees.calls import called, costs, expanded
from engines.acquire.trees.compile import compiled
from engines.acquire.trees.generation import Generator
from engines.acquire.trees.reader import TreeError
from engines.acquire.trees.shorter.facts import Facts
from engines.acquire.trees.shorter.whole import shortened
from engines.acquire.trees.text import dumps_forms, loads_forms
from engines.acquire.trees.tree import Tree
from engines.acquire.trees.variation import crossed, mutated
from engines.acquire.trees.words.functions import FUNCTIONS, scope_of
from engines.acquire.trees.words.primitive import Type
from engines.acquire.trees.words.sets import PRIMITIVES, THESIS, typed_words
from engines.acquire.trees.words.typed import MEMORY_NAMES

DECISIONS: Final = ("place", "buy", "found", "survivor", "end", "dispose")
TRUTHS: Final = ("end",)  # decisions whose program gives a truth
REMEMBERING: Final = tuple(MEMORY_NAMES)  # programs that fill a register each
PRINTED_WORDS: Final = frozenset(each.name for each in THESIS.primitives)
DEPTH: Final = 4  # levels below the root of new trees
MOST_LEVELS: Final = 17  # of a child
PRINTED: Final = Path(__file__).with_name("thesis_pairs.lisp")
COMPOSED: Final = Path(__file__).with_name("composed.lisp")
EVOLVED: Final = Path(__file__).with_name("evolved")

THESIS_CONDUCT: Final = Conduct()


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """Programs by decision; None where there is none. Functions and what fills registers follow, by their names."""

    place: Tree | None = None
    buy: Tree | None = None
    found: Tree | None = None
    survivor: Tree | None = None
    end: Tree | None = None
    dispose: Tree | None = None
    functions: tuple[tuple[str, Tree], ...] = ()
    registers: tuple[tuple[str, Tree], ...] = ()

    @classmethod
    def random(cls, rng: Random) -> Self:
        """All decisions' programs, grown."""
        return cls.of(
            (name, Generator.of(typed_words(name)).tree(DEPTH, False, rng, result_of(name)))
            for name in DECISIONS
        )

    @classmethod
    def of(cls, programs: Iterable[tuple[str, Tree | None]]) -> Self:
        """By name; the last one of a name counts."""
        found = {name: tree for name, tree in dict(programs).items() if tree is not None}
        return cls(
            functions=tuple((name, found.pop(name)) for name in FUNCTIONS if name in found),
            registers=tuple((name, found.pop(name)) for name in REMEMBERING if name in found),
            **found,
        )

    @classmethod
    def loads(cls, text: str) -> Self:
        """TreeError, a ValueError, names line and column."""
        programs = loads_forms(text, TRUTHS)
        for name in programs:
            if name not in (*DECISIONS, *FUNCTIONS, *REMEMBERING):
                raise TreeError(
                    f"no decision is called {name}; there are {', '.join(DECISIONS)}, "
                    f"and {', '.join(REMEMBERING)}"
                )
        if programs.keys().isdisjoint(DECISIONS):
            raise TreeError("no program: (define place ...) or (define buy ...) is expected")
        return cls.of(programs.items())

    def dumps(self) -> str:
        """Functions first."""
        programs = dict(self.programs())
        return dumps_forms(dict(self.functions) | programs)

    def programs(self) -> list[tuple[str, Tree]]:
        """Those that are there: by decision, then functions and what fills registers."""
        pairs = ((name, self[name]) for name in DECISIONS)
        return [
            *((name, tree) for name, tree in pairs if tree is not None),
            *self.functions,
            *self.registers,
        ]

    def simplified(self, rules: Rules) -> Self:
        """Shorter, with the same decisions by these rules, where money is in dollars."""
        return self.of(shortened(dict(self.programs()), Facts.of(rules)).items())

    def __getitem__(self, name: str) -> Tree | None:
        if name not in DECISIONS:
            return dict((*self.functions, *self.registers)).get(name)
        tree: Tree | None = getattr(self, name)
        return tree

    def alone(self, name: str) -> Self:
        """With this program only, and the functions."""
        return self.of([*self.functions, (name, self[name])])

    @property
    def is_printed(self) -> bool:
        """Whether it has the words of the printed programs alone, and decides no more than they."""
        programs = dict(self.programs())
        words = {node for tree in programs.values() for node in tree if isinstance(node, str)}
        return words <= PRINTED_WORDS and not programs.keys() - {"place", "buy"}

    def express(self, conduct: Conduct = THESIS_CONDUCT) -> Player:
        """The player; its games are its own, so two seats need two of them."""
        chance = (conduct.disposing, conduct.ending, conduct.buying)
        if not self.is_printed:
            whole = expanded(dict(self.programs()))
            views = [_chain_view(whole.get(name)) for name in DECISIONS]
            place, buy, found, survivor, end, dispose = views
            memory = None
            if self.registers:
                registers = [_chain_view(whole.get(name)) for name in REMEMBERING]
                memory = Memory(registers, [view for view in views if view])
            return TypedPlayer(place, buy, found, survivor, end, dispose, conduct.tie, *chance, memory)
        ranked = [
            None if tree is None else RankedFeatures(compiled(tree), conduct.dollar)
            for tree in (self.place, self.buy)
        ]
        return RankedPlayer(ranked[0], ranked[1], conduct.tie, *chance, conduct.purchases, conduct.samples)

    def mutate(self, rng: Random) -> Self:
        """One program has a new subtree."""
        programs = self.programs()
        changed, tree = programs[rng.below(len(programs))]
        words = THESIS if self.is_printed else typed_words(changed, [name for name, _ in programs])
        return self.changed(changed, mutated(tree, Generator.of(words), DEPTH, rng, scope_of(changed)))

    def mate(self, other: Self, rng: Random) -> Self:
        """One program, which both have, is crossed; the others are from this parent."""
        shared = [name for name, _ in self.programs() if other[name] is not None]
        if not shared:
            return self
        name = shared[rng.below(len(shared))]
        mother, father = self[name], other[name]
        assert mother and father
        child, _ = crossed(mother, father, MOST_LEVELS, False, rng, scope_of(name))
        return self.changed(name, child)

    def changed(self, name: str, tree: Tree) -> Self:
        """With another program; this one where that would call what is not there, or be too large when expanded."""
        genome = self.of([*self.programs(), (name, tree)])
        if not self.functions and not called(tree):
            return genome
        programs = dict(genome.programs())
        is_sound = called(tree) <= programs.keys() and all(cost.is_small for cost in costs(programs).values())
        return genome if is_sound else self


def result_of(decision: str) -> Type:
    """What its program gives; that of a function, too."""
    if decision in FUNCTIONS:
        return PRIMITIVES[decision].result
    return Type.TRUTH if decision in TRUTHS else Type.NUMBER


def _chain_view(tree: Tree | None) -> TypedFeatures | None:
    """Typed words count money in hundreds of dollars."""
    return None if tree is None else TypedFeatures(compiled(tree, FEATURES, 0), 0.01)


def printed() -> dict[str, Tree]:
    """The ten trees that "Evolving Board Evaluation Functions" prints, by name."""
    return loads_forms(PRINTED.read_text(encoding="utf-8"))


def thesis_players() -> dict[str, Genome]:
    """The four winning pairs and the two best of a run, as named opponents."""
    trees = printed()
    names = ("best-of-run", *(f"pair-{number}" for number in range(1, 5)))
    return {name: Genome(place=trees[f"{name}-place"], buy=trees[f"{name}-buy"]) for name in names}


def typed_players() -> dict[str, Genome]:
    """The one that was composed by hand, and what this program has bred, by name."""
    return {"composed": Genome.loads(COMPOSED.read_text(encoding="utf-8"))} | evolved_players()


def evolved_players() -> dict[str, Genome]:
    """What this program has bred, by name."""
    return {
        f"evolved-{path.stem}": Genome.loads(path.read_text(encoding="utf-8"))
        for path in sorted(EVOLVED.glob("*.lisp"))
    }
