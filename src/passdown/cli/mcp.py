"""``passdown mcp``: the MCP server for agents, on standard input and output."""

from __future__ import annotations

import click

from passdown import __version__
from passdown.errors import PassdownError


@click.command(epilog="Example:  passdown mcp")
def mcp() -> None:
    """Serve the agent's tools: get_packet, read_back, note, ask_widen, check_path, run_check, status.

    An agent's client starts it in the repository: claude mcp add passdown -- passdown mcp. Needs the extra:
    pip install "passdown[mcp]".
    """
    try:
        from passdown.mcp.server import server
    except ModuleNotFoundError as error:
        raise PassdownError(
            f"the MCP server needs a package that is not installed: {error.name}", 'pip install "passdown[mcp]"'
        ) from error
    server(__version__).run()
