"""Patches of mypyc's C: none is applied in part or to a version that it is not made for; no check is removed blindly."""

import ast
import re
import shutil
import subprocess
import sysconfig
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools.mypyc_patches import check_version
from tools.mypyc_patches.generated_c import PatchError, patched
from tools.mypyc_patches.jumps import MANY, with_jumps
from tools.mypyc_patches.specialise import MARS, specialised

BUILD = ROOT / "build"
WRITTEN = sorted(BUILD.glob("__native_galapagos_*.c"))  # by mypyc
needs_c = pytest.mark.skipif(
    not WRITTEN, reason="the core was not compiled here, or `make slim` removed what remained"
)
LIKELY = "    cpy_r_r1 = (uint64_t)cpy_r_i < (uint64_t)cpy_r_n;\n    if (cpy_r_r1) goto CPyL1;\n"


def test_a_pattern_that_finds_nothing_ends_the_build() -> None:
    with pytest.raises(PatchError, match="'an index is in range' changes 0 of 0 places in the C of chess"):
        patched({"chess": "int x;\n"}, {}, 0)


def test_a_pattern_that_finds_only_some_of_its_places_ends_the_build() -> None:
    other = LIKELY.replace("if (cpy_r_r1)", "if (expected(cpy_r_r1))")
    with pytest.raises(PatchError, match="changes 1 of 2 places"):
        patched({"chess": LIKELY + other}, {}, 0)


def test_a_version_of_mypy_that_was_not_compared_is_refused() -> None:
    check_version("2.4.1")
    with pytest.raises(
        RuntimeError, match=r"mypyc 2\.5\.0 .* made for 2\.4\. Install 'mypy\[mypyc\]==2\.4\.\*'"
    ):
        check_version("2.5.0")


def test_a_chain_of_comparisons_becomes_a_jump() -> None:
    chain = "".join(
        f"    r{n} = code == {n};\n    if (!r{n}) goto CPyL{n + 1};\n    body({n});\nCPyL{n + 1}: ;\n"
        for n in range(MANY)
    )
    text, found = with_jumps(chain)
    assert found == 1 and text.count("switch (code)") == 1 and "==" not in text
    few, none = with_jumps("    r1 = code == 1;\n    if (r1) goto CPyL1;\n")
    assert none == 0 and "== 1" in few


def test_other_numbers_of_a_chain_jump_where_a_following_chain_of_masked_numbers_leads() -> None:
    codes = "".join(f"    r{n} = code == {1000 + n};\n    if (r{n}) goto CPyL{n};\n" for n in range(MANY - 1))
    codes += "    r = code == 5000;\n    if (!r) goto CPyL100;\n    body();\n"
    modes = "".join(f"    m{n} = masked == {n};\n    if (m{n}) goto CPyL{200 + n};\n" for n in range(62))
    modes += "    m62 = masked == 62;\n    if (!m62) goto CPyL300;\n"
    text, found = with_jumps(f"{codes}CPyL100: ;\n    masked = code & 63;\n{modes}")
    assert found == 2 and "==" not in text
    table = re.search(r"jumps\[\] = \{([^}]*)\}", text)
    assert table
    labels = table[1].split(", ")
    assert len(labels) == 8192
    assert labels[:2] == ["&&CPyL200", "&&CPyL201"] and labels[63] == "&&CPyL300"
    assert labels[1000] == "&&CPyL0" and labels[4999] == f"&&CPyL{200 + 4999 % 64}"


def test_common_instructions_need_no_division_under_read_write_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    module = ast.parse(specialised(MARS.read_text()))
    bodies = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    plain = {name.removeprefix("_execute_") for name in bodies if re.fullmatch(r"_execute_\d+", name)}
    limited = {name: body for name, body in bodies.items() if name.startswith("_execute_later_")}
    assert plain and {name.removeprefix("_execute_later_") for name in limited} == plain
    operands = {name: body for name, body in bodies.items() if name.startswith("_operands_later_")}
    assert len(operands) == 64
    for name, body in (limited | operands).items():
        slow = [node for node in ast.walk(body) if isinstance(node, ast.FloorDiv | ast.Mod)]
        called = {
            node.func.id
            for node in ast.walk(body)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not slow and called <= {"i64", "len", "_exchanged"}, name


# Attributes that mypyc cannot prove to be set: reads of them are checked.
UNPROVED = {
    "__mypyc_lambda__0_linear_ranking_obj": "a closure",
    "linear_ranking_env": "a closure",
    "Dice": "interpreted subclasses are allowed",
    "Player": "interpreted subclasses are allowed",
    "Frame": "the deepest frame has no child",
    "InstructionTrace": "the constructor calls methods; one a step of the debugger",
    "TurnResult": "can be pickled; one a turn",
}


@needs_c
def test_attribute_reads_are_checked_unless_mypyc_proves_them_to_be_set() -> None:
    """Outside accessors for Python, which are called only with attributes of one object."""
    checked = set()
    for path in WRITTEN:
        text = path.read_text()
        checked |= set(re.findall(r'CPy_AttributeError\("[^"]+", "[^"]+", "([^"]+)"', text))
        compiled = (BUILD / "rewritten" / path.name).read_text()
        assert compiled.count("CPy_AttributeError(") - 1 == text.count(
            "CPy_AttributeError("
        )  # one declaration: COLD
    assert checked <= UNPROVED.keys()


def test_bases_of_classes_in_other_folders_allow_interpreted_subclasses() -> None:
    """mypyc counts on knowing all subclasses of a class in its own folder of `core`, unless these are allowed."""
    pairs = []
    for path in sorted((ROOT / "core").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for member in vars(import_module(name.removesuffix(".__init__"))).values():
            if isinstance(member, type) and member.__module__ == name:
                folder = name.rpartition(".")[0]
                pairs += [
                    (base, member)
                    for base in member.__mro__[1:]
                    if base.__module__.startswith("core.") and base.__module__.rpartition(".")[0] != folder
                ]
    assert pairs
    for base, _ in pairs:
        type("Interpreted", (base,), {})  # TypeError: interpreted classes cannot inherit from compiled


@pytest.mark.external
@pytest.mark.skipif(not shutil.which("clang"), reason="clang is not installed")
@needs_c
def test_clang_compiles_the_c_without_a_warning() -> None:
    pytest.importorskip("mypyc")
    headers = [
        sysconfig.get_paths()["include"],
        str(BUILD),
        str(Path(import_module("mypyc").__file__ or "").parent / "lib-rt"),
    ]
    ignored = [
        "-Wno-unused-function",
        "-Wno-unused-label",
        "-Wno-unused-variable",
        "-Wno-unused-but-set-variable",
    ]
    source = BUILD / "rewritten" / "__native_galapagos_core.c"
    command = [
        "clang",
        "-fsyntax-only",
        "-Wall",
        "-Werror",
        *ignored,
        *(f"-I{path}" for path in headers),
        str(source),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
