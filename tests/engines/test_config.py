"""Configuration files: every reader, every complaint with line and key, and files that come back."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.config import (
    MAX_CHARACTERS,
    Config,
    ConfigError,
    Reader,
    even,
    folded,
    keys_of,
    number,
    one_of,
    plain,
    plain_name,
    required,
    seconds,
    setting,
    whole,
    word_or_path,
)

# -- Readers ---------------------------------------------------------------------------------------

READ: list[tuple[Reader, str, object]] = [
    (whole(0, 2**64 - 1), "18446744073709551615", 2**64 - 1),
    (whole(1, 9), "007", 7),
    (even(2, 10), "4", 4),
    (even(2, 10, or_one=True), "1", 1),
    (number(-1, 1), "-.5", -0.5),
    (number(0, 1e9), "1.5E3", 1500.0),
    (seconds(0, 1e6), "90", 90.0),
    (seconds(0, 1e6), "1.5 Min", 90.0),
    (seconds(0, 1e6), "2hours", 7200.0),
    (seconds(0, 1e6), "1  d", 86400.0),
    (one_of("alpha", "no end"), " No   End", "no end"),
    (word_or_path("none"), "NONE", "none"),
    (word_or_path("none"), "Folder/a b.txt", "Folder/a b.txt"),
    (plain_name, "pool ä.txt", "pool ä.txt"),
]
REFUSED: list[tuple[Reader, str, str]] = [
    (whole(1, 9), "0", "a whole number from 1 to 9"),
    (whole(1, 9), "-1", "a whole number"),
    (whole(1, 9), "1.0", "a whole number"),
    (whole(1, 9), "٣", "a whole number"),
    (whole(1, 9), "1_0", "a whole number"),
    (whole(1, 9), "9" * 5000, "a whole number"),
    (even(2, 10), "3", "an even number from 2 to 10"),
    (even(2, 10), "1", "an even number"),
    (even(2, 10, or_one=True), "12", "1 or an even number"),
    (number(0, 1), "1.01", "0 to 1"),
    (number(0, 1), "nan", "0 to 1"),
    (number(0, 1), "1e-99999", "0 to 1"),
    (number(0, 1), "0,5", "0 to 1"),
    (number(0, 1), "1" * 1000, "0 to 1"),
    (seconds(0, 60), "2 min", "0 to 60 seconds"),
    (seconds(0, 60), "2 weeks", "0 to 60 seconds"),
    (seconds(0, 60), "inf", "0 to 60 seconds"),
    (one_of("alpha", "beta"), "gamma", "alpha or beta"),
    (word_or_path("none"), "a\x00b", "none or the name of a file"),
    (word_or_path("none"), "a" * 1001, "none or the name of a file, of 1000 characters at most"),
    (plain_name, "folder/pool.txt", "the plain name of a file"),
    (plain_name, ".pool", "the plain name of a file"),
    (plain_name, "ä" * 101, "the plain name of a file"),
    (plain_name, "Run.sqlite-wal", "a name other than run.sqlite"),
]


@pytest.mark.parametrize(("reader", "text", "value"), READ)
def test_readers_accept_valid_values(reader: Reader, text: str, value: object) -> None:
    assert reader(text) == value


@pytest.mark.parametrize(("reader", "text", "reason"), REFUSED, ids=lambda value: str(value)[:20])
def test_readers_refuse_invalid_values(reader: Reader, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        reader(text)


@given(st.floats(-1e6, 1e6))
def test_a_written_number_reads_back(value: float) -> None:
    assert number(-1e6, 1e6)(plain(value)) == value
    assert plain(30.0) == "30"


# -- Files -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Garden(Config):
    """A configuration with everything that there is."""

    ALL_OR_NONE = ("least depth", "most depth")

    beds: int = required(whole(1, 100))
    water: float | None = setting(1.5, number(0, 10), none="rain")
    path: str = setting("none", word_or_path("none"), name="Path to the gate")
    least_depth: int = setting(1, whole(0, 50))
    most_depth: int = setting(9, whole(0, 50))

    def _check_together(self) -> None:
        if self.least_depth > self.most_depth:
            raise ConfigError("most depth must be at least the least depth", key="most depth")


def test_missing_optional_keys_have_their_defaults() -> None:
    assert Garden.loads("beds = 3") == Garden(beds=3)
    assert [key.name for key in keys_of(Garden)] == [
        "beds", "water", "Path to the gate", "least depth", "most depth",
    ]  # fmt: skip


def test_comments_blanks_and_capitals_do_not_matter() -> None:
    text = "\ufeff# a garden\r\n\r\nBEDS=3 # wide\r\n  path  to the GATE = a=b \r\nwater = RAIN\r\n"
    assert Garden.loads(text) == Garden(beds=3, path="a=b", water=None)


@pytest.mark.parametrize(
    ("text", "line", "key", "reason"),
    [
        ("beds = 3\n\nwatr = 1", 3, "watr", "unknown key 'watr'; did you mean water?"),
        ("beds = 3\nsomething else = 1", 2, "something else", "unknown key 'something else'"),
        ("beds = 3\nbeds = 4", 2, "beds", "beds is set already, in line 1"),
        ("beds =  # none", 1, "beds", "beds has no value"),
        ("beds = 0", 1, "beds", "beds must be a whole number from 1 to 100, not '0'"),
        ("beds = " + "9" * 200, 1, "beds", f"beds must be a whole number from 1 to 100, not '{'9' * 60}'"),
        ("water = 11", 1, "water", "water must be rain or 0 to 10, not '11'"),
        ("\nnonsense", 2, None, "a line must be `key = value`, not 'nonsense'"),
        ("= 3", 1, None, "no key before '3'"),
        ("water = 1", None, "beds", "missing key: beds"),
        ("beds = 3\nmost depth = 4", None, "least depth", "missing key: least depth"),
        ("beds = 3\nmost depth = 4\nleast depth = 5", 2, "most depth", "must be at least the least depth"),
        ("#" * (MAX_CHARACTERS + 1), None, None, f"the file is too large: {MAX_CHARACTERS + 1} characters"),
    ],
)
def test_complaints_name_line_and_key(text: str, line: int | None, key: str | None, reason: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Garden.loads(text)
    assert reason in raised.value.reason
    assert (raised.value.line, raised.value.key) == (line, key)
    assert str(raised.value) == (f"line {line}: " if line else "") + raised.value.reason


@given(
    beds=st.integers(1, 100),
    water=st.none() | st.floats(0, 10),
    path=st.sampled_from(["none", "a/b", "c d"]),
    depths=st.lists(st.integers(0, 50), min_size=2, max_size=2).map(sorted),
)
def test_a_configuration_reads_back(beds: int, water: float | None, path: str, depths: list[int]) -> None:
    garden = Garden(beds=beds, water=water, path=path, least_depth=depths[0], most_depth=depths[1])
    assert Garden.loads(garden.dumps()) == garden


@pytest.mark.parametrize(
    "change",
    [
        lambda: Garden(beds=0),
        lambda: Garden(beds=3, water=10.5),
        lambda: Garden(beds=3, path="two\nlines"),
        lambda: Garden(beds=3, path=" blanks "),
        lambda: Garden(beds=3, least_depth=10),
    ],
)
def test_values_that_no_file_could_contain_are_refused(change: Callable[[], Any]) -> None:
    with pytest.raises(ConfigError):
        change()


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ConfigError):
        Garden.loads(text)
    assert folded(text) == folded(folded(text))
