export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const app = { token: null };

// Sends to the app with its token. An app that was started again has another one.
export async function post(path, body) {
  for (let attempt = 1; ; attempt++) {
    app.token ??= (await (await fetch("settings")).json()).token;
    const response = await fetch(path, { method: "POST", headers: { Authorization: `Bearer ${app.token}` }, body });
    if (response.status !== 401 || attempt === 2) return response;
    app.token = null;
  }
}
export function setSize(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}
// Follows the events of the app. The browser connects again by itself, and names the last event it has.
export function follow(address, { open, lost, beat, event }) {
  const source = new EventSource(address);
  // What comes after the opening is taken after it, in order.
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
  const shown = (word) => {
    if (/^(se|x.?)$/.test(word)) return word.toUpperCase();
    return word === "mini" ? word : word[0].toUpperCase() + word.slice(1);
  };
  return name.replace("ip", "iP").replace(/-(\w+)/g, (_, word) => ` ${shown(word)}`);
}
export function setText(target, text) { if (target.textContent !== text) target.textContent = text; }
export function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  return name;
}
