// Asks `hokm-solver engine` for a trump and for two cards: the engine's line protocol from Node, without packages.
// Run it with no arguments, or with the command that starts the engine: node client.js hokm-solver engine --level 6
"use strict";

const { spawn } = require("node:child_process");
const readline = require("node:readline");

const [program, ...options] = process.argv.length > 2 ? process.argv.slice(2) : ["hokm-solver", "engine"];
const engine = spawn(program, options, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map(); // from the id of a request to what is done with its reply

readline.createInterface({ input: engine.stdout }).on("line", (line) => {
  const reply = JSON.parse(line);
  const { resolve, reject } = waiting.get(reply.id);
  waiting.delete(reply.id);
  if (reply.error) reject(new Error(reply.error.message));
  else resolve(reply);
});
engine.on("close", () => waiting.forEach(({ reject }) => reject(new Error("the engine has ended"))));

let questions = 0;
function ask(command, fields = {}) {
  const id = ++questions;
  engine.stdin.write(JSON.stringify({ id, command, ...fields }) + "\n");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function main() {
  const five = ["AH", "QH", "9H", "KC", "4D"];
  const hand = [...five, "JS", "3S", "2S", "AD", "5D", "2D", "7C", "4C"];
  const limits = { time_ms: 50 };
  const hello = await ask("hello");
  console.log("engine:", hello.name, "protocol", hello.protocol);
  const { trump } = await ask("choose_trump", { cards: five, hakem: "N", limits });
  console.log("trump:", trump);
  const view = { seat: "N", hakem: "N", trump, hand, first_five: five, limits };
  const plays = ["KC", "3C", "2H", "AC", "4S", "5S"];
  // Both are sent at once; replies find their way back by their ids.
  const [lead, later] = await Promise.all([ask("choose_card", view), ask("choose_card", { ...view, plays })]);
  console.log("lead:", lead.card);
  console.log("next card:", later.card, "of", later.candidates.map((candidate) => candidate.card).join(" "));
  engine.stdin.end(); // the end of the input ends the engine
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
