// A new element with these properties and children.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// A number for people; a dash for one that is not known.
export const number = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : "–");

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

// Gives a canvas a size in pixels, and its shape on the page.
export function setSize(canvas, width, height) {
  if (canvas.width === width && canvas.height === height) return;
  [canvas.width, canvas.height] = [width, height];
  canvas.style.setProperty("--ratio", width / height);
}

// Follows the events of the app. The browser connects again by itself, and names the last event it has.
export function follow(address, { open, lost, event }) {
  const source = new EventSource(address);
  source.onopen = open;
  source.onerror = lost;
  source.onmessage = (message) => event(JSON.parse(message.data), Number(message.lastEventId));
  return source;
}
