// Connections to the server: JSON over HTTP, JSON lines and UCI over /ws, the event bus over /events.

const FIRST_DELAY = 500; // milliseconds before another try; doubled up to the longest
const LONGEST_DELAY = 8000;
const REFRESH = 1000; // milliseconds between two requests for what has changed
const TOKEN = "galapagos-session"; // in sessionStorage: a game continues when its page is reloaded

/** The JSON that the server returns for a path. Throws an Error with the server's message if it refuses. */
export async function fetchJson(path, options = {}) {
  const response = await fetch(path, options);
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  let message = text;
  try {
    message = JSON.parse(text).error ?? text;
  } catch {
    // it is plain text
  }
  throw new Error(message.trim() || response.statusText);
}

/** The same for a POST request with these data. */
export function postJson(path, data = {}) {
  return fetchJson(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
}

/** `sha256:` and the hash of a text; "" where the browser cannot hash, which it can over https and on its own machine. */
export async function sha256(text) {
  if (!crypto.subtle) return "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256:${hex(new Uint8Array(digest))}`;
}

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A function that calls `action` at most once per `milliseconds`, and always after the last call. */
function throttle(action, milliseconds) {
  let timer = null;
  let last = -Infinity;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      last = performance.now();
      action();
    }, Math.max(last + milliseconds - performance.now(), 0));
  };
}

/** A WebSocket whose frames are lines; the first line selects the protocol. send() works before it is open, too. */
export class LineSocket {
  constructor(onLine, onClose = () => {}) {
    this.socket = openSocket("/ws");
    this.waiting = [];
    this.socket.addEventListener("open", () => {
      for (const text of this.waiting) this.socket.send(text);
      this.waiting = null;
    });
    this.socket.addEventListener("message", (message) => onLine(message.data));
    this.socket.addEventListener("close", () => {
      this.waiting = null; // the socket may never have been open
      onClose();
    });
  }

  /** Send a line; false if the socket is closed. */
  send(text) {
    if (this.waiting) return this.waiting.push(text) > 0;
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(text);
    return true;
  }

  close() {
    this.socket.close();
  }
}

/** A request that the server has refused: `code` for programs, `message` for users, `data` as in the protocol. */
export class RequestError extends Error {
  constructor(line) {
    super(line.message);
    this.code = line.code;
    this.data = line.data ?? {};
  }
}

function lost() {
  return new RequestError({ code: "lost", message: "the connection to the server is lost" });
}

/**
 * A client of the JSON lines whose connection and session are resumed. Every line that answers no request is dispatched
 * as an event of its type: start, event, decide, end, observation, gap, match_event, error, ... with the line in
 * `detail`. "open" and "lost" report the state of the connection; "refused" has the RequestError of a hello, after which
 * hello() may try other fields.
 */
export class JsonClient extends EventTarget {
  /**
   * `page` distinguishes the sessions of one browser tab: "acquire", "protection", ... When a session is resumed,
   * `positions` returns where each game continues: [{game_id, from_seq}, ...]; without it the server sends every game
   * as it is now.
   */
  constructor(page, hello = {}, positions = () => undefined) {
    super();
    this.key = `${TOKEN}-${page}`;
    this.positions = positions;
    this.fields = { versions: [1], name: "browser", ...hello };
    this.next = 1;
    this.pending = new Map();
    this.delay = FIRST_DELAY;
    this.welcome = null;
    this.#open();
  }

  /** Send a request and return its answer. Throws RequestError if the server refuses it or the connection is lost. */
  request(type, fields = {}) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const isSent = this.socket.send(JSON.stringify({ type, id, ...fields }));
      if (isSent) this.pending.set(id, { resolve, reject });
      else reject(lost());
    });
  }

  /** Send a message that has no answer of its own, such as an action. */
  send(type, fields = {}) {
    this.socket.send(JSON.stringify({ type, ...fields }));
  }

  /** Resolves, once the session is open, to the running games that this tab had before it was reloaded. */
  ready() {
    this.opened ??= new Promise((resolve) =>
      this.addEventListener("open", (event) => resolve(event.detail), { once: true }));
    return this.opened;
  }

  /** Close for good; the session may still be resumed. */
  close() {
    this.isClosed = true;
    this.socket.close();
  }

  /** Send hello, with other fields if the server has refused the earlier ones. */
  async hello(fields = {}) {
    Object.assign(this.fields, fields);
    try {
      await this.#hello();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code !== "lost") this.dispatchEvent(new CustomEvent("refused", { detail: error }));
    }
  }

  /** Connect again with other fields of the hello. */
  reconnect(fields) {
    Object.assign(this.fields, fields);
    this.delay = 0;
    this.socket.close();
  }

  #open() {
    this.socket = new LineSocket((text) => this.#receive(JSON.parse(text)), () => this.#lose());
    this.hello();
  }

  async #hello() {
    const token = sessionStorage.getItem(this.key);
    this.welcome = await this.request("hello", this.fields);
    this.delay = FIRST_DELAY;
    let games = [];
    let session = this.welcome.resume;
    if (token) {
      try {
        ({ games } = await this.request("resume", { token, games: this.positions() }));
        session = token;
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        if (error.code !== "resume_expired") session = token; // the session still exists, but one of its games does not
      }
    }
    sessionStorage.setItem(this.key, session);
    this.dispatchEvent(new CustomEvent("open", { detail: games }));
  }

  #receive(line) {
    const request = this.pending.get(line.re);
    if (request && line.type !== "event" && (line.type !== "error" || !line.decide_again)) {
      this.pending.delete(line.re);
      if (line.type === "error") request.reject(new RequestError(line));
      else request.resolve(line);
    } else if (line.type === "ping") {
      this.send("pong", { re: line.id });
    } else {
      if (line.type === "bye" && line.reason === "taken_over") this.isClosed = true; // by this page in another tab
      this.dispatchEvent(new CustomEvent(line.type, { detail: line }));
    }
  }

  #lose() {
    if (this.isClosed) return;
    this.dispatchEvent(new CustomEvent("lost"));
    for (const { reject } of this.pending.values()) reject(lost());
    this.pending.clear();
    setTimeout(() => this.#open(), this.delay);
    this.delay = nextDelay(this.delay);
  }
}

/**
 * The event bus: the current states, then each change, also those that were missed while the connection was down. Each
 * line of the topics and of all topics below them is dispatched as an event of its type (generation, progress, challenge, standings, line,
 * presence, retired, gap) with the line in `detail`; "open" is dispatched at every connection.
 */
export class EventSocket extends EventTarget {
  constructor(...topics) {
    super();
    this.topics = topics;
    this.seen = null; // the number of the last event
    this.delay = FIRST_DELAY;
    this.#open();
  }

  /**
   * Call `refresh` after an event of one of these types, whenever one may have been missed, and when a hidden page becomes
   * visible: at most once a second, and not while the page is hidden. Returns a function that requests a call, too.
   */
  refreshOn(types, refresh) {
    const ask = throttle(() => document.hidden || refresh(), REFRESH);
    for (const type of [...types, "open", "gap"]) this.addEventListener(type, ask);
    document.addEventListener("visibilitychange", ask);
    return ask;
  }

  #open() {
    const query = new URLSearchParams({ topics: this.topics.join(",") });
    if (this.seen !== null) query.set("after", this.seen);
    const socket = openSocket(`/events?${query}`);
    socket.addEventListener("open", () => {
      this.delay = FIRST_DELAY;
      this.dispatchEvent(new CustomEvent("open"));
    });
    socket.addEventListener("message", (message) => this.#receive(JSON.parse(message.data)));
    socket.addEventListener("close", () => {
      setTimeout(() => this.#open(), this.delay);
      this.delay = nextDelay(this.delay);
    });
  }

  #receive(line) {
    if (line.seq !== undefined) this.seen = line.seq;
    this.dispatchEvent(new CustomEvent(line.type, { detail: line }));
  }
}

/** A WebSocket to this server. */
function openSocket(path) {
  return new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`, "galapagos.v1");
}

function nextDelay(delay) {
  return Math.min(Math.max(2 * delay, FIRST_DELAY), LONGEST_DELAY);
}
