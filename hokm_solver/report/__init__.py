"""Results written for people."""
