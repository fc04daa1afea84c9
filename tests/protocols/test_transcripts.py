"""What xboard, cutechess, fastchess and python-chess really say to an engine, said to ours.

The recordings are not part of the product. Our engine plays what the recorded one played, so that the
GUI's next lines make sense; what the recorded engine said otherwise does not matter.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.chess.notation import san
from core.chess.position import Position
from engines.engine import Option
from protocols.cecp import CecpSession
from protocols.sessions import session_for
from tests.protocols.conversation import Conversation, actions

NAMES = (
    "cutechess-cli_cecp_40-5+0.1", "cutechess-cli_cecp_adjudication", "cutechess-cli_cecp_black_to_move_opening",
    "cutechess-cli_cecp_depth", "cutechess-cli_cecp_nodes", "cutechess-cli_cecp_ponder_options",
    "cutechess-cli_cecp_st", "cutechess-cli_uci_40-5+0.1", "cutechess-cli_uci_nodes", "cutechess-cli_uci_ponder",
    "fastchess_uci", "python-chess_cecp_analyse", "python-chess_cecp_play", "python-chess_uci_analyse",
    "cutechess-cli_cecp_chess960", "cutechess-cli_uci_chess960", "fastchess_uci_chess960",
    "python-chess_cecp_chess960", "python-chess_uci_chess960_multipv",
    "python-chess_uci_play", "xboard_cecp_analysis", "xboard_cecp_black_to_move_position",
    "xboard_cecp_depth_increment", "xboard_cecp_match", "xboard_cecp_ponder_memory_cores", "xboard_cecp_st",
)  # fmt: skip
RECORDED = re.compile(r" *\d+\.\d+ ([<>]) (.*)")
ENGINE_MOVE = re.compile(r"(?:best)?move ([\w-]+)")
GUI_MOVE = re.compile(r"(?:usermove )?([a-h][1-8][a-h][1-8][nbrq]?|O-O(?:-O)?)")
OPTIONS = (  # those of the recorded engine
    Option(name="Hash", kind="spin", default="16", minimum=1, maximum=1024),
    Option(name="Genome", kind="combo", default="evolved", choices=("evolved", "handset", "unevolved")),
    Option(name="MultiPV", kind="spin", default="1", minimum=1, maximum=10),
    Option(name="UCI_AnalyseMode", kind="check", default="false"),
    Option(name="Resign", kind="check", default="true"),
    Option(name="Threshold", kind="spin", default="500", minimum=100, maximum=2000),
)
MOVE = r"(?:[a-h][1-8][a-h][1-8][nbrq]?|O-O(?:-O)?)"
CECP_LINES = (
    r"feature done=[01]", r'feature (\w+=(\w+|"[^"]*") ?)+', rf"move {MOVE}", r"pong \d+", rf"Hint: {MOVE}",
    rf"\d+ -?\d+ \d+ \d+\t{MOVE}( {MOVE})*", rf"stat01: \d+ \d+ \d+ \d+ \d+ {MOVE}", "offer draw",
    r"1-0 {White mates}", r"0-1 {Black mates}", r"1/2-1/2 {[\w\- ]+}", r"\[[\w ]+(=[\w ]*)?\]",
)  # fmt: skip
UCI_LINES = (
    r"id (name|author) .+", r"option name \w+ type (check|spin|combo|string|button)( .*)?", "uciok", "readyok",
    rf"info depth \d+ score (cp|mate) -?\d+ time \d+ nodes \d+ nps \d+ pv {MOVE}( {MOVE})*",
    rf"bestmove {MOVE}( ponder {MOVE})?", r"\[[\w ]+(=[\w ]*)?\]",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_recorded_guis_receive_well_formed_answers(shared_data: Path, name: str) -> None:
    recording = shared_data / "chess" / "transcripts" / f"{name}.txt"
    lines = recording.read_text(encoding="utf-8").splitlines()
    kind = session_for("uci" if "_uci" in name else "xboard")
    assert kind is not None
    conversation = Conversation(kind, OPTIONS)
    received, said = [], []
    for line, answers in _replayed(conversation, lines):
        received.append(line)
        said += answers
        assert "readyok" in answers or line != "isready"
    shapes = CECP_LINES if kind is CecpSession else UCI_LINES
    for answer in said:
        assert any(re.fullmatch(shape, answer) for shape in shapes), answer
    pings = [line.replace("ping", "pong") for line in received if line.startswith("ping ")]
    assert pings == [answer for answer in said if answer.startswith("pong ")]
    goes = [line for line in received if kind is not CecpSession and line.startswith("go")]
    assert len(goes) == sum(answer.startswith("bestmove ") for answer in said)
    assert any(ENGINE_MOVE.match(answer) for answer in said) or name.endswith(("analyse", "analysis"))
    assert conversation.has_quit


def test_no_recording_is_forgotten(shared_data: Path) -> None:
    folder = shared_data / "chess" / "transcripts"
    assert sorted(NAMES) == sorted(file.stem for file in folder.glob("*.txt"))


def _replayed(conversation: Conversation, recording: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each line of the GUI with our answers to it, and to the infos of our engine meanwhile."""
    is_torn = False
    for index, line in enumerate(recording):
        match = RECORDED.fullmatch(line)
        if match is None:
            is_torn = is_torn or "moves left out" in line
            continue
        speaker, text = match[1], match[2]
        search = conversation.search
        if speaker == "<":
            if search is not None and ENGINE_MOVE.match(text):
                yield "", conversation.finish(_planned(conversation, text), depth=1, cents=12, nodes=33)
            continue
        if text.startswith("["):
            continue  # a signal
        if is_torn and not _makes_sense(conversation, text):
            continue
        answers = conversation.send(text)
        if conversation.search is not None and conversation.search is not search:
            following = (found[2] for found in map(RECORDED.fullmatch, recording[index:]) if found)
            move = next(filter(ENGINE_MOVE.match, following), "")
            answers += conversation.report(_planned(conversation, move), depth=1, cents=12, nodes=33)
        yield text, answers


def _planned(conversation: Conversation, recorded: str) -> str:
    """The recorded engine's move where it is legal, else our first one."""
    assert conversation.search is not None
    state = conversation.search.state
    assert isinstance(state, Position)
    moves = {state.action_text(action): state.action_text(action) for action in actions(conversation.search)}
    for action in actions(conversation.search):  # in coordinates or, to xboard, as O-O
        moves[san(state.clone(), action).rstrip("+#")] = state.action_text(action)
    match = ENGINE_MOVE.match(recorded)
    return moves[match[1]] if match and match[1] in moves else next(iter(moves.values()))


def _makes_sense(conversation: Conversation, line: str) -> bool:
    """Whether a line makes sense where moves are missing from the recording."""
    match = GUI_MOVE.fullmatch(line)
    if match is None:
        return True
    assert isinstance(conversation.session, CecpSession)
    position: Position = conversation.session.board.position
    return conversation.search is None and match[1] in map(position.action_text, position.legal_moves())
