"""What a game knows of people: listed, shown and deleted for whoever runs the server."""

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.messages import List, Listing, Refusal, invalid
from protocols.jsonl.session.line import Line


def profiles(hall: Hall, line: Line, message: List) -> None:
    """Programs of this machine and directors may ask."""
    if not line.is_trusted and (line.session is None or line.session.preferences.role != "director"):
        raise Refusal("not_permitted", "profiles are for directors")
    kept = [binding.profiles for name, binding in hall.bindings.items() if message.game in (None, name)]
    known = next((each for each in kept if each is not None), None)
    if known is None:
        raise invalid("$.game", "no profiles are kept of that game")
    name, field = message.profile_show or message.profile_delete or "", "profile_show"
    if message.profile_delete:
        field = "profile_delete"
    try:
        if message.profile_delete:
            known.delete(name)
        if message.profile_show:
            line.say(Listing(re=message.id, profiles=[known.show(name)], total=1))
            return
        names = known.names()
    except KeyError:
        raise invalid(f"$.{field}", f"there is no profile of {name[:40]!r}") from None
    except (ValueError, OSError) as error:
        raise invalid(f"$.{field}", str(error)) from None
    offset = message.offset or 0
    page = names[offset : offset + (message.limit or len(names))]
    line.say(Listing(re=message.id, profiles=page, total=len(names), offset=offset))
