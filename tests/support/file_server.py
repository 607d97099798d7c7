"""An MCP server with one tool that writes a file, on standard input and output; run as a program of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

TOOL = {
    "name": "write_file",
    "description": "Write a file",
    "inputSchema": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    },
}


def answer(method, params):
    """The result of one request."""
    if method == "initialize":
        about = {"name": "files", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        given = params["arguments"]
        Path(given["path"]).write_text(given["content"])
        return {"content": [{"type": "text", "text": "written"}]}
    return {}


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            result = answer(asked["method"], asked.get("params") or {})
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}) + "\n")
            sys.stdout.flush()
