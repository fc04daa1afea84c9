"""The golden values of section 9 of the protocol: commitment, streams, generator, shuffle."""

from core.acquire.game import shuffled_bag
from core.acquire.rules import PRESETS, GameSpec, tile_name
from core.random import Random
from engines.seeds import SeededStreams, game_seed

SEED = SeededStreams(42, "9f2c4e0b7d1a55c3a1e6b87f20d4c913")
UNSIGNED = 1 << 64


def test_commitments_have_the_values_of_the_protocol() -> None:
    assert SEED.commitment("g-12") == (
        "sha256:cba403186e4685a2a772c5c99010890e082826047aa919470c56c4007be3d6da"
    )
    assert SeededStreams(7, "0b6d1f93c2a84e57b1907dd24f3a6c58").commitment("g-31") == (
        "sha256:45fc4f7cede7f4fed2a45d22c112c8da9f6aa6eaa10ca5e7c732a45d28ec2714"
    )


def test_stream_seeds_have_the_values_of_the_protocol() -> None:
    golden = {
        "bag": "23a0185e89b3bdaa",
        "engine": "de6917e64edcc548",
        "seat|0": "2b9e22d7c1e34644",
        "map": "e675ae3af30c26db",
        "place|1": "cfacbfde8393084b",
        "combat|1": "61901d4b81cfc9ad",
        "rate|1|17|0": "fa4ef30d80f20732",
    }
    assert {purpose: f"{SEED.stream_seed(purpose):016x}" for purpose in golden} == golden


def test_random_numbers_have_the_values_of_the_protocol() -> None:
    def first_three(rng: Random) -> list[int]:
        return [int(rng.bits()) % UNSIGNED for _ in range(3)]

    assert first_three(Random(0)) == [11091344671253066420, 13793997310169335082, 1900383378846508768]
    assert first_three(SEED.stream("bag")) == [
        10362110449426088815,
        14230982105612971506,
        18312782923341338542,
    ]
    rolls = SEED.stream("combat|1")
    assert [rolls.below(9) + 1 for _ in range(8)] == [9, 2, 6, 2, 3, 6, 2, 4]


def test_shuffled_bags_have_the_order_of_the_protocol() -> None:
    rules = PRESETS["classic"]
    bag = shuffled_bag(GameSpec(rules, 2), SEED.stream("bag"))
    names = [tile_name(rules, int(tile)) for tile in bag][:12]
    assert " ".join(names) == "10C 8H 8I 12A 5E 3C 6B 10I 5A 9C 2D 1H"


def test_game_seeds_differ_and_fit_in_53_bits() -> None:
    assert game_seed(7, 0) != game_seed(7, 1) and 0 <= game_seed(7, 0) < 1 << 53
    assert game_seed(7, 3) == game_seed(7, 3)
