"""The variable that holds CI's key: a check never sees it."""

from __future__ import annotations

CI_KEY = "PASSDOWN_CI_KEY"
"""Holds the private key itself, as ssh-keygen wrote it."""
