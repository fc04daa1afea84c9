// The page for an address that does not exist.

import { h } from "./dom.js";
import { PAGES, initPage } from "./page.js";

initPage().append(
  h("ul", {}, PAGES.map(([path, name, about]) => h("li", {}, h("a", { href: path }, name), about && `: ${about}`))));
