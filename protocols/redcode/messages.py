"""The assembler's messages as pMARS 0.9.2 prints them on its standard error."""

from collections.abc import Iterable

from core.corewar.diagnostics import MOST_MESSAGES, Message


def messages_text(messages: Iterable[Message]) -> str:
    """All of them with their numbers; pMARS's counters are a byte each."""
    messages = tuple(messages)
    located = [message for message in messages if message.line is not None]
    page = "".join(_entry(message) for message in messages)
    if len(located) >= MOST_MESSAGES:
        return page + "\nToo many errors or warnings.\nProgram aborted.\n"
    errors = sum(message.count for message in messages if message.is_error) & 0xFF
    warnings = sum(message.count for message in messages if not message.is_error) & 0xFF
    if errors:
        page += f"Number of errors: {errors}\n"
    if warnings:
        page += f"Number of warnings: {warnings}\n"
    for message in reversed(located):
        if message.count > 1:
            page += f"Duplicate errors/warnings found in line {message.line} ({message.count})\n"
    return page + "\n" if errors + warnings else page


def _entry(message: Message) -> str:
    where = "" if message.line is None else f" in line {message.line}"
    shown = "" if message.line is None else f" '{message.source}'"
    return f"{message.severity.value}{where}:{shown}\n        {message.text}\n"
