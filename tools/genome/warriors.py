"""What `galapagos genome` explains and compares: warriors of Core War, programs of Acquire and strings of Protection."""

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from core.corewar.rules import Rules
from engines.chess.genome import bundled
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.tribes.config import TribesConfig
from engines.run.store import Store
from protocols.warriors import parse, starters
from tools.genome import programs, strings
from tools.genome.kin import Kin
from tools.genome.lineage import Lineage
from tools.genome.warrior_card import WarriorCard
from tools.warriors import collect, preset_for, read_text


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    explain = verbs.add_parser("explain", help="what a warrior does, seen when it runs; what programs want")
    explain.add_argument(
        "warrior", type=Path, metavar="FILE|RUN", help="Redcode, programs of Acquire, a string, or a run"
    )
    explain.add_argument("id", nargs="?", type=int, metavar="ID", help="whom of a run")
    explain.add_argument("--rules", choices=list(PRESETS), help="a hill's (those that the text asks for)")
    explain.add_argument("--depth", type=int, default=3, metavar="N", help="births to go back in a run (3)")
    explain.set_defaults(verb=_explain)

    compare = verbs.add_parser("compare", help="the known warriors that a warrior's code is like; programs")
    compare.add_argument("warrior", type=Path, metavar="FILE", help="Redcode, or programs of Acquire")
    compare.add_argument("known", nargs="+", type=Path, metavar="KNOWN", help="the same, or folders of it")
    compare.add_argument("--rules", choices=list(PRESETS), help="a hill's (those that the text asks for)")
    compare.add_argument("--count", type=int, default=10, metavar="N", help="so many of them (10)")
    compare.set_defaults(verb=_compare)

    for verb in (explain, compare):
        verb.add_argument("--json", action="store_true", help="print JSON")


def _explain(args: Namespace) -> str:
    if programs.is_meant(str(args.warrior)):
        return programs.explain(str(args.warrior), args.id, args.json)
    if strings.is_meant(str(args.warrior)):
        return strings.explain(str(args.warrior), args.id, args.json)
    if str(args.warrior) in bundled():
        raise ValueError(f"{args.warrior} plays chess; say: galapagos genome show {args.warrior}")
    if args.warrior.is_dir():
        return _explain_evolved(args)
    if args.id is not None:
        raise ValueError("a file of Redcode holds one warrior: an ID belongs to the folder of a run")
    text, preset = _text_and_preset(args)
    named = parse(text, preset, str(args.warrior))
    card = WarriorCard.of(named, preset.rules, preset.title, starters(preset))
    return json.dumps(card.data()) if args.json else card.text()


def _explain_evolved(args: Namespace) -> str:
    """Somebody of a run, with its ancestors."""
    if args.id is None:
        raise ValueError(f"{args.warrior} is the run of many: name one by its ID")
    lineage = Lineage.of(args.warrior, args.id, args.depth)
    with Store.open(args.warrior) as store:
        if store.game != "corewar":
            raise ValueError(f"{args.warrior} is a run of {store.game}; explain is for warriors")
        born, rules = store.individual(args.id), TribesConfig.loads(store.config).rules
    preset = _custom(rules)
    named = parse(born.genome, preset, f"{args.warrior}, ID {args.id}")
    card = WarriorCard.of(named, rules, f"ID {args.id} of {args.warrior}", starters(preset))
    if args.json:
        return json.dumps(card.data() | {"id": args.id, "lineage": lineage.data()})
    return f"{card.text()}\n\nLineage\n{lineage.text()}"


def _compare(args: Namespace) -> str:
    if args.count < 1:
        raise ValueError("--count must be 1 or more")
    if programs.is_meant(str(args.warrior)):
        return programs.compare(str(args.warrior), args.known, args.json)
    if strings.is_meant(str(args.warrior)):
        return strings.compare(str(args.warrior), args.known, args.json)
    text, preset = _text_and_preset(args)
    named = parse(text, preset, str(args.warrior))
    kin = Kin.of(named, collect(args.known, preset, []), args.count)
    return json.dumps(kin.data()) if args.json else kin.text()


def _text_and_preset(args: Namespace) -> tuple[str, Preset]:
    """The text of a file and the rules that hold for it. ValueError."""
    try:
        text = read_text(args.warrior)
    except OSError as error:
        raise ValueError(f"cannot read {str(args.warrior)[:100]!r}: {error.strerror}") from None
    return text, PRESETS[args.rules] if args.rules else preset_for(text)


def _custom(rules: Rules) -> Preset:
    """The rules of a run, which need not be those of a hill."""
    return Preset(name="run's", title="The rules", tag="", rules=rules)
