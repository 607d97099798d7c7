"""How long to wait before a charge is tried again."""


def delay(attempt: int) -> int:
    """Seconds to wait before the given attempt (1, 2, 3, ...)."""
    return attempt
