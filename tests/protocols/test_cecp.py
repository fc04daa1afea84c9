"""CECP without input and output: a transcript for each command, and what every GUI is known to need."""

import re
import shlex

import pytest

from engines.engine import Clock, Limit
from protocols.cecp.session import CecpSession
from tests.protocols.conversation import Conversation, play

MATED = "setboard rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "setboard 7k/5Q2/8/8/8/8/8/K7 b - - 0 1"
SHUFFLE = """
    > usermove g1f3
    > usermove g8f6
    > usermove f3g1
    > usermove f6g8
"""

TRANSCRIPTS = {
    "protover": """
        > xboard
        > protover 2
        < feature done=0
        < feature ping=1 setboard=1 usermove=1 san=0 playother=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 variants="normal" name=1 nps=1 memory=1 smp=0 exclude=1 debug=1
        < feature myname="Galapagos"
        < feature option="Genome -combo *handset /// random"
        < feature option="GenomeFile -file "
        < feature option="Own Book -check 1"
        < feature option="Clear -button"
        < feature done=1
    """,
    "protover of another version": """
        > protover 3
        < feature done=0
        < feature ping=1 setboard=1 usermove=1 san=0 playother=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 variants="normal" name=1 nps=1 memory=1 smp=0 exclude=1 debug=1
        < feature myname="Galapagos"
        < feature option="Genome -combo *handset /// random"
        < feature option="GenomeFile -file "
        < feature option="Own Book -check 1"
        < feature option="Clear -button"
        < feature done=1
    """,
    "of no consequence": """
        > accepted ping
        > rejected sigterm
        > rejected usermove
        > random
        > computer
        > name GNU Chess
        > rating 2000 1800
        > ics -
        > cores 2
        > egtpath nalimov /tb
        > bk
        > white
        > black
        > .
        > ?
        > exit
        > easy
        > hard
        >
        rests
    """,
    "unknown": """
        > fnord 1 2
        < Error (unknown command): fnord 1 2
        > pause
        < Error (unknown command): pause
        > setscore 1 2
        < Error (unknown command): setscore 1 2
        > e9e4
        < Error (unknown command): e9e4
        > do_quit
        < Error (unknown command): do_quit
    """,
    "new, and we play Black": """
        > new
        < [new game]
        rests
        > usermove e2e4
        thinks
        = e7e5
        < move e7e5
        rests
    """,
    "new while thinking": """
        > go
        * e2e4
        > new
        < [new game]
        rests
        > usermove d2d4
        thinks
    """,
    "variant": """
        > variant normal
        > variant crazyhouse
        < Error (unsupported variant): variant crazyhouse
    """,
    "go, and we play White": """
        > go
        thinks
        = e2e4
        < move e2e4
        > usermove e7e5
        = g1f3
        < move g1f3
    """,
    "go in the place of the opponent": """
        > new
        < [new game]
        > usermove e2e4
        = e7e5
        < move e7e5
        > go
        = g1f3
        < move g1f3
        rests
    """,
    "force": """
        > go
        > force
        rests
        > usermove e2e4
        > usermove e7e5
        rests
        > go
        = g1f3
        < move g1f3
    """,
    "playother": """
        > force
        > usermove e2e4
        > playother
        rests
        > usermove e7e5
        = g1f3
        < move g1f3
    """,
    "promotion and castling": """
        > setboard 4k3/P7/8/8/8/8/8/4K2R w K - 0 1
        > go
        = a7a8q
        < move a7a8q
        > usermove e8d7
        = e1g1
        < move e1g1
    """,
    "promotion in capitals": """
        > force
        > setboard 4k3/P7/8/8/8/8/8/4K2R w K - 0 1
        > usermove a7a8N
        > go
        = e8d7
        < move e8d7
    """,
    "usermove that cannot be": """
        > usermove e2e5
        < Illegal move: e2e5
        > usermove
        < Illegal move:
        > usermove O-O
        < Illegal move: O-O
        > usermove e2e4
        thinks
        > usermove d2d4
        < Illegal move (not your turn): d2d4
        thinks
    """,
    "usermove on our idle side": """
        > setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1
        rests
        > usermove e8d7
        rests
        > usermove e2e4
        thinks
    """,
    "bare moves": """
        > e2e4
        thinks
        > d2d4
        < Error (illegal move): d2d4
        = e7e5
        < move e7e5
        > b1b3
        < Error (illegal move): b1b3
        > g1f3
        thinks
    """,
    "cutechess before Black's setboard": """
        > new
        < [new game]
        > force
        > b2b3
        > setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2
        > b2b3
        < Error (illegal move): b2b3
        > go
        = g8f6
        < move g8f6
    """,
    "move now": """
        > ?
        > go
        * e2e4
        * d2d4
        > ?
        < move d2d4
        > ?
        rests
    """,
    "move now before any thought": """
        > setboard 7k/8/8/8/8/8/6q1/7K w - - 0 1
        > go
        > ?
        < move h1g2
        < 1/2-1/2 {Insufficient material}
    """,
    "ping at rest": """
        > ping 1
        < pong 1
        > ping two words
        < pong two words
    """,
    "ping while thinking": """
        > usermove e2e4
        > ping 1
        > ping 2
        = e7e5
        < move e7e5
        < pong 1
        < pong 2
        > ping 3
        < pong 3
    """,
    "move now, then ping": """
        > go
        * e2e4
        > ping 7
        > ?
        < move e2e4
        < pong 7
    """,
    "ping, and the thinking is thrown away": """
        > go
        > ping 1
        > force
        < pong 1
        > go
        > ping 2
        > setboard 7k/8/8/8/8/8/6q1/7K w - - 0 1
        < pong 2
        rests
    """,
    "ping while pondering": """
        > hard
        > go
        = e2e4 e7e5
        < move e2e4
        thinks
        > ping 1
        < pong 1
        thinks
    """,
    "ping while analysing": """
        > analyze
        > ping 1
        < pong 1
        thinks
    """,
    "ping behind a hint": """
        > hint
        thinks
        > ping 1
        = d2d4
        < Hint: d2d4
        < pong 1
    """,
    "ping after a resignation": """
        > go
        > ping 1
        = e2e4 resign=True
        < resign
        < pong 1
    """,
    "resign once": """
        > go
        = e2e4 resign=True
        < resign
        > go
        = e2e4 resign=True
        < move e2e4
        > new
        < [new game]
        > go
        = e2e4 resign=True
        < resign
    """,
    "post": """
        > go
        * e2e4 e7e5 depth=3 cents=12 nodes=345 seconds=0.5
        > post
        * e2e4 e7e5 depth=4 cents=-12 nodes=3450 seconds=1.257
        < 4 -12 125 3450\te2e4 e7e5
        * d2d4 mate=3 depth=5 nodes=1
        < 5 100003 0 1\td2d4
        * d2d4 mate=-2 depth=6 nodes=1
        < 6 -100002 0 1\td2d4
        * d2d4
        > nopost
        * e2e4 depth=7
    """,
    "hard: pondering": """
        > hard
        > go
        = e2e4 e7e5 g1f3
        < move e2e4
        thinks
        * g1f3 depth=4
        > usermove e7e5
        thinks
        = g1f3
        < move g1f3
        rests
    """,
    "hard: the opponent plays something else": """
        > hard
        > go
        = e2e4 e7e5
        < move e2e4
        > usermove c7c5
        = g1f3
        < move g1f3
    """,
    "hard: pondering ends by itself": """
        > hard
        > go
        = e2e4 e7e5
        < move e2e4
        = g1f3 mate=1
        rests
        > usermove e7e5
        thinks
    """,
    "hard: nothing to ponder about": """
        > hard
        > setboard rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2
        > go
        = b8c6 h2h3
        < move b8c6
        thinks
        > setboard rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
        > go
        = d2d4 g7g5
        < move d2d4
        thinks
        > setboard rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2
        > go
        = g7g5 d1h5
        < move g7g5
        rests
    """,
    "easy": """
        > hard
        > easy
        > go
        = e2e4 e7e5
        < move e2e4
        rests
    """,
    "easy while pondering": """
        > hard
        > go
        = e2e4 e7e5
        < move e2e4
        > easy
        rests
        > ping 3
        < pong 3
    """,
    "easy while thinking": """
        > go
        > easy
        thinks
    """,
    "undo": """
        > undo
        < Error (no move to take back): undo
        > force
        > usermove e2e4
        > undo
        > usermove d2d4
        > undo
        > undo
        < Error (no move to take back): undo
    """,
    "remove": """
        > usermove e2e4
        = e7e5
        < move e7e5
        > remove
        rests
        > remove
        < Error (no move to take back): remove
        > usermove d2d4
        thinks
    """,
    "undo while thinking": """
        > usermove e2e4
        > undo
        rests
        > usermove e2e4
        thinks
    """,
    "undo and a hint": """
        > go
        = e2e4 e7e5
        < move e2e4
        > force
        > undo
        > hint
        = d2d4
        < Hint: d2d4
    """,
    "setboard": """
        > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        > go
        = e2e4
        < move e2e4
    """,
    "an illegal position": f"""
        > setboard 8/8/8/8/8/8/8/8 w - - 0 1
        < tellusererror Illegal position: FEN: White must have one king, has 0
        > usermove e2e4
        < Illegal move (position): e2e4
        > e2e4
        < Error (illegal move): e2e4
        > go
        > analyze
        > exit
        > hint
        rests
        > ping 1
        < pong 1
        > setboard nonsense
        < tellusererror Illegal position: a FEN has 6 fields, this one 1: 'nonsense'
        > {STALEMATE}
        > go
        < 1/2-1/2 {{Stalemate}}
        > setboard x y
        < tellusererror Illegal position: FEN: 8 ranks expected, 1 found: 'x'
        > new
        < [new game]
        > usermove e2e4
        thinks
    """,
    "edit": """
        > new
        < [new game]
        > force
        > edit
        > #
        > Ke1
        > Pe7
        > Qd1
        > xd1
        > c
        > Ka8
        > .
        > go
        = e7e8q
        < move e7e8q
    """,
    "edit keeps the turn and finds castling": """
        > force
        > usermove e2e4
        > edit
        > #
        > c
        > Ke8
        > Ra8
        > c
        > Kh1
        > .
        > go
        = e8c8
        < move e8c8
    """,
    "edit of a position that cannot be": """
        > edit
        > xe1
        > ping 4
        < Error (unknown command in edit mode): ping 4
        > Pa9
        < Error (unknown command in edit mode): Pa9
        >
        > .
        < tellusererror Illegal position: FEN: White must have one king, has 0
    """,
    "edit while thinking": """
        > go
        > edit
        rests
        > quit
        < [quit]
    """,
    "our mate": """
        > setboard rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2
        > go
        = d8h4
        < move d8h4
        < 0-1 {Black mates}
        rests
    """,
    "their mate": """
        > setboard rnbqkbnr/ppppp2p/5p2/6p1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3
        > playother
        > usermove d1h5
        < 1-0 {White mates}
        rests
    """,
    "no result in force mode": f"""
        > force
        > setboard rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2
        > usermove d8h4
        > {STALEMATE}
        rests
    """,
    "go where no move is left": f"""
        > {MATED}
        > go
        < 0-1 {{Black mates}}
        > {STALEMATE}
        > go
        < 1/2-1/2 {{Stalemate}}
    """,
    "claim of a threefold repetition before the move": f"""
        > force
        {SHUFFLE}
        > usermove g1f3
        > usermove g8f6
        > usermove f3g1
        > go
        = f6g8
        < offer draw
        < move f6g8
        < 1/2-1/2 {{Draw by repetition}}
        rests
    """,
    "claim of fifty moves before the move": """
        > setboard 4k3/8/8/8/8/8/8/R3K3 w - - 99 80
        > go
        = a1a2
        < offer draw
        < move a1a2
        < 1/2-1/2 {Draw by fifty-move rule}
    """,
    "a move that leaves too little to mate": """
        > setboard 4k3/8/8/8/8/8/3r4/4K3 w - - 0 1
        > go
        = e1d2
        < move e1d2
        < 1/2-1/2 {Insufficient material}
    """,
    "the opponent repeats": f"""
        > force
        {SHUFFLE}
        > usermove g1f3
        > usermove g8f6
        > usermove f3g1
        > playother
        > usermove f6g8
        < 1/2-1/2 {{Draw by repetition}}
        rests
    """,
    "go where a draw was not claimed": f"""
        > force
        {SHUFFLE}
        {SHUFFLE}
        > go
        thinks
        = e2e4
        < move e2e4
    """,
    "result": """
        > go
        * e2e4
        > result 1/2-1/2 {Draw by adjudication}
        rests
        > usermove e2e4
        > ping 4
        < pong 4
        rests
    """,
    "draw, and we stand worse": """
        > usermove e2e4
        = e7e5 cents=-90 depth=3
        < move e7e5
        > usermove g1f3
        * b8c6 cents=-90 depth=3
        > draw
        < offer draw
        = b8c6 cents=-90 depth=3
        < move b8c6
        > draw
        < offer draw
        > new
        < [new game]
        > draw
    """,
    "draw, and we stand better": """
        > usermove e2e4
        * e7e5 cents=20 depth=3
        > draw
        = e7e5 cents=20 depth=3
        < move e7e5
        > draw
        rests
    """,
    "draw, decided with the next move": """
        > force
        > usermove e2e4
        > draw
        > go
        = e7e5 cents=-90 depth=3
        < offer draw
        < move e7e5
        > usermove g1f3
        = b8c6 cents=-10 depth=3
        < move b8c6
    """,
    "draw, and a mate decides": """
        > go
        * e2e4 mate=-4 depth=3
        > draw
        < offer draw
        * e2e4 mate=4 depth=3
        > draw
        = e2e4 mate=4 depth=3
        < move e2e4
    """,
    "draw after the opponent's hint": """
        > go
        = e2e4 cents=50 depth=3
        < move e2e4
        > hint
        = e7e5 cents=-50 depth=3
        < Hint: e7e5
        > draw
    """,
    "hint: the expected reply": """
        > go
        = e2e4 e7e5 g1f3
        < move e2e4
        > hint
        < Hint: e7e5
        rests
    """,
    "hint: thought out, quietly": """
        > post
        > hint
        * e2e4 depth=3
        = e2e4 depth=3
        < Hint: e2e4
    """,
    "hint: overtaken by a move": """
        > hint
        > usermove e2e4
        = e7e5
        < move e7e5
    """,
    "hint while thinking, and at the end": f"""
        > go
        * e2e4
        > hint
        thinks
        > {MATED}
        > hint
        rests
    """,
    "hint while analysing": """
        > analyze
        > hint
        * e2e4
        > hint
        < Hint: e2e4
        thinks
    """,
    "hint after setboard": """
        > go
        = e2e4 e7e5
        < move e2e4
        > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        > hint
        = e1d1
        < Hint: e1d1
    """,
    "analyze": """
        > post
        > analyze
        thinks
        * e2e4 e7e5 depth=1 cents=20 nodes=30 seconds=0.25
        < 1 20 25 30\te2e4 e7e5
        > .
        < stat01: 25 30 1 0 20 e2e4
        > usermove e2e4
        thinks
        > .
        * e7e5 g1f3 depth=1 cents=-20 nodes=31 seconds=0.5
        < 1 -20 50 31\te7e5 g1f3
        > undo
        thinks
        > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
        thinks
        > new
        < [new game]
        thinks
        > exit
        rests
        > exit
        > usermove e2e4
        rests
    """,
    "analysis at a mate": f"""
        > {MATED}
        > analyze
        rests
        > undo
        < Error (no move to take back): undo
        > .
        > exit
    """,
    "analysis ends by itself": """
        > analyze
        = e2e4 mate=1 depth=1 nodes=5
        rests
        > .
        < stat01: 0 5 1 0 20 e2e4
        > usermove e2e4
        thinks
    """,
    "analysis of a draw that nobody has claimed": f"""
        > force
        {SHUFFLE}
        {SHUFFLE}
        > analyze
        thinks
    """,
    "exit, while a move is thought out, is harmless": """
        > go
        > exit
        thinks
        > .
        = e2e4
        < move e2e4
    """,
    "force ends analysis": """
        > analyze
        > force
        rests
        > usermove e2e4
        rests
    """,
    "go ends analysis": """
        > analyze
        * e2e4
        > go
        thinks
        = d2d4
        < move d2d4
    """,
    "memory": """
        > memory 32
        < [Hash=32]
        > memory 0
        < [Hash=1]
        > memory 100000
        < [Hash=64]
        > memory 99999999999999999999999999
        < [Hash=64]
        > memory much
        < Error (memory needs a number of megabytes): memory much
        > memory
        < Error (memory needs a number of megabytes): memory
    """,
    "option": """
        > option Genome=random
        < [Genome=random]
        > option genome = HANDSET
        < [Genome=handset]
        > option GenomeFile=/home/me/my genome.txt
        < [GenomeFile=/home/me/my genome.txt]
        > option Own Book=0
        < [Own Book=false]
        > option Clear
        < [Clear=]
        > option Hash=32
        < [Hash=32]
        > option Genome=nobody
        < Error (Genome must be one of handset, random, not 'nobody'): option Genome=nobody
        > option Contempt=3
        < Error (unknown option): option Contempt=3
    """,
    "quit": """
        > go
        > quit
        < [quit]
    """,
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(name: str) -> None:
    play(CecpSession, TRANSCRIPTS[name])


def test_every_command_has_a_transcript() -> None:
    commands = {name.removeprefix("do_") for name in dir(CecpSession) if name.startswith("do_")}
    said = {line.split()[1] for text in TRANSCRIPTS.values() for line in text.splitlines() if "> " in line}
    assert commands <= said


@pytest.mark.parametrize(
    ("lines", "limit"),
    [
        ("", Limit(clock=Clock(seconds=300))),
        ("level 40 5 0", Limit(clock=Clock(seconds=300, moves_to_reset=40))),
        ("level 0 5 12", Limit(clock=Clock(seconds=300, increment=12))),
        ("level 40 0:30 0", Limit(clock=Clock(seconds=30, moves_to_reset=40))),
        ("level 0 1 0.5", Limit(clock=Clock(seconds=60, increment=0.5))),
        ("level 0 0:05 0.1", Limit(clock=Clock(seconds=5, increment=0.1))),
        ("level 20 0:04 0.30000000000000004", Limit(clock=Clock(seconds=4, increment=0.30000000000000004, moves_to_reset=20))),
        ("level 0 0:00 1e-05", Limit(clock=Clock(seconds=0, increment=1e-05))),
        ("level 0  2:07   3", Limit(clock=Clock(seconds=127, increment=3))),
        ("level 0 1 0\ntime 4500\notim 6000", Limit(clock=Clock(seconds=45))),
        ("level 0 1 0\ntime -50", Limit(clock=Clock(seconds=-0.5))),
        ("level 0 1 0\ntime 0", Limit(clock=Clock(seconds=0))),
        ("st 1", Limit(seconds=1)),
        ("st 0", Limit(seconds=0)),
        ("st 0.01", Limit(seconds=0.01)),
        ("st 0.30000000000000004", Limit(seconds=0.30000000000000004)),
        ("st 1e-05", Limit(seconds=1e-05)),
        ("st -3", Limit(seconds=0)),
        ("st 1e300", Limit(seconds=1e9)),
        ("level 40 5 0\nst 2", Limit(seconds=2)),
        ("st 2\nlevel 0 1 0", Limit(clock=Clock(seconds=60))),
        ("sd 4", Limit(clock=Clock(seconds=300), depth=4)),
        ("sd 0\nst 3", Limit(seconds=3, depth=1)),
        ("st 3\nsd 4", Limit(seconds=3, depth=4)),
        ("sd 4\nnew", Limit(clock=Clock(seconds=300))),
        ("level 0 2 0\ntime 100\nnew", Limit(clock=Clock(seconds=120))),
        ("st 2\nnew", Limit(seconds=2)),
        # cutechess: st, then nps, once a game
        ("st 1\nnps 5000", Limit(seconds=1, nodes_per_second=5000)),
        ("st 1\nnps 5000\ngo\nforce", Limit(seconds=1, nodes_per_second=5000)),
        # python-chess: nps, then st, for each move; and later a plain st
        ("nps 1\nst 500", Limit(seconds=500, nodes_per_second=1)),
        ("nps 1\nst 500\ngo\nforce\nnps 1\nst 700", Limit(seconds=700, nodes_per_second=1)),
        ("nps 1\nst 500\ngo\nforce\nst 0.5", Limit(seconds=0.5)),
        ("nps 1\nst 500\ngo\nforce\nlevel 0 1 0", Limit(clock=Clock(seconds=60))),
        ("nps 100\nlevel 0 1 0", Limit(clock=Clock(seconds=60), nodes_per_second=100)),
        ("nps 100\nnps 0\nst 1", Limit(seconds=1)),
        ("nps -1\nst 1", Limit(seconds=1)),
    ],
)  # fmt: skip
def test_limits(lines: str, limit: Limit) -> None:
    conversation = Conversation(CecpSession)
    assert all(line == "[new game]" for line in conversation.tell(*lines.splitlines()))
    conversation.tell("force", "usermove e2e4", "undo", "new" if "\nnew" in lines else "force")
    play(CecpSession, "> usermove e2e4" if "\nnew" in lines else "> go", conversation)
    assert conversation.limit in (limit, _with_all_moves(limit, conversation))


def _with_all_moves(limit: Limit, conversation: Conversation) -> Limit:
    from dataclasses import replace

    assert conversation.thinking is not None
    return replace(limit, actions=tuple(conversation.thinking.state.legal_actions()))


@pytest.mark.parametrize(
    "line",
    ["level", "level 40 5", "level x 5 0", "level 40 5:x 0", "level 0 5 nan", "st", "st soon", "st inf", "sd deep",
     "nps x", "time", "time never", "otim -", "st " + "9" * 50],
)  # fmt: skip
def test_limits_that_cannot_be(line: str) -> None:
    conversation = Conversation(CecpSession)
    (answer,) = conversation.tell(line)
    assert answer.startswith("Error (") and line[:20] in answer
    conversation.tell("go")
    assert conversation.limit.clock == Clock(seconds=300.0)


def test_moves_to_the_reset() -> None:
    conversation = Conversation(CecpSession)
    conversation.tell("level 3 1 0")
    left = []
    for ours, theirs in (("g1f3", "g8f6"), ("f3g1", "f6g8"), ("b1c3", "b8c6"), ("c3b1", "c6b8")):
        conversation.tell("go" if not left else "otim 100")
        assert conversation.limit.clock is not None
        left.append(conversation.limit.clock.moves_to_reset)
        conversation.finish(ours)
        conversation.tell(f"usermove {theirs}")
    assert left == [3, 2, 1, 3]


def test_moves_to_the_reset_are_counted_from_level() -> None:
    """python-chess sends the moves that remain with each move."""
    conversation = Conversation(CecpSession)
    conversation.tell("force", "usermove e2e4", "usermove e7e5", "usermove g1f3", "level 20 0:04 0.2", "go")
    assert conversation.limit.clock == Clock(seconds=4.0, increment=0.2, moves_to_reset=20)
    conversation.finish("b8c6")
    conversation.tell("level 20 0:04 0.2", "usermove b1c3")
    assert conversation.limit.clock == Clock(seconds=4.0, increment=0.2, moves_to_reset=20)


def test_clock_runs_without_time_commands() -> None:
    conversation = Conversation(CecpSession)
    conversation.tell("level 0 1 2", "go")
    conversation.finish("e2e4", seconds=10.0)
    conversation.tell("usermove e7e5")
    assert conversation.limit.clock == Clock(seconds=52.0, increment=2.0)


def test_excluded_moves() -> None:
    conversation = Conversation(CecpSession)
    assert conversation.tell("exclude all", "include e2e4", "include d2d4", "analyze") == []
    assert _searched(conversation) == {"e2e4", "d2d4"}
    conversation.tell("exclude e2e4")
    assert _searched(conversation) == {"d2d4"}
    conversation.tell("include all")
    assert len(_searched(conversation)) == 20
    conversation.tell("exclude all")
    assert conversation.thinking is None
    conversation.tell("include a2a3")
    assert _searched(conversation) == {"a2a3"}
    assert conversation.tell("exclude e2e5") == ["Error (illegal move): exclude e2e5"]
    conversation.tell("usermove e2e4")  # another position: nothing is excluded there
    assert len(_searched(conversation)) == 20
    conversation.tell("undo", "exclude e2e4", "exit", "analyze")  # nor in the next analysis
    assert len(_searched(conversation)) == 20


def test_exclusion_is_for_analysis_only() -> None:
    conversation = Conversation(CecpSession)
    conversation.tell("exclude all", "go")
    assert len(_searched(conversation)) == 20


def _searched(conversation: Conversation) -> set[str]:
    assert conversation.thinking is not None
    state = conversation.thinking.state
    return {state.action_text(move) for move in conversation.limit.actions or state.legal_actions()}


@pytest.mark.parametrize("state", ["idle", "thinking", "pondering", "analysing", "force", "illegal", "over"])
@pytest.mark.parametrize(
    "line",
    ["random", "computer", "name Stock: fish", "rating 0 0", "level 40 5 0", "level 0 0:01 0.05", "draw", "analyze",
     "accepted debug", "rejected sigterm", "hard", "easy", "post", "nopost", "time -10", "otim 5", "force", "new",
     "result * {xboard exit}", "memory 16", "cores 1", ".", "exit", "?", "hint", "go", "playother"],
)  # fmt: skip
def test_never_an_error(state: str, line: str) -> None:
    """python-chess gives up at a line that begins with Error or Illegal."""
    conversation = Conversation(CecpSession)
    conversation.tell("new", "hard", "post")
    match state:
        case "thinking":
            conversation.tell("go")
        case "pondering":
            conversation.tell("go")
            conversation.finish("e2e4", "e7e5")
        case "analysing":
            conversation.tell("analyze")
        case "force":
            conversation.tell("force")
        case "illegal":
            conversation.tell("setboard 8/8/8/8/8/8/8/8 w - - 0 1")
        case "over":
            conversation.tell("go", MATED)
    said = conversation.tell(line, "ping 1")
    if conversation.thinking is not None and "pong 1" not in said:
        said += conversation.finish()
    assert not [text for text in said if re.match("Error|Illegal", text)]
    assert said.count("pong 1") == 1


def test_features_as_guis_read_them() -> None:
    lines = Conversation(CecpSession).tell("protover 2")
    assert all(line.startswith("feature ") for line in lines)
    python_chess = [word.split("=", 1) for line in lines for word in shlex.split(line)[1:]]
    features = dict(word for word in python_chess if word[0] != "option")
    assert features["ping"] == features["setboard"] == features["usermove"] == features["analyze"] == "1"
    assert features["sigint"] == features["sigterm"] == features["colors"] == features["san"] == "0"
    assert features["variants"] == "normal" and features["myname"] == "Galapagos"
    cutechess = [match for line in lines for match in re.findall(r'\w+\s*=\s*(?:"[^"]*"|\w+)', line)]
    assert len(cutechess) == len(python_chess)
    assert lines[0] == "feature done=0" and lines[-1] == "feature done=1"


def test_complaints_are_one_line() -> None:
    session = Conversation(CecpSession).session
    assert session.complain("bad\nnews ") == "telluser bad news"
