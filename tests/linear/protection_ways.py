"""The ways of Advanced Protection: setups, strings, boards and profiles."""

import json
from contextlib import suppress

from msgspec import DecodeError

from core.protection.board import Scenario, generate_map
from core.protection.game import Protection
from core.protection.policy import STRING_BYTES
from core.protection.rules import RULES
from core.protection.state import ProtectionState
from core.random import Random
from engines.protection import boardfiles, profile
from engines.protection.arms_race import loads_genome
from engines.protection.bots import create_bot
from engines.protection.defender import Defender
from engines.protection.genome import Genome as StringGenome
from engines.protection.pool import Pool, bundled_pool, find_entry
from protocols.jsonl.protection_actions import parse_setup, parse_strategy
from tests.linear.way import Way
from tools.play.protection import parse_order, parse_review
from tools.study.protection_people import game_of


def _protection_action(text: str) -> None:
    """Read an action in a setup, and where Chaos chooses. What is none is refused."""
    game = Protection(RULES["improved"], bytes(STRING_BYTES)).new_state(Random(1))
    for _ in range(2):
        with suppress(ValueError):
            game.action_from(text)
        game.is_set_up = True


UNITS_ON_SALE = {"side": 24, "units": [{"name": "drone"}, {"name": "mine"}]}
FIELD = ProtectionState(Scenario(RULES["improved"], generate_map(Random(1))))
STUDIED = json.dumps({  # the header of a game between a person and Chaos
    "type": "record_header", "format": "galapagos-record/1", "protocol": "", "generator": "", "game_id": "g",
    "game": "protection", "variant": "improved", "rules": {}, "rules_hash": "", "seed": 1, "salt": "",
    "options": {"profile": "ann", "study": True},
    "seats": [{"name": "", "kind": "client"}, {"name": "chaos:pilot", "kind": "agent"}],
})  # fmt: skip

WAYS = (
    Way(
        name="a record for a study of people",
        read=lambda text: game_of(text.encode()),
        covers=("tools/study/protection_people.py:game_of",),
        starts=(
            "",
            f"{STUDIED}\n",
            f'{STUDIED}\n{{"type":"',
            f'{STUDIED}\n{{"type":"end","result":{{"winner":"',
        ),
        units=('{"type":"event"}\n', '{"type":"end"}\n'),
    ),
    Way(
        name="an action of Advanced Protection move by move",
        read=_protection_action,
        covers=("core/protection/game.py:ProtectionMoves.action_from",),
        starts=("", "drone ", "drone 5,7", "salvage ", "go", "string "),
        units=(",", "1", "5,7,", " ", "drone"),
    ),
    Way(
        name="a string of Chaos",
        read=StringGenome.loads,
        covers=("engines/protection/genome.py:Genome.loads", "engines/evolution/population.py:Genome.loads"),
        starts=("", "minion ", "minion drone pref 1\nstate 0: "),
        units=("ff", "f\n", "0>1F ", "minion a pref 1\n"),
    ),
    Way(
        name="a defender, and a genome of either side",
        read=lambda text: (Defender.loads(text), loads_genome(text)),
        covers=(
            "engines/protection/defender.py:Defender.loads",
            "engines/protection/arms_race.py:loads_genome",
        ),
        starts=("", "drone want ", "drone want 1 wetlands 2\n"),
        units=("ff", "f\n", "gold 1 ", "drone want 1\n"),
    ),
    Way(
        name="a pool of strings",
        read=Pool.loads,
        covers=("engines/protection/pool.py:Pool.loads",),
        starts=("", '{"pool":"'),
        units=('{"name":"a"}\n',),
    ),
    Way(
        name="a string of the pool",
        read=find_entry,
        covers=("engines/protection/pool.py:find_entry",),
        starts=("", "pool:"),
    ),
    Way(
        name="a profile",
        read=profile.loads,
        covers=("engines/protection/profile.py:loads",),
        starts=("", "1 2 ", "H\t", "P\t"),
        units=("1\n", "T\ta\n", "T\t", "P\ta\n", "\t"),
    ),
    Way(
        name="a user's name",
        read=profile.normalised_name,
        covers=(),
        units=("\u0301", "a\u0301", "\u0327\u0301", "\ufdfa"),
    ),
    Way(
        name="a map",
        read=boardfiles.loads_map,
        covers=("engines/protection/boardfiles.py:loads_map",),
        starts=("", "g" * 24 + "\n"),
        units=("gold 1 1\n", "g" * 24 + "\n"),
    ),
    Way(
        name="an arrangement",
        read=boardfiles.loads_arrangement,
        covers=("engines/protection/boardfiles.py:loads_arrangement",),
        starts=("", "drone 1 "),
        units=("drone 1 1\n", "drone "),
    ),
    Way(
        name="a line of a log of arrangements",
        read=boardfiles.ArrangementRecord.loads,
        covers=("engines/protection/boardfiles.py:ArrangementRecord.loads",),
        starts=(
            "",
            '{"format":"galapagos-arrangement/1","map":["',
            '{"format":"galapagos-arrangement/1","map":[],"gold":[[',
        ),
        units=('","', "1],[", "1,"),
    ),
    Way(
        name="a scripted user",
        read=lambda text: create_bot(text, 0),
        covers=(),
        starts=("", "mines:", "mines:0."),
    ),
    Way(
        name="a setup of the JSON lines",
        read=lambda text: parse_setup(
            FIELD, f'{{"kind":"setup","place":[{text.rstrip(",")}],"salvage":[9]}}'.encode()
        ),
        covers=("protocols/jsonl/protection_actions.py:parse_setup",),
        starts=("", '{"unit":"'),
        units=('{"unit":"drone","at":[1,1]},', '{"unit":"drone","at":[-1,1]},'),
        refusals=(ValueError, DecodeError, RecursionError),
    ),
    Way(
        name="a strategy of the JSON lines",
        read=lambda text: parse_strategy(
            FIELD, bundled_pool(), f'{{"kind":"strategy",{text.rstrip(",")}}}'.encode(), buys_freely=True
        ),
        covers=("protocols/jsonl/protection_actions.py:parse_strategy",),
        starts=("", '"pool":1,"buy":{"', '"string":"'),
        units=('"pool":1,', "0f"),
        refusals=(ValueError, DecodeError, RecursionError),
    ),
    Way(
        name="an order that a person types",
        read=lambda text: parse_order(text, UNITS_ON_SALE),
        covers=("tools/play/protection.py:parse_order",),
        starts=("", "place ", "place drone ", "sell "),
        units=("1 1 ",),
    ),
    Way(
        name="a turn that a person types",
        read=lambda text: parse_review(f"film {text}", 9),
        covers=("tools/play/protection.py:parse_review",),
    ),
)
