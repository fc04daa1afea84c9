"""The ways of Acquire: states, actions, programs and records."""

import json

import core.acquire.notation
from core.acquire.rules import PRESETS as ACQUIRE_RULES
from core.acquire.rules import GameSpec, parse_tile, rules_from_text
from engines.acquire.gp import infix, sexpr
from engines.acquire.old_record import is_old, replay
from engines.acquire.registry import PlayerSpec, load_genome
from tests.linear.way import Way, file_reader
from tools.play.acquire import parse_action
from tools.study.acquire_records import read_games

SPEC = GameSpec(ACQUIRE_RULES["thesis-7"], 2)
CHAINS = [{"name": chain.name, "letter": chain.letter} for chain in SPEC.rules.chains]
BUYING = {"phase": "buy", "legal": {"may_end": False}}
DISPOSING = {"phase": "dispose", "legal": {"held": 9, "actions": [{"trade": 4}]}}
OLD_HEADER = json.dumps({
    "t": "game", "format": "galapagos-acquire-record/1", "preset": "mini", "players": 2,
    "bag": [f"{column}{row}" for column in range(1, 6) for row in "ABCD"],
})  # fmt: skip

WAYS = (
    Way(
        name="a record of an earlier version",
        read=lambda text: is_old(text.encode()) and replay(text.splitlines(keepends=True)),
        covers=("engines/acquire/old_record.py:is_old",),
        starts=(
            "",
            OLD_HEADER,
            f"{OLD_HEADER}\n",
            '{"format":"galapagos-acquire-record/1","t":"game","bag":["',
        ),
    ),
    Way(
        name="a record of Acquire in a study of predictions",
        read=file_reader(lambda path: read_games([path]), ".jsonl"),
        covers=(),
        starts=(
            "",
            f"{OLD_HEADER}\n",
            '{"type":"record_header","format":"galapagos-record/1","game":"',
            '{"type":"record_header","format":"galapagos-record/1","game":"acquire"}\n',
        ),
    ),
    Way(
        name="a program of Acquire",
        read=sexpr.loads_forms,
        covers=(
            "engines/acquire/gp/sexpr.py:loads_forms",
            "engines/acquire/gp/sexpr.py:loads",
            "engines/acquire/gp/sexpr.py:_Reader.expect",
        ),
        starts=("", "(define place ", "(define (rate-1 it) ", "(define place (+ 1 "),
        units=("(", "(+ ", "(+ 1 ", "; a\n", "(define a 1)\n", "(rate-1 ", "1 ", "(sum "),
        is_deep=False,
    ),
    Way(
        name="a formula of Acquire",
        read=infix.from_formula,
        covers=("engines/acquire/gp/infix.py:from_formula",),
        starts=("", "1 ", "(", "1 + "),
        units=(
            "+ 1 ",
            "1 + ",
            "(",
            "( ",
            "-",
            "- 1",
            "1 * ",
            "div 1 ",
            "1 < ",
            "1e",
            ".",
            "1.",
            "1 or 1 and 1 < 1 + 1 * (",
            "not(",
        ),
        is_deep=False,
    ),
    Way(
        name="a genome of Acquire",
        read=load_genome,
        covers=(
            "engines/acquire/registry.py:load_genome",
            "engines/acquire/genome.py:Genome.loads",
            "engines/acquire/net_genome.py:NetGenome.loads",
            "engines/acquire/rules_genome.py:RulesGenome.loads",
        ),
        starts=("", "(net 1)\n", "(net 1)\n(chain bias ", "; a\n", "(rules 1)\n", "(rules 1)\n(cost "),
        units=(";\n", "(net", "(chain bias 1)\n", "1 ", "(result 1)\n", "; (", "(rules", "(cost 1)\n", "a-"),
        is_deep=False,
    ),
    Way(
        name="a player of Acquire",
        read=PlayerSpec.parse,
        covers=(
            "engines/acquire/registry.py:PlayerSpec.parse",
            "engines/acquire/search.py:SearchOptions.timed",
            "engines/acquire/search.py:split_words",
        ),
        starts=(
            "",
            "random,",
            "pair-1,",
            "mc-",
            "search-",
            "search,",
            "search,milliseconds=",
            "search,policy=",
        ),
        units=("tie=first,", "a=,", "policy=a,", "1"),
        refusals=(ValueError, OSError),
    ),
    Way(
        name="a state of Acquire",
        read=lambda text: core.acquire.notation.from_text(SPEC, text),
        covers=("core/acquire/notation.py:from_text", "core/acquire/game.py:Acquire.state_from"),
        starts=("", "board ", "bag ", "bag 1A\nboard ./", "cash "),
        units=("1A ", "./", "bag 1A\n", "0,"),
    ),
    Way(
        name="rules of Acquire",
        read=lambda text: rules_from_text("mine", text),
        covers=("core/acquire/rules.py:rules_from_text",),
        starts=("", "chains ", "seats 2 ", "chains a:b:"),
        units=("a:b:1 ",),
    ),
    Way(
        name="a tile of Acquire",
        read=lambda text: parse_tile(SPEC.rules, text),
        covers=("core/acquire/rules.py:parse_tile",),
        starts=("", "1"),
    ),
    Way(
        name="a purchase that a person types",
        read=lambda text: parse_action(BUYING, CHAINS, text),
        covers=("tools/play/acquire.py:parse_action",),
        units=("l", "l ", "2l ", "9 l "),
    ),
    Way(
        name="a disposal that a person types",
        read=lambda text: parse_action(DISPOSING, CHAINS, text),
        covers=(),
        units=("trade ", "t 1 ", "t1", "hold ", "s all "),
    ),
)
