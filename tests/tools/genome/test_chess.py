"""`galapagos genome`: cards that say what the file says, scores that add up to the engine's own."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.evaluation import GENES, PRIORITY_UNITS, Evaluator
from core.chess.notation import START, position_from_fen
from core.chess.positional_weights import NAMES
from core.random import Random
from engines.chess.genes import ENDGAME, OPENING
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, load_bundled, read_genome
from engines.chess.genome_text import MAX_CHARACTERS
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import RunStore
from tests.tools.galapagos import Galapagos
from tools.__main__ import main
from tools.genome.chess import Card

POSITIONS = [
    START,
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 4 9",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    "k7/8/8/3pP3/2K5/8/8/8 w - d6 0 1",
]


def rows(text: str) -> dict[str, list[str]]:
    """The columns of each line by the first of them."""
    columns = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    return {first: rest for first, *rest in columns}


# -- list and random -------------------------------------------------------------------------------


def test_list_names_the_bundled_genomes(galapagos: Galapagos) -> None:
    lines = galapagos.printed("genome", "list").splitlines()
    assert [line.split()[0] for line in lines] == list(bundled())
    assert all(len(line.split()) > 3 for line in lines), "each says what it is"
    assert list(galapagos.data("genome", "list")) == list(bundled())


def test_random_prints_the_genome_of_its_seed(galapagos: Galapagos) -> None:
    assert Genome.loads(galapagos.printed("genome", "random", "--seed", "7")) == Genome.random(Random(7))
    assert Genome.loads(galapagos.printed("genome", "random", "--seed", "0")) == load_bundled("random")


# -- show ------------------------------------------------------------------------------------------


def test_show_prints_a_card_of_strengths_genes_and_shares(galapagos: Galapagos) -> None:
    text = galapagos.printed("genome", "show", "handset")
    assert text.startswith("Genome handset\n")
    card = rows(text)
    assert card["as written"] == ["1", "3.2", "3.3", "5", "9.5"]
    assert card["pawn = 1"] == ["1.00", "3.20", "3.30", "5.00", "9.50"]
    assert card["Total Force Gene"][:3] == ["ACTIVE", "40.5", "83.7%"]
    assert card["King Confinement Gene"] == ["ACTIVE", "0", "0.0%"]
    assert card["Mean Game Length"] == ["50"]
    assert card["Kingside Preference"] == ["0.6"]


def test_show_marks_inactive_genes_and_negative_priorities(galapagos: Galapagos) -> None:
    text = galapagos.printed("genome", "show", "random")
    card = rows(text)
    assert text.endswith("\nInactive: Total Force, Freedom to Move, Sphere of Influence\n")
    assert "Total Force Gene" not in card and "Share: of the priorities\n" in text
    assert card["King Confinement Gene"][3] == "------", "a negative priority has a bar of its own kind"
    assert set(card["King Protection Gene"][3]) == {"+"}
    assert "pawn = -1" in card


def test_show_picks_a_genome_of_a_file_by_its_id(tmp_path: Path, galapagos: Galapagos) -> None:
    pool = tmp_path / "pool.txt"
    genomes = [replace(Genome.random(Random(id)), id=id) for id in range(3)]
    pool.write_text("\n".join(genome.dumps() for genome in genomes))
    assert galapagos.data("genome", "show", str(pool))["id"] == 2
    data = galapagos.data("genome", "show", str(pool), "1")
    assert data["id"] == 1 and not data["remarks"]
    for gene in genomes[1].genes:
        assert data["genes"][gene.name] == {"active": gene.active} | {
            rule.name: gene[rule.name] for rule in gene.spec.params
        }
    assert ", ID 1\n" in galapagos.printed("genome", "show", str(pool), "1")


def test_show_reports_ignored_settings_of_a_genome_file(tmp_path: Path, galapagos: Galapagos) -> None:
    file = tmp_path / "todays.txt"
    text = load_bundled("handset").dumps()
    file.write_text(text.replace("Priority: 40.5\n", "Priority: 40.5\nActivation Begin: 0.1\n"))
    remark = "Total Force Gene: 'Activation Begin' has no counterpart and is ignored"
    assert remark in galapagos.printed("genome", "show", str(file))
    assert galapagos.data("genome", "show", str(file))["remarks"] == [remark]


@given(st.integers(0, 2**64 - 1), st.booleans())
def test_shares_of_active_genes_add_up_to_1(seed: int, extended: bool) -> None:
    genome = Genome.random(Random(seed), extended=extended)
    card = Card(title="", genome=genome)
    total = sum(map(abs, card.shares.values()))
    assert total == pytest.approx(1) or not any(card.shares.values())
    assert abs(card.strengths_in_pawns["P"]) == (1 if genome["Piece Strength Gene"]["P"] else 0)
    assert list(card.shares) == [f"{name} Gene" for name in GENES[: 14 if extended else 8]]
    for name, share in card.shares.items():
        gene = genome[name]
        if name != "Placement Gene":
            wanted = gene.within(OPENING, "Priority") + gene.within(ENDGAME, "Priority")
            assert share * wanted > 0 if gene.active and wanted else share == 0
        assert gene.active or share == 0


def test_show_has_phases_and_further_genes_where_the_genome_has_them(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    file = tmp_path / "extended.txt"
    genome = load_bundled("handset").extended()
    numbers = {"Passed Pawn Gene": (4.0, 1.0), "Placement Gene": (*(n / 10 for n in range(24)), 1.0)}
    genes = [replace(gene, values=numbers.get(gene.name, gene.values)) for gene in genome.genes]
    file.write_text(replace(genome, genes=tuple(genes)).dumps())
    card = rows(galapagos.printed("genome", "show", str(file)))
    assert card["Board-scoring genes"] == ["Opening", "Endgame", "Share"]
    assert card["Total Force Gene"][:3] == ["ACTIVE", "40.5", "40.5"]
    assert card["Passed Pawn Gene"] == ["ACTIVE", "1", "4", "4.7%", "+"]
    assert card["Advance, endgame"] == ["0.6", "0.4", "0", "1", "0.8", "0.2"]  # P, N, B, R, Q, K
    assert card["Centre, opening"] == ["1.9", "1.7", "1.3", "2.3", "2.1", "1.5"]
    data = galapagos.data("genome", "show", str(file))["genes"]
    assert data["Passed Pawn Gene"] == {"active": True, "Priority - Endgame": 4.0, "Priority - Opening": 1.0}
    assert data["Placement Gene"]["Centre K - Opening"] == 1.5
    plain = rows(galapagos.printed("genome", "show", "handset"))
    assert plain["Board-scoring genes"] == ["Priority", "Share"] and "Passed Pawn Gene" not in plain


def test_a_blank_genome_has_a_card() -> None:
    card = Card(title="blank", genome=Genome.default())
    assert set(card.shares.values()) == {0} and set(card.strengths_in_pawns.values()) == {0}
    assert "pawn =" not in card.text()


def test_a_file_is_read_once_and_not_at_all_if_it_is_too_large(
    tmp_path: Path, galapagos: Galapagos, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, reads, read_text = tmp_path / "pool.txt", list[Path](), Path.read_text
    pool.write_text(load_bundled("handset").dumps())

    def counted(path: Path, *args: Any, **options: Any) -> str:
        reads.append(path)
        return read_text(path, *args, **options)

    monkeypatch.setattr(Path, "read_text", counted)
    galapagos.printed("genome", "show", pool)
    assert reads.count(pool) == 1
    os.truncate(pool, MAX_CHARACTERS + 1)
    assert "is larger than 512 MB" in galapagos.refused("genome", "show", pool)
    assert reads.count(pool) == 1


def test_the_folder_of_a_run_stands_for_its_best_genome(tmp_path: Path, galapagos: Galapagos) -> None:
    genomes = [replace(Genome.random(Random(id)), id=id) for id in range(3)]
    run = tmp_path / "run"
    with RunStore.create(run, game="chess", config="", seed=1, version="0") as store:
        born = tuple(Individual(id=each.id or 0, genome=each, generation=0) for each in genomes)
        store.write(Generation(number=0, born=born), "{}", "", 1.0)
    assert "0 files of a best genome" in galapagos.refused("genome", "show", run)
    (run / "pool.txt_best_genome.txt").write_text(genomes[1].dumps())
    for name in (run, f"chess:{run}"):
        assert galapagos.data("genome", "show", name)["id"] == 1
        assert galapagos.data("genome", "show", name, "2")["id"] == 2
        assert galapagos.data("genome", "score", name) == galapagos.data("genome", "score", run, "--id", "1")
    assert read_genome(str(run)) == genomes[1] and read_genome(f"{run} 2") == genomes[2]
    assert "no individual with the ID 7" in galapagos.refused("genome", "show", run, "7")


def test_genomes_have_the_names_that_players_lists(galapagos: Galapagos) -> None:
    for verb in ("show", "score"):
        assert galapagos.data("genome", verb, "chess:handset") == galapagos.data("genome", verb, "handset")


# -- score -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", bundled())
@pytest.mark.parametrize("text", POSITIONS)
def test_weighted_differences_add_up_to_the_score_of_the_engine(
    name: str, text: str, galapagos: Galapagos
) -> None:
    """What the search adds up in whole units, in hundreds of roundings of at most half a unit each."""
    data = galapagos.data("genome", "score", name, text)
    assert data["sum"] == pytest.approx(sum(row["weighted"] for row in data["genes"]))
    assert data["cents"] == pytest.approx(100 * data["sum"] * data["left"] / data["pawn"], rel=1e-3, abs=1)
    for row in data["genes"]:
        assert row["weighted"] == pytest.approx(row["priority"] * (row["white"] - row["black"]))
    position = position_from_fen(text)
    evaluator = Evaluator(load_bundled(name).express().weights)
    total = PRIORITY_UNITS / evaluator.unit  # all priorities, as the mean of opening and endgame
    units = evaluator.score(position.board) * (-1 if position.player() else 1)
    assert data["sum"] == pytest.approx(
        float(units) / PRIORITY_UNITS * total, abs=900 / PRIORITY_UNITS * total
    )


@pytest.mark.parametrize("text", POSITIONS)
def test_phases_weigh_in_the_score(text: str, tmp_path: Path, galapagos: Galapagos) -> None:
    genome = Genome.random(Random(4), extended=True)
    file = tmp_path / "extended.txt"
    file.write_text(genome.dumps())
    data = galapagos.data("genome", "score", str(file), text)
    assert [row["gene"] for row in data["genes"]] == [*GENES, *NAMES]
    position = position_from_fen(text)
    weights = genome.express().weights
    units = Evaluator(weights).score(position.board) * (-1 if position.player() else 1)
    total = weights.total()
    assert data["sum"] == pytest.approx(
        float(units) / PRIORITY_UNITS * total, abs=900 / PRIORITY_UNITS * total
    )


def test_a_drawish_ending_leaves_a_part_of_the_score(tmp_path: Path, galapagos: Galapagos) -> None:
    genome = Genome.default(extended=True)
    genes = {"Piece Strength Gene": (3.0, 3.0, 1.0, 9.0, 5.0), "Drawishness Gene": (0.25, 0.5, 1.0)}
    genome = replace(
        genome,
        genes=tuple(
            replace(gene, values=genes.get(gene.name, (39.0, 39.0) if "Force" in gene.name else gene.values))
            for gene in genome.genes
        ),
    )
    file = tmp_path / "drawish.txt"
    file.write_text(genome.dumps())
    for text, share in (("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 0.25), ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1", 1.0)):
        data = galapagos.data("genome", "score", str(file), text)
        assert data["left"] == share
        assert data["cents"] == pytest.approx(100 * data["sum"] * share / data["pawn"], abs=1)
    shown = galapagos.printed("genome", "score", str(file), "8/8/4k3/8/8/3BK3/8/8 w - - 0 1")
    assert "Drawishness reduces the sum to 25 %" in shown


def test_show_draws_squares_as_boards(tmp_path: Path, galapagos: Galapagos) -> None:
    genome = Genome.random(Random(4), extended=True)
    squares = genome["Squares Gene"]
    best = tuple(1.0 if param.name.startswith("Knight 4 d") else 0.0 for param in squares.params)
    genome = replace(
        genome,
        genes=tuple(replace(gene, values=best) if gene is squares else gene for gene in genome.genes),
    )
    file = tmp_path / "extended.txt"
    file.write_text(genome.dumps())
    lines = galapagos.printed("genome", "show", str(file)).splitlines()
    at = lines.index("  Knight    +0.00 to +1.00        +0.00 to +1.00")
    assert lines[at + 5] == "          4 ······████······      ······████······"
    assert lines[at + 4] == "          5 ················      ················"
    mobility = next(line for line in lines if line.startswith("Mobility Gene"))
    assert lines[lines.index(mobility) + 1].split() == ["Knight", *map(str, range(9))]
    assert "  without the squares' bonuses; with them for `evolved`: engines/chess/RESULTS.md" in lines


def test_show_draws_the_bonuses_by_wing_for_a_king_on_the_king_side(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    genome = Genome.random(Random(4), extended=True)
    genes = []
    for gene in genome.genes:
        values = tuple(1.0 if param.name.startswith("Knight 4 a") else 0.0 for param in gene.params)
        is_wing = gene.name in ("Own Wing Gene", "Enemy Wing Gene")
        genes.append(replace(gene, values=values, active=True) if is_wing else replace(gene, active=False))
    file = tmp_path / "wings.txt"
    file.write_text(replace(genome, genes=tuple(genes)).dumps())
    lines = galapagos.printed("genome", "show", str(file)).splitlines()
    own = next(number for number, line in enumerate(lines) if line.startswith("Own Wing Gene"))
    enemy = next(number for number, line in enumerate(lines) if line.startswith("Enemy Wing Gene"))
    assert lines[own + 1] == "  with the own king on files e to h; on files a to d the opposite"
    assert lines[enemy + 1] == "  with the enemy's king on files e to h; on files a to d the opposite"
    for shown, kings in ((lines[own:enemy], 0), (lines[enemy:], 1)):
        at = shown.index("  Knight    -1.00 to +1.00        -1.00 to +1.00")
        assert shown[at + 5] == "          4 ··▒▒▒▒▒▒▒▒▒▒▒▒██      ··▒▒▒▒▒▒▒▒▒▒▒▒██"
        assert sum(line.startswith("  King ") for line in shown) == kings


def test_score_shows_only_the_genes_of_the_genome(galapagos: Galapagos) -> None:
    genes = galapagos.data("genome", "score", "handset")["genes"]
    assert [row["gene"] for row in genes] == list(GENES[:8])


def test_score_prints_a_table_and_the_score_of_the_engine(galapagos: Galapagos) -> None:
    text = galapagos.printed("genome", "score", "handset", *POSITIONS[1].split())
    assert text.startswith(POSITIONS[1])
    assert rows(text)["Freedom to Move"] == ["1.3500", "1.5500", "1", "-0.2000"]
    assert "As the engine's score: -0.11 for White; 1.00 is 1.093 in the units of the genome above" in text
    assert "+0.00 for White" in galapagos.printed("genome", "score", "handset")


def test_score_reports_dropped_castling_rights_of_a_fen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["genome", "score", "handset", "4k3/8/8/8/8/8/8/4K2R", "w", "KQ", "-", "0", "1"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n")
    assert said.err.startswith("galapagos genome: FEN: castling rights 'Q' dropped")


# -- Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["show", "nothere"],
            "'nothere' is neither a file nor a bundled genome; there are evolved, evolved-1, evolved-2, handset,",
        ),
        (["show", "handset", "3"], "no ID can be given"),
        (["show", "."], "'.': Is a directory"),
        (["show", "{broken}"], "line 2, Piece Strength Gene: B must be a number, not 'x'"),
        (["show", "{binary}"], "is not a text file"),
        (["show", "{pool}", "9"], "no genome has ID 9"),
        (["score", "{pool}", "--id", "9"], "no genome has ID 9"),
        (["score", "handset", "8/8 w"], "8 ranks expected, 2 found"),
    ],
)
def test_errors_are_one_line(words: list[str], complaint: str, tmp_path: Path, galapagos: Galapagos) -> None:
    text = load_bundled("handset").dumps()
    files = {name: tmp_path / name for name in ("broken", "binary", "pool")}
    files["broken"].write_text(text.replace("B: 3.3", "B: x"))
    files["binary"].write_bytes(b"\xff\xfe\x00")
    files["pool"].write_text(text)
    refused = galapagos.refused("genome", *(word.format(**files) for word in words))
    assert refused.startswith("galapagos genome: ") and complaint in refused
    assert refused.count("\n") == 1


def test_show_reads_the_genome_that_random_prints(tmp_path: Path, galapagos: Galapagos) -> None:
    file = tmp_path / "random.txt"
    file.write_text(galapagos.printed("genome", "random", "--seed", "5"))
    assert "Board-scoring genes" in galapagos.printed("genome", "show", file)


def test_show_picks_the_last_of_a_pool_that_has_won_three_games(tmp_path: Path, galapagos: Galapagos) -> None:
    """Section 2: as an engine that is given the file plays it."""
    rng = Random(5)
    file = tmp_path / "pool.txt"
    file.write_text("\n".join(replace(Genome.random(rng), id=id).dumps() for id in (1, 2, 3)))
    assert ", ID 3\n" in galapagos.printed("genome", "show", str(file))
    game = '[White "Genetic AI 2"]\n[Black "Genetic AI 3"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    file.with_name("pool.txt_games.txt").write_text(game * 3)
    assert ", ID 2\n" in galapagos.printed("genome", "show", str(file))
    assert ", ID 1\n" in galapagos.printed("genome", "show", str(file), "1")
