"""Measurements of speed, printed as ratios. Each module is a command: ``python -m benchmarks.solve_vs_dds``."""
