// The JSON lines of the house: questions and their answers, news of games, and a connection that comes back.

import { Line } from "./lines.js";

const FIRST_WAIT = 500; // milliseconds before another try; doubled until the longest
const LONGEST_WAIT = 8000;
const TOKEN = "galapagos-session"; // a game goes on when its page is loaded again

/** The house says no: `code` for programs, `message` for people, `data` as the protocol has it. */
export class Refusal extends Error {
  constructor(line) {
    super(line.message);
    this.code = line.code;
    this.data = line.data ?? {};
  }
}

/**
 * A client of the house. Every line that is no answer is dispatched as an event of its type: start, event, decide,
 * end, observation, gap, match_event, error, ... with the line in `detail`. "open" and "lost" tell of the connection,
 * "refused" of a greeting that the house does not return, with the refusal in `detail`; greet() may try another one.
 */
export class House extends EventTarget {
  /**
   * `room` tells the sessions of one browser tab apart: "acquire", "protection", ... When a session goes on,
   * `positions` says from where: [{game_id, from_seq}, ...]; without it every game is told as it stands.
   */
  constructor(room, hello = {}, positions = () => undefined) {
    super();
    this.key = `${TOKEN}-${room}`;
    this.positions = positions;
    this.hello = { versions: [1], name: "browser", ...hello };
    this.next = 1;
    this.asked = new Map();
    this.wait = FIRST_WAIT;
    this.welcome = null;
    this.#open();
  }

  /** The answer to a question. Refusal if there is none to be had. */
  ask(type, fields = {}) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.line.say(JSON.stringify({ type, id, ...fields }));
    });
  }

  /** A line that wants no answer of its own, such as an action. */
  say(type, fields = {}) {
    this.line.say(JSON.stringify({ type, ...fields }));
  }

  /** Resolves to the games that go on, once the house has greeted us: those of this tab before it was loaded again. */
  ready() {
    this.greeted ??= new Promise((resolve) => this.addEventListener("open", (event) => resolve(event.detail), { once: true }));
    return this.greeted;
  }

  /** Part for good; the session may still be resumed. */
  close() {
    this.isClosed = true;
    this.line.close();
  }

  /** Say hello, with other words than before if the house did not like those. */
  async greet(hello = {}) {
    Object.assign(this.hello, hello);
    try {
      await this.#greet();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (refusal.code !== "lost") this.dispatchEvent(new CustomEvent("refused", { detail: refusal }));
    }
  }

  /** Begin anew, as somebody else. */
  reconnect(hello) {
    Object.assign(this.hello, hello);
    this.wait = 0;
    this.line.close();
  }

  #open() {
    this.line = new Line((text) => this.#hear(JSON.parse(text)), () => this.#lose());
    this.greet();
  }

  async #greet() {
    const token = sessionStorage.getItem(this.key);
    this.welcome = await this.ask("hello", this.hello);
    this.wait = FIRST_WAIT;
    let games = [];
    let session = this.welcome.resume;
    if (token) {
      try {
        const resumed = await this.ask("resume", { token, games: this.positions() });
        games = resumed.games;
        session = token;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        if (refusal.code !== "resume_expired") session = token; // it is ours, but a game is gone
      }
    }
    sessionStorage.setItem(this.key, session);
    this.dispatchEvent(new CustomEvent("open", { detail: games }));
  }

  #hear(line) {
    const asked = this.asked.get(line.re);
    if (asked && line.type !== "event" && (line.type !== "error" || !line.decide_again)) {
      this.asked.delete(line.re);
      if (line.type === "error") asked.reject(new Refusal(line));
      else asked.resolve(line);
    } else if (line.type === "ping") {
      this.say("pong", { re: line.id });
    } else {
      if (line.type === "bye" && line.reason === "taken_over") this.isClosed = true; // by this page in another tab
      this.dispatchEvent(new CustomEvent(line.type, { detail: line }));
    }
  }

  #lose() {
    if (this.isClosed) return;
    this.dispatchEvent(new CustomEvent("lost"));
    for (const { reject } of this.asked.values()) reject(new Refusal({ code: "lost", message: "the connection is lost" }));
    this.asked.clear();
    setTimeout(() => this.#open(), this.wait);
    this.wait = Math.min(Math.max(this.wait * 2, FIRST_WAIT), LONGEST_WAIT);
  }
}
