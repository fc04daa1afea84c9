// A line to the house: a WebSocket on which every frame is a line. Its first line decides what is spoken.

/** A line that hears(text) is called for, and closed() once it is over. say(text) works before it is open, too. */
export class Line {
  constructor(heard, closed = () => {}) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/ws`, "galapagos.v1");
    this.waiting = [];
    this.socket.addEventListener("open", () => {
      for (const text of this.waiting) this.socket.send(text);
      this.waiting = null;
    });
    this.socket.addEventListener("message", (message) => heard(message.data));
    this.socket.addEventListener("close", closed);
  }

  say(text) {
    if (this.waiting) this.waiting.push(text);
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  close() {
    this.socket.close();
  }
}
