"""Builders that tests share: real repositories, real processes, real-format sessions."""
