// The game on paper: its FEN and PGN, to copy and to save.

import { h } from "../shared/element.js";
import { complain } from "../shared/page.js";

export class Papers {
  constructor() {
    this.fen = h("input", { readonly: true, class: "code" });
    this.pgn = h("textarea", { readonly: true, rows: 6, class: "code" });
    this.save = h("a", { download: "galapagos.pgn" }, "Save the PGN");
    this.element = h("details", { class: "card papers" }, h("summary", {}, "FEN and PGN"),
      h("label", { class: "wide" }, "FEN", this.fen),
      h("label", { class: "wide" }, "PGN", this.pgn),
      h("div", { class: "row" }, h("button", { onclick: () => copied(this.fen) }, "Copy the FEN"),
        h("button", { onclick: () => copied(this.pgn) }, "Copy the PGN"), this.save));
  }

  show(fen, pgn) {
    this.fen.value = fen;
    this.pgn.value = pgn;
    this.save.href = `data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(pgn)}`;
  }
}

/** The clipboard belongs to secure pages only; elsewhere the text is at least selected. */
async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    complain("It is selected; copy it with Ctrl-C.");
  }
}
