"""`galapagos genome`: what genomes of chess players say of a position, what warriors do, what programs want."""

import json
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from dataclasses import asdict, dataclass
from pathlib import Path

from core.chess.evaluation import GENES, OPENING, Evaluator, gene_scores, phase
from core.chess.notation import START, fen, position_from_fen
from core.chess.position import Position
from core.random import Random
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, catalogue, fit_to_play, load_bundled
from engines.chess.genome_text import blocks, parse
from tools.genome import acquire, protection, warriors
from tools.genome.chess import Card
from tools.genome.lineage import Lineage


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos genome show evolved           a bundled genome\n"
        "  galapagos genome show pool.txt 247323   one of the many in the file of a gene pool\n"
        "  galapagos genome score handset '8/8/4k3/8/4P3/4K3/8/8 w - -'\n"
        "  galapagos genome random --seed 7 > newcomer.txt\n"
        "  galapagos genome explain mine.red       what a warrior of Core War does, seen when it runs\n"
        "  galapagos genome explain RUN 4711       the same of one that has evolved, with its ancestors\n"
        "  galapagos genome compare mine.red hill/ the nearest known warriors\n"
        "  galapagos genome explain pair-1         what a player of Acquire wants, in English\n"
        "  galapagos genome compare pair-1 RUN     how unlike two of them are\n"
        "  galapagos genome explain militia        what a string of Advanced Protection does, in English\n"
        "  galapagos genome explain pool:117       one of the 250 of the bundled pool\n"
        "  galapagos genome check mine.aps         whether a file is a string, and what is strange in it"
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    listing = verbs.add_parser("list", help="the genomes that come with the program")
    listing.set_defaults(verb=_list)

    show = verbs.add_parser("show", help="a card: its genes, or its programs as formulas and drawings")
    show.add_argument(
        "genome",
        metavar="NAME|FILE|RUN",
        help="a bundled genome, or a file of genomes; of Acquire a player, a file or a run",
    )
    show.add_argument(
        "id",
        nargs="?",
        type=int,
        metavar="ID",
        help="which one of the file (the last; with games beside it, the last that won three)",
    )
    show.add_argument("--svg", type=Path, metavar="DIR", help="programs of Acquire as drawings, too")
    show.set_defaults(verb=_show)

    score = verbs.add_parser("score", help="what each gene says of a position")
    score.add_argument("genome", metavar="NAME|FILE", help="a bundled genome, or a file of genomes")
    score.add_argument("fen", nargs="*", metavar="FEN", help="in quotation marks or not (startpos)")
    score.add_argument(
        "--id",
        type=int,
        help="which one of the file (the last; with games beside it, the last that won three)",
    )
    score.set_defaults(verb=_score)

    random = verbs.add_parser("random", help="the text of a newcomer, as evolutions begin with")
    random.add_argument("--seed", type=int, required=True, metavar="N", help="same seed, same genome")
    random.set_defaults(verb=_random)

    lineage = verbs.add_parser("lineage", help="the ancestors of an individual, from the record of a run")
    lineage.add_argument("folder", type=Path, metavar="RUN", help="the folder of an evolution, of any game")
    lineage.add_argument("id", type=int, metavar="ID", help="whose ancestors")
    lineage.add_argument("--depth", type=int, default=10, metavar="N", help="births to go back (10)")
    lineage.set_defaults(verb=_lineage)

    for verb in (listing, show, score, lineage):
        verb.add_argument("--json", action="store_true", help="print JSON")
    warriors.add_verbs(verbs)
    protection.add_verbs(verbs)


def run(args: Namespace) -> int:
    try:
        print(args.verb(args))
    except ValueError as error:
        print(f"galapagos genome: {error}", file=sys.stderr)
        return 2
    return 0


# -- The verbs: each gives what is printed, or ValueError ------------------------------------------


def _list(args: Namespace) -> str:
    abouts = {exhibit.name: exhibit.title for exhibit in sorted(catalogue(), key=lambda each: each.name)}
    if args.json:
        return json.dumps(abouts)
    return "\n".join(f"{name:12} {about}" for name, about in abouts.items())


def _show(args: Namespace) -> str:
    if acquire.is_meant(args.genome):
        return acquire.show(args)
    if protection.is_meant(args.genome):
        return protection.show(args)
    if args.svg:
        raise ValueError(f"--svg draws programs of Acquire, and {args.genome} has none")
    genome, remarks = _load(args.genome, args.id)
    number = "" if genome.id is None else f", ID {genome.id}"
    card = Card(title=f"Genome {args.genome}{number}", genome=genome, remarks=remarks)
    return json.dumps(card.data()) if args.json else card.text()


def _score(args: Namespace) -> str:
    genome, _ = _load(args.genome, args.id)
    text = " ".join(args.fen)
    position = position_from_fen(START if text in ("", "startpos") else text)
    genes = _gene_scores(genome, position)
    total = sum(gene.weighted for gene in genes)
    evaluator = Evaluator(genome.express().weights)
    cents = evaluator.centipawns(evaluator.score(position.board)) * (-1 if position.player() else 1)
    if args.json:
        table = [asdict(gene) | {"weighted": gene.weighted} for gene in genes]
        return json.dumps({"fen": fen(position), "genes": table, "sum": total, "cents": cents})
    return "\n".join([
        fen(position),
        "",
        f"{'':26}{'White':>10}{'Black':>10}{'Priority':>12}{'Weighted difference':>21}",
        *map(str, genes),
        f"{'Sum':58}{total:+21.4f}",
        "",
        f"As the engine's score: {cents / 100:+.2f} for White",
    ])  # fmt: skip


def _random(args: Namespace) -> str:
    return Genome.random(Random(args.seed)).dumps().rstrip()


def _lineage(args: Namespace) -> str:
    lineage = Lineage.of(args.folder, args.id, args.depth)
    return json.dumps(lineage.data()) if args.json else lineage.text()


# -- Helpers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _GeneScore:
    """What one gene says of a position."""

    gene: str
    white: float
    black: float
    priority: float  # in this phase of the game; 0 if it is switched off

    @property
    def weighted(self) -> float:
        """Its part of the position's worth to White; adding 0 makes -0 a 0."""
        return self.priority * (self.white - self.black) + 0.0

    def __str__(self) -> str:
        numbers = f"{self.white:10.4f}{self.black:10.4f}{self.priority:12.6g}{self.weighted:+21.4f}"
        return f"{self.gene:26}{numbers}"


def _gene_scores(genome: Genome, position: Position) -> list[_GeneScore]:
    weights = genome.express().weights
    scores = [gene_scores(position.board, side, weights) for side in (0, 1)]
    priorities = weights.stage(int(phase(position.board)) / OPENING).priorities
    present = {gene.name for gene in genome.genes}
    return [
        _GeneScore(gene=name, white=white, black=black, priority=priority)
        for name, white, black, priority in zip(GENES, *scores, priorities, strict=True)
        if f"{name} Gene" in present
    ]


def _load(name: str, id: int | None) -> tuple[Genome, tuple[str, ...]]:
    """A genome and what its reader left out or filled in. ValueError if there is none."""
    if name in bundled():
        if id is not None:
            raise ValueError(f"{name} is bundled and alone: it has no ID")
        return load_bundled(name), ()
    try:
        text = Path(name).read_text(encoding="utf-8")
    except FileNotFoundError:
        names = ", ".join(bundled())
        raise ValueError(f"{name[:100]!r} is neither a file nor a bundled genome ({names})") from None
    except OSError as error:
        raise ValueError(f"cannot read {name[:100]!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{name[:100]!r} is no text file") from None
    genome = fit_to_play(Path(name), id)
    chosen = [block for block in blocks(text) if block.id == genome.id][-1]
    return genome, parse(chosen).remarks
