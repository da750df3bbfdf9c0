// An error's page: the reader's values, then the copy buttons, which copy what is then shown.

import { addButtons } from "./copy.js";
import { fill, parseValues } from "./values.js";

function show() {
  fill(document.querySelectorAll("var"), parseValues(location.hash));
}

show();
addEventListener("hashchange", show);
addButtons(document);
