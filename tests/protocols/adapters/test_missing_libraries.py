"""The adapters where their library is not installed."""

import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["gymnasium", "pettingzoo"])
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [each for each in sys.modules if each.partition(".")[0] in ("gymnasium", "pettingzoo")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, f"protocols.adapters.{name}", raising=False)
    with pytest.raises(ImportError, match=rf"(?i)needs {name}: pip install '\.\[{name}\]'"):
        import_module(f"protocols.adapters.{name}")
