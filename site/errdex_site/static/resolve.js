// The page for addresses where nothing stands: a short link is looked up and followed.

/** The record id in a path below the site's root, `e/…`; null when it is no short link. */
export function shortId(path) {
  const hit = /^\/?e\/(?:err-)?([0-9a-f]{16})\/?$/i.exec(path);
  return hit && hit[1].toLowerCase();
}

/** The file that knows where the id leads, below the site's root. */
export function lookupFile(id) {
  return `e/ids/${id.slice(0, 2)}.json`;
}

/** Where the id leads, below the site's root; null when the file does not know it. */
export function target(id, found) {
  const path = Object.hasOwn(found, id) ? found[id] : null;
  return typeof path === "string" && /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) ? `${path}/` : null;
}

async function resolve() {
  const root = new URL("../", import.meta.url);
  const id = location.pathname.startsWith(root.pathname) && shortId(location.pathname.slice(root.pathname.length));
  if (!id) return;
  const line = document.querySelector("#resolving");
  line.textContent = "Looking the short link up …";
  const answer = await fetch(new URL(lookupFile(id), root));
  const path = answer.ok ? target(id, await answer.json()) : null;
  if (path) location.replace(new URL(path, root).href + location.hash);
  else line.textContent = `No error has the id ${id}.`;
}

if (globalThis.document) await resolve();
