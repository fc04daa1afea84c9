"""The fight that the lobby shows is one that the server records, so it stays true when warriors or rules change."""

import zlib
from base64 import b64decode

import msgspec

from protocols.web.fights import Entry, FightRequest, record_fight
from protocols.web.static_files import STATIC

REQUEST = FightRequest(warriors=(Entry(ours="tiny.red"), Entry(ours="dwarf.red")), rules="tiny", seed=3)


def test_the_film_of_the_lobby_is_the_recording_of_its_fight() -> None:
    """To write it anew, store the bytes of record_fight(REQUEST)."""
    stored = msgspec.json.decode((STATIC / "corewar_living.json").read_bytes())
    recorded = msgspec.json.decode(record_fight(REQUEST))
    for film in (stored, recorded):  # versions of zlib compress differently
        film["film"] = zlib.decompress(b64decode(film["film"]))
    assert stored == recorded
    assert recorded["survivors"] == [0]  # the one that evolved
