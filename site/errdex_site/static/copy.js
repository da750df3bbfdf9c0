// Copy buttons beside everything that is marked `data-copy`. Without scripts there are none.

const LABELS = {
  message: "Copy message",
  link: "Copy link",
  fix: "Copy fix",
  snippet: "Copy snippet",
  code: "Copy code",
};

/** Markdown for an issue: the message as a link to its page. */
export function markdownLink(message, address) {
  const text = message.replace(/\s+/g, " ").trim().replace(/[\\`*_[\]<>]/g, "\\$&");
  return `[${text.length > 200 ? `${text.slice(0, 199)}…` : text}](${address})`;
}

/** What is copied of an element: its text, without the wrong half of a diff. */
export function textOf(element) {
  if (element.dataset.copy === "link") return element.href;
  const copy = element.cloneNode(true);
  for (const wrong of copy.querySelectorAll("del, button")) wrong.remove();
  return copy.textContent.replace(/\n+$/, "").trimStart();
}

/** Put the buttons in. `copy` takes a text and tells whether it could be copied. */
export function addButtons(root, copy = toClipboard) {
  const status = root.createElement("p");
  status.className = "unseen";
  status.setAttribute("role", "status");
  root.body.append(status);
  const say = (button, label, done) => {
    status.textContent = done ? `Copied: ${label.replace(/^Copy /, "")}` : "The browser did not allow it";
    button.textContent = done ? "Copied" : "Not copied";
    setTimeout(() => (button.textContent = label), 1500);
  };
  const make = (label, text) => {
    const button = root.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = label;
    button.addEventListener("click", async () => say(button, label, await copy(text())));
    return button;
  };
  for (const element of root.querySelectorAll("[data-copy]")) {
    place(element, make(LABELS[element.dataset.copy] ?? "Copy", () => textOf(element)));
  }
  const link = root.querySelector("#short");
  const message = root.querySelector("h1.message");
  if (link && message) {
    link.parentNode.append(make("Copy Markdown link", () => markdownLink(textOf(message), link.href)));
  }
}

function place(element, button) {
  const share = element.ownerDocument.querySelector(".share");
  if (element.matches("h1, a") && share) share.append(button);
  else if (element.matches("li")) element.prepend(button);
  else around(element).append(button);
}

// A button inside a box that scrolls would scroll away with it, or lie over the code.
function around(element) {
  const inner = element.closest(".numbered") ?? element;
  const box = element.ownerDocument.createElement("div");
  box.className = "copyable";
  inner.replaceWith(box);
  box.append(inner);
  return box;
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
