"""The part of `galapagos genome` that shows, explains and compares players of Acquire: programs, nets and rules."""

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from core.acquire.rules import PRESETS, Rules
from core.random import Random
from engines.acquire.behaviour import SENSITIVITY_STATES, WATCHED, sensitivities
from engines.acquire.crossplay import STATES, different_choices, edit_distance
from engines.acquire.genome import Genome
from engines.acquire.gp.infix import formula
from engines.acquire.gp.render import agreement, english, svg, text_tree
from engines.acquire.gp.sexpr import dumps
from engines.acquire.gp.simplify import Facts, shortest
from engines.acquire.gp.tree import Tree, levels
from engines.acquire.net_genome import NetGenome
from engines.acquire.registry import CHAMPION, AnyGenome, PlayerSpec, bundled_genomes, load_genome
from engines.acquire.rules_genome import GENES, RulesGenome
from tools.cli import counted
from tools.genome.source import Source, opened

EXAMPLES: Final = (
    "explain pair-1         the programs of a player of Acquire, in English",
    "compare pair-1 RUN     how much two players of Acquire differ",
)
GAME: Final = "acquire"
PRINTED_RULES: Final = "thesis-2002"  # the rules that explanations of the thesis's programs assume
TYPED_RULES: Final = "thesis-7"  # the same for programs with typed words, and for nets
BOARDS: Final = 2000  # random boards on which a simplified program is checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A genome and its name."""

    name: str
    genome: AnyGenome

    @classmethod
    def read(cls, source: Source) -> Self:
        """Return the genome of a player by name, of a file of programs or a net, or of an individual of a run.

        A run without an ID stands for its best individual. Raises ValueError if there is no such genome.
        """
        if source.store is not None or source.id is not None:
            born = source.individual(GAME)
            return cls(name=f"ID {born.id} of {source.name}", genome=load_genome(born.genome))
        try:
            player = PlayerSpec.parse(source.name).genome
        except OSError as error:
            raise ValueError(f"cannot read {source.name[:100]!r}: {error.strerror}") from None
        if player is None:
            raise ValueError(f"{source.name} is a player without a genome")
        return cls(name=source.name, genome=player)


def add_options(verbs: Mapping[str, ArgumentParser]) -> None:
    verbs["show"].add_argument(
        "--svg",
        type=Path,
        metavar="DIR",
        help="also write the programs of a player of Acquire as drawings to this folder",
    )


def is_meant(source: str) -> bool:
    """Return whether `source` is a player of Acquire, judged by its name or that of its file."""
    path = Path(source)
    if (path / CHAMPION).is_file() or source in bundled_genomes():
        return True
    return path.suffix == ".lisp" and path.is_file()


def show(source: Source, args: Namespace) -> str:
    """Return each program as text, as a formula and as a drawing; with --svg write pictures too."""
    named = Named.read(source)
    if args.svg and not isinstance(named.genome, Genome):
        raise ValueError(f"--svg draws programs, and {named.name} has none")
    if isinstance(named.genome, NetGenome):
        return _show_net(named.name, named.genome, args.json)
    if isinstance(named.genome, RulesGenome):
        return _show_rules(named.name, named.genome, args.json)
    if args.svg:
        args.svg.mkdir(parents=True, exist_ok=True)
        for decision, tree in named.genome.programs():
            (args.svg / f"{decision}.svg").write_text(
                svg(tree, f"{named.name}: {decision}"), encoding="utf-8"
            )
    if args.json:
        programs = {decision: _facts(tree) for decision, tree in named.genome.programs()}
        return json.dumps({"name": named.name, "programs": programs})
    return "\n".join(_card(named.name, named.genome))


def explain(source: Source, args: Namespace) -> str:
    """Return each program in English, and how often its simplified form agrees with the whole program."""
    named = Named.read(source)
    if isinstance(named.genome, NetGenome):
        return _explain_net(named.name, named.genome, args.json)
    if isinstance(named.genome, RulesGenome):
        return _explain_rules(named.name, named.genome, args.json)
    rules = PRESETS[PRINTED_RULES if named.genome.is_of_thesis else TYPED_RULES]
    short = named.genome.simplified(rules)
    explanations = {
        name: (tree, needed, english(name, tree, Facts.of(rules)))
        for name, tree in named.genome.programs()
        if (needed := short[name])
    }
    if args.json:
        return json.dumps({
            "name": named.name,
            "programs": {
                name: {
                    "english": text,
                    "simplified": dumps(needed),
                    "check": _checked(name, named.genome, short, rules),
                }
                for name, (_, needed, text) in explanations.items()
            },
        })  # fmt: skip
    lines = [named.name]
    for name, (tree, needed, text) in explanations.items():
        lines += ["", text.rstrip(), f"{counted(len(tree), 'node')}, {len(needed)} of them needed"]
        lines += [
            f"With the needed nodes alone, {check}"
            for check in [_checked(name, named.genome, short, rules)]
            if check
        ]
    unused = [name for name, _ in named.genome.programs() if name not in explanations]
    if unused:
        lines += ["", f"No decision depends on these programs: {', '.join(unused)}"]
    return "\n".join(lines)


def compare(source: Source, args: Namespace) -> str:
    """Return how much each known player differs from the source: edited nodes, and the share of different choices.

    Choices are compared in the decisions that both players have programs for.
    """
    one = Named.read(source)
    rows = []
    for path in args.known:
        with opened(str(path)) as known:
            other = Named.read(known)
        first, second = (
            PlayerSpec(name=one.name, genome=one.genome),
            PlayerSpec(name=other.name, genome=other.genome),
        )
        are_trees = isinstance(one.genome, Genome) and isinstance(other.genome, Genome)
        nodes = edit_distance(first, second) if are_trees else None
        rows.append((other.name, nodes, different_choices(PRESETS[PRINTED_RULES], first, second)))
    rows.sort(key=lambda row: (row[2], row[1] or 0))
    if args.json:
        return json.dumps([
            {"name": name, "edited_nodes": nodes, "different_choices": share} for name, nodes, share in rows
        ])  # fmt: skip
    width = max(len(name) for name, _, _ in rows)
    head = f"{one.name}: nodes to edit, and share of different choices in 1,000 fixed states, for each player"
    return "\n".join(
        [
            head,
            *(
                f"  {name:{width}}{'-' if nodes is None else nodes:>5}{share:8.1%}"
                for name, nodes, share in rows
            ),
        ]
    )


def _checked(name: str, genome: Genome, short: Genome, rules: Rules) -> str:
    """Return how often a simplified program agrees with the whole one, as half a sentence.

    The text is empty for a decision without fixed states.
    """
    if name not in WATCHED:
        return ""
    tree, needed = genome[name], short[name]
    assert tree and needed
    if genome.is_of_thesis:
        same = agreement(tree, needed, BOARDS, Random(1))
        return f"it has the same value on {same:.1%} of {BOARDS:,} random boards"
    one, other = (PlayerSpec(name=name, genome=each.alone(name)) for each in (genome, short))
    same = 1 - different_choices(rules, one, other)
    return f"it chooses the same in {same:.1%} of {STATES:,} states"


def _card(name: str, genome: Genome) -> Iterator[str]:
    yield name
    for decision, tree in genome.programs():
        simple = shortest(tree)
        yield ""
        yield f"{decision}: {counted(len(tree), 'node')}, {counted(levels(tree), 'level')}; simplified, {counted(len(simple), 'node')}"
        yield f"  {formula(tree)}"
        if simple != tree:
            yield f"  = {formula(simple)}"
        yield ""
        yield from (f"  {line}" for line in text_tree(tree).splitlines())
        yield ""
        yield from (f"  {count:4} {word}" for word, count in _words(tree).most_common())
    yield ""
    yield genome.dumps().rstrip()


def _facts(tree: Tree) -> dict[str, object]:
    return {
        "text": dumps(tree),
        "formula": formula(tree),
        "simplified": dumps(shortest(tree)),
        "nodes": len(tree),
        "levels": levels(tree),
        "words": dict(_words(tree).most_common()),
    }


def _words(tree: Tree) -> Counter[str]:
    """Count the words of a program; all numbers count as the same word."""
    return Counter(node if isinstance(node, str) else "a number" for node in tree)


# -- Nets ---------------------------------------------------------------------------------------------


def _show_net(name: str, genome: NetGenome, as_json: bool) -> str:
    shape = genome.shape
    if as_json:
        return json.dumps({"name": name, "net": asdict(shape), "weights": shape.size, "text": genome.dumps()})
    return "\n".join([
        name,
        f"a net of {shape.size} weights for all decisions: {len(shape.chain_inputs)} inputs for each chain feed "
        f"{counted(shape.chain_units, 'unit')};",
        f"the sums of these and {len(shape.facts)} facts about the table feed {counted(shape.table_units, 'unit')}",
        "",
        genome.dumps().rstrip(),
    ])  # fmt: skip


def _explain_net(name: str, genome: NetGenome, as_json: bool) -> str:
    """Return a table of the net's inputs with their influence on choices and on the value of a state."""
    found = sensitivities(genome, PRESETS[TYPED_RULES])
    if as_json:
        return json.dumps(
            {"name": name, "states": 2 * SENSITIVITY_STATES, "inputs": [asdict(each) for each in found]}
        )
    lines = [
        name,
        f"The influence of its inputs, in {SENSITIVITY_STATES} states with a tile to place and {SENSITIVITY_STATES} with shares to buy, {TYPED_RULES}.",
        "changed: the share of choices that differ without the input. pull: the change of the value of a state, in",
        "standard deviations of that value, if an input of a chain or of the table increases by its scale.",
        "",
        f"{'input':24}{'changed':>9}{'pull':>9}",
    ]
    for each in found:
        pull = "" if each.pull is None else f"{each.pull:+9.2f}"
        lines.append(f"{each.layer + ' ' + each.name:24}{each.changed:9.1%}{pull}".rstrip())
    return "\n".join(lines)


# -- Rules of thumb -------------------------------------------------------------------------------------


def _show_rules(name: str, genome: RulesGenome, as_json: bool) -> str:
    if as_json:
        return json.dumps({"name": name, "weights": len(GENES), "text": genome.dumps()})
    return f"{name}\nrules of thumb with {len(GENES)} weights\n\n{genome.dumps().rstrip()}"


def _explain_rules(name: str, genome: RulesGenome, as_json: bool) -> str:
    """Return a table of the weights, beside those of the first founder, and what each is the value of."""
    before = RulesGenome.founder().values()
    rows = [
        {"name": gene, "weight": value, "founder": first, "meaning": meaning}
        for (gene, _, _, meaning), value, first in zip(GENES, genome.values(), before, strict=True)
    ]
    if as_json:
        return json.dumps({"name": name, "rules": rows})
    lines = [
        name,
        "The player takes the tile, and share by share the chain, with the highest sum of these values in dollars.",
        "",
        f"{'weight':14}{'now':>10}{'founder':>10}",
    ]
    lines += [
        f"{row['name']:14}{row['weight']:10,.1f}{row['founder']:10,.1f}  {row['meaning']}" for row in rows
    ]
    return "\n".join(lines)
