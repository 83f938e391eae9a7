"""Asks `hokm-solver engine` for a trump and for a card: the engine's line protocol from Python, with no package at all.

Run it with no arguments, or with the command that starts the engine: python client.py hokm-solver engine --level 6
"""

import json
import subprocess
import sys

FIVE = ["AH", "QH", "9H", "KC", "4D"]
HAND = [*FIVE, "JS", "3S", "2S", "AD", "5D", "2D", "7C", "4C"]


class Engine:
    """A running engine that is asked one question after another."""

    def __init__(self, command):
        """Start it."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
        self.process = subprocess.Popen(command, **pipes)
        self.questions = 0

    def ask(self, command, **fields):
        """Send a request and return its reply."""
        self.questions += 1
        request = {"id": self.questions, "command": command, **fields}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the engine has ended")
        reply = json.loads(line)
        if "error" in reply:
            sys.exit(reply["error"]["message"])
        return reply

    def close(self):
        """End it: it ends with its input."""
        self.process.stdin.close()
        self.process.wait()


engine = Engine(sys.argv[1:] or ["hokm-solver", "engine"])
hello = engine.ask("hello")
print("engine:", hello["name"], "protocol", hello["protocol"])
limits = {"time_ms": 50}
trump = engine.ask("choose_trump", cards=FIVE, hakem="N", limits=limits)["trump"]
print("trump:", trump)
view = {"seat": "N", "hakem": "N", "trump": trump, "hand": HAND, "first_five": FIVE}
print("lead:", engine.ask("choose_card", **view, plays=[], limits=limits)["card"])
later = engine.ask("choose_card", **view, plays=["KC", "3C", "2H", "AC", "4S", "5S"], limits=limits)
print("next card:", later["card"], "of", [candidate["card"] for candidate in later["candidates"]])
engine.close()
