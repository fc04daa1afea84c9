"""Names and texts of strangers: what cannot be seen is refused or shown as an escape."""

import unicodedata

import pytest

from engines.names import check_name, escaped, is_hidden

HIDDEN = "\0\t\n\x1b\x7f\x9b\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u202e\u2028\u2060\u2066\u2800\u3000\u3164\ufe0f\ufeff\ufff9\ue000\U000e0041"


@pytest.mark.parametrize("character", HIDDEN)
def test_a_name_with_a_hidden_character_is_refused(character: str) -> None:
    with pytest.raises(ValueError, match=rf"U\+{ord(character):04X}"):
        check_name(f"An{character}n")


@pytest.mark.parametrize("name", ["", " ", "   "])
def test_a_name_without_a_visible_character_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="visible"):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Bob Smith",
        "J\u00fcrgen",
        "\u0414\u0430\u0448\u0430",
        "\u5c0f\u660e",
        "\u05d3\u05d5\u05d3",
        "e\u0301",
        "\U0001f600",
        "<b>",
    ],
)
def test_names_of_all_languages_are_taken(name: str) -> None:
    check_name(name)
    assert escaped(name) == name


def test_every_format_character_of_unicode_is_hidden() -> None:
    formats = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp")
    ]
    assert len(formats) > 200 and all(map(is_hidden, formats))


def test_hidden_characters_are_shown_as_escapes() -> None:
    assert escaped("gnp.\u202eexe\x1b[2J \udcff") == r"gnp.\u202eexe\x1b[2J \udcff"
