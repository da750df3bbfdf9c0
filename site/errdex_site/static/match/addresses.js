// Where a record's page stands, as errdex_site/addresses.py has it.

const RESERVED = new Set(["-", "api", "codes", "data", "db", "docs", "e", "families", "healthz", "match", "oembed", "readyz", "repos", "search", "sitemaps", "static", "tags"]);
const WINDOWS = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i;

/** The page of one error, from the site's root. */
export function errorPath(repo, slug) {
  const slash = repo.indexOf("/");
  const owner = repo.slice(0, slash);
  const mark = RESERVED.has(owner.toLowerCase()) ? "~" : "";
  return `/${mark}${segment(owner)}/${segment(repo.slice(slash + 1))}/${segment(slug)}/`;
}

/** `#v=name=value&other=value`; empty without values. */
export function valuesFragment(values) {
  const pairs = Object.entries(values).map(([name, value]) => `${quote(name)}=${quote(value)}`);
  return pairs.length ? `#v=${pairs.join("&")}` : "";
}

/** Python's quote(text, safe=""). */
function quote(text) {
  const whole = text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return encodeURIComponent(whole).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function segment(name) {
  if (name === "-" || name.startsWith(".") || WINDOWS.test(name)) name = `~${name}`;
  return name.endsWith(".") ? `${name}~` : name;
}
