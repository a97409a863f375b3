// The page as a player: one time for pictures, verdict, figures, film strip, events and plots.
import { app, follow, make, post, save, setText } from "./events.js";
import { Picture } from "./picture.js";
import { insert, Run } from "./run.js";
import { Film } from "./film.js";
import { figuresOf, limitText, otherPlots, Plots, valueText } from "./figures.js";
import { Actions } from "./actions.js";
import { Calls } from "./calls.js";
import { Publisher } from "./publish.js";

const element = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 759px)");
const wide = matchMedia("(min-width: 1680px)");

const settings = await readSettings();
app.token = settings.token;
const run = new Run();
run.begin(settings);
const captured = new Picture(element("captured"), "frames", 540);
const entering = new Picture(element("entering"), "frames?of=call");

// An app that starts is asked again.
async function readSettings() {
  for (;;) {
    try { return await (await fetch("settings")).json(); } catch { await new Promise((resolve) => setTimeout(resolve, 1000)); }
  }
}

// The time that is looked at; `null` is live. The strip shows the whole run, or `zoom` seconds of it.
let [cursor, isPlaying, zoom] = [null, false, null];
const time = () => cursor ?? run.now;
const whole = () => [60, 120, 300, 600, 1800, 3600, 7200].find((seconds) => seconds >= run.now) ?? run.now;
function view() {
  const length = Math.min(zoom ?? Infinity, whole());
  return { length, from: length === whole() ? 0 : Math.max(0, Math.min(time() - length / 2, whole() - length)), cursor: time() };
}
function part(t) {
  const { from, length } = view();
  return `${((t - from) / length) * 100}%`;
}

function seek(t) {
  cursor = t === null || t >= run.now ? null : Math.max(0, t);
  if (cursor === null) isPlaying = false;
  if (zoom) drawStrip();
  show();
}

// What each state says: the verdict, the words on the phone, and what one does next.
function stateOf(t, { phase, cause, figure, since, broadcast }) {
  const seconds = (from, digits = 0) => Math.max(0, t - from).toFixed(digits);
  const start = actions.start && { text: `Start ${broadcast.device ?? (actions.start.form.querySelector("select")?.value || "a broadcast")}`, act: () => restart(broadcast) };
  const again = start && { ...start, text: `${start.text} again` };
  if (cursor === null && run.connection !== "open") {
    const old = `what you see is ${run.silence.toFixed(0)} s old.`;
    return run.connection === "gone"
      ? { level: "bad", text: `The app has ended: ${old}`, state: "The app has ended.", next: { text: "Copy what starts it", copy: run.settings.run?.serve ?? "consumer --serve" } }
      : { level: "bad", text: `The app is suspended by iOS: ${old}`, state: "The app is suspended.", next: { text: "Copy what wakes it", copy: wakeLine() } };
  }
  switch (phase) {
    case "none": return { level: "none", text: "No broadcast runs.", state: "No broadcast.", next: start };
    case "paused": return { level: "none", text: `Paused by the person for ${seconds(since)} s.`, state: "Paused.", next: { text: "Resume", act: () => actions.send("Resume", "resume") } };
    case "ended": return { level: "none", text: "The broadcast has ended, without an error.", state: "The broadcast has ended.", next: start };
    case "rest": return { level: "good", cause, text: `All right: the screen rests, unchanged for ${seconds(since)} s.`, corner: "The screen rests." };
    case "waiting": if (!cause) return t - since > 5
      ? { level: "warn", text: `No frame has come for ${seconds(since)} s since the start.`, state: "No frame yet.", next: { text: "Copy what finds out why", copy: "consumer doctor" } }
      : { level: "none", text: "The broadcast begins: the first frame is awaited.", state: "Waiting for the first frame." };
  }
  const error = `“${broadcast.error ?? "–"}”`;
  const words = { suspended: "The extension is suspended.", crashed: "The extension has crashed.", error }[phase];
  if (cause || words) {
    const own = { suspended: "Frozen for {s} s: the extension is suspended.", crashed: "Crashed {s} s ago: the extension has ended without a callback.",
      error: `Ended with an error of the extension: ${error}` }[phase];
    const text = (cause ? (cursor === null || !cause.was ? cause.now : cause.was) : own).replace("{s}", seconds(cause?.from ?? since, phase === "suspended" ? 1 : 0));
    return { level: cause?.level ?? "bad", text, cause, state: words, next: words && phase !== "suspended" ? again : null };
  }
  const over = rows.find(({ isOver }) => isOver);
  if (over && cursor === null) return { level: "warn", text: `${over.name}: ${over.value.textContent}, and the limit is ${over.limitBox.textContent}.` };
  return { level: "good", text: figure.delayMsMedian >= 0 ? `All right: the far end sees the screen ${(figure.delayMsMedian / 1000).toFixed(1)} s late.`
    : `All right: the app has each frame ${figure.ageMsMedian >= 0 ? figure.ageMsMedian.toFixed(0) : "–"} ms after its capture.` };
}
function wakeLine() {
  const line = run.events.findLast(({ line }) => line?.startsWith("producer control"))?.line;
  return `${line ? line.replace(/ \S+$/, "") : "producer control"} app:foreground`;
}
function restart({ line }) {
  if (line) actions.choose(line);
  return actions.perform(actions.start);
}

// Pictures: those of now are drawn as they come, those of the past from the film.
const pictures = ["phone", "far"].map((id) => ({ id, figure: element(id), button: element(id).querySelector("button"), past: element(id).querySelector(".past"), shown: null }));
const farCanvas = () => element(calls.isHere ? "received" : "entering");
const film = new Film(run, () => [element("captured"), farCanvas().width > 1 ? farCanvas() : null]);
function showPictures(t, moment, state) {
  const entry = cursor === null ? null : film.at(t);
  const isEmpty = cursor === null ? ["none", "waiting"].includes(moment.phase) && !state.isKept : !entry;
  for (const picture of pictures) {
    const { id, figure, past } = picture;
    const live = id === "phone" ? element("captured") : farCanvas();
    const blob = entry && (entry[id] ?? (id === "phone" ? entry.small : null));
    for (const canvas of figure.querySelectorAll("canvas")) canvas.hidden = canvas !== (cursor === null ? live : past);
    const size = { ratio: moment.broadcast.width / moment.broadcast.height };
    const ratio = cursor === null ? live.width > 1 && !isEmpty && live.width / live.height : entry?.[id === "phone" ? "ratio" : "farRatio"];
    figure.style.setProperty("--ratio", ratio || (id === "phone" ? size.ratio || 0.4615 : 2 / 3));
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
    const large = document.body.dataset.large === id ? "" : id;
    document.body.dataset.large = large;
    for (const other of pictures) other.button.setAttribute("aria-pressed", String(other.id === large));
    drawStrip();
    show();
  });
}

// Figures, and their plots.
const figures = figuresOf(settings);
const plots = new Plots(element("plots"), [...figures, ...otherPlots]);
const rows = figures.map((figure) => {
  const [value, limitBox] = [make("b"), make("small")];
  const button = make("button", { title: "Show the plot" }, make("span", { textContent: figure.name }), value, limitBox);
  button.addEventListener("click", () => { openTab("plots"); plots.boxOf(figure.name).scrollIntoView({ block: "nearest" }); });
  element("figures").append(button);
  return { ...figure, button, value, limitBox, isOver: false };
});
function showFigures(t, { figure, phase }) {
  const known = cursor === null && run.connection !== "open" ? {} : figure;
  const isRest = phase !== "suspended" && run.restsNear(t);
  for (const row of rows) {
    const [value] = row.lines.map(([, of]) => of);
    const limit = row.limit(known);
    const isWrong = (number) => Number.isFinite(number) && (row.isLeast ? number < limit : number > limit);
    // One second alone says nothing.
    row.isOver = isWrong(value(known)) && (known.before ? isWrong(value(known.before)) : known.before === null) && !(isRest && row.needsMotion);
    setText(row.value, valueText(value(known), row.unit, row.digits));
    setText(row.limitBox, limitText(row, limit));
    row.button.classList.toggle("over", row.isOver);
  }
}
for (const area of plots.areas) scrubs(area);
function drawPlots() {
  const bands = [...run.causes.values()].map((cause) => ({ ...cause, to: Math.min(cause.to, run.now) }));
  plots.draw(run.samples, view(), bands);
  calls.plots.draw(run.samples, view());
}

// The film strip.
function drawStrip() {
  const canvas = element("films").querySelector("canvas");
  const [width, height, scale] = [element("films").clientWidth, element("films").clientHeight, devicePixelRatio];
  const { from, length } = view();
  if (height > 10) {
    [canvas.width, canvas.height] = [width * scale, height * scale];
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const count = Math.max(8, Math.round(width / (height * 0.5)));
    const slot = width / count;
    for (let i = 0; i < count; i++) {
      const t = from + ((i + 0.5) / count) * length;
      const entry = t <= run.now ? film.at(t) : null;
      const bitmap = entry && film.bitmap(entry, () => { isDue = true; });
      if (!bitmap) continue;
      const ratio = bitmap.width / bitmap.height;
      const tall = Math.min(height - 4, (slot - 2) / Math.min(ratio, 1) * (ratio > 1 ? 1 / ratio : 1));
      const box = [i * slot + (slot - tall * ratio) / 2, (height - tall) / 2, tall * ratio, tall];
      context.globalAlpha = ["live", "rest"].includes(run.moment(t).phase) ? 1 : 0.35;
      context.drawImage(bitmap, ...box);
      context.strokeStyle = "#7a848e";
      context.strokeRect(...box);
    }
  }
  drawLane();
  const step = [1, 5, 10, 15, 30, 60, 120, 300, 600].find((step) => length / step <= element("track").clientWidth / 62) ?? 1200;
  const labels = [];
  for (const [i, session] of run.sessions.entries()) {
    const end = Math.min(from + length * 0.97, run.sessions[i + 1]?.at ?? Infinity);
    for (let t = session.at + Math.max(0, Math.ceil((from - session.at) / step)) * step; t < end; t += step) labels.push(t);
  }
  element("axis").replaceChildren(...labels.map((t) => {
    const label = make("span", { textContent: run.clock(t) });
    label.style.left = part(t);
    return label;
  }));
  drawPlots();
}
// Bars of causes, whose names end before the next one, and a diamond for what a person did. What is there keeps its element.
const bars = new Map();
function drawLane() {
  const lane = element("lane");
  const { from, length } = view();
  const pixels = (t) => ((t - from) / length) * lane.clientWidth;
  const seen = [...run.causes.values()].filter(({ from: start, to }) => start <= from + length && Math.min(to, run.now) >= from)
    .sort((a, b) => a.from - b.from || (a.level === "bad" ? 1 : -1));
  for (const [i, cause] of seen.entries()) {
    const bar = bars.get(cause.id ?? cause) ?? make("button", { onclick: () => openCause(cause) }, make("span"));
    bars.set(cause.id ?? cause, bar);
    const start = Math.max(cause.from, from);
    const room = pixels(Math.max(start, seen[i + 1]?.from ?? Infinity)) - pixels(start);
    Object.assign(bar, { className: cause.level, title: cause.was, ariaLabel: `${run.clock(cause.from)}: ${cause.was}` });
    setText(bar.firstChild, cause.name);
    bar.firstChild.style.maxWidth = `${Math.min(room, lane.clientWidth - pixels(start))}px`;
    bar.firstChild.hidden = room < 40;
    [bar.style.left, bar.style.width] = [part(start), `${((Math.min(cause.to, run.now, from + length) - start) / length) * 100}%`];
    if (bar.parentElement !== lane) lane.append(bar);
  }
  const kept = new Set(seen.map((cause) => bars.get(cause.id ?? cause)));
  for (const child of [...lane.children]) if (!kept.has(child)) child.remove();
  lane.append(...run.events.filter(({ at, command, isDone }) => command && isDone && at >= from && at <= from + length).slice(-400).map(({ at, text }) => {
    const mark = make("i", { title: `${run.clock(at)} ${text}` });
    mark.style.left = part(at);
    return mark;
  }));
}
function scrubs(target) {
  const at = (event) => {
    const box = target.getBoundingClientRect();
    const { from, length } = grabbed;
    seek(from + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length);
  };
  let grabbed = null;
  target.addEventListener("pointerdown", (event) => { target.setPointerCapture(event.pointerId); [isPlaying, grabbed] = [false, view()]; at(event); });
  target.addEventListener("pointermove", (event) => { if (target.hasPointerCapture(event.pointerId)) at(event); });
  target.addEventListener("wheel", (event) => { event.preventDefault(); zoomBy(event.deltaY < 0); }, { passive: false });
}
function zoomBy(isNearer) {
  const next = isNearer ? view().length / 2 : view().length * 2;
  zoom = next >= whole() ? null : Math.max(10, next);
  drawStrip();
  show();
}
scrubs(element("films"));
function jump(direction) {
  const times = [...run.events.map(({ at }) => at), ...[...run.causes.values()].map(({ from }) => from)].sort((a, b) => a - b);
  seek(direction < 0 ? times.findLast((t) => t < time() - 0.05) ?? 0 : times.find((t) => t > time() + 0.05) ?? null);
}
function toggle() {
  isPlaying = cursor === null ? false : !isPlaying;
  if (cursor === null) seek(run.now - 0.01); else show();
}
const keys = { " ": toggle, ArrowLeft: (e) => seek(time() - (e.shiftKey ? 10 : 1)), ArrowRight: (e) => seek(time() + (e.shiftKey ? 10 : 1)),
  Home: () => seek(0), End: () => seek(null), PageUp: () => jump(-1), PageDown: () => jump(1), "+": () => zoomBy(true), "-": () => zoomBy(false) };
addEventListener("keydown", (event) => {
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); openTab("actions"); element("search").select(); return; }
  if (event.key === "Escape") {
    pictures.find(({ id }) => id === document.body.dataset.large)?.button.click();
    delete document.body.dataset.sheet;
  }
  const isFree = event.target === document.body || event.target === element("films");
  if (!isFree || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key](event);
});
element("play").addEventListener("click", toggle);
element("live").addEventListener("click", () => seek(null));

// The answers of actions, and lines for a terminal.
let toastTimer = 0;
function toast(text, isBad = false, line = null) {
  clearTimeout(toastTimer);
  element("toast").className = `toast on${isBad ? " bad" : ""}`;
  element("toast").replaceChildren(make("span", { textContent: text }), ...(line ? [copyButton(line)] : []));
  toastTimer = setTimeout(() => element("toast").classList.remove("on"), isBad ? 10000 : 5000);
}
function copyButton(line) { return make("button", { textContent: "Copy", title: line, ariaLabel: `Copy: ${line}`, onclick: () => copy(line) }); }
async function copy(line) {
  const isCopied = await navigator.clipboard.writeText(line).then(() => true, () => false);
  toast(`${isCopied ? "Copied" : "Copy this yourself"}: ${line}`, !isCopied);
}
const actions = new Actions(element, settings, toast, (command, problem) => run.noteCommand(problem && !problem.startsWith("The app does not") ? "" : command));

// What is often done with the phone. It is turned against the clock: the top of the picture goes from the upper edge of the
// buffer to the right one.
const turns = ["up", "right", "down", "left"];
const turned = (by) => `rotate:${turns[(Math.max(0, turns.indexOf(captured.header?.orientation)) + by + 4) % 4]}`;
const often = [
  ["consumer stop", { name: "Stop", command: "consumer stop" }, () => ({ name: "Start" })],
  ["rotate", () => ({ name: "Rotate left", command: turned(1) })], ["rotate", () => ({ name: "Rotate right", command: turned(-1) })],
  ["pause", { name: "Pause", command: "pause" }, { name: "Resume", command: "resume" }],
  ["app:background", { name: "Home", command: "app:background", ends: "page" }], ["background", { name: "Home", command: "background" }],
].filter(([word]) => actions.named(word)).map(([word, ...choices]) => {
  const one = { choices: choices.map((choice) => (typeof choice === "function" ? choice : () => choice)), at: 0 };
  one.button = make("button", { textContent: one.choices[0]().name, onclick: () => {
    const action = one.choices[one.at]();
    actions.perform(action.name === "Start" ? actions.start : action);
  } });
  one.word = word;
  element("often").append(one.button);
  return one;
});

// What happened: causes with their details, and all events. A row stays the same element when another comes.
const listed = [];
let version = -1;
function listEvents() {
  if (run.version === version) return;
  version = run.version;
  for (const cause of run.causes.values()) {
    if (!cause.box) {
      cause.box = make("details", { name: "cause" }, make("summary", {}, make("time"), make("span")), make("dl"));
      cause.box.firstChild.addEventListener("click", () => { if (!cause.box.open) seekCause(cause); });
      cause.row = row(cause, () => openCause(cause));
      if (listed.push(cause) === 1 || !element("causes").querySelector("details")) element("causes").replaceChildren();
      const next = [...run.causes.values()].filter(({ box, from }) => box && from > cause.from).sort((a, b) => a.from - b.from)[0];
      element("causes").insertBefore(cause.box, next?.box ?? null);
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
  const made = make("li", {}, make("button", { className: entry.level ?? "", onclick }, make("time", { textContent: run.clock(entry.at) }),
    make("span", { textContent: entry.was ?? entry.text })), ...more.filter(Boolean));
  made.at = entry.at;
  const rows = [...element("events").children];
  element("events").insertBefore(made, rows[rows.findLastIndex(({ at }) => at <= entry.at) + 1] ?? null);
  return made;
}
function tell(cause) {
  const [summary, list] = cause.box.children;
  const repeat = cause.repeat && [make("code", { textContent: cause.repeat }), copyButton(cause.repeat)];
  const told = [["What was seen", cause.text], ["Evidence", cause.evidence], ["A phone shows", cause.onDevice], ["What to do", cause.remedy],
    ["Repeat it", repeat], ["Asked for", cause.request && `Somebody did “${cause.request}”.`], ["Read more", cause.see && `Docs/${cause.see}`]];
  cause.box.className = cause.level;
  setText(summary.firstChild, run.clock(cause.from));
  for (const text of [summary.lastChild, cause.row.querySelector("span")]) setText(text, cause.was);
  if (cause.told === (cause.told = JSON.stringify(told.map(([, value]) => value && String(value))))) return;
  list.replaceChildren(...told.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", {}, ...[value].flat())]));
}
function seekCause({ from, to }) { seek(from + Math.min(1, (Math.min(to, run.now) - from) / 2)); }
function openCause(cause, seeks = true) {
  listEvents();
  openTab("happened");
  for (const other of run.causes.values()) if (other.box) other.box.open = other === cause;
  if (seeks) seekCause(cause);
  cause.box.scrollIntoView({ block: "nearest" });
}

// Tabs: beside the stage, or a bar below with a sheet in a narrow window. A wide one shows what happened all the time.
const tabs = [...document.querySelectorAll("[role=tab]")];
const panelOf = (tab) => element(tab.getAttribute("aria-controls"));
let current = "actions";
function openTab(name, isToggle = false) {
  const isClosing = isToggle && narrow.matches && name === current && "sheet" in document.body.dataset;
  if (!wide.matches || name !== "happened") current = name;
  if (isClosing) delete document.body.dataset.sheet; else if (narrow.matches) document.body.dataset.sheet = "";
  showTabs();
}
function showTabs() {
  if (wide.matches && current === "happened") current = "actions";
  for (const tab of tabs) {
    const isOn = panelOf(tab).id === current;
    tab.setAttribute("aria-selected", String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    panelOf(tab).hidden = !isOn && !(wide.matches && panelOf(tab).id === "happened");
  }
  drawPlots();
}
for (const tab of tabs) {
  tab.addEventListener("click", () => openTab(panelOf(tab).id, true));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = tabs.filter((other) => other.offsetParent);
    const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
    openTab(panelOf(next).id);
    next.focus();
  });
}

// All that depends on the time.
function show() {
  const t = time();
  const moment = run.moment(t);
  showFigures(t, moment);
  const state = stateOf(t, moment);
  state.isKept = cursor === null && run.connection !== "open";
  document.body.dataset.level = state.level;
  setText(element("sentence"), cursor === null ? state.text : `At ${run.clock(t)}: ${state.text[0].toLowerCase()}${state.text.slice(1)}`);
  const told = [moment.phase, state.cause?.name, state.level, run.connection, cursor === null].join();
  if (element("said").dataset.told !== told) [element("said").dataset.told, element("said").textContent] = [told, element("sentence").textContent];
  const faults = run.faults.length;
  const count = `${faults} fault${faults === 1 ? "" : "s"}`;
  element("why").hidden = !state.cause && !faults;
  setText(element("why"), state.cause ? "Why?" : count);
  element("why").onclick = () => (state.cause ? openCause(state.cause, cursor !== null) : openTab("happened"));
  setText(element("state"), state.state ?? "");
  setText(element("corner"), cursor !== null ? `${run.clock(t, 1)}, not live` : state.corner ?? "");
  element("next").hidden = !state.next || cursor !== null;
  setText(element("next"), state.next?.text ?? "");
  element("next").onclick = () => (state.next.copy ? copy(state.next.copy) : state.next.act());
  const isOpen = run.connection === "open";
  const { pid } = moment.broadcast;
  setText(element("phone-text"), `${moment.device}${moment.isRunning && pid && (isOpen || cursor !== null) ? `, process ${pid}` : ""}`);
  setText(element("far-name"), calls.isHere ? "Far end" : "Enters the call");
  const sent = entering.header && [entering.header.width, entering.header.height];
  const size = sent && (entering.header.rotation % 180 ? sent.reverse() : sent).join("×");
  setText(element("far-text"), !moment.isRunning ? "" : !calls.isHere ? size ?? ""
    : `this page${moment.figure.delayMsMedian >= 0 ? `, ${(moment.figure.delayMsMedian / 1000).toFixed(2)} s later` : ""}`);
  const now = run.moment(run.now);
  for (const one of often) {
    one.at = { "consumer stop": now.isRunning ? 0 : 1, pause: now.phase === "paused" ? 1 : 0 }[one.word] ?? 0;
    setText(one.button, one.choices[one.at]().name);
    one.button.disabled = !isOpen;
  }
  setText(element("who"), [run.settings.run?.group, run.settings.run?.pid && `app ${run.settings.run.pid}`].filter(Boolean).join(", "));
  setText(element("run"), `${moment.device}${run.settings.run?.group ? `, ${run.settings.run.group}` : ""}: ${run.clock(run.now)}, ${count}.`);
  const isHeld = cursor !== null && !isPlaying;
  element("play").dataset.shape = isHeld ? "play" : "pause";
  element("play").ariaLabel = isHeld ? "Play from here" : "Hold the picture";
  element("live").setAttribute("aria-pressed", String(cursor === null && isOpen));
  setText(element("live"), !isOpen ? "Newest" : cursor === null ? "Live" : "Go live");
  setText(element("clock"), cursor === null ? run.clock(t) : `${run.clock(t)} of ${run.clock(run.now)}`);
  document.documentElement.style.setProperty("--cursor", part(t));
  setText(element("head").firstChild, run.clock(t, cursor === null ? 0 : 1));
  Object.assign(element("films"), { ariaValueMax: run.now.toFixed(0), ariaValueNow: t.toFixed(cursor === null ? 0 : 1),
    ariaValueText: cursor === null ? `live, ${run.clock(t)}` : `${run.clock(t)}, ${state.text}` });
  const rows = element("events").children;
  const newest = [...rows].findLast(({ at }) => at <= t + 0.05);
  for (const row of element("events").querySelectorAll("[aria-current]")) if (row !== newest) row.ariaCurrent = null;
  if (newest) newest.ariaCurrent = "true";
  showPictures(t, moment, state);
}

// Files of the run.
const files = {
  async report() {
    const answer = await fetch("report.html");
    if (!answer.ok) throw new Error(await answer.text());
    return save(await answer.blob(), "report.html");
  },
  // For `check --scenario`: what was done since the broadcast began, or since the start of the watch.
  scenario() {
    const { broadcast } = run.moment(run.now);
    const meta = { name: "page", checks: "What was done on the page.", onDevice: "The broadcast ends or stands still." };
    const given = broadcast.line?.match(/--(device|pattern)[= ]\S+/g)?.flatMap((option) => option.split(/[= ]/)) ?? [];
    const done = run.events.filter(({ at, command, isDone }) => isDone && at >= (broadcast.at ?? 0) && !/^(consumer |app:)/.test(command));
    const lines = [{ meta }, { do: "launch", ...(given.length > 0 && { arguments: given }) }];
    for (const { at, command } of done) lines.push({ at: `${(at - (broadcast.at ?? 0)).toFixed(1)}s`, do: command });
    lines.push({ at: `${((done.at(-1)?.at ?? broadcast.at ?? 0) - (broadcast.at ?? 0) + 1).toFixed(1)}s`, do: "end" });
    return save(new Blob(lines.map((line) => `${JSON.stringify(line)}\n`), { type: "application/x-ndjson" }), "page.jsonl");
  },
  command() { copy(run.moment(run.now).broadcast.line ?? "consumer start"); },
  async picture() {
    const canvas = pictures[0].figure.querySelector("canvas:not([hidden])");
    return save(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), "picture.png");
  },
};
element("sending").addEventListener("click", async ({ target }) => {
  if (!target.dataset.save) return;
  try {
    const name = await files[target.dataset.save]();
    if (name) toast(`Saved as ${name}.`);
  } catch (error) {
    toast(`Not saved. ${error.message}`, true);
  }
});

const source = follow("events", {
  async open() {
    const settings = await readSettings();
    app.token = settings.token;
    if (settings.startNs < run.origin) return location.reload();
    const count = run.sessions.length;
    run.begin(settings);
    if (run.sessions.length > count) film.open();
  },
  lost: () => run.lose(),
  beat: (nanoseconds) => run.hear(nanoseconds),
  event: (event, nanoseconds) => {
    run.take(event, nanoseconds);
    if (event.event === "begun" && event.line) actions.choose(event.line);
  },
});
const calls = new Calls(captured, entering, source, element, (values) => run.report(values));
const publisher = new Publisher(calls.call, settings, element);

let [isDue, drawn] = [true, ""];
let last = performance.now();
function tick() {
  run.tick();
  const now = performance.now();
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
setInterval(tick, 250);
setInterval(() => film.keep(captured.framesDrawn), 1000);
film.open();

// For tests and the console.
globalThis.broadcast = { run, film, captured, call: entering, plots, calls, publisher, actions };
