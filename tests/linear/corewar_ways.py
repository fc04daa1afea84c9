"""The ways of Core War: Redcode, submissions, the debugger and options of pMARS."""

from io import BytesIO

from core.corewar.assembler import assemble, assemble_line
from core.corewar.dialect import Dialect, Limits
from core.corewar.expression import Registers, evaluate
from core.corewar.preprocessor import predefined
from core.corewar.rules import Rules
from engines.corewar import load_file
from engines.corewar.evolution.genome import WarriorGenome
from protocols.cdb.remote import LIMITS
from protocols.hill.submission import Submission, SubmissionReader
from protocols.redcode.listing import display_name
from tests.linear.way import Way
from tests.protocols.cdb.support import debugger, warrior_text
from tools.mars.options import OptionFile
from tools.mars.streams import Text


def _submission_lines(text: str) -> None:
    reader = SubmissionReader()
    for line in text.split("\n"):
        reader.receive(line)
    reader.end()


def _debugger_line(line: str) -> None:
    built, _ = debugger([warrior_text("imp"), warrior_text("dwarf")], CORE, limits=LIMITS)
    for _ in built.start():
        pass
    for _ in built.receive(line):
        pass


def _typed_line(text: str) -> None:
    symbols = predefined(CORE, 2, 1, 92)
    assemble_line(text, CORE, Dialect(limits=ROOM), address=0, symbols=symbols, registers=Registers())


def _option_file(text: str) -> None:
    words = OptionFile(Text(BytesIO(text.encode("latin-1", "replace")).readline))
    while words.next():
        pass


CORE = Rules(size=800, cycles=1000, processes=8, length=20, distance=20)
ROOM = Limits(characters=1 << 30)  # else long texts are refused at once
WARRIOR = ";redcode-nano\n;name A\n"

WAYS = (
    Way(
        name="a warrior",
        read=lambda text: assemble(text, CORE, Dialect(limits=ROOM)),
        covers=(
            "core/corewar/assembler.py:assemble",
            "core/corewar/lexer.py:tokens_of",
            "core/corewar/lexer.py:word_at",
            "core/corewar/lexer.py:read",
            "core/corewar/lexer.py:read_comment",
            "core/corewar/lexer.py:skip_space",
            "core/corewar/lexer.py:Source.add",
            "protocols/redcode/library.py:parse",
        ),
        starts=("", ";redcode\n", "mov 0, ", "a equ ", ";assert ", "i for 9\n", "a equ 1\n"),
        units=(
            ";redcode\n",
            "a equ 1\n",
            "a for 2\n",
            "rof\n",
            "a: ",
            "mov 0, 1\n",
            "a&b ",
            "a equ a\n",
            ";kill a\n",
            ";strategy a\n",
            "&",
            "l l l l l l l l\n",
            "mov ",
            "end\n",
            " equ a\n",
        ),
    ),
    Way(
        name="a line typed at a warrior",
        read=_typed_line,
        covers=("core/corewar/assembler.py:assemble_line", "protocols/cdb/views.py:LineAssembler.assemble"),
        starts=("", "mov 0, ", "a equ ", "i for 9 "),
        units=("a: ", "mov ", "equ ", "("),
    ),
    Way(
        name="an expression of Redcode",
        read=lambda text: evaluate(text, Registers()),
        covers=("core/corewar/expression.py:evaluate", "engines/corewar/evolution/config.py:score_formula"),
        units=("a=", "(", "-", "1+", "1*", "1==", "1||", "1<", "1-(", "!", "1+1*"),
    ),
    Way(
        name="an expression of Redcode, rightly",
        read=lambda text: evaluate(text, Registers(), "sane"),
        covers=(),
        units=("a=", "(", "-", "1+", "1*", "1==", "1||", "1<", "1-(", "!", "1+1*"),
    ),
    Way(
        name="a load file",
        read=lambda text: load_file.loads(text, CORE),
        covers=("engines/corewar/load_file.py:loads", "engines/corewar/load_file.py:as_written"),
        starts=("", "MOV.I $0, ", "ORG ", ";name ", ";assert CORESIZE == ", "MOV.I $0, $1\nEND\n"),
        units=("MOV.I $0, $1\n", ";name a\n", "START ", "ORG 1\n", ";name "),
    ),
    Way(
        name="a warrior of a run",
        read=WarriorGenome.loads,
        covers=("engines/corewar/evolution/genome.py:WarriorGenome.loads",),
        starts=("", ";assert CORESIZE == "),
        units=(";assert CORESIZE == 80\n", ";assert", "\n;", "\n ;"),
    ),
    Way(
        name="a submission",
        read=Submission.read,
        covers=(
            "protocols/hill/submission.py:Submission.read",
            "protocols/hill/submission.py:Heading.read",
            "protocols/hill/service.py:HillService.answer",
        ),
        starts=("", WARRIOR, ";redcode-", ";redcode ", f"{WARRIOR};token ", f"{WARRIOR};token x"),
        units=(";redcode\n", ";token", ";token x\n", ";token ", ";token x ", "test "),
    ),
    Way(
        name="lines of a submission",
        read=_submission_lines,
        covers=(
            "protocols/hill/submission.py:SubmissionReader.receive",
            "protocols/hill/service.py:serve_submissions",
        ),
        starts=("", WARRIOR, f"{WARRIOR}a ", f"{WARRIOR}END "),
        units=("FOR ", "for\n", "rof\n", "END\n", "a: ", "end ", "end a ", ".\n"),
    ),
    Way(name="a name of a warrior", read=display_name, covers=()),
    Way(
        name="a line at the debugger",
        read=_debugger_line,
        covers=(
            "protocols/cdb/debugger.py:Debugger.receive",
            "protocols/cdb/command_line.py:parse",
            "protocols/cdb/command_line.py:upper",
            "protocols/cdb/views.py:ListView.value",
            "protocols/cdb/views.py:matches",
        ),
        starts=("", "search ", "macro ", "calc ", "edit 0~", "fill 0~"),
        units=("~", "!!~", "!~", "list~", "~!!~!3", "*?", "calc 1~", "step~"),
        size=4000,
        is_deep=False,
    ),
    Way(
        name="an option file of galapagos-mars",
        read=_option_file,
        covers=(),
        starts=("", '"', ";"),
        units=('" "', "a", "a ", '"a" ', "; a\n"),
        size=20_000,
        is_deep=False,
    ),
)
