"""Measured comparisons, run by hand: `python -m bench --help`."""
