"""Pure decisions over values: no clock, no file, no network, no environment."""
