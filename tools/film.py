"""The command `galapagos film`: writes a fight in the core as a page or an animated GIF that needs no network."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from pathlib import Path

from core.corewar.battle import Battle, fixed, seeded
from engines.catalogue import unknown
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.recording import LONGEST, Recording, begin_round, record
from protocols.redcode.library import NamedWarrior, starters
from tools.cli import FAILED, CommandError, check_writable, natural_int, positive_int, progress_bar, seed_int
from tools.files import visible
from tools.mars.html import page
from tools.warriors import preset_of_source, read


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos film mine.red paper --out fight.html     a starter warrior by its name\n"
        "  galapagos film a.red b.red c.red --seed 7 --round 3 --out melee.gif"
    )
    add = parser.add_argument
    add("warriors", nargs="+", metavar="WARRIOR", help="a file of Redcode, or the name of a starter warrior")
    add(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="the file to write: a page (.html), or an animated GIF (.gif)",
    )
    add(
        "--rules",
        choices=list(PRESETS),
        help="the hill whose rules apply (default: that of the ;redcode line of the first file)",
    )
    places = parser.add_mutually_exclusive_group()
    places.add_argument(
        "--seed",
        type=seed_int,
        default=1,
        metavar="S",
        help="the seed of the places of the warriors (default: 1)",
    )
    places.add_argument(
        "--place",
        type=natural_int,
        metavar="N",
        help="the place of the second of two warriors in the first round: its distance from the first",
    )
    add(
        "--round",
        type=positive_int,
        default=1,
        metavar="N",
        help="the number of the round to film (default: 1)",
    )
    add(
        "--longest",
        type=positive_int,
        default=LONGEST,
        metavar="N",
        help=f"the most instructions to film (default: {LONGEST:,})",
    )


def run(args: Namespace) -> int:
    """Write the film and return 0. Raises CommandError, with 1 if it cannot be written, 2 for wrong arguments."""
    try:
        content = _content(args.out)
        battle = _battle(args)
        check_writable(args.out)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    try:
        with progress_bar() as bar:
            shown = bar.add_task("instructions", total=min(battle.mars.ticks_left, args.longest))
            recording = record(battle, args.longest, lambda done: bar.update(shown, completed=done))
        data = content(recording)
        args.out.write_bytes(data)
    except OSError as error:
        raise CommandError(error, FAILED) from None
    print(visible(f"{args.out}: {recording.instructions:,} instructions, {_size(len(data))}"))
    return 0


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def _content(out: Path) -> Callable[[Recording], bytes]:
    """Return the function that converts a recording to a file.

    Raises ValueError for an unknown suffix, or for a GIF if Pillow is missing.
    """
    ending = out.suffix.lower()
    if ending in ("", ".html", ".htm"):
        return _page
    if ending != ".gif":
        raise ValueError(f"a film is a page (.html) or an animated GIF (.gif), not {out.suffix}: {out}")
    try:
        from tools.mars.gif import gif
    except ImportError:
        raise ValueError("a GIF needs Pillow: .venv/bin/pip install '.[plot]'") from None
    return gif


def _page(recording: Recording) -> bytes:
    title = " v ".join(dict.fromkeys(warrior.name for warrior in recording.warriors))
    return page(recording, title).encode()


def _battle(args: Namespace) -> Battle:
    """Return the battle at the start of the requested round.

    Raises ValueError or OSError if a warrior cannot be read or the arguments are wrong.
    """
    preset = PRESETS[args.rules] if args.rules else _preset(args.warriors)
    rules = preset.rules
    warriors = [_named(name, preset).warrior for name in args.warriors]
    if args.place is None:
        placement = seeded(rules, len(warriors), args.seed)
    else:
        placement = fixed(rules, len(warriors), args.place)
    return begin_round(rules, warriors, placement, args.round)


def _preset(names: Sequence[str]) -> Preset:
    """Return the hill of the first warrior that is a file, or '94 without P-space if all are starter warriors."""
    first = next((Path(name) for name in names if Path(name).is_file()), None)
    return preset_of_source(first) if first else PRESETS["94nop"]


def _named(name: str, preset: Preset) -> NamedWarrior:
    """Return a starter warrior by its name, or the warrior of a file."""
    by_name = {starter.label.lower(): starter for starter in starters(preset)}
    if name.lower() in by_name:
        return by_name[name.lower()]
    try:
        return read(Path(name), preset)
    except FileNotFoundError:
        raise ValueError(unknown("warrior", name, by_name)) from None
