"""Names for the identifiers, so that one cannot be passed for another."""

from __future__ import annotations

from typing import NewType

TaskId = NewType("TaskId", str)
"""Random, 16 hex digits."""
RunId = NewType("RunId", str)
"""Random, 16 hex digits."""
WriterId = NewType("WriterId", str)
"""sha256 of a clone's raw Ed25519 public key, first 32 hex digits."""
StatementId = NewType("StatementId", str)
"""sha256 of a statement's DSSE pre-authentication bytes, 64 hex digits; a packet's is its digest."""
BoundaryDigest = NewType("BoundaryDigest", str)
"""sha256 over a boundary's meaning, 64 hex digits."""
TreeId = NewType("TreeId", str)
"""A git tree: 40 or 64 hex digits."""
BlobId = NewType("BlobId", str)
"""A git blob: 40 or 64 hex digits."""
CommitId = NewType("CommitId", str)
"""A git commit: 40 or 64 hex digits."""
