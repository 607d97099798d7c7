"""The MCP server for agents: seven tools over the verbs that an agent may run; needs the extra ``mcp``."""
