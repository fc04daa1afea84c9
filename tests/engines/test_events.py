"""The bus: numbers without a hole, slow listeners who lose the oldest, states until they are retired."""

from hypothesis import given
from hypothesis import strategies as st

from engines.events import BroadcastLine, Bus, EngineStatus, Event, Retired, topic_level

LINE = BroadcastLine(line=b"{}")


def nobody() -> None:
    pass


@given(st.lists(st.sampled_from(["a", "a/b", "a/b/c", "ab", "c"])), st.integers(1, 5))
def test_a_slow_listener_sees_how_much_it_has_missed(topics: list[str], most: int) -> None:
    bus = Bus()
    quick, slow = bus.subscribe(nobody, most=1000), bus.subscribe(nobody, ("a/b",), most=most)
    for topic in topics:
        bus.publish(topic, LINE)
    assert [event.seq for event in quick.take()] == list(range(1, len(topics) + 1))
    wanted = [number for number, topic in enumerate(topics, 1) if topic in ("a/b", "a/b/c")]
    assert slow.missed == max(len(wanted) - most, 0)
    assert [event.seq for event in slow.take()] == wanted[-most:]
    assert slow.missed == 0


def test_a_listener_is_woken_once_for_all_waiting_events() -> None:
    bus, woken = Bus(), [0]

    def wake() -> None:
        woken[0] += 1

    subscription = bus.subscribe(wake)
    bus.publish("a", LINE)
    bus.publish("a", LINE)
    assert woken == [1]
    subscription.take()
    bus.publish("a", LINE)
    assert woken == [2]
    bus.unsubscribe(subscription)
    bus.publish("a", LINE)
    assert len(subscription.take()) == 1


def test_the_history_keeps_the_latest_events() -> None:
    bus = Bus(kept=3)
    for _ in range(5):
        bus.publish("a", LINE)
    assert [event.seq for event in bus.history(0)] == [3, 4, 5]
    assert [event.seq for event in bus.history(4)] == [5]
    assert not list(bus.history(9))


def test_a_state_holds_until_it_is_replaced_or_cleared() -> None:
    bus = Bus(clock=lambda: 7.0)
    bus.publish("engine/a", EngineStatus(name="a", status="online", clients=0), is_state=True)
    bus.publish("engine/a", EngineStatus(name="a", status="playing", clients=1), is_state=True)
    bus.publish("b", LINE)
    (state,) = bus.states()
    assert isinstance(state.news, EngineStatus) and state.news.status == "playing"
    bus.clear("engine/a")
    bus.clear("engine/a")
    bus.clear("b")
    assert bus.states() == []
    assert list(bus.history(3)) == [Event(seq=4, topic="engine/a", news=Retired(), is_state=False, time=7.0)]


@given(st.text())
def test_any_name_becomes_a_valid_topic_level(name: str) -> None:
    assert topic_level(name) and not set(topic_level(name)) & set("/+#$ \0\n")
    assert topic_level(topic_level(name)) == topic_level(name)
