// The event bus of the house: what is true now, then what happens, and what was missed while the line was down.

const FIRST_WAIT = 500; // milliseconds before another try; doubled until the longest
const LONGEST_WAIT = 8000;

/**
 * Listens to topics and all below them. Each line is dispatched as an event of its type (generation, challenge,
 * standings, line, presence, gap) with the line in `detail`; "open" tells that the line is up.
 */
export class Events extends EventTarget {
  constructor(...topics) {
    super();
    this.topics = topics;
    this.seen = null;
    this.wait = FIRST_WAIT;
    this.#open();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = new URLSearchParams({ topics: this.topics.join(",") });
    if (this.seen !== null) query.set("after", this.seen);
    const socket = new WebSocket(`${scheme}//${location.host}/events?${query}`, "galapagos.v1");
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.dispatchEvent(new CustomEvent("open"));
    });
    socket.addEventListener("message", (message) => this.#hear(JSON.parse(message.data)));
    socket.addEventListener("close", () => {
      setTimeout(() => this.#open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }

  #hear(line) {
    if (line.seq !== undefined) this.seen = line.seq;
    this.dispatchEvent(new CustomEvent(line.type, { detail: line }));
  }
}
