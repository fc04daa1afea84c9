"""The ring: where the queues of all warriors stand in the one array that pMARS has for them.

They begin a queue's length apart and wander on with each instruction. Only the registers tell: what lies around
the end of the array they do not show.
"""


class Ring:
    """`warriors` queues of at most so many `processes`."""

    def __init__(self, warriors: int, processes: int) -> None:
        self._warriors = warriors
        self._processes = processes
        self._heads = [0] * warriors

    def begin(self, starter: int) -> None:
        """A round: the warrior that starts it has the last place."""
        for seat in range(self._warriors):
            place = (seat - starter) % self._warriors
            self._heads[seat] = (self._warriors - 1 - place) * self._processes

    def move(self, seat: int, places: int) -> None:
        """A queue begins so many places further on."""
        self._heads[seat] += places

    def move_all(self, seat: int, ticks: int) -> None:
        """So many instructions are executed in turn, from this seat on, and nobody is dead."""
        for place in range(self._warriors):
            self.move((seat + place) % self._warriors, (ticks + self._warriors - 1 - place) // self._warriors)

    def end(self, seat: int, processes: int) -> int:
        """The place behind a queue of so many processes."""
        return (self._heads[seat] + processes) % (self._warriors * self._processes + 1)
