"""OpenAI Codex: where its rollouts lie and what their records mean."""
