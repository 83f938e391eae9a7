"""``python -m hokm_solver``: the command line."""

from hokm_solver.cli import main

main(prog_name="hokm-solver")
