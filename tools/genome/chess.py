"""The part of `galapagos genome` on players of chess: the card of a genome, and each gene's score in a position."""

import json
import re
import textwrap
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import copysign
from pathlib import Path
from typing import Final

from core.chess import evaluation
from core.chess.notation import START, position_from_fen
from core.random import Random
from engines.catalogue import unknown
from engines.chess.gene_scores import score_table
from engines.chess.genes import ENDGAME, OPENING, POSITIONAL_GENES, Gene
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, catalogue, load_bundled, record_to_play
from engines.statistics import ordered_sum
from tools.cli import add_verb, natural_int, print_notes, seed_int
from tools.genome.lineage import Change
from tools.genome.source import Source, without_game

EXAMPLES: Final = (
    "show evolved           a bundled genome of chess",
    "show pool.txt 247323   one genome of the file of a gene pool",
    "score handset '8/8/4k3/8/4P3/4K3/8/8 w - -'",
    "random --seed 7 > random.txt",
)
USUAL: Final = ("show",)
GENE: Final = re.compile(rb"^Name: .{1,40} Gene\s*$", re.MULTILINE)
HEAD: Final = 1 << 14  # bytes in which the first gene must be, after remarks
PIECES: Final = "PNBRQ"
POSITIONAL: Final = frozenset(spec.name for spec in POSITIONAL_GENES)
WITH_SQUARES: Final = ("Placement Gene", "Squares Gene")  # genes that give a piece a bonus by its square
WINGS: Final = {"Own Wing Gene": "the own king", "Enemy Wing Gene": "the enemy's king"}
SHADES: Final = "·░▒▓█"
BAR: Final = 30  # columns of the bar of a gene that has all of the priority


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    listing = add_verb(verbs, "list", "list the bundled genomes of chess")
    listing.set_defaults(verb=_list)

    scores = add_verb(verbs, "score", "print the score of each gene of a chess genome in a position")
    scores.add_argument(
        "genome", metavar="NAME|FILE|RUN", help="a bundled genome, a file of genomes, or a run"
    )
    scores.add_argument(
        "fen", nargs="*", metavar="FEN", help="the position; quotation marks are optional (default: startpos)"
    )
    scores.add_argument(
        "--id",
        type=natural_int,
        help="the ID of a genome in the file (default: the last; if the file of games is there too, the last that won three)",
    )
    scores.set_defaults(verb=score)

    random = add_verb(
        verbs, "random", "print a random genome of chess, such as those with which evolutions start"
    )
    random.add_argument(
        "--seed",
        type=seed_int,
        required=True,
        metavar="N",
        help="the seed; the same seed yields the same genome",
    )
    random.set_defaults(verb=lambda args: Genome.random(Random(args.seed)).dumps().rstrip())
    for verb in (listing, scores):
        verb.add_argument("--json", action="store_true", help="print JSON")


def is_meant(source: str) -> bool:
    """Return whether `source` is a bundled genome, or a file that has a gene near its beginning."""
    if source in bundled():
        return True
    try:
        with Path(source).open("rb") as file:
            return GENE.search(file.read(HEAD)) is not None
    except (OSError, ValueError):  # no file, or a name that cannot be one
        return False


def show(source: Source, args: Namespace) -> str:
    """Return the card of a genome. Raises ValueError if there is no such genome."""
    if args.svg:
        raise ValueError(f"--svg draws programs, but {source.name} is a genome of chess")
    genome, remarks = _load(source.name, source.id)
    number = "" if genome.id is None else f", ID {genome.id}"
    card = Card(title=f"Genome {source.name}{number}", genome=genome, remarks=remarks)
    return json.dumps(card.data()) if args.json else card.text()


def score(args: Namespace) -> str:
    """Return the score of each gene in a position, and the sum.

    Raises ValueError if there is no such genome or the position is wrong.
    """
    genome, _ = _load(without_game(args.genome)[1], args.id)
    text = " ".join(args.fen)
    position = position_from_fen(START if text in ("", "startpos") else text)
    print_notes("genome", position.notes)
    (table,) = filter(None, score_table(genome, position))
    if args.json:
        genes = [asdict(gene) | {"weighted": gene.weighted} for gene in table.genes]
        return json.dumps({
            "fen": table.fen, "genes": genes, "sum": table.total, "left": table.left, "cents": table.cents,
            "pawn": table.pawn,
        })  # fmt: skip
    return "\n".join(table.lines())


def _load(name: str, id: int | None) -> tuple[Genome, tuple[str, ...]]:
    """Return a genome, and remarks on what its reader left out or filled in.

    Raises ValueError if there is no such genome.
    """
    if name in bundled():
        if id is not None:
            raise ValueError(f"{name} is a bundled genome, so no ID can be given")
        return load_bundled(name), ()
    path = Path(name)
    if not path.exists():
        raise ValueError(unknown("genome", name, bundled(), "`galapagos players chess`"))
    record = record_to_play(path, id)
    return Genome(id=record.id, genes=record.genes), record.remarks


def changes(before: str, after: str, others: Mapping[int, str]) -> tuple[Change, ...]:
    """Return the changes between a parent and a child, gene by gene; `others` are the other parents by ID."""
    old_genes, new_genes = _genes(before), _genes(after)
    given = {id: _genes(text) for id, text in others.items()}
    found = []
    for part in {**old_genes, **new_genes}:
        old, new = old_genes.get(part, {}), new_genes.get(part, {})
        if old == new:
            continue
        giver = next((id for id, parts in given.items() if parts.get(part, {}) == new), None)
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        values = tuple((name, old.get(name, "none"), new.get(name, "none")) for name in names)
        found.append(Change(part=part, inherited_from=giver, values=values))
    return tuple(found)


def _genes(text: str) -> Mapping[str, Mapping[str, str]]:
    return {
        gene.name.removesuffix(" Gene"): {
            **{param.name: f"{value:g}" for param, value in zip(gene.params, gene.values, strict=True)},
            "switch": "on" if gene.active else "off",
        }
        for gene in Genome.loads(text).genes
    }


def _list(args: Namespace) -> str:
    titles = {player.name: player.title for player in sorted(catalogue(), key=lambda player: player.name)}
    if args.json:
        return json.dumps(titles)
    return "\n".join(f"{name:12} {title}" for name, title in titles.items())


# -- The card -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A genome, its title, and remarks on what its reader left out or filled in."""

    title: str
    genome: Genome
    remarks: tuple[str, ...] = ()

    @property
    def strengths_in_pawns(self) -> dict[str, float]:
        """The strengths of the pieces in pawns; as written if the pawn's is 0. A negative pawn stays -1."""
        gene = self.genome["Piece Strength Gene"]
        unit = abs(gene["P"]) or 1.0
        return {piece: gene[piece] / unit for piece in PIECES}

    @property
    def shares(self) -> dict[str, float]:
        """The share of each scoring gene in the sum of all priorities, with its sign; 0 if it is switched off.

        Opening and endgame count alike. Placement counts by its priority times its largest bonus.
        """
        weights = self.genome.express().weights
        pairs = zip(
            weights.opening.effective_priorities(), weights.endgame.effective_priorities(), strict=True
        )
        stakes = {
            f"{name} Gene": copysign(abs(opening) + abs(endgame), opening + endgame)
            for name, (opening, endgame) in zip(evaluation.GENES, pairs, strict=True)
        }
        total = ordered_sum(map(abs, stakes.values())) or 1.0
        shares = {name: stake / total for name, stake in stakes.items()}
        return {gene.name: shares[gene.name] for gene in self.genome.genes if gene.name in shares}

    def text(self) -> str:
        """Return the card as text. A bar of - is a negative priority: the player avoids what the gene measures."""
        shares = self.shares
        lines = [self.title]
        for gene in self.genome.genes:
            if gene.name not in shares and gene.name not in POSITIONAL:
                lines += ["", f"{gene.name:36}{_switch(gene):>8}"]
                lines += self._strengths(gene) if gene.name == "Piece Strength Gene" else _values(gene)
        phases = [OPENING, ENDGAME] if any(gene.has_phases for gene in self.genome.genes) else [OPENING]
        heads = phases if len(phases) > 1 else ["Priority"]
        lines += ["", f"{'Board-scoring genes':44}{''.join(f'{head:>13}' for head in heads)}{'Share':>9}"]
        for gene in self.genome.genes:
            if gene.name in shares and gene.active:
                share = shares[gene.name]
                bar = ("+" if share > 0 else "-") * round(abs(share) * BAR)
                priorities = "".join(f"{gene.within(phase, 'Priority'):13.6g}" for phase in phases)
                name = f"{gene.name:36}{_switch(gene):>8}{priorities}"
                lines.append(f"{name}{abs(share):9.1%}  {bar}".rstrip())
                lines += _bonuses(gene) if gene.name == "Placement Gene" else _values(gene)
        positional = [gene for gene in self.genome.genes if gene.name in POSITIONAL]
        lines += [
            "Share: of the priorities" + ("; the tables below are counted in addition" if positional else "")
        ]
        lines += self._inactive()
        for gene in positional:
            if gene.active:
                lines += ["", f"{gene.name:36}{_switch(gene):>8}", *_table(gene)]
        if self.remarks:
            lines += ["", "Remarks of the reader", *(f"  {remark}" for remark in self.remarks)]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """Return the card as an object for JSON."""
        genes = {
            gene.name: {"active": gene.active} | {param.name: gene[param.name] for param in gene.params}
            for gene in self.genome.genes
        }
        return {
            "title": self.title,
            "id": self.genome.id,
            "genes": genes,
            "strengths_in_pawns": self.strengths_in_pawns,
            "shares": self.shares,
            "remarks": list(self.remarks),
        }

    def _strengths(self, gene: Gene) -> list[str]:
        scaled = self.strengths_in_pawns
        lines = [
            "  " + " " * 12 + "".join(f"{piece:>11}" for piece in PIECES),
            f"  {'as written':12}" + "".join(f"{gene[piece]:11.6g}" for piece in PIECES),
        ]
        if scaled["P"]:
            in_pawns = "".join(f"{scaled[piece]:11.2f}" for piece in PIECES)
            scale = f"pawn = {scaled['P']:g}"
            lines.append(f"  {scale:12}{in_pawns}")
        if any(gene.active for gene in self.genome.genes if gene.name in WITH_SQUARES):
            lines.append("  without the squares' bonuses; with them for `evolved`: engines/chess/RESULTS.md")
        return lines

    def _inactive(self) -> list[str]:
        """Return the names of the genes that are switched off and not shown, in lines of text."""
        names = [
            gene.name.removesuffix(" Gene")
            for gene in self.genome.genes
            if not gene.active and (gene.name in POSITIONAL or gene.name in self.shares)
        ]
        return textwrap.wrap(f"Inactive: {', '.join(names)}", 100, subsequent_indent="  ") if names else []


def _switch(gene: Gene) -> str:
    return "ACTIVE" if gene.active else "INACTIVE"


def _values(gene: Gene) -> list[str]:
    """Return the lines of all parameters but the priorities, which have their own columns."""
    names = [param.name for param in gene.params if not param.name.startswith("Priority")]
    return [f"  {name:32}{gene[name]:>10.6g}" for name in names]


def _bonuses(gene: Gene) -> list[str]:
    """Return the table of the bonuses of the Placement Gene, one column for each kind of piece."""
    lines = ["  " + " " * 16 + "".join(f"{piece:>9}" for piece in PIECES + "K")]
    for pattern in ("Centre", "Advance"):
        for phase in (OPENING, ENDGAME) if gene.has_phases else (OPENING,):
            name = f"{pattern}, {phase.lower()}" if gene.has_phases else pattern
            bonuses = [gene.within(phase, f"{pattern} {piece}") for piece in PIECES + "K"]
            lines.append(f"  {name:16}" + "".join(f"{bonus:9.4g}" for bonus in bonuses))
    return lines


def _table(gene: Gene) -> list[str]:
    """Return the table of a positional gene's numbers; those of genes of squares are shaded boards."""
    phases = (OPENING, ENDGAME) if gene.has_phases else (OPENING,)
    names = [param.name for param in gene.spec.params]
    numbers = [dict(zip(names, gene.values_in(phase), strict=True)) for phase in phases]
    if gene.name == "Squares Gene":
        return _boards(numbers)
    if gene.name in WINGS:
        return [
            f"  with {WINGS[gene.name]} on files e to h; on files a to d the opposite",
            *_boards(numbers, -1),
        ]
    lines: list[str] = []
    rows: dict[str, list[str]] = {}
    for param in gene.spec.params:
        rows.setdefault(param.line or param.name, []).append(param.name)
    for row, params in rows.items():
        labels = [name.removeprefix(row).strip() for name in params]
        if any(labels):
            lines.append(f"  {row:28}" + "".join(f"{label:>6}" for label in labels))
        for phase, values in zip(phases, numbers, strict=True):
            name = f"  {phase.lower()}" if any(labels) else f"{row}, {phase.lower()}"
            lines.append(f"  {name:28}" + "".join(f"{values[param]:+6.2f}" for param in params))
    return lines


def _boards(numbers: list[dict[str, float]], queen_side: int = 1) -> list[str]:
    """Return a board for each kind of piece and phase: a darker square is better for a white piece.

    The bonuses of files a to d are multiplied by `queen_side`, those of files e to h are not.
    """
    lines: list[str] = []
    files = tuple(enumerate("abcddcba"))
    for kind in ("Pawn", "Knight", "Bishop", "Rook", "Queen", "King"):
        boards = [
            {
                f"{name[:-1]}{file}": value * (queen_side if file < 4 else 1)
                for name, value in each.items()
                for file, letter in files
                if name.startswith(kind) and name.endswith(letter)
            }
            for each in numbers
        ]
        if not boards[0]:  # a king's bonus does not depend on its own wing
            continue
        heads = [f"{min(board.values()):+.2f} to {max(board.values()):+.2f}" for board in boards]
        lines += ["", f"  {kind:10}" + "".join(f"{head:22}" for head in heads).rstrip()]
        for rank in range(8, 0, -1):
            squares = [
                "".join(2 * _shade(board, f"{kind} {rank} {file}") for file, _ in files) for board in boards
            ]
            lines.append(f"  {rank:9} " + "".join(f"{row:22}" for row in squares).rstrip())
    return [*lines, f"  {'':10}" + "".join(f"{'a b c d e f g h':22}" for _ in numbers).rstrip()]


def _shade(board: Mapping[str, float], square: str) -> str:
    if square not in board:  # pawns never stand on this rank
        return " "
    least, most = min(board.values()), max(board.values())
    share = (board[square] - least) / (most - least) if most > least else 0.5
    return SHADES[min(int(share * len(SHADES)), len(SHADES) - 1)]
