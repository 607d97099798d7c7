from __future__ import annotations

import pytest

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.rules.narrow import widening


def bounds(*allow: str, deny: tuple[str, ...] = (), **more: object) -> Boundary:
    return Boundary(
        version=1,
        source="hand",
        allow=[Entry(id=f"B{n}", path=p, because="x") for n, p in enumerate(allow)],
        deny=[Entry(id=f"N{n}", path=p, because="x") for n, p in enumerate(deny)],
        **more,
    )


OLD = bounds("src/**", "docs/a.md", deny=("src/auth/**",), budget=Budget(files=5, new=1))


@pytest.mark.parametrize(
    ("new", "wider"),
    [
        (OLD, False),
        (bounds("src/a.py", deny=("src/auth/**",), budget=Budget(files=5)), False),
        (bounds("src/**", deny=("src/auth/**", "src/b.py"), budget=Budget(files=5, new=1)), False),
        (bounds(deny=("src/auth/**",), budget=Budget(files=1)), False),
        (bounds("docs/a.md", budget=Budget(files=5)), True),
        (bounds("docs/b.md", deny=("src/auth/**",), budget=Budget(files=5)), True),
        (bounds("docs/**", deny=("src/auth/**",), budget=Budget(files=5)), True),
        (bounds("src/auth/t.py", deny=("src/auth/**",), budget=Budget(files=5)), True),
        (bounds("src/**", budget=Budget(files=5)), True),
        (bounds("src/**", deny=("src/auth/**",), budget=Budget(files=6)), True),
        (bounds("src/**", deny=("src/auth/**",)), True),
        (bounds("src/**", deny=("src/auth/**",), budget=Budget(files=5, new=2)), True),
        (bounds("src/**", deny=("src/auth/**",), budget=Budget(files=5), opened=["CODEOWNERS"]), True),
    ],
)
def test_what_opens_anything_is_a_widening(new: Boundary, wider: bool) -> None:
    assert (widening(new, OLD) is not None) is wider
