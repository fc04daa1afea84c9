"""A setup that is being made: what is to be bought and sold, one step after the other, each of which can be undone."""

from collections.abc import Callable
from typing import Any

from tools.play.protection.wording import problem

Facts = dict[str, Any]  # as they come in JSON
Square = tuple[int, int]
Check = Callable[[Facts], Facts]  # an action -> `checked`


class Draft:
    """Steps are asked of the server before they are taken, so that it is always a setup without a fault."""

    def __init__(self, seen: Facts, check: Check) -> None:
        self.preview: Facts = {}
        self._standing = {tuple(unit["at"]): unit for unit in seen["units"]}
        self._steps: list[tuple[str, Any]] = []  # `place` and an item, or `salvage` and a number
        self._check = check
        self._look()

    @property
    def action(self) -> Facts:
        """As it is sent."""
        return {
            "kind": "setup",
            "place": [what for step, what in self._steps if step == "place"],
            "salvage": [what for step, what in self._steps if step == "salvage"],
        }

    def units(self) -> dict[Square, str]:
        """What would stand where."""
        sold = set(self.action["salvage"])
        units = {square: unit["unit"] for square, unit in self._standing.items() if unit["id"] not in sold}
        return units | {tuple(item["at"]): item["unit"] for item in self.action["place"]}

    def place(self, unit: str, square: Square) -> str:
        """Buy a unit; why it cannot be, and then nothing is changed."""
        self._steps.append(("place", {"unit": unit, "at": list(square)}))
        problems = self._look()
        if not problems:
            return ""
        words = problem(problems[0], self.action["place"])
        self.undo()
        return words

    def sell(self, square: Square) -> bool:
        """Take away what stands there; False if nothing does."""
        for number, (step, what) in enumerate(self._steps):
            if step == "place" and tuple(what["at"]) == square:
                del self._steps[number]
                self._look()
                return True
        unit = self._standing.get(square)
        if unit is None or unit["id"] in self.action["salvage"]:
            return False
        self._steps.append(("salvage", unit["id"]))
        self._look()
        return True

    def undo(self) -> bool:
        """Take the last step back; False if there is none."""
        if not self._steps:
            return False
        self._steps.pop()
        self._look()
        return True

    def _look(self) -> list[Facts]:
        checked = self._check(self.action)
        self.preview = checked.get("preview", self.preview)
        problems: list[Facts] = checked["problems"]
        return problems
