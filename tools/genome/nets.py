"""What `galapagos genome` says about nets of Acquire: show, and explain, which measures what moves them."""

import json
from dataclasses import asdict
from typing import Final

from core.acquire.rules.rules import PRESETS
from engines.acquire.nets.genome import NetGenome
from engines.acquire.nets.influence import STATES, influences

RULES: Final = "thesis-7"


def show(name: str, genome: NetGenome, as_json: bool) -> str:
    """Its shape, and its text."""
    shape = genome.shape
    if as_json:
        return json.dumps({"name": name, "net": asdict(shape), "weights": shape.size, "text": genome.dumps()})
    return "\n".join([
        name,
        f"a net of {shape.size} weights for all decisions: {len(shape.chain_inputs)} inputs of a chain, "
        f"{shape.chain_units} units;",
        f"their sums and {len(shape.facts)} facts of the table, {shape.table_units} units",
        "",
        genome.dumps().rstrip(),
    ])  # fmt: skip


def explain(name: str, genome: NetGenome, as_json: bool) -> str:
    """Each input by what it does to choices and values."""
    found = influences(genome, PRESETS[RULES])
    if as_json:
        return json.dumps({"name": name, "states": 2 * STATES, "inputs": [asdict(each) for each in found]})
    lines = [
        name,
        f"What moves it, measured in {STATES} states with a tile to place and {STATES} with shares to buy, {RULES}.",
        "changed: choices that are others without the input. pull: of an input of a chain or of the table that is",
        "greater by its scale, on the value of the state, in deviations of the value between states.",
        "",
        f"{'input':24}{'changed':>9}{'pull':>9}",
    ]
    for each in found:
        pull = "" if each.pull is None else f"{each.pull:+9.2f}"
        lines.append(f"{each.layer + ' ' + each.name:24}{each.changed:9.1%}{pull}".rstrip())
    return "\n".join(lines)
