"""The text form of chess genomes: as it is written, as it is read, and every error by line and gene."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.random import Random
from engines.chess import genome_text
from engines.chess.genes import ENDGAME, OPENING
from engines.chess.genome import Genome
from engines.chess.genome_file import choose, read
from engines.chess.genome_text import GenomeError

JUNE_2017 = Path(__file__).with_name("june_2017.txt").read_text()
TODAY = Path(__file__).with_name("today.txt").read_text()


# -- One genome ------------------------------------------------------------------------------------------


def test_genomes_are_written_in_the_form_of_2017() -> None:
    genome = Genome.loads(JUNE_2017)
    assert genome.id == 247323
    assert [gene.name for gene in genome.genes if not gene.active] == ["Freedom to Move Gene"]
    assert genome.dumps() == JUNE_2017
    assert read(JUNE_2017) == ([genome], ())


def test_comments_spaces_order_and_line_ends_are_free() -> None:
    head, *rest = JUNE_2017.removesuffix("\nEND\n").split("\n\n")
    shuffled = "\n".join(["# from a friend", head, *reversed(rest), "END # of it"])
    spaced = (
        shuffled.replace(":", " :\t").replace("\nB", "\n  B").replace("ACTIVE\n", "ACTIVE # switch: on\r\n")
    )
    assert Genome.loads(spaced) == Genome.loads(JUNE_2017)


def edited(old: str, new: str) -> str:
    assert old in JUNE_2017
    return JUNE_2017.replace(old, new, 1)


LOOK, FORCE, CASTLING = "Look Ahead Gene", "Total Force Gene", "Castling Possible Gene"


@pytest.mark.parametrize(
    ("text", "line", "gene", "words"),
    [
        (edited("Name: Look Ahead", "Name: Look Behind"), 11, "Look Behind Gene", "unknown gene"),
        (edited("Priority: 390.622", "Priority"), 19, FORCE, "exactly one colon"),
        (edited("Priority: 390.622\n", ""), 52, FORCE, "Priority is missing"),
        (edited("Priority: 390.622", "Priority: 1\nPriority: 2"), 20, FORCE, "Priority is there twice"),
        (edited("0.655904\nACTIVE", "0.655904"), 52, LOOK, "ACTIVE or INACTIVE is missing"),
        (edited("390.622\n", "390.622\nINACTIVE\n"), 21, FORCE, "ACTIVE or INACTIVE is there twice"),
        (edited("Name: Piece", "ACTIVE\nName: Piece"), 3, None, "before the first gene"),
        (edited("Name: Total Force Gene\nPriority: 390.622\nACTIVE\n", ""), 50, FORCE, "the gene is missing"),
        (edited("Name: Freedom to Move", "Name: Total Force"), 22, FORCE, "the gene is there twice"),
        (edited("390.622", "nan"), 19, FORCE, "Priority must be a number, not 'nan'"),
        (edited("390.622", ""), 19, FORCE, "must be a number, not ''"),
        (edited("390.622", "1_000"), 19, FORCE, "must be a number"),
        (edited("390.622", "-1"), 19, FORCE, "must be 0 to 1e+09, not -1"),
        (edited("32.2315", "1e10"), 50, CASTLING, "must be -1e+09 to 1e+09, not 1e10"),
        (edited("0.655904", "1.01"), 15, LOOK, "must be 0 to 1, not 1.01"),
        (edited("50.6126", "20000"), 12, LOOK, "must be 1 to 10000"),
        (edited("ID: 247323", "ID: 247323\nID: 247324"), 2, None, "the ID is there twice"),
        (edited("ID: 247323", "ID: 0x12"), 1, None, "ID must be a number"),
        (edited("ID: 247323", "ID: 1234567890123456789"), 1, None, "at most 18 digits"),
        (edited("32.2315\nACTIVE", "32.2315\nACTIVE\nID: 5"), 52, CASTLING, "unknown property 'ID'"),
        (edited("\nEND\n", ""), 1, None, "END is missing"),
        (edited("END\n", "Still Alive: 0 : 1 2\nEND\n"), 53, CASTLING, "exactly one colon"),
        ("END\n", 1, "Piece Strength Gene", "the gene is missing"),
        (JUNE_2017 + "\n\nID: 5\n", 56, None, "END is missing after 'ID: 5'"),
        (JUNE_2017 + JUNE_2017.replace("P: 0.729863", "P: ?"), 59, "Piece Strength Gene", "not '?'"),
        ("", None, None, "one genome expected, 0 found"),
        (JUNE_2017 * 2, None, None, "one genome expected, 2 found"),
    ],
)  # fmt: skip
def test_errors_name_line_and_gene(text: str, line: int | None, gene: str | None, words: str) -> None:
    load = read if line is not None else Genome.loads
    with pytest.raises(GenomeError) as caught:
        load(text)
    assert (caught.value.line, caught.value.gene) == (line, gene)
    assert words in str(caught.value)
    assert line is None or str(caught.value).startswith(f"line {line}")


def test_files_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(genome_text, "MAX_CHARACTERS", 1000)
    for reader in (read, choose, Genome.loads):
        with pytest.raises(GenomeError, match="too large"):
            reader(JUNE_2017 * 2)


# -- Today's form ----------------------------------------------------------------------------------


def test_todays_form_is_read_with_its_phases() -> None:
    (genome,), remarks = read(TODAY)
    assert genome == Genome.loads(TODAY) == choose(TODAY, 704622)
    assert all(gene.active for gene in genome.genes)
    assert genome["Piece Strength Gene"].values == (3.589479, 2.623422, 0.932504, 9.389757, 4.592221)
    assert genome["Look Ahead Gene"].values == (75.4268, 0.0, 0.01, 0.0)
    assert {
        gene.name: (gene.within(OPENING, "Priority"), gene.within(ENDGAME, "Priority"))
        for gene in genome.genes[2:]
    } == {
        "Total Force Gene": (0.681, 0.613),
        "Freedom to Move Gene": (-0.01, 0.02),
        "Pawn Advancement Gene": (0.04, 0.03),
        "Opponent Pieces Targeted Gene": (0.08, 0.07),
        "Sphere of Influence Gene": (0.02, 0.01),
        "King Confinement Gene": (-0.04, 0.03),
        "King Protection Gene": (0.05, -0.03),
        "Castling Possible Gene": (0.05, 0.03),
        "Passed Pawn Gene": (0.06, 0.05),
    }
    assert genome["Sphere of Influence Gene"]["King Target Factor"] == -1.1
    assert genome["Sphere of Influence Gene"]["Legal Bonus"] == 1.0
    assert genome["Castling Possible Gene"]["Kingside Preference"] == 0.6
    for words in (
        "Move Sorting Gene: it has no counterpart",
        "Total Force Gene: 'Activation Begin' has no counterpart",
        "Look Ahead Gene: 'Speculation - Opening' has no counterpart",
        "Look Ahead Gene: 'Speculation Constant' is missing and becomes 0",
        "Sphere of Influence Gene: 'Legal Bonus' is missing and becomes 1",
    ):
        assert len([remark for remark in remarks if remark.startswith(words)]) == 1
    assert not [remark for remark in remarks if "Priority" in remark or "Passed Pawn" in remark]
    assert read(TODAY * 3)[1] == remarks  # each once
    assert Genome.loads(genome.dumps()) == genome


def gene_of_today(name: str, *properties: str) -> str:
    phases = ("Priority - Endgame: 0.1", "Priority - Opening: 0.2")
    lines = "\n".join([f"Name: {name}", *properties, *phases])
    return TODAY.replace("\nEND", f"\n{lines}\n\nEND")


@pytest.mark.parametrize(
    ("name", "properties"),
    [
        ("Pawn Structure Gene", ["Guarded By Pawn: 0.7", "Guarded By Piece: 0.3"]),
        ("Pawn Islands Gene", []),
        ("Stacked Pawns Gene", []),
    ],
)
def test_genes_with_another_meaning_in_todays_form_are_ignored(name: str, properties: list[str]) -> None:
    """The names are ours too; a switch tells our genes from today's, which have none."""
    text = gene_of_today(name, *properties)
    (genome,), remarks = read(text)
    assert genome == Genome.loads(TODAY)
    assert f"{name}: it has another meaning in Genetic Chess and is ignored" in remarks
    ours = gene_of_today(name).replace("Opening: 0.2\n", "Opening: 0.2\nINACTIVE\n")
    gene = Genome.loads(ours)[name]
    assert (gene.within(OPENING, "Priority"), gene.active) == (0.2, False)


@pytest.mark.parametrize(
    ("old", "new", "gene", "words"),
    [
        ("Mean Game Length: 75.4268\n", "", LOOK, "Mean Game Length is missing"),
        ("Priority - Opening: 0.681\n", "", FORCE, "Priority - Opening is missing"),
        (
            "Priority - Opening: 0.681",
            "Priority - Opening: 0.681\nPriority: 1",
            FORCE,
            "Priority is there twice",
        ),
        ("Priority - Opening: 0.681", "Priority - Endgame: 0.681", FORCE, "Priority is there twice"),
        ("Priority - Opening: 0.681", "Priority - Endgame - Opening: 1", FORCE, "unknown property"),
        ("Priority - Opening: 0.681", "Priority - Opening: -0.1", FORCE, "Priority must be 0 to 1e"),
        (
            "Priority - Opening: 0.681\n",
            "Priority: 1\nPriority - Opening: 2\n",
            FORCE,
            "Priority is there twice",
        ),
        ("Branching Factor - Opening", "Hatching Factor - Opening", LOOK, "unknown property"),
        ("Sorter Count: 2", "Sorter Count: 2: 3", "Move Sorting Gene", "exactly one colon"),
    ],
)
def test_errors_in_todays_form_name_the_gene(old: str, new: str, gene: str, words: str) -> None:
    assert old in TODAY
    with pytest.raises(GenomeError, match=words) as caught:
        read(TODAY.replace(old, new, 1))
    assert caught.value.gene == gene


# -- Phases and further genes ----------------------------------------------------------------------


def test_phases_and_further_genes_are_read_as_they_are_written() -> None:
    genome = Genome.random(Random(21), extended=True)
    assert read(genome.dumps()) == ([genome], ())
    lines = genome.dumps().splitlines()
    assert [line for line in lines if line.startswith("Name")] == [
        f"Name: {gene.name}" for gene in genome.genes
    ]
    at = lines.index("Name: Passed Pawn Gene")
    assert [line.partition(":")[0] for line in lines[at : at + 4]] == [
        "Name", "Priority - Endgame", "Priority - Opening", "ACTIVE",
    ]  # fmt: skip


def test_one_gene_may_have_phases_and_another_none() -> None:
    text = edited("Priority: 279.271", "Priority - Opening: 1\nPriority - Endgame: 2")
    genome = Genome.loads(text.replace("\nEND", "\nName: Bishop Pair Gene\nPriority: 3\nACTIVE\n\nEND"))
    assert genome["Pawn Advancement Gene"].values == (2.0, 1.0)
    assert [gene.name for gene in genome.genes if gene.has_phases] == ["Pawn Advancement Gene"]
    assert genome["Bishop Pair Gene"]["Priority"] == 3.0
    assert Genome.loads(genome.dumps()) == genome


def test_a_value_without_phase_stands_for_both() -> None:
    """Where others of its gene have phases."""
    placement = ["Name: Placement Gene", "Priority: 1", "ACTIVE"]
    for piece in "BKNPQR":
        placement += [
            f"Centre {piece}: 0.5",
            f"Advance {piece} - Opening: 1",
            f"Advance {piece} - Endgame: 2",
        ]
    text = "\n".join([*placement, "", "END"])
    gene = Genome.loads(JUNE_2017.replace("END", text))["Placement Gene"]
    assert gene.has_phases
    for phase, advance in ((OPENING, 1.0), (ENDGAME, 2.0)):
        assert {gene.within(phase, f"Centre {piece}") for piece in "PNBRQK"} == {0.5}
        assert {gene.within(phase, f"Advance {piece}") for piece in "PNBRQK"} == {advance}
        assert gene.within(phase, "Priority") == 1.0


@pytest.mark.parametrize(
    ("old", "new", "gene", "words"),
    [
        ("Centre K - Opening: 0.0\n", "", "Placement Gene", "Centre K - Opening is missing"),
        ("Centre K - Opening", "Centre G - Opening", "Placement Gene", "unknown property 'Centre G - Opening'"),
        ("Name: Pawn Islands Gene", "Name: Bishop Pair Gene", "Bishop Pair Gene", "the gene is there twice"),
    ],
)  # fmt: skip
def test_errors_in_optional_genes_name_the_gene(old: str, new: str, gene: str, words: str) -> None:
    text = Genome.default(extended=True).dumps()
    assert old in text
    with pytest.raises(GenomeError, match=words) as caught:
        Genome.loads(text.replace(old, new, 1))
    assert caught.value.gene == gene


def test_our_own_gene_of_a_shared_name_needs_its_switch() -> None:
    text = JUNE_2017.replace("\nEND", "\nName: Stacked Pawns Gene\nPriority: 1\n\nEND")
    with pytest.raises(GenomeError, match="Stacked Pawns Gene: ACTIVE or INACTIVE is missing"):
        read(text)


# -- Any text --------------------------------------------------------------------------------------


def check_only_genome_errors(text: str) -> None:
    try:
        found, _ = read(text)
    except GenomeError as error:
        assert error.line is None or 1 <= error.line <= text.count("\n") + 1
    else:
        for genome in found:
            assert Genome.loads(genome.dumps()) == genome
        if found:
            assert choose(text) == found[-1]


@given(text=st.text() | st.text(st.sampled_from("END\n: #IDName.0\r\x0b\u2028Priority")))
def test_any_text_is_a_genome_or_a_genome_error(text: str) -> None:
    check_only_genome_errors(text)


@settings(max_examples=150)
@given(data=st.data())
def test_a_damaged_genome_is_a_genome_or_a_genome_error(data: st.DataObject) -> None:
    extended = Genome.random(Random(22), extended=True).dumps()
    lines = data.draw(st.sampled_from([JUNE_2017, TODAY, JUNE_2017 + TODAY, extended])).split("\n")
    words = (
        "",
        "END",
        "ACTIVE",
        "ID: 1",
        "Name: King Protection Gene",
        "P: 1e308",
        "Still Alive: 0 : 1",
        ":",
        "#",
        "\0",
    )
    snippets = st.sampled_from(words)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        if data.draw(st.booleans()):
            lines[at : at + data.draw(st.integers(0, 3))] = [data.draw(snippets | st.text(max_size=8))]
        else:
            cut = data.draw(st.integers(0, len(lines[at])))
            lines[at] = lines[at][:cut] + data.draw(st.text(max_size=3)) + lines[at][cut + 1 :]
    check_only_genome_errors("\n".join(lines))
