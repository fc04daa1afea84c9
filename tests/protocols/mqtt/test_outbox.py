"""The outbox: what was put arrives in order, whatever happens to the connection; what there is no room for is counted."""

from hypothesis import given
from hypothesis import strategies as st

from engines.events import BroadcastLine, Bus, Event
from protocols.mqtt.outbox import MOST_BARREN, MOST_BYTES, Outbox, Publication


def nothing() -> None:
    pass


def told(event: Event) -> Publication:
    return Publication(topic=event.topic, payload=b"%d" % event.seq, seq=event.seq)


@given(st.lists(st.sampled_from(["put", "event", "take", "take", "land", "lose"])))
def test_all_arrives_in_order(steps: list[str]) -> None:
    bus = Bus()
    outbox = Outbox(nothing, bus.subscribe(nothing), told)
    put = done = 0
    flying: list[tuple[int, bytes]] = []
    arrived: dict[str, list[bytes]] = {"put": [], "event": []}

    def count() -> None:
        nonlocal done
        done += 1

    def land() -> None:
        ticket, payload = flying.pop(0)
        outbox.landed(ticket)
        arrived["put" if payload.startswith(b"p") else "event"].append(payload)

    for step in [*steps, "lose"]:
        match step:
            case "put":
                put += 1
                outbox.put(Publication(topic="a", payload=b"p%d" % put, done=count))
            case "event":
                bus.publish("a", BroadcastLine(line=b"{}"))
            case "take" if flight := outbox.take():
                flying.append((flight[0], flight[1].payload))
            case "land" if flying:
                land()
            case "lose":
                outbox.recover()
                flying.clear()
    while flight := outbox.take():
        flying.append((flight[0], flight[1].payload))
        land()
    wanted = {
        "put": [b"p%d" % number for number in range(1, put + 1)],
        "event": [b"%d" % number for number in range(1, bus.seq + 1)],
    }
    given_up = [each for kind in wanted for each in wanted[kind] if each not in arrived[kind]]
    assert arrived == {kind: [each for each in wanted[kind] if each not in given_up] for kind in wanted}
    assert len(given_up) == outbox.refused <= (steps.count("lose") + 1) // MOST_BARREN
    assert done == put and outbox.sent == put + bus.seq - outbox.refused


def test_only_so_many_events_wait() -> None:
    bus = Bus()
    outbox = Outbox(nothing, bus.subscribe(nothing), told)
    for _ in range(2500):
        bus.publish("a", BroadcastLine(line=b"{}"))
    numbers = []
    while flight := outbox.take():
        numbers.append(flight[1].seq)
    assert numbers == list(range(1501, 2501)) and outbox.lost == 1500


def test_what_no_broker_takes_is_not_sent() -> None:
    done: list[int] = []
    outbox = Outbox(nothing, Bus().subscribe(nothing), told)
    outbox.put(Publication(topic="a", payload=bytes(MOST_BYTES + 1), done=lambda: done.append(1)))
    assert outbox.take() is None and outbox.refused == 1 and done == [1]
    outbox.put(Publication(topic="a/+", payload=b""))
    assert outbox.take() is None and outbox.refused == 2
    outbox.put(Publication(topic="a", payload=bytes(MOST_BYTES)))
    assert outbox.take()


def test_what_this_broker_does_not_take_is_given_up() -> None:
    """It ends the connection at the large one, each time."""
    outbox = Outbox(nothing, Bus().subscribe(nothing), told)
    for size in (1, 2, 900, 3, 4):
        outbox.put(Publication(topic="a", payload=bytes(size)))
    arrived: list[int] = []
    connections = 0
    while flight := outbox.take():
        connections += 1
        while flight and len(flight[1].payload) < 900:
            arrived.append(len(flight[1].payload))
            outbox.landed(flight[0])
            flight = outbox.take()
        outbox.recover()
    assert arrived == [1, 2, 3, 4] and outbox.refused == 1 and connections == 4


def test_a_broker_that_comes_and_goes_loses_nothing() -> None:
    outbox = Outbox(nothing, Bus().subscribe(nothing), told)
    for number in range(10):
        outbox.put(Publication(topic="a", payload=b"%d" % number))
    arrived: list[bytes] = []
    while flight := outbox.take():
        outbox.take()
        arrived.append(flight[1].payload)
        outbox.landed(flight[0])
        outbox.recover()
        outbox.recover()
    assert arrived == [b"%d" % number for number in range(10)] and outbox.refused == 0
