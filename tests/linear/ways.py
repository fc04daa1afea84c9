"""Every way by which text from outside comes into the program, with the texts that could cost it most.

A way reads a text that begins in one of its `starts`, goes on with one of UNITS or of its own `units` over and over,
and may have a last word. The text grows in its repeated part; the cost must grow no faster. A new function that takes
such a text (test_costs.py finds it) belongs into the table of its game or protocol, with its functions in `covers`, or
into EXEMPT with the reason.
"""

from tests.linear import acquire_ways, chess_ways, client_ways, config_ways, corewar_ways, protection_ways

WAYS = (
    *client_ways.WAYS,
    *chess_ways.WAYS,
    *corewar_ways.WAYS,
    *acquire_ways.WAYS,
    *protection_ways.WAYS,
    *config_ways.WAYS,
)

# Functions with such a parameter that read nothing from outside, or nothing by themselves.
EXEMPT = {
    "protocols/external/cecp.py:edit_commands": "a FEN of our own",
    "engines/catalogue.py:first_sentence": "our own cards",
    "engines/chess/game_record.py:GameRecord.unpack": "bytes of a run's store",
    "engines/acquire/gp_config.py:evolved_decisions": "a word of a configuration, whose text Config.loads reads",
    "engines/acquire/nes_config.py:founding_player": "a word of a configuration, whose text Config.loads reads",
    "engines/evolution/run_store.py:difference": "our own configurations",
    "tools/new_run.py:config_of": "a configuration, which Config.loads of each kind of a game reads",
    "protocols/jsonl/messages.py:invalid": "makes an error",
    "protocols/redcode/library.py:bundled_text": "a name of our own",
    "protocols/web/responses.py:number": "an ID of at most 19 digits",
    "tools/cli.py:Parser.error": "an argument of the command line",
    "tools/cli.py:positive_int": "an argument of the command line",
    "tools/cli.py:natural_int": "an argument of the command line",
    "tools/cli.py:seed_int": "an argument of the command line",
    "tools/cli.py:seconds_float": "an argument of the command line",
    "tools/genome/acquire.py:is_meant": "a name on the command line",
    "tools/genome/chess.py:is_meant": "a name on the command line",
    "tools/genome/protection.py:is_meant": "a name on the command line",
    "tools/genome/warriors.py:is_meant": "a name on the command line",
    "tools/mars/streams.py:native": "encodes a name",
    "tools/play/chess.py:ChessView.read": "parse_move of engines.chess.pgn",
    "tools/play/terminal.py:View.read": "declares what each game reads",
    "tools/play/terminal.py:TextView.read": "a line of the person at the terminal, compared with each legal action",
    "tools/plot/figures.py:loci": "our own figures",
    "tools/mypyc_patches/jumps.py:with_jumps": "our own sources",
    "tools/mypyc_patches/specialise.py:specialised": "our own sources",
    "protocols/redcode/listing.py:messages_text": "at most MAX_MESSAGES of the assembler",
    "protocols/tls_gate.py:Handshake.data_received": "MAX_EARLY_BYTES, else it ends",
    "protocols/admin.py:Admin.answer": "only the owner of the home can send it",
    "tools/warriors.py:preset_for": "a name on the command line",
    "tools/warriors.py:named_preset": "a file on the command line",
    "tools/warriors.py:assembled": "a file on the command line",
}
