// A genome that plays, analyses and explains positions, over UCI.

import { LineSocket } from "./client.js";

const TRIES = 3; // connections that may be lost during one search
const RETRY = 1000; // milliseconds before the next try
const LOST = "The connection to the server is lost.";
const LAST_OF_TABLE = "As the engine"; // the beginning of the last line of UCI's eval

/** A genome that plays, over UCI: one connection, opened with the first search. */
export class Engine {
  /** `options` are UCI's, by name; `onInfo(info)` is called for every line of every depth: {depth, place, cents, mate, nodes, line}. */
  constructor(options, onInfo) {
    this.options = options;
    this.onInfo = onInfo;
    this.socket = null;
    this.searches = []; // one for each `go`, in order; UCI answers each with one bestmove
    this.explanations = []; // one for each `eval`, in order: {resolve, reject, lines}
  }

  /** Search the game {start, moves} within a limit such as `movetime 1000`; resolves to UCI's move, or null if stopped. */
  think({ start, moves }, limit) {
    const position = `position fen ${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
    return new Promise((resolve, reject) => {
      const search = { resolve, reject, lines: [position, `go ${limit}`], tries: TRIES };
      this.searches.push(search);
      if (this.socket) this.#send(search);
      else this.#open();
    });
  }

  /** The score of each gene for the positions of these FENs, as gene tables (chess_genes.js); the searches of before are ended. */
  explain(fens) {
    this.stop();
    return Promise.all(fens.map((fen) => new Promise((resolve, reject) => {
      this.explanations.push({ resolve, reject, lines: [] });
      if (!this.socket) this.#open();
      for (const line of [`position fen ${fen}`, "eval"]) this.socket.send(line);
    })));
  }

  /** End all searches without a move. */
  stop() {
    for (const search of this.searches) {
      search.resolve?.(null);
      search.resolve = null;
    }
    if (this.searches.length) this.socket?.send("stop");
  }

  close() {
    this.stop();
    this.searches = [];
    this.explanations = [];
    this.socket?.close();
    this.socket = null;
  }

  #send(search) {
    for (const line of search.lines) this.socket.send(line);
  }

  /** Connect, and start the searches that are still wanted. */
  #open() {
    const socket = new LineSocket(
      (text) => socket === this.socket && this.#receive(text),
      () => socket === this.socket && this.#lose(),
    );
    this.socket = socket;
    this.refusal = "";
    socket.send("uci");
    for (const [name, value] of Object.entries(this.options)) socket.send(`setoption name ${name} value ${value}`);
    this.searches = this.searches.filter((search) => search.resolve);
    for (const search of this.searches) this.#send(search);
  }

  #receive(text) {
    const words = text.split(" ");
    const search = this.searches[0];
    if (words[0] === "bestmove") {
      this.searches.shift();
      search?.resolve?.(words[1]);
    } else if (words[0] === "info" && words.includes("score") && search?.resolve) {
      this.onInfo(parseInfo(words));
    } else if (this.explanations.length && !/^(id|option|uciok|readyok|info)\b/.test(text)) {
      const [{ resolve, lines }] = this.explanations;
      lines.push(text);
      if (text.startsWith(LAST_OF_TABLE)) {
        this.explanations.shift();
        resolve(lines);
      }
    } else if (!/^(id|option|uciok|readyok|info)\b/.test(text)) {
      this.refusal = text; // such as: too many connections
    }
  }

  #lose() {
    this.socket = null;
    for (const { reject } of this.explanations.splice(0)) reject(new Error(this.refusal || LOST));
    const isWanted = (search) => search.resolve && !this.refusal && --search.tries > 0;
    const [again, failed] = [[], []];
    for (const search of this.searches) (isWanted(search) ? again : failed).push(search);
    this.searches = again;
    for (const search of failed) search.reject(new Error(this.refusal || LOST));
    if (again.length) setTimeout(() => this.#retry(), RETRY);
  }

  /** Connect again, unless the searches have been stopped or another search has connected already. */
  #retry() {
    if (!this.socket && this.searches.some((search) => search.resolve)) this.#open();
  }
}

/** `info depth 9 score cp 31 time 200 nodes 9000 nps 45000 pv e2e4 e7e5` as an object. */
function parseInfo(words) {
  const after = (name) => words[words.indexOf(name) + 1];
  const at = words.indexOf("pv");
  const value = Number(words[words.indexOf("score") + 2]);
  return {
    depth: Number(after("depth")),
    place: words.includes("multipv") ? Number(after("multipv")) : 1, // of the line among the best ones
    cents: after("score") === "cp" ? value : null,
    mate: after("score") === "mate" ? value : null,
    nodes: words.includes("nodes") ? Number(after("nodes")) : 0,
    line: at < 0 ? [] : words.slice(at + 1),
  };
}
