"""The payment service's client."""

from billing.retry import delay


def charge(send, account: str, cents: int, attempts: int = 3) -> list[int]:
    """Charge an account; ``send`` answers True when it worked. Returns the waits that were needed."""
    waits = []
    for attempt in range(1, attempts + 1):
        if send(account, cents):
            return waits
        waits.append(delay(attempt))
    raise TimeoutError(f"{account}: gave up after {attempts} attempts")
