"""What the bus is told of a hill: who has challenged it, and its table."""

from typing import Final

from engines.corewar import hill
from engines.corewar.presets import Preset
from engines.events import Bus, Challenge, Standing, Standings, topic_level

UNNAMED: Final = "redcode"  # the hill whose submissions begin with ;redcode alone


def announce(bus: Bus, preset: Preset, challenge: hill.ChallengeResult) -> None:
    """Somebody has challenged the hill."""
    on_hill = _on_hill(challenge)
    places = {row.id: place for place, row in enumerate(on_hill, 1)}
    news = Challenge(
        hill=preset.tag,
        number=challenge.number,
        warrior=challenge.name,
        author=challenge.author,
        place=places.get(challenge.challenger),
    )
    bus.publish(f"{hill_topic(preset)}/battle", news)
    post(bus, preset, challenge)


def post(bus: Bus, preset: Preset, challenge: hill.ChallengeResult) -> None:
    """The table, as this challenge has left it."""
    table = tuple(
        Standing(place=place, warrior=row.name, author=row.author, score=row.score, age=row.age)
        for place, row in enumerate(_on_hill(challenge), 1)
    )
    news = Standings(hill=preset.tag, challenges=challenge.number, table=table)
    bus.publish(f"{hill_topic(preset)}/standings", news, is_state=True)


def hill_topic(preset: Preset) -> str:
    """Under which the bus tells of a hill."""
    return f"hill/{topic_level(preset.tag or UNNAMED)}"


def _on_hill(challenge: hill.ChallengeResult) -> list[hill.HillRow]:
    return [row for row in challenge.table if row.fate == "on the hill"]
