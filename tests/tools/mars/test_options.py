"""The command line of galapagos-mars: words, option files, values, and pMARS's complaints about them."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mars.options import SWITCHES, Arguments, CommandLineError, OptionFile, Options, parse, usage
from tools.mars.streams import Text


def parsed(*words: str, files: dict[str, str] | None = None) -> Options:
    def open_file(name: str) -> Text:
        if files is None or name not in files:
            raise FileNotFoundError(name)
        return Text(BytesIO(files[name].encode("latin-1")).readline)

    return parse(Arguments(words), open_file)


def complaint(*words: str, files: dict[str, str] | None = None) -> str:
    """What follows the usage screen."""
    with pytest.raises(CommandLineError) as caught:
        parsed(*words, files=files)
    text = str(caught.value)
    screen = usage(caught.value.options.mode)
    assert text.startswith(screen)
    return text.removeprefix(screen)


def test_options_and_files_mix_and_letters_combine_and_toggle() -> None:
    options = parsed("-bk", "a", "-r", "7", "b", "-fb", "-k", "-oP", "-=", "S==1", "-8eV", "-Q", "3")
    assert options == Options(
        rounds=7, files=("a", "b"), fixed_series=True, sort=True, permute=True, formula="S==1",
        icws88=True, debug=True, verbose=True, information=3,
    )  # fmt: skip


def test_distance_and_rounds_follow_from_other_options() -> None:
    assert parsed("a", "-l", "20").distance == 20
    nano = parsed("-P", "-s", "80", "-l", "5", "a", "b")
    assert nano.rounds == 142
    assert parsed("-P", "-r", "9", "a", "b").rounds == 9
    assert parsed("a").rounds == 1


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("-",), ("",)),
        (("3-", "a"), ("", "", "", "a")),
        (("2x-",), ("", "")),
        (("a", "$", "b"), ("a",)),
        (("a", "", "b"), ("a",)),
    ],
)
def test_a_hyphen_names_standard_input_and_a_dollar_ends_the_words(
    words: tuple[str, ...], files: tuple[str, ...]
) -> None:
    assert parsed(*words).files == files


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-x", "a"), 'Unknown option "-x"'),
        (("-bq", "a"), 'Unknown option "-bq"'),
        (("-A", "a"), 'Unknown option "-A"'),
        (("-R", "8", "a"), 'Unknown option "-R"'),
        (("--verbose", "a"), 'Unknown option "--verbose"'),
        (("--json=yes", "a"), 'Unknown option "--json=yes"'),
        (("a-",), 'Unknown option "a"'),
        (("0-",), 'Unknown option "0"'),
        (("-rb", "1", "a"), 'Bad argument for "-r" switch'),
        (("a", "-r"), 'Bad argument for "-r" switch'),
        (("-r", "-1", "a"), 'Bad argument for "-r" switch'),
        (("-r", "1x", "a"), 'Bad argument for "-r" switch'),
        (("-r", "\xb2", "a"), 'Bad argument for "-r" switch'),
        (("-=", "$", "a"), 'Bad argument for "-=" switch'),
        (("-s", "0", "a"), 'Option "-s" value must be in the range 1 - 1073741824'),
        (("-d", "29826162", "a"), 'Option "-d" value must be in the range 1 - 29826161'),
        (("-r", "99999999999999999999", "a"), 'Option "-r" value must be in the range 0 - 2147483647'),
        (("-Q", "2147483648", "a"), 'Option "-Q" value must be in the range -1 - 2147483647'),
        (("a",) * 37, 'Too many parameters "a"'),
        (("37-",), 'Too many parameters "37-"'),
        (("-@",), "Cannot open parameter file"),
        (("-@b", "a"), "Cannot open parameter file"),
        (("-@", "none", "a"), "Cannot open parameter file"),
        ((), "No warrior file specified"),
        (("-f", "-F", "4000", "a", "b"), "Only one of -f and -F can be given"),
        (("-d", "50", "a", "b"), "Warrior distance cannot be smaller than warrior length"),
        (("-s", "199", "a", "b"), "Core size is too small"),
        (("-F", "99", "a", "b"), "Position of warrior #2 cannot be smaller than warrior distance"),
        (("-=", "1/(S-1)", "a", "b"), "Bad score formula"),
        (("-=", "S=", "a"), "Bad score formula"),
        (("-S", "9000", "a"), "P-space is bigger than core"),
        (("-P", "a"), "Permutation cannot be used in multiwarrior battles"),
        (("--pmars", "0.9.3", "a"), 'Option "--pmars" value must be one of 0.9.2, 0.9.4, 0.9.5'),
        (("--pmars", "0.9.4", "-R", "7", "a"), "Read/Write limit must be a positive divisor of core size"),
        (("-=", "1" * 80, "a"), 'Word is longer than 79 characters "11111111111111111111..."'),
    ],
)
def test_each_wrong_option_has_its_error_message(words: tuple[str, ...], message: str) -> None:
    assert complaint(*words) == f"\n{message}\n"


def test_all_contradictions_are_named_in_order() -> None:
    assert complaint("-d", "50", "-fF", "40", "-s", "30", "-P") == (
        "\nOnly one of -f and -F can be given\n"
        "\nWarrior distance cannot be smaller than warrior length\n"
        "\nPosition of warrior #2 cannot be smaller than warrior distance\n"
        "\nPermutation cannot be used in multiwarrior battles\n"
        "\nNo warrior file specified\n"
    )


def test_cycles_above_the_largest_number_are_capped() -> None:
    assert parsed("-c", "9" * 30, "a").cycles == 2**63 - 1


def test_options_of_a_later_pmars_are_accepted_after_its_version() -> None:
    options = parsed("--pmars=0.9.4", "-A", "-R", "100", "-W", "8000", "a")
    assert (options.load_file, options.read_limit, options.write_limit) == (True, 100, 8000)
    assert options.evaluator == "0.9.4" and options.rules().later and "Read limit size" in usage("0.9.4")
    assert "-A" not in usage("0.9.2") and not parsed("a").rules().later
    assert parsed("--pmars=0.9.5", "--sane", "a").evaluator == "sane"


def test_the_place_of_a_later_pmars_is_compared_with_the_distance_alone() -> None:
    assert parsed("--pmars", "0.9.5", "-F", "4000000000", "a", "b", "-F", "100000").fixed_place == 100000
    assert "cannot be smaller" in complaint("--pmars", "0.9.5", "-F", "0", "a", "b")
    assert parsed("-F", "0", "a", "b").fixed_place == 0


@pytest.mark.parametrize(
    ("mode", "heading"),
    [
        (
            "0.9.2",
            "pMARS v0.9.2, 25/12/00, corewar simulator with ICWS'94 extensions\nCopyright (C) 1993-95 ",
        ),
        (
            "0.9.4",
            "pMARS v0.9.4, 04/07/22, corewar simulator with ICWS'94 extensions\nCopyright (C) 1993-95 ",
        ),
        (
            "0.9.5",
            "pMARS v0.9.5, 03/01/2026, corewar simulator with ICWS'94 extensions\nCopyright (C) 1993-2025 ",
        ),
    ],
)
def test_the_usage_screen_is_that_of_the_chosen_build(mode: str, heading: str) -> None:
    assert usage(mode).startswith(heading) and usage(mode, debug=True).startswith(heading)
    for part in ("SERVER version without debugger\n", "-e   (disabled in SERVER version)  "):
        assert part in usage(mode) and part not in usage(mode, debug=True)
    assert "-e   Enter debugger                " in usage(mode, debug=True)
    assert ("-F # Fixed" if mode == "0.9.2" else "-F $ Fixed") in usage(mode)


def test_the_sane_evaluator_reads_more_formulas() -> None:
    assert "Bad score formula" in complaint("-=", "S+W*2==5", "a")
    assert parsed("--sane", "-=", "S+W*2==5", "a").formula == "S+W*2==5"


# -- Option files ----------------------------------------------------------------------------------


def test_an_option_file_gives_options_values_and_files() -> None:
    text = '-b ; brief\n; a comment\n-r\t4\n -= "(W*W-1)\n/S" a$b $ -k'
    options = parsed("-@", "f", "c", files={"f": text})
    assert (options.brief, options.rounds, options.koth) == (True, 4, False)
    assert options.formula == " (W*W-1)\n/S" and options.files == ("a$b", "c")


def test_option_files_nest_and_errors_name_each_file() -> None:
    files = {"outer": "-b -@ inner", "inner": "-r x"}
    assert complaint("-@", "outer", files=files) == (
        '\nBad argument for "-r" switch\n'
        'The error is located in "inner"\n'
        'The error is located in "outer"\n'
    )  # fmt: skip


def test_an_option_file_that_includes_itself_is_refused() -> None:
    message = complaint("-@", "f", files={"f": "-@ f"})
    assert message.startswith("\nCannot open parameter file\n") and message.count("located") == 64


def test_text_after_the_dollar_of_an_option_file_stays_readable() -> None:
    text = Text(BytesIO(b"-r 3 $ rest\nnext").readline)
    words = OptionFile(text)
    assert [words.next(), words.next(), words.next()] == ["-r", "3", ""]
    assert [text.line(), text.line(), text.line()] == [" rest\n", "next", ""]


@given(st.lists(st.text(st.characters(max_codepoint=255), max_size=12)), st.binary(max_size=200))
def test_any_words_are_understood_or_refused(words: list[str], content: bytes) -> None:
    try:
        parse(Arguments(words), lambda _: Text(BytesIO(content).readline))
    except CommandLineError as error:
        assert str(error).startswith("pMARS v")


@given(st.lists(st.sampled_from([s.letter for s in SWITCHES if s.kind == " " and s.since == "0.9.2"])))
def test_a_switch_given_twice_is_off(letters: list[str]) -> None:
    twice = [f"-{letter}" for letter in letters] * 2
    assert parsed(*twice, "a", "b") == parsed("a", "b")
