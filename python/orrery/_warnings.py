"""Hands warnings to the logger ``orrery``."""

from __future__ import annotations

from typing import Iterable


def log_warnings(warnings: Iterable[str]) -> None:
    """Logs each warning."""
    for warning in warnings:
        import logging  # few runs warn, and ``import orrery`` is to be quick

        logging.getLogger("orrery").warning("%s", warning)
