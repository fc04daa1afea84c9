"""Everything that the server may say."""

from protocols.jsonl.messages.answers import (
    Checked,
    Created,
    Description,
    Error,
    Explained,
    Joined,
    Limited,
    Listing,
    Matched,
    Observation,
    Ok,
    Recorded,
    Resumed,
    Watching,
    Welcome,
)
from protocols.jsonl.messages.news import Decide, End, Event, Gap, MatchEnd, MatchEvent, Start
from protocols.jsonl.messages.values import Bye, Ping, Pong

ServerMessage = (
    Welcome
    | Ping
    | Pong
    | Bye
    | Ok
    | Error
    | Listing
    | Description
    | Created
    | Joined
    | Start
    | Decide
    | Checked
    | Event
    | End
    | Resumed
    | Watching
    | Gap
    | Observation
    | Recorded
    | Explained
    | Matched
    | MatchEvent
    | MatchEnd
    | Limited
)
