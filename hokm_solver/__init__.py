"""Double-dummy solver, trump adviser and engine for Hokm (حکم), the Iranian card game."""
