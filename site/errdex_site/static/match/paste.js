// The paste box: asks the worker while one types or pastes, and shows the newest answer only.

import { answerElements, summary } from "./show.js";

const PAUSE_MS = 180;
const LARGEST_FILE = 4_000_000;

/** Bring the box of this page to life; `here` is this script's address. */
export function start(here) {
  const form = document.getElementById("paste");
  const box = document.getElementById("text");
  const place = document.getElementById("answer");
  if (!form || !box || !place || form.method === "post") return;
  new PasteBox(form, box, place, here).listen();
}

function whenIdle(act) {
  const soon = () => (globalThis.requestIdleCallback ?? setTimeout)(act);
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}

class PasteBox {
  #form;
  #box;
  #place;
  #here;
  #root;
  #worker = null;
  #asked = 0;
  #shown = "";
  #written = "";
  #timer = 0;
  #status;
  constructor(form, box, place, here) {
    this.#form = form;
    this.#box = box;
    this.#place = place;
    this.#here = here;
    this.#root = new URL("..", here).href;
    // the list may be long, so one sentence is read out in its place
    this.#status = document.createElement("p");
    this.#status.className = "hint";
    this.#status.setAttribute("role", "status");
    place.removeAttribute("aria-live");
    place.before(this.#status);
  }

  listen() {
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    // the worker and the root of the index are fetched before the paste, when the page is at rest
    whenIdle(() => this.#start());
    this.#box.addEventListener("focus", () => this.#start(), { once: true });
    this.#form.addEventListener("pointerenter", () => this.#start(), { once: true });
    this.#box.addEventListener("paste", () => setTimeout(() => this.#ask(), 0));
    this.#box.addEventListener("input", () => this.#soon());
    this.#box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#ask();
    });
    for (const kind of ["dragover", "drop"]) {
      this.#form.addEventListener(kind, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        if (kind === "drop") this.#drop(event.dataTransfer.files[0]);
      });
    }
    addEventListener("hashchange", () => this.#fromAddress());
    if (document.activeElement === this.#box) this.#start();
    this.#fromAddress();
    if (this.#box.value.trim()) this.#ask();
  }

  /** `#q=…` never leaves the page; `?q=…` is for links and search boxes. */
  #fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1)).get("q") ?? new URLSearchParams(location.search).get("q");
    if (asked && asked !== this.#box.value) {
      this.#box.value = asked;
      this.#ask();
    }
  }

  async #drop(file) {
    if (!file) return;
    if (file.size > LARGEST_FILE) {
      this.#say(`That file is larger than ${LARGEST_FILE / 1e6} MB. Paste the part of it that holds the error.`);
      return;
    }
    this.#box.value = await file.text();
    this.#ask();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), PAUSE_MS);
  }

  #ask() {
    clearTimeout(this.#timer);
    const text = this.#box.value;
    if (text === this.#shown) return;
    this.#shown = text;
    this.#asked += 1;
    if (!text.trim()) {
      this.#place.replaceChildren();
      this.#say("");
      return;
    }
    this.#place.setAttribute("aria-busy", "true");
    this.#start().postMessage({ id: this.#asked, text });
  }

  #start() {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(this.#here, { type: "module", name: "errdex" });
    this.#worker.addEventListener("message", ({ data }) => this.#show(data));
    this.#worker.addEventListener("error", () => {
      this.#worker = null;
      this.#show({ id: this.#asked, problem: "the matching script could not be loaded" });
    });
    return this.#worker;
  }

  #show(answer) {
    if (answer.id !== this.#asked) return; // overtaken by newer text
    if (answer.problem) this.#shown = "";
    const written = JSON.stringify([answer.id, answer.problem, answer.matches, answer.secret, answer.neighbours ?? []]);
    if (written !== this.#written) {
      this.#written = written; // else nothing has come to the early answer, and the focus stays
      this.#place.replaceChildren(...answerElements(this.#box.value, answer, this.#root));
      this.#say(summary(answer), "unseen"); // the answer itself is what is seen
    }
    if (!answer.early) this.#place.removeAttribute("aria-busy");
    this.#place.dispatchEvent(new CustomEvent(answer.early ? "found" : "answered", { bubbles: true }));
  }

  #say(sentence, how = "hint") {
    this.#status.className = how;
    this.#status.textContent = sentence;
  }
}
