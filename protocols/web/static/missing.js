// The page for an address that does not exist.

import { h, show } from "./dom.js";
import { PAGES, initPage } from "./page.js";

show(initPage(),
  h("h1", {}, "There is no such page"),
  h("p", {}, "The address may have been mistyped, or the page may have moved. ", h("a", { href: "/" }, "Go to the lobby"), ", or to one of these pages:"),
  h("ul", {}, PAGES.map(([path, name, about]) => h("li", {}, h("a", { href: path }, name), about && `: ${about}`))));
