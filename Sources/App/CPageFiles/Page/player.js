// The player: one time for pictures, verdict, figures, film strip, events and plots.
import { ask, ui, follow, make, readSettings, save, setText, shownName } from "./base.js";
import { Picture, PictureStream } from "./picture.js";
import { insert, Run } from "./run.js";
import { Film } from "./film.js";
import { figuresOf, limitText, otherPlots, Plots, valueText } from "./figures.js";
import { Actions } from "./actions.js";
import { Calls } from "./calls.js";

const [narrow, wide] = ["(max-width: 899px)", "(min-width: 1680px)"].map((query) => matchMedia(query));
let settings = null;
while (!settings) {
  try { settings = await readSettings(); } catch ({ message }) {
    setText(ui.sentence, message);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
const run = new Run();
run.begin(settings);
const captured = new Picture(ui.captured, 540);
const entering = new Picture(ui.entering);
const stream = new PictureStream(captured, entering);

// The time shown (`null`: live), and the seconds of the strip (`null`: all).
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

// The verdict, the words on the phone, and the next step.
function stateOf(t, { phase, cause, reason, figure, since, broadcast, sound, isRunning }) {
  const say = (level, text, more) => ({ level, text, ...more });
  const seconds = (from, digits = 0) => Math.max(0, t - from).toFixed(digits);
  const known = again(broadcast);
  const device = known?.command ? broadcast.device : known?.form.querySelector("select").value;
  const start = known
    && { text: `Start ${shownName(device)}${known.command ? " again" : ""}`, act: () => actions.perform(known) };
  if (cursor === null && run.connection !== "open") {
    const isOver = run.connection === "gone" && run.isOver;
    const resume = ["Copy the resume command", run.line("producer control app:foreground")];
    const [state, by, text, copy] = run.connection === "gone"
      ? ["The app has ended", isOver && isRunning ? ", and the broadcast continues" : "", "Copy the start command",
        run.settings.run.serve]
      : run.connection === "lost" ? ["The app has ended or is suspended", " by iOS", ...resume]
      : run.mayBeSuspended ? ["The app is suspended", " by iOS", ...resume]
      : ["The app does not answer", ""];
    return say(
      isOver ? "none" : "bad", `${state}${by}: what you see is ${run.silence.toFixed(0)} s old.`,
      { state: `${state}.`, next: copy && { text, copy } }
    );
  }
  const dialog = broadcast.dialog ? ` A phone shows: “${broadcast.dialog}”` : "";
  switch (phase) {
    case "none":
      if (!run.isOnTime && run.version < 2) return say("none", "Connecting to the app.");
      return say("none", "No broadcast runs.", { state: "No broadcast.", next: start });
    case "paused":
      return say("none", `Paused for ${seconds(since)} s.`,
        { state: "Paused.", next: { text: "Resume", act: () => actions.send("Resume", "resume") } });
    case "ended": {
      const state = "The broadcast has ended.";
      return say("none", broadcast.end ? broadcast.end + (dialog || " A phone shows no error.") : state,
        { state: state + dialog, next: start });
    }
    case "waiting":
      if (cause) break;
      if (t - since <= 5)
        return say("none", "The broadcast begins: waiting for the first frame.",
          { state: "Waiting for the first frame." });
      return say("warn", `No frame has come for ${seconds(since)} s since the start.`, {
        state: "No frame yet.",
        next: run.line("") !== null && { text: "Copy the diagnosis command", copy: run.line("broadcast doctor") }
      });
  }
  const [isError, rest] = [phase === "error", phase === "idleScreen" && cause];
  const words = {
    suspended: "The extension is suspended.",
    crashed: `The extension ${cause?.kind === "killed" ? "was killed" : "has crashed"}.`,
    error: `“${broadcast.error ?? "–"}”`
  }[phase];
  if ((cause || words) && !rest) {
    const text = isError ? `Ended${cause?.request ? ", as requested," : ""} with an error of the extension: ${words}`
      : !cause ? words
      : cursor === null ? cause.now
      : cause.was;
    return say(
      cause?.level ?? "bad", text.replace("{s}", seconds(cause?.from ?? since, phase === "suspended" ? 1 : 0)),
      {
        cause,
        state: words && (isError && dialog.trim() || words + dialog),
        next: words && phase !== "suspended" && start
      }
    );
  }
  const corner = rest ? "The screen does not change." : "";
  const over = rows.find(({ isOver }) => isOver);
  if (over) {
    const value = `${over.value.textContent} (${over.limitBox.textContent})`;
    const isLate = /^(late|starved)$/.test(reason?.kind);
    const text = isLate ? `The host is overloaded; the handler is not the cause: ${over.name.toLowerCase()} ${value}.`
      : over.name === "Delay" ? `The remote side sees the screen late: ${value}.`
      : reason ? sentence(reason)
      : `${over.name}: ${value}.`;
    return say("warn", text, { cause: isLate || over.name !== "Delay" ? reason : null, corner });
  }
  const [lost, inCall] = [lostSound(sound), sound.call >= 0];
  if (lost.length > 0) {
    const [when, length] =
      [inCall ? " during the phone call" : "", seconds(Math.min(...lost.map((stream) => sound[stream])))];
    return say("warn", `No sound${when} for ${length} s: ${lost.join(" and ")} audio stopped.`, { corner });
  }
  const { delayMsMedian: delay, ageMsMedian: age, framesPerSecondOut, shown, hasCall } = figure;
  const text = hasCall && delay === undefined ? ""
    : rest ? cause.now.replace("{s}", seconds(since)).replace(/^All right: |\.$/g, "")
    : shown === 0 ? "nothing new is on the screen"
    : delay >= 0 ? `the remote side sees the screen ${(delay / 1000).toFixed(delay < 95 ? 2 : 1)} s late`
    : age >= 0 && `the app has each frame ${age.toFixed(0)} ms after its capture`;
  if (text) return say("good", `All right: ${text}${inCall ? "; a phone call is on" : ""}.`, { cause: rest, corner });
  return say(
    "none", text === "" ? "The delay of the remote side is unknown: it read no new frame number."
      : framesPerSecondOut > 0 ? "The app receives frames, but their age is not known."
      : "Nothing was measured.", { corner }
  );
}
const lostSound = (sound) => ["app", "microphone"].filter((stream) => sound[stream] >= 0 && sound[`${stream}Heard`]);
// The start with all options of the last broadcast, if the app has seen it.
const again = ({ arguments: options, at }) => options && at >= run.sessions.at(-1).at
  ? { name: "Start again", command: "consumer start again" } : actions.start;

// Live pictures are drawn as they come, past ones from the film.
const pictures = ["phone", "far"].map((id) => ({
  id,
  figure: ui[id],
  button: ui[id].querySelector("button"),
  past: ui[id].querySelector(".past")
}));
const farCanvas = () => ui[calls.isHere ? "received" : "entering"];
const film = new Film(run, () => [ui.captured, farCanvas().width > 1 ? farCanvas() : null]);
const noPicture = "No image was kept of this time.";
function showPictures(t, moment, state, isKept) {
  const entry = cursor === null ? null : film.at(t);
  if (cursor !== null && !entry && moment.isRunning) setText(ui.state, state.state ?? noPicture);
  setText(ui["far-cover"], cursor === null ? "Nothing to see yet." : noPicture);
  const isEmpty = cursor === null ? ["none", "waiting"].includes(moment.phase) && !isKept : !entry;
  for (const picture of pictures) {
    const { id, figure, past } = picture;
    const live = id === "phone" ? ui.captured : farCanvas();
    const blob = entry && (entry[id] ?? (id === "phone" ? entry.small : null));
    for (const canvas of figure.querySelectorAll("canvas")) canvas.hidden = canvas !== (cursor === null ? live : past);
    const ratio = cursor === null ? live.width > 1 && !isEmpty && live.width / live.height
      : entry?.[id === "phone" ? "ratio" : "farRatio"];
    figure.style.setProperty(
      "--ratio", ratio || (id === "far" ? 2 / 3 : moment.broadcast.width / moment.broadcast.height || 0.4615)
    );
    if (id === "phone") ui.stage.classList.toggle("turned", ratio > 1);
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
const plots = new Plots(ui.plots, [...figures, ...otherPlots]);
const rows = [...figures, otherPlots.find(({ name }) => name === "Sound")].map((figure) => {
  const [value, limitBox] = [make("b"), make("small")];
  const onclick = () => {
    openTab("plots");
    plots.all.find(({ name }) => name === figure.name).box.scrollIntoView({ block: "nearest" });
  };
  const button =
    make("button", { title: "Show the plot", onclick }, make("span", { textContent: figure.name }), value, limitBox);
  ui.figures.append(button);
  return { ...figure, button, value, limitBox, isOver: false };
});
const soundRow = rows.pop();
function showFigures({ figure, sound, isRunning }) {
  const known = cursor === null && run.connection !== "open" ? { needed: figure.needed } : figure;
  for (const row of rows) {
    const value = row.lines[0][1];
    const limit = row.limit(known);
    const isWrong = (number) => Number.isFinite(number) && (row.isLeast ? number < limit : number > limit);
    // One second alone proves nothing.
    const { before, after } = known;
    row.isOver = isWrong(value(known)) && (before === null || (row.isSure && before)
      || [before, after].some((other) => isWrong(value(other ?? {}))));
    setText(row.value, valueText(value(known), row.unit, row.digits));
    setText(row.limitBox, row.note?.(known) || limitText(row, row.limit({ ...known, expected: undefined })));
    row.button.classList.toggle("over", row.isOver);
  }
  const word = (at, level) => at >= 0 ? "stopped" : at === undefined ? "off"
    : level > -96 ? "on" : level ? "silent" : "–";
  setText(soundRow.value, !isRunning ? "–" : `App ${word(sound.app, known.appLevelDb)}`);
  setText(soundRow.limitBox, isRunning ? `mic ${word(sound.microphone, known.micLevelDb)}` : "");
  soundRow.button.classList.toggle("over", isRunning && lostSound(sound).length > 0);
}
for (const { area } of plots.all) scrubs(area);
function drawPlots() {
  plots.draw(
    run.samples, view(), run.causes.map(({ from, to, level }) => ({ from, to: Math.min(to, run.now), level }))
  );
  calls.plots.draw(run.samples, view());
}

function drawStrip() {
  const canvas = ui.films.querySelector("canvas");
  const [width, height, scale] = [ui.films.clientWidth, ui.films.clientHeight, devicePixelRatio];
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
      context.globalAlpha = ["live", "idleScreen"].includes(run.moment(t).phase) ? 1 : 0.35;
      context.drawImage(bitmap, ...box);
      context.strokeRect(...box);
    }
  }
  drawLane();
  const step =
    [1, 5, 10, 15, 30, 60, 120, 300, 600].find((step) => length / step <= ui.track.clientWidth / 62) ?? 1200;
  const labels = [];
  for (const [i, session] of run.sessions.entries()) {
    const end = Math.min(from + length * 0.97, run.sessions[i + 1]?.at ?? Infinity);
    for (let t = session.at + Math.max(0, Math.ceil((from - session.at) / step)) * step; t < end; t += step)
      labels.push(t);
  }
  ui.axis.replaceChildren(...labels.map((t) => place(make("span", { at: t, textContent: run.clock(t) }), t)));
  drawPlots();
}
// Bars for causes, and diamonds for actions.
function place(mark, t) { mark.style.translate = `${part(t)}cqw`; return mark; }
function drawLane() {
  const lane = ui.lane;
  const { from, length } = view();
  // Measure once: each change needs a new layout.
  const width = lane.clientWidth;
  const pixels = (t) => ((t - from) / length) * width;
  const seen = run.causes.filter(({ from: start, to }) => start <= from + length && to >= from)
    .sort((a, b) => a.from - b.from || (a.level === "bad" ? 1 : -1));
  // Names of faults take precedence.
  let [taken, isNote] = [-Infinity, ({ level }) => level === "none"];
  for (const [i, cause] of seen.entries()) {
    const bar = cause.bar ??= make("button", { onclick: () => openCause(cause) }, make("span"));
    const start = Math.max(cause.from, from);
    const next = seen.slice(i + 1).find((other) => isNote(cause) || !isNote(other))?.from ?? Infinity;
    const room =
      isNote(cause) && pixels(start) < taken ? 0 : Math.min(width, pixels(Math.max(start, next))) - pixels(start);
    const isNamed = room >= 7 * cause.name.length + 8 && cause.kind !== "idleScreen";
    if (!isNote(cause) && isNamed) taken = pixels(start) + Math.min(room, 8 * cause.name.length + 8);
    const title = sentence(cause);
    Object.assign(bar, { className: cause.level, title, ariaLabel: `${run.clock(cause.from)}: ${title}` });
    setText(bar.firstChild, cause.name);
    bar.firstChild.hidden = !isNamed;
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
scrubs(ui.films);
ui.track.addEventListener("wheel", (event) => {
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
  ui.search.focus();
  ui.search.select();
}
addEventListener("keydown", (event) => {
  if (event.key === "k" && event.ctrlKey) return findAction(event);
  if (event.key === "Escape") {
    pictures.find(({ id }) => id === document.body.dataset.large)?.button.click();
    ui.causes.querySelector("[open]")?.removeAttribute("open");
    document.body.removeAttribute("data-sheet");
  }
  // Buttons use keys, but not arrows.
  const isFree = event.target === document.body
    || event.target.closest(event.key.startsWith("Arrow") ? ".stage, .rail, .strip" : "#films");
  if (!isFree || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key](event);
});
ui.play.addEventListener("click", toggle);
ui.live.addEventListener("click", () => seek(null));

// `kind`: "bad" for a failure, "asks" for a question.
let [toastTimer, version] = [0, -1];
function toast(text, kind = "", line = null) {
  clearTimeout(toastTimer);
  ui.toast.className = `toast on ${kind}`;
  ui.toast.replaceChildren(make("span", { textContent: text }), ...(line ? [copyButton(line)] : []));
  toastTimer = setTimeout(() => ui.toast.classList.remove("on"), kind === "bad" ? 10000 : 5000);
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
const actions = new Actions(settings, toast, (command, problem) => run.noteCommand(problem ? "" : command));

// Turned left, the top of the phone goes from the upper edge of the buffer to the right.
const turns = ["up", "right", "down", "left"];
const turned = (by) => `rotate:${turns[(Math.max(0, turns.indexOf(captured.header?.orientation)) + by + 4) % 4]}`;
const often =
  [
    ["consumer stop", ({ isRunning, broadcast }) =>
      isRunning ? { name: "Stop", command: "consumer stop" } : again(broadcast) ?? {}],
    ["rotate", () => ({ name: "Rotate left", command: turned(1) })],
    ["rotate", () => ({ name: "Rotate right", command: turned(-1) })],
    ["pause", ({ phase }) => phase === "paused" ? { name: "Resume", command: "resume" }
      : { name: "Pause", command: "pause" }],
    ["app:background", () => ({ name: "Home", command: "app:background", ends: "page" })],
    ["background", () => ({ name: "Home", command: "background" })],
  ].filter(([word]) => actions.named(word))
  .map(([, action]) => {
    const button = make("button", { onclick: () => actions.perform(action(run.moment(run.now))) });
    ui.often.append(button);
    return { action, button };
  });

const listed = [];
function listEvents() {
  for (const cause of run.causes) if (cause.all.at(-1).isOpen && cause.box) nameCause(cause);
  if (run.version === version) return;
  version = run.version;
  for (const cause of run.causes.filter((cause) => !cause.isListed && cause === cause.all[0])) {
    cause.isListed = true;
    if (!cause.box) {
      cause.box = make("details", { name: "cause" }, make("summary", {}, make("time"), make("span")), make("dl"));
      cause.box.firstChild.addEventListener("click", () => cause.box.open || seekCause(cause));
      cause.box.addEventListener("toggle", () => tell(cause));
      cause.row = row(cause, () => openCause(cause));
      if (listed.push(cause) === 1 || !ui.causes.querySelector("details")) ui.causes.replaceChildren();
      const later = run.causes.find(({ box, from }) => box && from > cause.from);
      ui.causes.insertBefore(cause.box, later?.box ?? null);
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
  const rows = [...ui.events.children];
  ui.events.insertBefore(made, rows[rows.findLastIndex(({ at }) => at <= entry.at) + 1] ?? null);
  return made;
}
function tell(cause) {
  const [[summary, list], { text, evidence, onDevice, remedy, request }] = [cause.box.children, cause.all.at(-1)];
  const words = cause.repeat?.split(/(?<= )/).map((word) => make("span", { textContent: word }));
  const repeat = words && [make("code", {}, ...words), copyButton(cause.repeat)];
  const told = [
    ["What happened", text], ["Measured", evidence], ["On a phone", onDevice], ["Fix", remedy],
    ["Repeat it with", repeat], ["Requested", request], ["Read more", cause.see && `Docs/${cause.see}`]
  ];
  cause.box.className = cause.level;
  setText(summary.firstChild, run.clock(cause.from));
  nameCause(cause);
  // Fill only open boxes: there may be hundreds.
  if (!cause.box.open) return;
  const version = JSON.stringify([text, evidence, onDevice, remedy, request, cause.repeat]);
  if (cause.told === version) return;
  cause.told = version;
  const entry = ([name, value]) => [make("dt", { textContent: name }), make("dd", {}, ...[value].flat())];
  list.replaceChildren(...told.filter(([, value]) => value).flatMap(entry));
}
function nameCause(cause) {
  const count = (text) => Number(/(\d+) frames? (was|were)/.exec(text)?.[1]);
  const frames = cause.all.reduce((sum, { text }) => sum + count(text), 0);
  const times = cause.all.length > 1 ? `${cause.all.length} times: ` : "";
  const told = times + sentence(cause.all.at(-1)).replace(/\d+ frames? (was|were)/, `${frames} frames were`);
  for (const text of [cause.box.querySelector("summary span"), cause.row.querySelector("span")]) setText(text, told);
}
const sentence = ({ isOpen, now, was, from }) =>
  (isOpen ? now.replace("{s}", Math.max(0, run.now - from).toFixed(0)) : was[0].toUpperCase() + was.slice(1));
function seekCause({ from, to }) { seek(from + Math.min(1, (Math.min(to, run.now) - from) / 2)); }
function openCause(cause, seeks = true) {
  const [first] = cause.all;
  listEvents();
  openTab("happened");
  first.box.open = true;
  tell(first);
  if (seeks) seekCause(cause);
  first.box.scrollIntoView({ block: "nearest" });
}

// A narrow window has a sheet, and a wide one always shows what happened.
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
    ui[nameOf(tab)].hidden = !isOn && !(wide.matches && nameOf(tab) === "happened");
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

function show() {
  const [t, now, isLive, isOpen] = [time(), run.moment(run.now), cursor === null, run.connection === "open"];
  const moment = isLive ? now : run.moment(t);
  const { device, isRunning, sound, broadcast: { pid, extension, phone }, figure: { delayMsMedian: delay } } = moment;
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
    corner: isLive ? isOpen && stream.problem || (state.corner ?? "") : `${run.clock(t, 1)}, not live`,
    "phone-text": ` ${[
      shownName(device), /iOS [\d.]+/.exec(phone)?.[0], isRunning && sound.call >= 0 && "in a phone call",
      isRunning && pid && (isOpen || !isLive) && `${extension ?? "process"} ${pid}`
    ].filter(Boolean).join(", ")}`,
    "far-name": calls.isHere ? "Remote side" : "Enters the call",
    "far-text": !isRunning || !isLive
      ? ""
      : ` ${calls.isHere ? `this page${delay >= 0 ? `, ${(delay / 1000).toFixed(2)} s later` : ""}` : size}`,
    who: names.join(", "),
    run: `${[shownName(device), ...names].join(", ")}: ${run.clock(run.now)}, ${run.faultsText}.`,
    live: !isOpen ? "Newest" : isLive ? "Live" : "Go live",
  };
  for (const [id, text] of Object.entries(texts)) setText(ui[id], text);
  setText(ui.head.firstChild, run.clock(t, isLive ? 0 : 1));
  for (const label of ui.axis.children) label.hidden = Math.abs(part(label.at) - part(t)) * ui.track.clientWidth < 4e3;
  const told = `${isLive} ${sentence.replace(/[\d.]+/g, "")}`; // Announce new words, not changed numbers.
  if (ui.said.dataset.told !== told)
    [ui.said.dataset.told, ui.said.textContent] = [told, sentence];
  document.body.dataset.level = state.level;
  ui.why.hidden = !state.cause && run.faults.length === 0;
  ui.why.onclick = () =>
    openCause(state.cause || (run.faults.findLast(({ request }) => !request) ?? run.faults.at(-1)), false);
  ui.next.hidden = !state.next || !isLive;
  ui.next.onclick = () => (state.next.copy ? copy(state.next.copy) : state.next.act());
  for (const { action, button } of often) {
    setText(button, action(now).name ?? "Start");
    button.disabled = !isOpen || !actions.can(action(now), now);
  }
  actions.enable((action) => isOpen && actions.can(action, now));
  [ui.play.dataset.shape, ui.play.ariaLabel] =
    !isLive && !isPlaying ? ["play", "Play from here"] : ["pause", "Freeze the image"];
  ui.live.ariaPressed = String(isLive && isOpen);
  document.documentElement.style.setProperty("--cursor", `${part(t)}%`);
  Object.assign(ui.films, { ariaValueMax: run.now.toFixed(0), ariaValueNow: t.toFixed(isLive ? 0 : 1),
    ariaValueText: isLive ? `live, ${run.clock(t)}` : `${run.clock(t)}, ${state.text}` });
  const newest = [...ui.events.children].findLast(({ at }) => at <= t + 0.05);
  for (const row of [newest, ...ui.events.querySelectorAll("[aria-current]")])
    if (row) row.ariaCurrent = row === newest ? "true" : null;
  showPictures(t, moment, state, isLive && !isOpen);
}

const files = {
  async report() {
    const { ok, content } = await ask("report.html", { seconds: 60 });
    if (!ok) throw new Error(content);
    return save(new Blob([content], { type: "text/html" }), "report.html");
  },
  scenario() {
    const { arguments: options, at: begin = 0 } = run.moment(run.now).broadcast;
    // The scenario ends the broadcast itself.
    const isLimit = (word) => /^--(duration|frames)$/.test(word);
    const given = options?.filter((word, at) => !isLimit(word.split("=")[0]) && !isLimit(options[at - 1]));
    const done = run.events.filter(
      ({ at, command, isDone }) => isDone && at >= begin && !/^(consumer |app:)/.test(command)
    ).map(({ at, command }) => ({ at: at - begin, do: command }));
    const lines = [
      { meta: { name: "page", checks: "The actions on the page.", onDevice: "The broadcast ends or freezes." } },
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
    if (cursor !== null && !film.at(cursor)) throw new Error(noPicture);
    return save(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), "picture.png");
  },
};
ui.sending.addEventListener("click", async ({ target }) => {
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
const calls = new Calls(captured, entering, source, (values) => run.report(values));

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

// For tests.
globalThis.broadcast = { run, film, captured, call: entering, plots, calls, actions };
