"""Metrics of the server for Prometheus: GET /metrics, from this machine or with the token."""

import asyncio
import time
from collections.abc import Iterator
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from engines.events import Bus
from protocols.server import Server
from protocols.web.responses import ADDRESS, Routes

STEP_SECONDS: Final = 0.1  # between two measurements of the event loop
LAGS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)  # seconds
LATENCIES: Final = (0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0)  # seconds


class Metrics:
    """The metrics of a server. The lag of the event loop is measured while watch() runs."""

    def __init__(self, server: Server, bus: Bus | None = None) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_ServerCollector(server, bus))
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._server = server
        self._requests = Histogram(
            "galapagos_http_request_seconds",
            "Seconds from a request's header to the end of its handler, by the status of the answer",
            labelnames=["status"],
            buckets=LATENCIES,
            registry=self._registry,
        )
        self._lag = Histogram(
            "galapagos_loop_lag_seconds",
            "Delay of the event loop's timers in seconds",
            buckets=LAGS,
            registry=self._registry,
        )

    def observe_request(self, status: int, seconds: float) -> None:
        """Record the status and the duration of a response to a browser."""
        self._requests.labels(f"{status}").observe(seconds)

    def routes(self) -> Routes:
        return [web.get("/metrics", self._show)]

    async def watch(self) -> None:
        """Measure the lag of the event loop until cancelled."""
        while True:
            asked = time.perf_counter() + STEP_SECONDS
            await asyncio.sleep(STEP_SECONDS)
            self._lag.observe(max(time.perf_counter() - asked, 0.0))

    async def _show(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not (self._server.is_local(request[ADDRESS]) or self._server.is_token(token)):
            raise web.HTTPForbidden(
                text="the metrics are only for this machine and for clients with the server's token\n"
            )
        return web.Response(
            body=generate_latest(self._registry), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )


class _ServerCollector(Collector):
    """A collector of the server's own counters, which are read at each request for the metrics."""

    def __init__(self, server: Server, bus: Bus | None) -> None:
        self._server = server
        self._bus = bus

    def collect(self) -> Iterator[Metric]:
        server = self._server
        yield _gauge("connections", "Connections at present, of all protocols", server.clients)
        yield _gauge("tasks", "Tasks of the event loop", len(asyncio.all_tasks()))
        yield _gauge("engines", "Engines in use at present", server.engines)
        begun = CounterMetricFamily(
            "galapagos_conversations", "Conversations by protocol", labels=["protocol"]
        )
        for protocol, count in sorted(server.conversations.items()):
            begun.add_metric([protocol], count)
        yield begun
        refused = CounterMetricFamily(
            "galapagos_refusals", "Clients refused, slowed or ended by limits, by kind", labels=["kind"]
        )
        for kind, count in sorted(server.incidents.counts.items()):
            refused.add_metric([kind], count)
        yield refused
        yield _gauge(
            "unwritable", "Kinds of data that cannot be written at present", len(server.incidents.failures)
        )
        if games := server.games:
            running = len(games.games.running)
            matches = sum(not each.match.is_over for each in games.matches.runners.values())
            queued = sum(connection.queued for connection in games.connections)
            yield _gauge(
                "sessions",
                "Sessions of JSON clients, including those without a connection",
                len(games.sessions),
            )
            yield _gauge("games", "Games that have not ended", running)
            yield _gauge(
                "games_shown", "Games that have ended and are still shown", len(games.games) - running
            )
            yield _gauge("matches", "Matches that have not ended", matches)
            yield _gauge("waiting_lines", "Lines that wait for slow clients", queued)
        if self._bus:
            yield CounterMetricFamily("galapagos_events", "Events of the bus", self._bus.seq)


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"galapagos_{name}", words, value)
