"""Topics: whose they are, and where answers may go; and requests."""

import aiomqtt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from protocols.mqtt.topics import (
    LONGEST,
    ClientLine,
    EngineRequest,
    HillRequest,
    HistoryRequest,
    Purpose,
    Request,
    Topics,
)

TOPICS = Topics("a/b")
NAMES = st.text("aé0-$ ", min_size=1)


@pytest.mark.parametrize(
    "topic, purpose",
    [
        ("a/b/c/ann/in", ClientLine(client="ann")),
        ("a/b/hill/94nop/submit/ann", HillRequest(client="ann", hill="94nop")),
        ("a/b/engine/chess/request/ann", EngineRequest(client="ann", engine="chess")),
        ("a/b/history/ann", HistoryRequest(client="ann")),
        ("a/b/c/ann/out", None), ("a/b/c/ann/in/x", None), ("a/c/c/ann/in", None), ("a/b", None), ("c/ann/in", None),
    ],
)  # fmt: skip
def test_the_topic_determines_the_purpose_of_a_message(topic: str, purpose: Purpose | None) -> None:
    assert TOPICS.purpose(topic) == purpose


@given(NAMES)
def test_the_sender_is_in_the_topic(name: str) -> None:
    assert TOPICS.purpose(TOPICS.line(name)) == ClientLine(client=name)
    assert TOPICS.purpose(TOPICS.client_topic(name)) is None


@given(NAMES, st.one_of(st.none(), st.text("a/b/c+#"), NAMES.map(lambda name: f"a/b/c/{name}/out/1")))
def test_an_answer_goes_to_the_sender(name: str, wanted: str | None) -> None:
    response = TOPICS.response(name, wanted)
    assert response == TOPICS.client_topic(name) or response.startswith(f"{TOPICS.client_topic(name)}/")
    own = f"{TOPICS.client_topic(name)}/7"
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
def test_no_client_makes_the_server_publish_elsewhere(wanted: str) -> None:
    assert TOPICS.response("ann", wanted) == "a/b/c/ann/out"


def test_events_have_topics_below_the_root() -> None:
    assert TOPICS.of_event("game/g-1/public") == "a/b/g/g-1/public"
    assert TOPICS.of_event("match/m-1/table") == "a/b/m/m-1/table"
    assert TOPICS.of_event("hill/94nop/standings") == "a/b/hill/94nop/standings"


def test_requests_read_response_topic_and_correlation_from_properties() -> None:
    def request(**values: object) -> Request:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        for name, value in values.items():
            setattr(properties, name, value)
        return Request.of(aiomqtt.Message("a/b/history/ann", b"{}", 1, False, 1, properties), "ann", TOPICS)

    assert request() == Request(payload=b"{}", response="a/b/c/ann/out", correlation=None, by_seat=False)
    whole = request(
        ResponseTopic="a/b/c/ann/out/1",
        CorrelationData=b"\0one",
        UserProperty=[("x", "y"), ("games", "by_seat")],
    )
    assert (whole.response, whole.correlation, whole.by_seat) == ("a/b/c/ann/out/1", b"\0one", True)
    longest = request(ResponseTopic="a/b/c/ann/out/" + "x" * LONGEST, CorrelationData=b"x" * (LONGEST + 1))
    assert (longest.response, longest.correlation) == ("a/b/c/ann/out", None)
