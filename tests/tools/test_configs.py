"""`galapagos configs`: the list of the bundled configurations, and the text of one."""

from engines.acquire.experiment import RUNS
from tests.tools.galapagos import Galapagos


def test_a_configuration_is_printed_as_it_is(galapagos: Galapagos) -> None:
    assert galapagos.printed("configs", "acquire", "typed-7") == (RUNS / "typed-7.txt").read_text()


def test_the_list_has_the_command_of_each_configuration(galapagos: Galapagos) -> None:
    lines = galapagos.printed("configs", "acquire").splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["galapagos", "evolve", "acquire", path.stem] for path in sorted(RUNS.glob("*.txt"))
    ]
