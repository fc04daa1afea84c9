// A genome that plays, over the Universal Chess Interface: one connection, opened when there is something to think.

import { Line } from "../../shared/lines.js";

const TRIES = 3; // connections that may be lost during one thought
const AGAIN = 1000; // milliseconds before the next try

export class Engine {
  /** `options` are UCI's, by name; `told(info)` hears of every depth: {depth, cents, mate, nodes, line}. */
  constructor(options, told) {
    this.options = options;
    this.told = told;
    this.line = null;
    this.asked = []; // a thought for each `go`, in their order; UCI answers each with one bestmove
  }

  /** The move, as UCI has it, in the game {start, moves} within a limit such as `movetime 1000`; null if it is stopped. */
  think({ start, moves }, limit) {
    const position = `position fen ${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
    return new Promise((resolve, reject) => {
      this.#go({ resolve, reject, text: [position, `go ${limit}`], tries: TRIES });
    });
  }

  /** Nobody wants to know any more. */
  stop() {
    for (const thought of this.asked) {
      thought.resolve?.(null);
      thought.resolve = null;
    }
    if (this.asked.length) this.line.say("stop");
  }

  close() {
    this.stop();
    this.asked = [];
    this.line?.close();
    this.line = null;
  }

  #go(thought) {
    if (!this.line) this.#open();
    this.asked.push(thought);
    for (const text of thought.text) this.line.say(text);
  }

  #open() {
    const line = new Line(
      (text) => line === this.line && this.#hear(text),
      () => line === this.line && this.#lose(),
    );
    this.line = line;
    this.refusal = "";
    line.say("uci");
    for (const [name, value] of Object.entries(this.options)) line.say(`setoption name ${name} value ${value}`);
  }

  #hear(text) {
    const words = text.split(" ");
    const thought = this.asked[0];
    if (words[0] === "bestmove") {
      this.asked.shift();
      thought?.resolve?.(words[1]);
    } else if (words[0] === "info" && words[1] === "depth" && thought?.resolve) {
      this.told(read(words));
    } else if (!/^(id|option|uciok|readyok|info)\b/.test(text)) {
      this.refusal = text; // such as: too many connections
    }
  }

  #lose() {
    this.line = null;
    const wanted = this.asked.filter((thought) => thought.resolve);
    this.asked = [];
    for (const thought of wanted) {
      if (this.refusal || --thought.tries <= 0) {
        thought.reject(new Error(this.refusal || "the connection to the house is lost"));
      } else {
        setTimeout(() => (thought.resolve ? this.#go(thought) : null), AGAIN);
      }
    }
  }
}

/** `info depth 9 score cp 31 time 200 nodes 9000 nps 45000 pv e2e4 e7e5` as an object. */
function read(words) {
  const after = (name) => words[words.indexOf(name) + 1];
  const at = words.indexOf("pv");
  const value = Number(words[words.indexOf("score") + 2]);
  return {
    depth: Number(after("depth")),
    cents: after("score") === "cp" ? value : null,
    mate: after("score") === "mate" ? value : null,
    nodes: words.includes("nodes") ? Number(after("nodes")) : 0,
    line: at < 0 ? [] : words.slice(at + 1),
  };
}
