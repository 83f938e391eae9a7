"""The engine: what one seat can see, and the players and matches built on it."""
