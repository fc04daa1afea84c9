"""Contests between champions of a run over HTTP, and the part of each game that plays them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from aiohttp import web

from core.random import Random
from engines.chess.game_record import GameRecord, RecordedMove
from engines.chess.genome import Genome as ChessGenome
from engines.chess.self_play import SelfPlayGame, play
from engines.events import Bus
from engines.evolution.champions import RunChampion, champions
from engines.evolution.population import Contest, Generation
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisors
from engines.protection.defender import Defender
from engines.protection.genome import Genome as StringGenome
from protocols.web import acquire_contest, chess_contest, corewar_contest, protection_contest
from protocols.web.run_contest import Contestant, Contests, ContestTask, RecordedGame, RunContest, played
from protocols.web.runs import RunsApi
from tests.browser.evolutions import HOSTILE, made_up
from tests.protocols.web.support import Api, served
from tools.games import contest_of, statistics_of

ROOT = Path(__file__).parents[3]
EXCERPTS = ["chess/records/evolved-1", "acquire/records/evolved-seven", "acquire/records/evolved-net-three", "protection/records/run-02"]  # fmt: skip


async def inline(request: web.Request, work: Callable[[Any], bytes], task: Any) -> bytes:
    """Do the work of worker processes in a thread."""
    return await asyncio.to_thread(work, task)


@pytest_asyncio.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    made_up(tmp_path / "a")
    made_up(tmp_path / "empty", generations=0)
    with RunStore.create(tmp_path / "other", game="go", config="", seed=1, version="1") as store:
        store.write(Generation(number=0), "", "", 0.0)
    watch = RunWatcher(Bus(), [tmp_path], statistics_of)
    await watch.scan()
    contests = Contests(contest_of, inline)
    async with served(RunsApi(watch, Supervisors(), statistics_of, contests=contests).routes()) as api:
        yield api


async def test_the_champions_of_a_run_and_fixed_opponents_are_offered(api: Api) -> None:
    _, offered = await api.get("/api/runs/a/champions")
    assert [each["generation"] for each in offered["champions"]] == list(range(60))
    assert offered["champions"][7] == {
        "generation": 7, "id": 7, "born": 7, "fitness": None, "is_ancestor": False
    }  # fmt: skip
    assert "Imp" in " ".join(offered["opponents"])
    assert (await api.get("/api/runs/empty/champions"))[1]["champions"] == []
    assert (await api.get("/api/runs/other/champions"))[1] == {"champions": [], "opponents": []}


async def test_a_contest_is_repeated_by_its_address(api: Api) -> None:
    path = "/api/runs/a/contest?first=50&second=0&seed=7"
    status, contest = await api.get(path)
    assert status == 200 and "generation 50" in contest["words"]
    assert [each["name"] for each in contest["recording"]["warriors"]] == ["Generation 50", "Generation 0"]
    assert HOSTILE not in contest["request"]["warriors"][0]["text"].splitlines()[1]
    assert (await api.get(path))[1] == contest
    other = (await api.get(path.replace("seed=7", "seed=8")))[1]
    assert other["recording"]["warriors"] != contest["recording"]["warriors"]


async def test_a_champion_meets_a_fixed_opponent(api: Api) -> None:
    _, offered = await api.get("/api/runs/a/champions")
    name = offered["opponents"][0]
    status, contest = await api.get(f"/api/runs/a/contest?first=50&second={name}")
    assert status == 200 and contest["recording"]["warriors"][1]["name"] == name


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ("first=50", 404, "no champion of a generation ''"),
        ("first=60&second=0", 404, "no champion of a generation '60'"),
        ("first=Imp&second=0", 404, "no champion of a generation 'Imp'"),
        ("first=-1&second=0", 404, "no champion"),
        (f"first={'9' * 5000}&second=0", 404, "no champion"),
        ("first=1&second=../x", 404, "no champion of a generation '../x'"),
        ("first=1&second=0&seed=x", 400, "seed must be a whole number"),
        (f"first=1&second=0&seed={2**31}", 400, "seed must be a whole number"),
    ],
)
async def test_requests_for_unknown_sides_are_refused(api: Api, query: str, status: int, reason: str) -> None:
    found, refused = await api.get(f"/api/runs/a/contest?{query}")
    assert found == status and reason in refused["error"]


async def test_a_game_without_contests_refuses_them(api: Api) -> None:
    status, refused = await api.get("/api/runs/other/contest?first=0&second=0")
    assert status == 404 and refused["error"] == "no contests can be shown of the runs of this game"
    assert (await api.get("/api/runs/none/champions"))[0] == 404


async def test_a_contest_that_cannot_be_played_says_why() -> None:
    side = Contestant(name="one", label="One", genome=";redcode\n")
    task = ContestTask(config="core size = 801\n", first=side, second=side, seed=1)
    answer = msgspec.json.decode(played((corewar_contest.play, task)))
    assert answer == {"refused": corewar_contest.UNKNOWN_RULES}


# -- The parts of the games


def sides(store: RunStore) -> tuple[Contestant, Contestant]:
    """Return the last and the first champion of a run."""
    found = champions(store, statistics_of(store.game) or pytest.fail("no statistics"))

    def side(each: RunChampion) -> Contestant:
        name = f"generation {each.generation}"
        return Contestant(name=name, label=name.capitalize(), genome=store.individual(each.id).genome)

    return side(found[-1]), side(found[0])


@pytest.mark.parametrize("excerpt", EXCERPTS)
def test_champions_of_bundled_runs_meet_each_other_and_fixed_opponents(excerpt: str) -> None:
    with RunStore.open(ROOT / "engines" / excerpt) as store:
        game: RunContest = contest_of(store.game) or pytest.fail("no contests")
        last, first = sides(store)
        fixed = [Contestant(name=name, label=name, fixed=name) for name in game.opponents(store.config)]
        assert fixed
        for seed, other in enumerate([first, *fixed]):
            task = ContestTask(config=store.config, first=last, second=other, seed=seed)
            answer = played((game.play, task))
            words = msgspec.json.decode(answer)["words"]
            assert last.name in words.lower() and words[0].isupper() and words.endswith(".")
        assert played((game.play, task)) == answer


def test_a_game_of_chess_has_the_position_after_each_move() -> None:
    with RunStore.open(ROOT / "engines" / EXCERPTS[0]) as store:
        last, first = sides(store)
        game = chess_contest.play(ContestTask(config=store.config, first=last, second=first, seed=3))
        turned = chess_contest.play(ContestTask(config=store.config, first=last, second=first, seed=4))
    assert (game["white"], turned["white"]) == ("Generation 130", "Generation 0")
    assert game["words"].startswith("Generation 130 (White) beat generation 0 (Black) in ")
    assert game["moves"][-1]["san"].endswith("#") and game["start"] != turned["start"]
    assert all(move["fen"].split()[0].count("/") == 7 for move in game["moves"])


def test_damaged_games_on_record_are_refused() -> None:
    players = (Contestant(name="one", label="One"), Contestant(name="two", label="Two"))
    with pytest.raises(ValueError, match="damaged"):
        chess_contest.replay(RecordedGame(record=b"no record", players=players))
    record = GameRecord(plies=(RecordedMove(move=0),), returns=(1.0, -1.0), ending="checkmate").pack()
    with pytest.raises(ValueError, match="damaged"):
        chess_contest.replay(RecordedGame(record=record, players=players))


def test_a_game_of_acquire_is_sent_as_to_a_spectator() -> None:
    with RunStore.open(ROOT / "engines" / EXCERPTS[1]) as store:
        last, first = sides(store)
        game = acquire_contest.play(ContestTask(config=store.config, first=last, second=first, seed=3))
    seqs = [event["seq"] for step in game["steps"] for event in step["events"]]
    assert seqs == list(range(1, len(seqs) + 1))
    assert all(step["observation"]["board"] for step in game["steps"])
    assert sorted(seat["name"] for seat in game["start"]["seats"]) == ["Generation 0", "Generation 30"]


def test_two_strings_attack_the_same_farm_with_the_same_dice() -> None:
    with RunStore.open(ROOT / "engines" / EXCERPTS[3]) as store:
        last, first = sides(store)
        task = ContestTask(config=store.config, first=last, second=last, seed=3)
        one, other = protection_contest.play(task)["shows"]
        assert one == other and "equally well" in protection_contest.play(task)["words"]
        one, other = protection_contest.play(
            ContestTask(config=store.config, first=last, second=first, seed=3)
        )["shows"]
    assert one["map"] == other["map"] and one["turns"][0]["units"] == other["turns"][0]["units"]
    assert one["turns"][0]["events"] != other["turns"][0]["events"]


def test_a_farm_that_a_configuration_names_by_a_file_is_replaced(tmp_path: Path) -> None:
    """The configuration may come from a stranger, and the file from this machine."""
    with RunStore.open(ROOT / "engines" / EXCERPTS[3]) as store:
        last, first = sides(store)
    secret = tmp_path / "secret"
    secret.write_text("42\n")
    for key in ("map", "arrangement"):
        shows = protection_contest.play(
            ContestTask(config=f"{key} = {secret}\n", first=last, second=first, seed=1)
        )["shows"]
        assert shows[0]["turns"][0]["units"]


def test_defenders_guard_their_farms_and_meet_strings() -> None:
    config = "evolve = arms race\n"
    one, other = (
        Contestant(
            name=f"defender {seed}", label=f"Defender {seed}", genome=Defender.random(Random(seed)).dumps()
        )
        for seed in (1, 2)
    )
    string = Contestant(name="the string", label="The string", genome=StringGenome.random(Random(1)).dumps())
    both = protection_contest.play(ContestTask(config=config, first=one, second=other, seed=1))
    assert [len(show["turns"]) for show in both["shows"]] == [protection_contest.TURNS] * 2
    assert "guarded its farm better" in both["words"]
    for first, second in ((one, string), (string, one)):
        fought = protection_contest.play(ContestTask(config=config, first=first, second=second, seed=1))
        assert len(fought["shows"]) == 1 and "did better than" in fought["words"]
        assert fought["shows"][0]["name"] == "Defender 1"


# -- Games on record


async def test_the_games_of_an_individual_are_listed_and_shown(tmp_path: Path) -> None:
    with RunStore.open(ROOT / "engines" / EXCERPTS[0]) as excerpt:
        last, first = sides(excerpt)
        config = excerpt.config
    genomes = [ChessGenome.loads(each.genome) for each in (last, first)]
    game = play(SelfPlayGame(white=genomes[0], black=genomes[1], seed=1, nodes=50, max_moves=5))
    with RunStore.create(tmp_path / "run", game="chess", config=config, seed=1, version="1") as store:
        contests = (
            Contest(
                players=(17, 1),
                returns=game.returns,
                ending=game.ending,
                length=game.plies,
                record=game.record,
            ),
            Contest(players=(1, 7), returns=(1.0, -1.0), ending="checkmate", length=9),
        )
        store.write(Generation(number=0, contests=contests), "", "", 0.0)
    watch = RunWatcher(Bus(), [tmp_path], statistics_of)
    await watch.scan()
    contests_api = Contests(contest_of, inline)
    async with served(RunsApi(watch, Supervisors(), statistics_of, contests=contests_api).routes()) as api:
        _, games = await api.get("/api/runs/run/individuals/1/games")
        assert [(each["players"], each["has_moves"]) for each in games] == [([1, 7], False), ([17, 1], True)]
        assert [each["players"] for each in (await api.get("/api/runs/run/individuals/7/games"))[1]] == [
            [1, 7]
        ]
        _, shown = await api.get(f"/api/runs/run/games/{games[1]['number']}")
        assert (shown["white"], shown["black"]) == ("Individual 17", "Individual 1")
        assert len(shown["moves"]) == game.plies == 10
        assert "refused" in (await api.get(f"/api/runs/run/games/{games[0]['number']}"))[1]
        for number in ("0", "3", "x", "9" * 40):
            assert (await api.get(f"/api/runs/run/games/{number}"))[0] == 404
