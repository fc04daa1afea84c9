"""Topics: whose they are, and where answers may go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.mqtt.topics import Asked, Missed, Purpose, Said, Submitted, Topics

TOPICS = Topics("a/b")
NAMES = st.text(st.characters(exclude_characters="/+#\0"), min_size=1)


@pytest.mark.parametrize(
    "topic, purpose",
    [
        ("a/b/c/ann/in", Said(client="ann")),
        ("a/b/hill/94nop/submit/ann", Submitted(client="ann", hill="94nop")),
        ("a/b/engine/chess/request/ann", Asked(client="ann", engine="chess")),
        ("a/b/history/ann", Missed(client="ann")),
        ("a/b/c/ann/out", None), ("a/b/c/ann/in/x", None), ("a/c/c/ann/in", None), ("a/b", None), ("c/ann/in", None),
    ],
)  # fmt: skip
def test_what_a_message_is_for(topic: str, purpose: Purpose | None) -> None:
    assert TOPICS.purpose(topic) == purpose


@given(NAMES)
def test_who_says_something_is_in_the_topic(name: str) -> None:
    assert TOPICS.purpose(TOPICS.said(name)) == Said(client=name)
    assert TOPICS.purpose(TOPICS.out(name)) is None


@given(NAMES, st.one_of(st.none(), st.text(), NAMES.map(lambda name: f"a/b/c/{name}/out/1")))
def test_an_answer_goes_to_who_has_asked(name: str, wanted: str | None) -> None:
    response = TOPICS.response(name, wanted)
    assert response == TOPICS.out(name) or response.startswith(f"{TOPICS.out(name)}/")
    own = f"{TOPICS.out(name)}/7"
    assert TOPICS.response(name, own) == own


@pytest.mark.parametrize(
    "wanted",
    [
        "a/b/server",
        "a/b/c/bob/out",
        "a/b/c/ann/outer",
        "a/b/c/ann/in",
        "a/b/c/ann/out/#",
        "a/b/c/ann/out/+/x",
        "",
    ],
)
def test_nobody_makes_the_house_publish_elsewhere(wanted: str) -> None:
    assert TOPICS.response("ann", wanted) == "a/b/c/ann/out"


def test_where_events_are_told() -> None:
    assert TOPICS.of_event("game/g-1/public") == "a/b/g/g-1/public"
    assert TOPICS.of_event("match/m-1/table") == "a/b/m/m-1/table"
    assert TOPICS.of_event("hill/94nop/standings") == "a/b/hill/94nop/standings"
