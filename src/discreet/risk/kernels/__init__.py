"""Compiled code on arrays that only the room of risk needs."""
