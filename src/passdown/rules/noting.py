"""What a note may say: its kind, the options that go with it, what it must name (semantics: section 1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from passdown.model.packet import Item

KINDS = ("decision", "dead-end", "question", "step", "assumption")
ANSWERED = ("question", "architecture", "widen")
"""Items that an answer closes; failures, comments and steps close with evidence or a waiver."""
_OF_DECISIONS = ("over", "revisit_if", "keep", "supersedes")


class Typed(Struct, frozen=True, kw_only=True):
    """A note as it was typed."""

    words: Sequence[str]
    scope: Sequence[str] = ()
    keep: Sequence[str] = ()
    because: str | None = None
    over: str | None = None
    revisit_if: str | None = None
    supersedes: str | None = None
    architecture: bool = False
    ask_widen: str | None = None
    answer: str | None = None


class Fault(Struct, frozen=True):
    """Why it is no note, and what to type."""

    message: str
    hint: str


def kind_and_text(typed: Typed) -> tuple[str, str] | Fault:
    """``(kind, text)``; "step" where no kind is named, "decision" where an option says so."""
    words = [word for word in typed.words if word.strip()]
    named = words[0] if words and words[0] in (*KINDS, "ask-widen", "answer") else None
    text = " ".join(words[1:] if named else words).strip()
    told = _told(typed, named)
    if isinstance(told, Fault):
        return told
    if named is None and not _other_option(typed) and (near := _near(words[0] if words else "")):
        return Fault(f"no kind of note is called {words[0]!r}; did you mean {near!r}?", f'passdown note {near} "..."')
    if told == "ask-widen":
        return told, text or typed.ask_widen or ""
    if not text:
        return Fault("the note has no text", f'passdown note {named or "decision"} "..."')
    return told, text


def _other_option(typed: Typed) -> bool:
    """Whether an option says what the words are for."""
    return typed.ask_widen is not None or typed.answer is not None


def _near(word: str) -> str | None:
    """The kind that a mistyped word means: one of two arguments names a kind, and one alone is no note yet."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only where no kind is named

    return next(iter(get_close_matches(word, KINDS, n=1, cutoff=0.8)), None)


def _told(typed: Typed, named: str | None) -> str | Fault:
    """The kind by its name and the options, or how they do not go together."""
    forms = {"ask-widen": typed.ask_widen is not None, "answer": typed.answer is not None}
    asked = [kind for kind, there in forms.items() if there]
    if len(asked) > 1 or (asked and named not in (None, asked[0])):
        one = f"--{asked[0]} and {f'--{asked[1]}' if len(asked) > 1 else named}"
        return Fault(f"{one} are two notes", "passdown note, once for each")
    if named in forms and not asked:
        what = "--ask-widen PATH --because WHY" if named == "ask-widen" else '--answer Q1 "..."'
        return Fault(f"{named} needs its option", f"passdown note {what}")
    decides = [f"--{name.replace('_', '-')}" for name in _OF_DECISIONS if getattr(typed, name)]
    kind = asked[0] if asked else named or ("question" if typed.architecture else "decision" if decides else "step")
    if decides and kind != "decision":
        return Fault(f"{decides[0]} goes with a decision, this is {_a(kind)}", 'passdown note decision "..."')
    if typed.architecture and kind != "question":
        return Fault(f"--architecture goes with a question, this is {_a(kind)}", 'passdown note question "..."')
    if kind == "ask-widen" and not (typed.ask_widen or "").strip():
        return Fault("--ask-widen needs a path", 'passdown note --ask-widen PATH --because "..."')
    if kind == "ask-widen" and not typed.because:
        return Fault("--ask-widen needs a reason", f'passdown note --ask-widen {typed.ask_widen} --because "..."')
    return "architecture" if typed.architecture else kind


def names_nothing(typed: Typed, items: Sequence[Item], decisions: Collection[str]) -> Fault | None:
    """Why what the note refers to is not there; None where it is."""
    if typed.answer is not None:
        item = next((item for item in items if item.id == typed.answer), None)
        if item is None:
            known = ", ".join(item.id for item in items if item.kind in ANSWERED) or "none"
            return Fault(f"no open item {typed.answer!r} in this task", f"open questions: {known}")
        if item.kind not in ANSWERED:
            how = "passdown check shows that it is gone, or passdown review --waive"
            return Fault(f"{typed.answer} is {_a(item.kind)}: an answer does not close it", how)
    if typed.supersedes is not None and typed.supersedes not in decisions:
        known = ", ".join(decisions) or "none"
        return Fault(f"no decision {typed.supersedes!r} in this task", f"decisions: {known}")
    return None


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
