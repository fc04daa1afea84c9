"""The known hills: their published numbers, and that a hill's own settings are checked."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engines.corewar import presets
from engines.corewar.presets import PRESETS, Preset, exact_rounds
from tools.mars.options import Arguments, parse
from tools.mars.streams import Text

PUBLISHED = """
88      -       8000   80000  8000 100 100 -    20  100
94      94      8000   80000  8000 100 100 500  20  100
94nop   94nop   8000   80000  8000 100 100 -    20  100
94x     94x    55440  500000 10000 200 200 3465 20  100
icws    icws    8192  100000  8000 300 300 -    20  100
x       x       4096   65536    32  64  64 -    20  100
94m     94m     8000   80000  8000 100 100 500  10  100
94xm    94xm   55440  500000 10000 200 200 3465 10  100
tiny    tiny     800    8000   800  20  20 50   20  100
tinylp  tiny     800    8000     8  50  50 50   20  100
nano    nano      80     800    80   5   5 5    50  142
lp      lp      8000   80000     8 200 200 -    20  100
"""


@pytest.mark.parametrize("line", PUBLISHED.split("\n")[1:-1], ids=lambda line: str(line).split()[0])
def test_presets_have_the_published_numbers(line: str) -> None:
    name, tag, *numbers, pspace, places, rounds = line.split()
    preset = PRESETS[name]
    rules = preset.rules
    assert preset.tag == tag.strip("-")
    assert [rules.size, rules.cycles, rules.processes, rules.length, rules.distance] == list(
        map(int, numbers)
    )
    if pspace != "-":
        assert rules.pspace == int(pspace)
    assert (preset.places, preset.rounds) == (int(places), int(rounds))


def test_the_document_has_the_rules_and_options_of_every_preset() -> None:
    text = Path(presets.__file__).with_name("HILLS.md").read_text(encoding="utf-8")
    rows = [re.findall(r"[^|`]+", line.replace("| ", "|").replace(" |", "|")) for line in text.splitlines()]
    found = {row[0]: row[1:] for row in rows if row and row[0] in PRESETS}
    assert list(found) == list(PRESETS)
    for name, (tag, *numbers, rounds, places, options) in found.items():
        preset, rules = PRESETS[name], PRESETS[name].rules
        assert tag == f";redcode-{preset.tag}".rstrip("-")
        assert list(map(int, numbers)) == [
            rules.size,
            rules.processes,
            rules.cycles,
            rules.length,
            rules.distance,
        ]
        assert rounds == ("every position" if preset.is_exact else str(preset.rounds))
        assert int(places) == preset.places
        made = parse(Arguments([*options.split(), "a.red", "b.red"]), no_file)
        fought = made.rules()
        assert (fought.size, fought.processes, fought.cycles) == (rules.size, rules.processes, rules.cycles)
        assert (fought.length, fought.distance, fought.pspace) == (rules.length, rules.distance, rules.pspace)
        assert (made.icws88, made.permute) == (preset.is_88, preset.is_exact)
        assert preset.is_exact or made.rounds == preset.rounds


def no_file(name: str) -> Text:
    raise OSError(name)


def test_every_preset_is_in_the_published_table() -> None:
    assert [line.split()[0] for line in PUBLISHED.split("\n")[1:-1]] == list(PRESETS)
    assert {name for name, preset in PRESETS.items() if preset.is_88} == {"88", "icws", "x"}
    assert {name for name, preset in PRESETS.items() if not preset.has_pspace} == {"94nop"}
    assert {name for name, preset in PRESETS.items() if preset.is_melee} == {"94m", "94xm"}
    assert {name for name, preset in PRESETS.items() if preset.is_exact} == {"nano"}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_a_preset_reads_back(preset: Preset) -> None:
    assert Preset.loads(json.loads(json.dumps(preset.dumps()))) == preset


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("94", {"rounds": 0}),
        ("94", {"places": 0}),
        ("nano", {"rounds": 100}),
        ("94m", {"places": 36}),
        ("94m", {"places": 80}),
    ],
)
def test_invalid_hill_settings_are_refused(name: str, changes: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        replace(PRESETS[name], **changes)  # type: ignore[arg-type]


def test_exact_rounds_follow_from_core_size_and_distance() -> None:
    assert exact_rounds(PRESETS["94"].rules) == 2 * 8000 - 4 * 100 + 2
