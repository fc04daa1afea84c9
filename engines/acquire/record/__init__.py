"""Games on file: every decision with the state before it, to be written, and to be replayed and compared."""

from engines.acquire.record.reading import MismatchError, replay
from engines.acquire.record.writing import recorded, written

__all__ = ["MismatchError", "recorded", "replay", "written"]
