"""Secrets out of text: precise rules, one stable marker a value."""

from __future__ import annotations

from passdown.rules.redact.redactor import Redactor

__all__ = ["Redactor"]
