// Wires the parts of the page: pictures, events, plots and controls.
import { Picture } from "./picture.js";
import { follow, make, number } from "./events.js";
import { Plots, watchPlots } from "./plots.js";
import { Controls } from "./controls.js";
import { Timeline } from "./timeline.js";
import { Health } from "./health.js";
import { Calls } from "./calls.js";
import { Publisher } from "./publish.js";

const element = (id) => document.getElementById(id);

const settings = await (await fetch("settings")).json();
const plots = new Plots(element("plots"), watchPlots);
const captured = new Picture(element("captured"), "frames");
const call = new Picture(element("call"), "frames?of=call");
const controls = new Controls(element, settings);
const timeline = new Timeline(element, captured);
const health = new Health(element("health"), settings, (title) => {
  for (const set of [plots, calls.plots]) set.ask(title);
});

// What the phone shows over its screen, by phase.
const states = {
  connecting: "Connecting to the app.", waiting: "Waiting for a broadcast.", paused: "Paused.",
  ended: "The broadcast has ended.",
  "not active": "No broadcast. Press Start (s).", "page lost its app": "The app does not run, or is suspended.",
};
let [phase, lastFrameAt, lastDrawn] = ["connecting", performance.now(), 0];

// What ended or stopped the broadcast, and whether its screen rests, in the words of the app.
const causes = { seen: new Set(), end: null, rest: null };

// Returns the sentence of a cause that is new.
function take(cause) {
  const id = `${cause.kind} ${cause.detail ?? ""} ${cause.fromNs}`;
  const isNew = !causes.seen.has(id);
  causes.seen.add(id);
  if (["killed", "crashed", "hung", "refused", "ended", "suspended"].includes(cause.kind)) causes.end = cause.text;
  if (cause.kind === "rests") causes.rest = cause.text;
  showState();
  return isNew ? [cause.text, cause.severity === "fault"] : null;
}

function showPhase(name) {
  phase = name;
  const bad = name === "crashed" || name === "page lost its app";
  element("phase").textContent = name;
  element("phase").className = "phase" + (name === "live" ? " good" : bad ? " bad" : "");
  controls.state.phase = name;
  if (!["live", "paused", "suspended"].includes(name)) controls.state.isInCall = false;
  controls.update();
  showState();
}

function showState() {
  if (captured.framesDrawn !== lastDrawn) [lastDrawn, lastFrameAt] = [captured.framesDrawn, performance.now()];
  const still = (performance.now() - lastFrameAt) / 1000;
  if (still < 1) causes.rest = null;
  const words = phase === "live" ? (still > 1 ? causes.rest ?? `No frame for ${still.toFixed(0)} s.` : null)
    : (phase !== "waiting" && causes.end) || (states[phase] ?? phase);
  const state = element("state");
  state.hidden = !words;
  for (const screen of document.querySelectorAll(".stage .screen")) screen.classList.toggle("dim", !!words);
  if (words && state.textContent !== words) {
    state.replaceChildren(make("span", { textContent: words }));
  }
}

// A sentence for each event that belongs on the timeline, and whether it is a fault.
const sentences = {
  status: (event) => [event.active ? "The flag says active." : "The flag says not active.", false],
  format: (event) => [`Frames: ${event.width}×${event.height}, ${event.pixelFormat}, orientation ${event.orientation}.`, false],
  audio: (event) => [(event.stream === "app" ? "App audio: " : "Microphone: ") + {
    format: `${event.sampleRate} Hz on ${event.channels} channel${event.channels === 1 ? "" : "s"}.`,
    stopped: "nothing comes any more, and the broadcast goes on.", back: "audio comes again.",
  }[event.change], event.change === "stopped"],
  cause: take,
  resumed: (event) => [`The extension (process ${event.pid}) runs again.`, false],
  app: (event) => [{
    background: "The app is in the background.", foreground: "The app is in the foreground again.",
    memoryWarning: "The phone warns the app of little memory.",
  }[event.change], event.change !== "foreground"],
  capture: (event) => [`Capture: ${event.change}${event.errorDescription ? ` (${event.errorDescription})` : ""}.`, !!event.errorDescription],
  problem: (event) => [event.description, true],
  summary: (event) => [
    `The watch has ended: ${event.framesDelivered} frames, ${number(event.framesPerSecond)} fps, ` +
    `${event.framesSkipped} skipped, ${event.framesTorn} torn, ${event.framesRepeated} repeated` +
    (event.framesWithoutProof > 0 ? `, ${event.framesWithoutProof} without the proof pattern.` : "."), event.framesTorn + event.framesWithoutProof > 0],
  control: (event) => [`${event.command}: ${event.problem ?? "done."}`, !!event.problem],
};

function noteControl({ command, problem }) {
  if (problem) return;
  if (/^call(:|$)/.test(command)) controls.state.isInCall = true;
  if (command === "hangup") controls.state.isInCall = false;
  controls.update();
}

// On all plots.
function mark(seconds, name, isBad) {
  for (const set of [plots, calls.plots]) set.mark(seconds, name, isBad);
}

const source = follow("events", {
  open: () => showPhase(phase === "connecting" || phase === "page lost its app" ? "waiting" : phase),
  lost: () => showPhase("page lost its app"),
  event(event, nanoseconds) {
    const seconds = Math.max(0, (nanoseconds - settings.startNs) / 1e9);
    if (event.event === "stats" && event.phase !== phase) {
      const isBad = event.phase === "crashed";
      timeline.add(seconds, `The broadcast is ${event.phase}.`, { isBad });
      mark(seconds, event.phase, isBad);
      showPhase(event.phase);
    }
    if (event.event === "stats" || event.event === "measures") health.take(event);
    if (event.event === "measures") element("device").textContent = event.device;
    if (event.event === "crashed") showPhase("crashed");
    if (event.event === "status") {
      if (event.active) {
        causes.end = null;
        timeline.begin(seconds);
      } else {
        showPhase("not active");
      }
    }
    if (event.event === "control") noteControl(event);
    const sentence = sentences[event.event]?.(event);
    if (sentence) {
      const [text, isBad] = sentence;
      timeline.add(seconds, text, { isBad, command: event.event === "control" ? event.command : null, line: event.line });
      // A command that was refused changed nothing.
      if (event.event !== "control") mark(seconds, event.kind ?? event.event, isBad);
      else if (!event.problem) mark(seconds, event.command, false);
    }
    timeline.now = Math.max(timeline.now, seconds);
    plots.add(seconds, event);
  },
});

function showPictures() {
  for (const [picture, text] of [[captured, element("captured-text")], [call, element("call-text")]]) {
    const header = picture.header;
    if (!header) continue;
    const age = header.captureNs > 0 ? `, age ${number(picture.age, 0)} ms when drawn` : "";
    text.textContent =
      `${header.width}×${header.height} ${header.pixelFormat}` +
      (header.number ? `, ${header.orientation}, frame ${header.number}` : `, turned ${header.rotation}°`) +
      `${age}, ${number(picture.rate, 0)} fps drawn, ${header.framesDropped} left out`;
  }
  controls.state.orientation = captured.header?.orientation ?? controls.state.orientation;
  health.take({ farEnds: calls.call.farEnds, ...([...calls.call.reports.values()].at(-1) ?? {}) });
  health.draw(phase === "live");
  showState();
}

const calls = new Calls(captured, call, source, element, () => timeline.now);
const publisher = new Publisher(calls.call, settings, element);
setInterval(showPictures, 250);
element("span").addEventListener("change", ({ target }) => {
  for (const set of [plots, calls.plots]) set.span = Number(target.value);
});

// For tests and the console: what has been drawn, and the calls.
globalThis.broadcast = { captured, call, plots, calls, publisher, controls };
