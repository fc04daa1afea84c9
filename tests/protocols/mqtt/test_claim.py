"""One server a root: who asks first has it, who is gone loses it, and of two never both or neither."""

import asyncio
from contextlib import AsyncExitStack
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.storage import InUseError
from protocols.mqtt.claim import Claim
from tests.protocols.mqtt.support import ROOT, Mosquitto, Served, client, data, served, until_up
from tests.waiting import until

CLAIMS = st.builds(
    Claim,
    id=st.sampled_from("ab"),
    started=st.sampled_from((1.0, 2.0)),
    process=st.just(1),
    host=st.just("here"),
    is_held=st.booleans(),
)


@given(st.lists(CLAIMS, min_size=3, max_size=3, unique_by=lambda claim: claim.id + str(claim.started)))
def test_exactly_one_claim_goes_before_all_others(claims: list[Claim]) -> None:
    for one, other in permutations(claims, 2):
        assert one.has_precedence_over(other) != other.has_precedence_over(one)
    first = [
        one for one in claims if all(one.has_precedence_over(other) for other in claims if other is not one)
    ]
    assert len(first) == 1
    assert first[0].is_held == any(claim.is_held for claim in claims)


async def test_only_one_of_several_servers_started_at_once_gets_the_root(mosquitto: Mosquitto) -> None:
    async with AsyncExitStack() as stack:

        async def start() -> Served:
            return await stack.enter_async_context(served(mosquitto))

        outcomes = await asyncio.gather(*(start() for _ in range(4)), return_exceptions=True)
        assert sum(isinstance(each, Served) for each in outcomes) == 1
        assert sum(isinstance(each, InUseError) for each in outcomes) == 3


async def test_the_holder_of_a_root_answers_claims_and_keeps_the_root(mosquitto: Mosquitto) -> None:
    async with served(mosquitto) as server, client(mosquitto, "galapagos") as other:
        for payload in (b"", b"{}", b"[" * 5000, b'{"id":1}'):
            await other.publish("claim", payload)
        await other.subscribe("claim")
        newcomer = Claim(id="0", started=0.0, process=1, host="there", is_held=False)
        await other.publish("claim", msgspec.json.encode(newcomer))
        assert not data(await other.receive("claim"))["is_held"]
        assert data(await other.receive("claim"))["is_held"]
        assert server.bridge.connection.is_up
        with pytest.raises(InUseError, match=f"root {ROOT} at .* is in use by process"):
            async with served(mosquitto):
                pass


async def test_a_server_that_loses_its_root_waits_for_the_root(
    mosquitto: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(mosquitto) as server, client(mosquitto, "galapagos") as other:
        older = Claim(id="0", started=0.0, process=7, host="there", is_held=True)
        await other.publish("claim", msgspec.json.encode(older))
        await until(lambda: not server.bridge.connection.is_up, "the end of the connection")
        assert caplog.text.count("is in use by process 7 on there; trying again") == 1
        await until_up(server.bridge)
