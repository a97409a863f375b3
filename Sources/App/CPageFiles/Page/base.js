export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const ui = new Proxy({}, { get: (_, id) => document.getElementById(id) });

export const app = { token: null };

// Throws a sentence if no answer comes in time.
export async function ask(path, { seconds = 15, read = (response) => response.text(), ...options } = {}) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  try {
    const response = await fetch(path, { ...options, signal: limit.signal });
    return { ok: response.ok, status: response.status, content: await read(response) };
  } catch {
    throw new Error(
      !limit.signal.aborted ? "The app does not answer."
        : `No answer came within ${seconds} s: the app is busy, or this browser has too many of its pages open.`
    );
  } finally { clearTimeout(timer); }
}
export async function readSettings() {
  const settings = JSON.parse((await ask("settings")).content);
  app.token = settings.token;
  return settings;
}
// An app that was started again has another token.
export async function post(path, body) {
  for (let attempt = 1; ; attempt++) {
    if (!app.token) await readSettings();
    const answer = await ask(path, { method: "POST", headers: { Authorization: `Bearer ${app.token}` }, body });
    if (answer.status !== 401 || attempt === 2) return answer;
    app.token = null;
  }
}
export function setSize(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}
// The browser reconnects by itself, and sends the ID of its last event.
export function follow(address, { open, lost, beat, event }) {
  const source = new EventSource(address);
  // Handle events after `open`.
  let opened;
  source.onopen = () => { opened = open().catch(() => {}); };
  source.onerror = async () => {
    await opened;
    lost();
  };
  source.addEventListener("beat", async ({ data }) => (await opened, beat(JSON.parse(data).atNs)));
  source.onmessage = async ({ data, lastEventId }) => {
    await opened;
    event(JSON.parse(data), Number(lastEventId));
  };
  return source;
}

// "iPhone 15 Pro" for `iphone-15-pro`; other texts as they are.
export function shownName(name) {
  if (!/^ip(hone|ad)/.test(name)) return name;
  const shown = (_, word) => ` ${/^(se|x.?)$/.test(word) ? word.toUpperCase()
    : word === "mini" ? word : word[0].toUpperCase() + word.slice(1)}`;
  return name.replace("ip", "iP").replace(/-(\w+)/g, shown);
}
export function setText(target, text) { if (target.textContent !== text) target.textContent = text; }
export function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  return name;
}
