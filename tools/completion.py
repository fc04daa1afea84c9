"""The command `galapagos completion`: makes a shell complete commands, options, games, configurations and players."""

from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from tools.games import GAMES, catalogues

SHELLS: Final = ("bash", "zsh", "fish")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "shell",
        choices=SHELLS,
        help='the shell; for bash, add this line to ~/.bashrc: eval "$(galapagos completion bash)"',
    )


def run(args: Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["galapagos"], shell=args.shell))
    return 0


def complete(parser: ArgumentParser) -> None:
    """Print the completions for the shell, and exit."""
    from argcomplete import autocomplete

    for action in _actions(parser):
        if completer := COMPLETERS.get(action.dest):
            setattr(action, "completer", completer)  # noqa: B010  # as argcomplete wants it
    autocomplete(parser)


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the actions of a parser and of the parsers of its commands."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action


def _games(**_: Any) -> Iterable[str]:
    return GAMES


def _configs(parsed_args: Namespace, **_: Any) -> Iterable[str]:
    """Return the bundled configurations of the game on the command line; the shell completes files."""
    from tools.evolve import bundled_configs, find_evolution

    game = getattr(parsed_args, "game", None)
    return bundled_configs(find_evolution(game)) if game in GAMES else ()


def _players(**_: Any) -> Iterable[str]:
    return [f"{game}:{player.name}" for game, players in catalogues().items() for player in players]


Completer = Callable[..., Iterable[str]]
COMPLETERS: Final[dict[str, Completer]] = {"game": _games, "config": _configs, "players": _players}
