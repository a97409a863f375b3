import { app, make, post } from "./events.js";

// What a person can do with the phone and its broadcast: a bar of icons with keys, and all events in groups.

// A drawing of 24 units for each icon.
const drawings = {
  start: "M7 4l13 8-13 8z", stop: "M5 5h14v14H5z",
  "rotate-left": "M4 4v6h6M4.5 10a8 8 0 1 1 1.5 7.5", "rotate-right": "M20 4v6h-6M19.5 10a8 8 0 1 0-1.5 7.5",
  lock: "M6 11h12v9H6zM8 11V7a4 4 0 0 1 8 0v4",
  call: "M5 4h4l2 5-3 2a11 11 0 0 0 5 5l2-3 5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2z",
  pause: "M8 5v14M16 5v14", indicator: "M12 4a8 8 0 1 0 .01 0zM12 9a3 3 0 1 0 .01 0z",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
};

// The phone is turned against the clock: the top of the picture goes from the upper edge of the buffer to the right one.
const turns = ["up", "right", "down", "left"];
function turned(orientation, by) { return turns[(Math.max(0, turns.indexOf(orientation)) + by + 4) % 4]; }

const runs = (state) => ["live", "paused", "suspended", "waiting for frames"].includes(state.phase);
const needsLive = (state) => (state.phase === "live" ? null : "The broadcast is not live.");
const needsBroadcast = (state) => (runs(state) ? null : "No broadcast runs.");

// Each has the word of its event, a key, a name, and the command; and why it is not possible now, `null` if it is.
const actions = [
  { id: "start", word: "consumer start", key: "s", name: "Start", reason: (s) => (runs(s) ? "A broadcast runs already." : null) },
  { id: "stop", word: "consumer stop", key: "x", name: "Stop", reason: needsBroadcast },
  { id: "rotate-left", word: "rotate", key: "ArrowLeft", name: "Rotate left", reason: needsLive,
    command: (s) => `rotate:${turned(s.orientation, 1)}` },
  { id: "rotate-right", word: "rotate", key: "ArrowRight", name: "Rotate right", reason: needsLive,
    command: (s) => `rotate:${turned(s.orientation, -1)}` },
  { id: "lock", word: "lock", key: "l", name: "Lock the phone", reason: needsBroadcast },
  { id: "call", word: "call", key: "c", name: "Phone call", pressed: (s) => s.isInCall, reason: needsBroadcast,
    command: (s) => (s.isInCall ? "hangup" : "call") },
  { id: "pause", word: "pause", key: "p", name: "Pause", pressed: (s) => s.phase === "paused",
    reason: needsBroadcast, command: (s) => (s.phase === "paused" ? "resume" : "pause") },
  { id: "indicator", word: "indicator", key: "i", name: "Tap the red indicator, and stop", reason: needsLive,
    command: () => "indicator:stop" },
  { id: "home", word: "app", key: "h", name: "Leave the app: after 5 s iOS suspends it, and this page with it, until 'producer control app:foreground'",
    reason: () => null, command: () => "app:background" },
  // Of a capture.
  { id: "home", word: "background", key: "h", name: "Leave the app", reason: () => null },
  { id: "start", word: "foreground", key: "s", name: "Return to the app", reason: () => null },
];

const groups = [
  ["Frames", ["resize", "still", "rate", "skip", "burst", "overlap", "pad-chroma", "repeat", "protected", "empty"]],
  ["Sound", ["call", "hangup", "route", "audio-ends", "audio-starts"]],
  ["Memory and time", ["allocate", "slow"]],
  ["Life", ["pause", "resume", "rotate", "lock", "unlock", "indicator", "annotate"]],
  ["App", ["app", "consumer stop", "background", "foreground", "interrupt"]],
  ["Connection", ["socket", "notifications"]],
  ["End", ["stop", "finish", "error", "replayd-crash", "crash"]],
];

export class Controls {
  // What the actions depend on.
  state = { phase: "", orientation: "up", isInCall: false };
  #buttons = [];

  // `element` finds an element by its id. `settings` has the events with what they expect, the devices and the patterns.
  constructor(element, settings) {
    this.element = element;
    app.token = settings.token;
    const words = new Set(settings.controls.map(({ usage }) => wordOf(usage)));
    for (const action of actions) if (words.has(action.word)) this.#addButton(action);
    addEventListener("keydown", (event) => this.#press(event));
    this.#addGroups(settings.controls);
    this.#addStart(settings);
    this.update();
  }

  update() {
    for (const { button, action } of this.#buttons) {
      const reason = action.reason(this.state);
      button.disabled = !!reason;
      button.title = `${action.name} (${keyName(action.key)})${reason ? `: ${reason}` : ""}`;
      if (action.pressed) button.setAttribute("aria-pressed", String(action.pressed(this.state)));
    }
  }

  // Sends a command, or with `start` what a start chooses.
  async send(command, start = null) {
    const outcome = this.element("outcome");
    const [path, body] = start ? ["start", JSON.stringify(start)] : ["control", command];
    outcome.className = "outcome";
    outcome.textContent = `${command} …`;
    let problem;
    try {
      const response = await post(path, body);
      problem = response.ok ? (await response.json()).problem : await response.text();
    } catch {
      problem = "The app does not answer.";
    }
    outcome.textContent = `${command}: ${problem ?? "done."}`;
    outcome.className = problem ? "outcome bad" : "outcome";
  }

  #addButton(action) {
    const button = make("button", { ariaLabel: action.name, onclick: () => this.#do(action) });
    button.dataset.action = action.id;
    button.innerHTML = `<svg viewBox="0 0 24 24"><path d="${drawings[action.id]}"/></svg>`;
    this.#buttons.push({ button, action });
    this.element("toolbar").append(button);
  }

  #do(action) {
    if (action.word === "consumer start") return this.#start();
    this.send(action.command ? action.command(this.state) : action.word);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const found = this.#buttons.find(({ action, button }) => action.key === event.key && !button.disabled);
    if (!found) return;
    event.preventDefault();
    this.#do(found.action);
  }

  #addGroups(controls) {
    const named = new Set(groups.flatMap(([, words]) => words));
    const others = controls.map(({ usage }) => wordOf(usage)).filter((word) => !named.has(word) && word !== "consumer start");
    for (const [title, words] of [...groups, ["More", others]]) {
      const events = words.flatMap((word) => controls.filter(({ usage }) => wordOf(usage) === word));
      if (events.length === 0) continue;
      const summary = make("summary", { textContent: title });
      this.element("controls").append(make("details", {}, summary, ...events.map((event) => this.#form(event))));
    }
  }

  #form({ usage, meaning, expects }) {
    const word = expects ? wordOf(usage) : usage;
    const value = expects ? field(expects, usage.slice(word.length + 1)) : make("span");
    if (expects) value.setAttribute("aria-label", usage);
    const form = make(
      "form", { className: "event" }, make("label", { textContent: word }), value,
      make("button", { textContent: "Do it", className: word === "crash" ? "bad" : "" }),
      make("p", { textContent: meaning }));
    form.dataset.event = usage;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(expects ? `${word}:${value.value || value.placeholder}` : word);
    });
    return form;
  }

  #addStart({ devices, patterns }) {
    const form = this.element("start");
    if (!devices?.length) { form.hidden = true; return; }
    const last = JSON.parse(localStorage.getItem("broadcast.start") ?? "{}");
    for (const [name, values] of [["device", devices], ["pattern", patterns]]) {
      const options = values.map((value) => new Option(value, value, false, value === last[name]));
      form.append(make("select", { name, ariaLabel: name }, new Option(`standard ${name}`, ""), ...options));
    }
    form.append(make("button", { textContent: "Start" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
  }

  #start() {
    const values = Object.fromEntries(new FormData(this.element("start")));
    localStorage.setItem("broadcast.start", JSON.stringify(values));
    this.send("consumer start", Object.fromEntries(Object.entries(values).filter(([, value]) => value)));
  }
}

function wordOf(usage) { return usage.split(":")[0]; }

function keyName(key) { return { ArrowLeft: "left arrow", ArrowRight: "right arrow" }[key] ?? key; }

// The range of numbers that are expected; `null` for a text.
function numbers(expects) {
  return expects.match(/number from ([\d.]+) to ([\d.]+)/)?.slice(1).map(Number) ?? null;
}

// The value that an empty field sends: an event expects it "such as VALUE", or "such as 'VALUE'".
export function example(expects, placeholder) {
  const range = numbers(expects);
  if (range) return String(Math.max(range[0], Math.min(range[1], 30)));
  if (expects.startsWith("seconds")) return "2s";
  const [, quoted, word] = expects.match(/(?:such as|as in) (?:'([^']+)'|([^' ,.]+))/) ?? [];
  return quoted ?? word ?? placeholder;
}

// The field for a value: a choice, a number, or a text with an example.
function field(expects, placeholder) {
  if (expects.startsWith("one of ")) {
    return make("select", {}, ...expects.slice(7).split(", ").map((value) => new Option(value)));
  }
  const input = make("input", { placeholder: example(expects, placeholder), title: `Expects ${expects}.` });
  const range = numbers(expects);
  if (!range) return input;
  const step = expects.startsWith("a whole") ? 1 : "any";
  return Object.assign(input, { type: "number", min: range[0], max: range[1], step });
}
