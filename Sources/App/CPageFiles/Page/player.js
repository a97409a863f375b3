// The page as a player: one time for pictures, verdict, figures, film strip, events and plots.
import { app, follow, make, save, setText, shownName } from "./events.js";
import { Picture } from "./picture.js";
import { insert, Run } from "./run.js";
import { Film } from "./film.js";
import { figuresOf, limitText, otherPlots, Plots, valueText } from "./figures.js";
import { Actions } from "./actions.js";
import { Calls } from "./calls.js";

const element = (id) => document.getElementById(id);
const [narrow, wide] = ["(max-width: 759px)", "(min-width: 1680px)"].map((query) => matchMedia(query));
const settings = await readSettings();
const run = new Run();
run.begin(settings);
const captured = new Picture(element("captured"), "frames", 540);
const entering = new Picture(element("entering"), "frames?of=call");
async function readSettings() {
  const settings = await (await fetch("settings")).json();
  app.token = settings.token;
  return settings;
}

// The time that is looked at; `null` is live. The strip shows the whole run, or `zoom` seconds of it.
let [cursor, isPlaying, zoom] = [null, false, null];
const time = () => cursor ?? run.now;
const whole = () => [60, 120, 300, 600, 900, 1200, 1800, 3600, 7200].find((seconds) => seconds >= run.now) ?? run.now;
function view() {
  const length = Math.min(zoom ?? Infinity, whole());
  return {
    length,
    from: length === whole() ? 0 : Math.max(0, Math.min(time() - length / 2, whole() - length)),
    cursor: time()
  };
}
const part = (t, { from, length } = view()) => ((t - from) / length) * 100;
function seek(t) {
  cursor = t === null || t >= run.now ? null : Math.max(0, t);
  if (cursor === null) isPlaying = false;
  if (zoom) drawStrip();
  show();
}

// What each state says: the verdict, the words on the phone, and what one does next.
function stateOf(t, { phase, cause, late, figure, since, broadcast }) {
  const seconds = (from, digits = 0) => Math.max(0, t - from).toFixed(digits);
  const device = broadcast.device ?? actions.start?.form.querySelector("select").value;
  const start =
    actions.start && { text: `Start ${shownName(device)}`, act: () => actions.perform(actions.choose(broadcast)) };
  if (cursor === null && run.connection !== "open") {
    const resume = ["Copy the command that continues it", run.line("producer control app:foreground")];
    const [state, by, text, copy] = run.connection === "gone"
      ? ["The app has ended", "", "Copy the start command", run.settings.run.serve]
      : run.connection === "lost" ? ["The app has ended or is suspended", " by iOS", ...resume]
      : run.mayBeSuspended ? ["The app is suspended", " by iOS", ...resume]
      : ["The app does not answer", ""];
    return {
      level: "bad",
      text: `${state}${by}: what you see is ${run.silence.toFixed(0)} s old.`,
      state: `${state}.`,
      next: copy && { text, copy }
    };
  }
  switch (phase) {
    case "none": return { level: "none", text: "No broadcast runs.", state: "No broadcast.", next: start };
    case "paused":
      return {
        level: "none",
        text: `Paused for ${seconds(since)} s.`,
        state: "Paused.",
        next: { text: "Resume", act: () => actions.send("Resume", "resume") }
      };
    case "ended":
      return {
        level: "none",
        text: "The broadcast has ended, without an error.",
        state: "The broadcast has ended.",
        next: start
      };
    case "rests":
      return { level: "good", cause, text: cause.now.replace("{s}", seconds(since)), corner: "The screen rests." };
    case "waiting":
      if (cause) break;
      if (t - since <= 5) {
        return {
          level: "none",
          text: "The broadcast begins: the first frame is awaited.",
          state: "Waiting for the first frame."
        };
      }
      return {
        level: "warn",
        text: `No frame has come for ${seconds(since)} s since the start.`,
        state: "No frame yet.",
        next: run.line("") !== null && { text: "Copy the diagnosis command", copy: run.line("broadcast doctor") }
      };
  }
  const error = `“${broadcast.error ?? "–"}”`;
  const words = {
    suspended: "The extension is suspended.",
    crashed: `The extension ${cause?.kind === "killed" ? "was killed" : "has crashed"}.`,
    error
  }[phase];
  if (cause || words) {
    const own = phase === "error"
      ? `Ended${cause?.request ? ", as asked," : ""} with an error of the extension: ${error}`
      : words;
    const told = cause && phase !== "error" ? (cursor === null ? cause.now : cause.was) : own;
    const text = told.replace("{s}", seconds(cause?.from ?? since, phase === "suspended" ? 1 : 0));
    return {
      level: cause?.level ?? "bad",
      text,
      cause,
      state: words,
      next: words && start && phase !== "suspended" && { ...start, text: `${start.text} again` }
    };
  }
  const over = rows.find(({ isOver }) => isOver);
  if (over)
    return {
      level: "warn",
      cause: late,
      text: `${over.name}: ${over.value.textContent} (${over.limitBox.textContent}).`
    };
  if (figure.framesPerSecondIn === 0) return { level: "good", text: "All right: nothing new is on the screen." };
  const text = figure.delayMsMedian >= 0
    ? `the far end sees the screen ${(figure.delayMsMedian / 1000).toFixed(figure.delayMsMedian < 95 ? 2 : 1)} s late.`
    : figure.ageMsMedian >= 0 && `the app has each frame ${figure.ageMsMedian.toFixed(0)} ms after its capture.`;
  if (text) return { level: "good", text: `All right: ${text}` };
  return {
    level: "none",
    text: figure.framesPerSecondOut > 0 ? "The app takes pictures, and their age is not known."
      : "Nothing was measured."
  };
}

// Pictures: those of now are drawn as they come, those of the past from the film.
const pictures = ["phone", "far"].map((id) => ({
  id,
  figure: element(id),
  button: element(id).querySelector("button"),
  past: element(id).querySelector(".past")
}));
const farCanvas = () => element(calls.isHere ? "received" : "entering");
const film = new Film(run, () => [element("captured"), farCanvas().width > 1 ? farCanvas() : null]);
function showPictures(t, moment, state, isKept) {
  const entry = cursor === null ? null : film.at(t);
  const missing = cursor !== null && !entry && "No picture was kept of this time.";
  if (missing && moment.isRunning) setText(element("state"), state.state ?? missing);
  setText(element("far-cover"), cursor === null ? "Nothing to see yet." : "No picture was kept of this time.");
  const isEmpty = cursor === null ? ["none", "waiting"].includes(moment.phase) && !isKept : !entry;
  for (const picture of pictures) {
    const { id, figure, past } = picture;
    const live = id === "phone" ? element("captured") : farCanvas();
    const blob = entry && (entry[id] ?? (id === "phone" ? entry.small : null));
    for (const canvas of figure.querySelectorAll("canvas")) canvas.hidden = canvas !== (cursor === null ? live : past);
    const ratio = cursor === null ? live.width > 1 && !isEmpty && live.width / live.height
      : entry?.[id === "phone" ? "ratio" : "farRatio"];
    figure.style.setProperty(
      "--ratio", ratio || (id === "far" ? 2 / 3 : moment.broadcast.width / moment.broadcast.height || 0.4615)
    );
    if (id === "phone") element("stage").classList.toggle("turned", ratio > 1);
    figure.classList.toggle("empty", isEmpty || (cursor === null ? live.width < 2 : !blob));
    figure.classList.toggle("dim", !!state.state);
    if (!blob || picture.shown === blob) continue;
    picture.shown = blob;
    createImageBitmap(blob).then((bitmap) => {
      if (picture.shown !== blob) return;
      [past.width, past.height] = [bitmap.width, bitmap.height];
      past.getContext("2d").drawImage(bitmap, 0, 0);
    }, () => {});
  }
}
for (const { id, button } of pictures) {
  button.addEventListener("click", () => {
    const { dataset } = document.body;
    if (dataset.large === id) delete dataset.large; else dataset.large = id;
    for (const other of pictures) other.button.ariaPressed = String(other.id === dataset.large);
    drawStrip();
    show();
  });
}

const figures = figuresOf(settings);
const plots = new Plots(element("plots"), [...figures, ...otherPlots]);
const rows = figures.map((figure) => {
  const [value, limitBox] = [make("b"), make("small")];
  const onclick = () => {
    openTab("plots");
    plots.all.find(({ name }) => name === figure.name).box.scrollIntoView({ block: "nearest" });
  };
  const button =
    make("button", { title: "Show the plot", onclick }, make("span", { textContent: figure.name }), value, limitBox);
  element("figures").append(button);
  return { ...figure, button, value, limitBox, isOver: false };
});
function showFigures({ figure }) {
  const known = cursor === null && run.connection !== "open" ? {} : figure;
  for (const row of rows) {
    const [value] = row.lines.map(([, of]) => of);
    const limit = row.limit(known);
    const isWrong = (number) => Number.isFinite(number) && (row.isLeast ? number < limit : number > limit);
    // One second alone says nothing.
    row.isOver = isWrong(value(known))
      && (known.before === null || [known.before, known.after].some((other) => isWrong(value(other ?? {}))));
    setText(row.value, valueText(value(known), row.unit, row.digits));
    setText(row.limitBox, limitText(row, limit));
    row.button.classList.toggle("over", row.isOver);
  }
}
for (const { area } of plots.all) scrubs(area);
function drawPlots() {
  plots.draw(
    run.samples, view(), run.causes.map(({ from, to, level }) => ({ from, to: Math.min(to, run.now), level }))
  );
  calls.plots.draw(run.samples, view());
}

function drawStrip() {
  const canvas = element("films").querySelector("canvas");
  const [width, height, scale] = [element("films").clientWidth, element("films").clientHeight, devicePixelRatio];
  const { from, length } = view();
  if (height > 10) {
    [canvas.width, canvas.height] = [width * scale, height * scale];
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.strokeStyle = "#7a848e";
    const count = Math.max(8, Math.round(width / (height * 0.5)));
    const slot = width / count;
    for (let i = 0; i < count; i++) {
      const [start, t] = [0, 0.5].map((half) => from + ((i + half) / count) * length);
      const entry = start <= run.now ? film.within(start, Math.min(run.now, 2 * t - start)) : null;
      const bitmap = entry && film.bitmap(entry, () => { isDue = true; });
      if (!bitmap) continue;
      const ratio = bitmap.width / bitmap.height;
      const tall = Math.min(height - 4, (slot - 2) / ratio);
      const box = [i * slot + (slot - tall * ratio) / 2, (height - tall) / 2, tall * ratio, tall];
      context.globalAlpha = ["live", "rests"].includes(run.moment(t).phase) ? 1 : 0.35;
      context.drawImage(bitmap, ...box);
      context.strokeRect(...box);
    }
  }
  drawLane();
  const step =
    [1, 5, 10, 15, 30, 60, 120, 300, 600].find((step) => length / step <= element("track").clientWidth / 62) ?? 1200;
  const labels = [];
  for (const [i, session] of run.sessions.entries()) {
    const end = Math.min(from + length * 0.97, run.sessions[i + 1]?.at ?? Infinity);
    for (let t = session.at + Math.max(0, Math.ceil((from - session.at) / step)) * step; t < end; t += step)
      labels.push(t);
  }
  element("axis").replaceChildren(...labels.map((t) => place(make("span", { textContent: run.clock(t) }), t)));
  drawPlots();
}
// Bars of causes, whose names end before the next one, and a diamond for what a person did. What is there keeps its
// element.
function place(mark, t) { mark.style.translate = `${part(t)}cqw`; return mark; }
function drawLane() {
  const lane = element("lane");
  const { from, length } = view();
  // Read once: after each change the browser would measure again.
  const width = lane.clientWidth;
  const pixels = (t) => ((t - from) / length) * width;
  const seen = run.causes.filter(({ from: start, to }) => start <= from + length && to >= from)
    .sort((a, b) => a.from - b.from || (a.level === "bad" ? 1 : -1));
  // The name of a fault has its room before that of what only explains.
  let [taken, isNote] = [-Infinity, ({ level }) => level === "none"];
  for (const [i, cause] of seen.entries()) {
    const bar = cause.bar ??= make("button", { onclick: () => openCause(cause) }, make("span"));
    const start = Math.max(cause.from, from);
    const next = seen.slice(i + 1).find((other) => isNote(cause) || !isNote(other))?.from ?? Infinity;
    const room =
      isNote(cause) && pixels(start) < taken ? 0 : Math.min(width, pixels(Math.max(start, next))) - pixels(start);
    if (!isNote(cause) && room >= 40) taken = pixels(start) + Math.min(room, 8 * cause.name.length + 8);
    Object.assign(
      bar,
      { className: cause.level, title: sentence(cause), ariaLabel: `${run.clock(cause.from)}: ${sentence(cause)}` }
    );
    setText(bar.firstChild, cause.name);
    Object.assign(bar.firstChild, { hidden: room < 40 }).style.maxWidth = `${room}px`;
    place(bar, start).style.width = `${part(from + Math.min(cause.to, run.now, from + length) - start)}%`;
    if (bar.parentElement !== lane) lane.append(bar);
  }
  const kept = new Set(seen.map(({ bar }) => bar));
  for (const child of [...lane.children]) if (!kept.has(child)) child.remove();
  lane.append(...run.events.filter(
    ({ at, command, isDone }) => command && isDone && at >= from && at <= from + length
  ).slice(-400).map(({ at, text }) => place(make("i", { title: `${run.clock(at)} ${text}` }), at)));
}
function scrubs(target) {
  let grabbed = null;
  const at = ({ clientX }) => {
    const { left, width } = target.getBoundingClientRect();
    seek(grabbed.from + Math.min(1, Math.max(0, (clientX - left) / width)) * grabbed.length);
  };
  target.addEventListener("pointerdown", (event) => {
    target.setPointerCapture(event.pointerId);
    isPlaying = false;
    grabbed = view();
    at(event);
  });
  target.addEventListener("pointermove", (event) => target.hasPointerCapture(event.pointerId) && at(event));
}
function zoomBy(isNearer) {
  const next = isNearer ? view().length / 2 : view().length * 2;
  zoom = next >= whole() ? null : Math.max(10, next);
  drawStrip();
  show();
}
scrubs(element("films"));
element("track").addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomBy(event.deltaY < 0);
}, { passive: false });
function jump(direction) {
  const times = [...run.events.map(({ at }) => at), ...run.causes.map(({ from }) => from)].sort((a, b) => a - b);
  seek(direction < 0 ? times.findLast((t) => t < time() - 0.05) ?? 0 : times.find((t) => t > time() + 0.05) ?? null);
}
function toggle() { isPlaying = cursor !== null && !isPlaying; seek(cursor ?? run.now - 0.01); }
const keys = {
  " ": toggle,
  ArrowLeft: ({ shiftKey }) => seek(time() - (shiftKey ? 10 : 1)),
  ArrowRight: ({ shiftKey }) => seek(time() + (shiftKey ? 10 : 1)),
  Home: () => seek(0),
  End: () => seek(null),
  PageUp: () => jump(-1),
  PageDown: () => jump(1),
  "+": () => zoomBy(true),
  "-": () => zoomBy(false)
};
function findAction(event) {
  event.preventDefault();
  openTab("actions");
  element("search").focus();
  element("search").select();
}
addEventListener("keydown", (event) => {
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) return findAction(event);
  if (event.key === "Escape") {
    pictures.find(({ id }) => id === document.body.dataset.large)?.button.click();
    document.body.removeAttribute("data-sheet");
  }
  // A button has keys of its own, but no arrows.
  const isFree = event.target === document.body
    || event.target.closest(event.key.startsWith("Arrow") ? ".stage, .rail, .strip" : "#films");
  if (!isFree || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key](event);
});
element("play").addEventListener("click", toggle);
element("live").addEventListener("click", () => seek(null));

// The answers of actions, and lines for a terminal. `kind` is "bad" for what was not done, and "asks" for a question.
let [toastTimer, version] = [0, -1];
function toast(text, kind = "", line = null) {
  clearTimeout(toastTimer);
  element("toast").className = `toast on ${kind}`;
  element("toast").replaceChildren(make("span", { textContent: text }), ...(line ? [copyButton(line)] : []));
  toastTimer = setTimeout(() => element("toast").classList.remove("on"), kind === "bad" ? 10000 : 5000);
}
function copyButton(line) {
  return make(
    "button", { textContent: "Copy", title: line, ariaLabel: `Copy: ${line}`, onclick: () => copy(line) }
  );
}
async function copy(line) {
  const isCopied = await navigator.clipboard.writeText(line).then(() => true, () => false);
  toast(`${isCopied ? "Copied" : "Not copied. The line is"}: ${line}`, isCopied ? "" : "bad");
}
const actions = new Actions(element, settings, toast, (command, problem) => run.noteCommand(problem ? "" : command));

// What is often done with the phone. It is turned against the clock: its top goes from the upper edge of the buffer
// to the right.
const turns = ["up", "right", "down", "left"];
const turned = (by) => `rotate:${turns[(Math.max(0, turns.indexOf(captured.header?.orientation)) + by + 4) % 4]}`;
const often =
  [
    ["consumer stop", (now) => (now.isRunning ? { name: "Stop", command: "consumer stop" } : actions.start ?? {})],
    ["rotate", () => ({ name: "Rotate left", command: turned(1) })],
    ["rotate", () => ({ name: "Rotate right", command: turned(-1) })],
    [
      "pause",
      ({ phase }) =>
        (phase === "paused" ? { name: "Resume", command: "resume" } : { name: "Pause", command: "pause" })
    ],
    ["app:background", () => ({ name: "Home", command: "app:background", ends: "page" })],
    ["background", () => ({ name: "Home", command: "background" })],
  ].filter(([word]) => actions.named(word))
  .map(([, action]) => {
    const button = make("button", { onclick: () => actions.perform(action(run.moment(run.now))) });
    element("often").append(button);
    return { action, button };
  });

// What happened: causes with their details, and all events. A row stays the same element when another comes.
const listed = [];
function listEvents() {
  for (const cause of run.causes) if (cause.isOpen && cause.box) nameCause(cause);
  if (run.version === version) return;
  version = run.version;
  for (const cause of run.causes.filter(({ isListed }) => !isListed)) {
    cause.isListed = true;
    if (!cause.box) {
      cause.box = make("details", { name: "cause" }, make("summary", {}, make("time"), make("span")), make("dl"));
      cause.box.firstChild.addEventListener("click", () => cause.box.open || seekCause(cause));
      cause.box.addEventListener("toggle", () => tell(cause));
      cause.row = row(cause, () => openCause(cause));
      if (listed.push(cause) === 1 || !element("causes").querySelector("details")) element("causes").replaceChildren();
      const later = run.causes.find(({ box, from }) => box && from > cause.from);
      element("causes").insertBefore(cause.box, later?.box ?? null);
    }
    tell(cause);
  }
  for (const entry of run.events) {
    if (entry.row) continue;
    entry.row = row(entry, () => seek(entry.at), entry.line && copyButton(entry.line));
    listed.push(entry);
    for (const old of listed.length > 600 ? listed.splice(0, 100) : []) old.row.remove();
  }
}
function row(entry, onclick, ...more) {
  const made = make(
    "li", {},
    make(
      "button", { className: entry.level ?? "", onclick }, make("time", { textContent: run.clock(entry.at) }),
      make("span", { textContent: entry.was ?? entry.text })
    ),
    ...more.filter(Boolean)
  );
  made.at = entry.at;
  const rows = [...element("events").children];
  element("events").insertBefore(made, rows[rows.findLastIndex(({ at }) => at <= entry.at) + 1] ?? null);
  return made;
}
function tell(cause) {
  const [[summary, list], { text, evidence, onDevice, remedy, request }] = [cause.box.children, cause];
  const repeat = cause.repeat && [make("code", { textContent: cause.repeat }), copyButton(cause.repeat)];
  const told = [
    ["What was seen", text], ["Evidence", evidence], ["On a phone", onDevice], ["What to do", remedy],
    ["Repeat it with", repeat], ["Asked for", request], ["Read more", cause.see && `Docs/${cause.see}`]
  ];
  cause.box.className = cause.level;
  setText(summary.firstChild, run.clock(cause.from));
  nameCause(cause);
  // An hour can have hundreds: a cause has its details when it is opened.
  if (!cause.box.open) return;
  const version = JSON.stringify([text, evidence, onDevice, remedy, request, cause.repeat]);
  if (cause.told === version) return;
  cause.told = version;
  const entry = ([name, value]) => [make("dt", { textContent: name }), make("dd", {}, ...[value].flat())];
  list.replaceChildren(...told.filter(([, value]) => value).flatMap(entry));
}
function nameCause(cause) {
  for (const text of [cause.box.querySelector("summary span"), cause.row.querySelector("span")])
    setText(text, sentence(cause));
}
// The sentence of a cause; that of one that lasts has the seconds until now.
const sentence = ({ isOpen, now, was, from }) =>
  (isOpen ? now.replace("{s}", Math.max(0, run.now - from).toFixed(0)) : was[0].toUpperCase() + was.slice(1));
function seekCause({ from, to }) { seek(from + Math.min(1, (Math.min(to, run.now) - from) / 2)); }
function openCause(cause, seeks = true) {
  listEvents();
  openTab("happened");
  cause.box.open = true;
  tell(cause);
  if (seeks) seekCause(cause);
  cause.box.scrollIntoView({ block: "nearest" });
}

// Tabs: beside the stage, or a bar below with a sheet in a narrow window. A wide one shows what happened all the time.
const tabs = [...document.querySelectorAll("[role=tab]")];
const nameOf = (tab) => tab.getAttribute("aria-controls");
let current = "actions";
function openTab(name, isToggle = false) {
  const isClosing = isToggle && name === current && "sheet" in document.body.dataset;
  if (!wide.matches || name !== "happened") current = name;
  document.body.toggleAttribute("data-sheet", narrow.matches && !isClosing);
  showTabs();
}
function showTabs() {
  if (wide.matches && current === "happened") current = "actions";
  for (const tab of tabs) {
    const isOn = nameOf(tab) === current;
    Object.assign(tab, { ariaSelected: String(isOn), tabIndex: isOn ? 0 : -1 });
    element(nameOf(tab)).hidden = !isOn && !(wide.matches && nameOf(tab) === "happened");
  }
  drawPlots();
}
for (const tab of tabs) {
  tab.addEventListener("click", () => openTab(nameOf(tab), true));
  tab.addEventListener("keydown", ({ key }) => {
    const shown = tabs.filter((other) => other.offsetParent);
    const next = shown.at((shown.indexOf(tab) + ({ ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0)) % shown.length);
    if (next === tab) return;
    openTab(nameOf(next));
    next.focus();
  });
}

// All that depends on the time.
function show() {
  const [t, now, isLive, isOpen] = [time(), run.moment(run.now), cursor === null, run.connection === "open"];
  const moment = isLive ? now : run.moment(t);
  const { device, isRunning, broadcast: { pid }, figure: { delayMsMedian: delay } } = moment;
  showFigures(moment);
  const state = stateOf(t, moment);
  const sentence = isLive
    ? state.text
    : `At ${run.clock(t)}: ${state.text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}`;
  const { group, pid: appPid } = run.settings.run;
  const names = [group, appPid && `app ${appPid}`].filter(Boolean);
  const sent = entering.header ?? {};
  const size = (sent.rotation % 180 ? [sent.height, sent.width] : [sent.width, sent.height]).join("×")
    + (sent.isCropped ? ", cropped" : "");
  const texts = {
    sentence,
    why: state.cause ? "Why?" : run.faultsText,
    state: state.state ?? "",
    next: state.next?.text ?? "",
    corner: isLive ? state.corner ?? "" : `${run.clock(t, 1)}, not live`,
    "phone-text": ` ${shownName(device)}${isRunning && pid && (isOpen || !isLive) ? `, process ${pid}` : ""}`,
    "far-name": calls.isHere ? "Far end" : "Enters the call",
    "far-text": !isRunning || !isLive
      ? ""
      : ` ${calls.isHere ? `this page${delay >= 0 ? `, ${(delay / 1000).toFixed(2)} s later` : ""}` : size}`,
    who: names.join(", "),
    run: `${[shownName(device), ...names].join(", ")}: ${run.clock(run.now)}, ${run.faultsText}.`,
    live: !isOpen ? "Newest"
      : isLive ? "Live"
      : "Go live",
    clock: isLive ? run.clock(t) : `${run.clock(t)} of ${run.clock(run.now)}`,
  };
  for (const [id, text] of Object.entries(texts)) setText(element(id), text);
  setText(element("head").firstChild, run.clock(t, isLive ? 0 : 1));
  const told = `${isLive} ${sentence.replace(/[\d.]+/g, "")}`; // New words are spoken, and no number that runs.
  if (element("said").dataset.told !== told)
    [element("said").dataset.told, element("said").textContent] = [told, sentence];
  document.body.dataset.level = state.level;
  element("why").hidden = !state.cause && run.faults.length === 0;
  element("why").onclick = () =>
    openCause(state.cause ?? run.faults.findLast(({ request }) => !request) ?? run.faults.at(-1), false);
  element("next").hidden = !state.next || !isLive;
  element("next").onclick = () => (state.next.copy ? copy(state.next.copy) : state.next.act());
  for (const { action, button } of often) {
    setText(button, action(now).name ?? "Start");
    button.disabled = !isOpen;
  }
  [element("play").dataset.shape, element("play").ariaLabel] =
    !isLive && !isPlaying ? ["play", "Play from here"] : ["pause", "Hold the picture"];
  element("live").ariaPressed = String(isLive && isOpen);
  document.documentElement.style.setProperty("--cursor", `${part(t)}%`);
  Object.assign(element("films"), { ariaValueMax: run.now.toFixed(0), ariaValueNow: t.toFixed(isLive ? 0 : 1),
    ariaValueText: isLive ? `live, ${run.clock(t)}` : `${run.clock(t)}, ${state.text}` });
  const newest = [...element("events").children].findLast(({ at }) => at <= t + 0.05);
  for (const row of [newest, ...element("events").querySelectorAll("[aria-current]")])
    if (row) row.ariaCurrent = row === newest ? "true" : null;
  showPictures(t, moment, state, isLive && !isOpen);
}

const files = {
  async report() {
    const answer = await fetch("report.html");
    if (!answer.ok) throw new Error(await answer.text());
    return save(await answer.blob(), "report.html");
  },
  // For `check --scenario`: what was done since the broadcast began, or since the start of the watch.
  scenario() {
    const { line = "", at: begin = 0 } = run.moment(run.now).broadcast;
    const given = line.match(/--(device|pattern)[= ]\S+/g)?.flatMap((option) => option.split(/[= ]/));
    const done =
      run.events.filter(
        ({ at, command, isDone }) => isDone && at >= begin && !/^(consumer |app:)/.test(command)
      ).map(({ at, command }) => ({ at: at - begin, do: command }));
    const lines = [
      {
        meta: { name: "page", checks: "What was done on the page.", onDevice: "The broadcast ends or stands still." }
      },
      { do: "launch", arguments: given },
      ...[...done, { at: (done.at(-1)?.at ?? 0) + 1, do: "end" }].map(
        (line) => ({...line, at: `${line.at.toFixed(1)}s` })
      )
    ];
    return save(
      new Blob(lines.map((line) => `${JSON.stringify(line)}\n`), { type: "application/x-ndjson" }), "page.jsonl"
    );
  },
  command() { copy(run.moment(run.now).broadcast.line ?? run.line("consumer start") ?? run.settings.run.serve); },
  async picture() {
    const canvas = pictures[0].figure.querySelector("canvas:not([hidden])");
    if (cursor !== null && !film.at(cursor)) throw new Error("No picture was kept of this time.");
    return save(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), "picture.png");
  },
};
element("sending").addEventListener("click", async ({ target }) => {
  if (!target.dataset.save) return;
  try {
    const name = await files[target.dataset.save]();
    if (name) toast(`Saved as ${name}.`);
  } catch (error) { toast(`Not saved. ${error.message}`, "bad"); }
});

const source = follow("events", {
  async open() {
    const settings = await readSettings();
    if (settings.startNs < run.origin) return location.reload();
    if (run.begin(settings)) film.open();
  },
  lost: () => run.lose(),
  beat: (nanoseconds) => run.hear(nanoseconds, true),
  event(event, nanoseconds) {
    run.take(event, nanoseconds);
    if (event.event === "begun") actions.choose(event);
  },
});
const calls = new Calls(captured, entering, source, element, (values) => run.report(values));

let [isDue, drawn, last] = [true, "", 0];
function tick(now = performance.now()) {
  run.tick();
  if (isPlaying) seek(cursor + (now - last) / 1000);
  last = now;
  if (document.hidden) return;
  const key = [Math.floor(run.now), run.version, film.version, zoom].join();
  if (key !== drawn || isDue) {
    [isDue, drawn] = [false, key];
    listEvents();
    drawStrip();
  }
  show();
}
for (const list of [narrow, wide]) list.addEventListener("change", showTabs);
addEventListener("resize", drawStrip);
showTabs();
tick();
setInterval(() => tick(), 250);
setInterval(() => film.keep(captured.framesDrawn), 1000);
film.open();

// For tests and the console.
globalThis.broadcast = { run, film, captured, call: entering, plots, calls, actions };
