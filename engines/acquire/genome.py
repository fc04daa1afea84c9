"""The genome of an Acquire player: a program for each decision that it does not leave to chance.

Its text is `(define place TREE)`, `(define buy TREE)` and so on, one or more. Programs in the thesis's words for
these two make a TreePlayer, all else a TypedPlayer. Reference: "Evolving Board Evaluation Functions", sections 3.2
and 5.3 (strong typing, a unified strategy).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from core.acquire.players.player import Player
from core.acquire.ranked.player import Habits, TreePlayer
from core.acquire.ranked.view import View
from core.acquire.typed.player import TypedPlayer
from core.acquire.typed.slots import FEATURES
from core.acquire.typed.view import ChainView
from core.random import Random
from engines.acquire.conduct import Conduct
from engines.acquire.trees.compile import compiled
from engines.acquire.trees.generation import Generator
from engines.acquire.trees.text import TreeError, dumps_forms, loads_forms
from engines.acquire.trees.tree import Tree
from engines.acquire.trees.variation import crossed, mutated
from engines.acquire.trees.words.primitive import Type
from engines.acquire.trees.words.sets import THESIS, typed_words

DECISIONS: Final = ("place", "buy", "found", "survivor", "end", "dispose")
TRUTHS: Final = ("end",)  # decisions whose program gives a truth
PRINTED_WORDS: Final = frozenset(each.name for each in THESIS.primitives)
DEPTH: Final = 4  # levels below the root of new trees
MOST_LEVELS: Final = 17  # of a child
PRINTED: Final = Path(__file__).with_name("thesis_pairs.lisp")
COMPOSED: Final = Path(__file__).with_name("composed.lisp")
EVOLVED: Final = Path(__file__).with_name("evolved")

THESIS_CONDUCT: Final = Conduct()


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """Programs by decision; None where there is none."""

    place: Tree | None = None
    buy: Tree | None = None
    found: Tree | None = None
    survivor: Tree | None = None
    end: Tree | None = None
    dispose: Tree | None = None

    @classmethod
    def random(cls, rng: Random) -> Self:
        """All programs, grown."""
        return cls.of(
            (name, Generator.of(typed_words(name)).tree(DEPTH, False, rng, result_of(name)))
            for name in DECISIONS
        )

    @classmethod
    def of(cls, programs: Iterable[tuple[str, Tree | None]]) -> Self:
        return cls(**dict(programs))

    @classmethod
    def loads(cls, text: str) -> Self:
        """TreeError, a ValueError, names line and column."""
        programs = loads_forms(text, TRUTHS)
        for name in programs:
            if name not in DECISIONS:
                raise TreeError(f"no decision is called {name}; there are {', '.join(DECISIONS)}")
        if not programs:
            raise TreeError("no program: (define place ...) or (define buy ...) is expected")
        return cls.of(programs.items())

    def dumps(self) -> str:
        return dumps_forms(dict(self.programs()))

    def programs(self) -> list[tuple[str, Tree]]:
        """Those that are there, by decision."""
        pairs = ((name, self[name]) for name in DECISIONS)
        return [(name, tree) for name, tree in pairs if tree is not None]

    def __getitem__(self, decision: str) -> Tree | None:
        tree: Tree | None = getattr(self, decision)
        return tree

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
            views = [_chain_view(self[name]) for name in DECISIONS]
            place, buy, found, survivor, end, dispose = views
            return TypedPlayer(place, buy, found, survivor, end, dispose, conduct.tie, *chance)
        ranked = [
            None if tree is None else View(compiled(tree), conduct.dollar) for tree in (self.place, self.buy)
        ]
        return TreePlayer(
            ranked[0], ranked[1], Habits(conduct.tie, conduct.purchases, conduct.samples), *chance
        )

    def mutate(self, rng: Random) -> Self:
        """One program has a new subtree."""
        programs = self.programs()
        changed, tree = programs[rng.below(len(programs))]
        words = THESIS if self.is_printed else typed_words(changed)
        return self.of([*programs, (changed, mutated(tree, Generator.of(words), DEPTH, rng))])

    def mate(self, other: Self, rng: Random) -> Self:
        """One program, which both have, is crossed; the others are from this parent."""
        shared = [name for name, _ in self.programs() if other[name] is not None]
        if not shared:
            return self
        name = shared[rng.below(len(shared))]
        mother, father = self[name], other[name]
        assert mother and father
        child, _ = crossed(mother, father, MOST_LEVELS, False, rng)
        return self.of([*self.programs(), (name, child)])


def result_of(decision: str) -> Type:
    """What its program gives."""
    return Type.TRUTH if decision in TRUTHS else Type.NUMBER


def _chain_view(tree: Tree | None) -> ChainView | None:
    """Typed words count money in hundreds of dollars."""
    return None if tree is None else ChainView(compiled(tree, FEATURES, 0), 0.01)


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
