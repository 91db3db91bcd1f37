"""Compiled loops: arrays and words of chance go in, arrays come out; no noun is known here."""
