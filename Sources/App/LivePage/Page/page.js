// Wires the parts of the page: pictures, events, plots and controls.
import { Picture } from "./picture.js";
import { follow } from "./events.js";
import { Plots, watchPlots } from "./plots.js";
import { makeControls } from "./controls.js";
import { Calls } from "./calls.js";
import { Publisher } from "./publish.js";

const element = (id) => document.getElementById(id);
const number = (value, digits = 1) => (value === undefined || value === null ? "–" : value.toFixed(digits));

const plots = new Plots(element("plots"), watchPlots);
const captured = new Picture(element("captured"), "frames");
const call = new Picture(element("call"), "frames?of=call");
const settings = await (await fetch("settings")).json();
plots.memoryLimit = settings.memoryLimit / 1048576;
makeControls(element("controls"), element("outcome"), settings);

const facts = new Map();
function showFact(name, text) {
  if (!facts.has(name)) {
    const row = document.createElement("div");
    const [title, value] = [document.createElement("dt"), document.createElement("dd")];
    title.textContent = name;
    row.append(title, value);
    element("facts").append(row);
    facts.set(name, value);
  }
  facts.get(name).textContent = text;
}

function showPhase(phase) {
  element("phase").textContent = phase;
  element("phase").className = "phase" + (phase === "live" ? " good" : phase === "crashed" || phase === "page lost its app" ? " bad" : "");
}

// A sentence for each event that belongs on the timeline.
const sentences = {
  status: (event) => [event.active ? "The flag says active." : "The flag says not active.", false],
  format: (event) => [`Frames: ${event.width}×${event.height}, ${event.pixelFormat}, orientation ${event.orientation}.`, false],
  audio: (event) => [(event.stream === "app" ? "App audio: " : "Microphone: ") + {
    format: `${event.sampleRate} Hz on ${event.channels} channel${event.channels === 1 ? "" : "s"}.`,
    stopped: "nothing comes any more, and the broadcast goes on.", back: "audio comes again.",
  }[event.change], event.change === "stopped"],
  crashed: (event) => [
    `The extension (process ${event.pid}) ` + (event.reason === "memoryLimit"
      ? `was killed for its memory: ${number(event.footprintBytes / 1048576)} MiB.`
      : "crashed."), true],
  suspended: (event) => [`The extension (process ${event.pid}) is suspended.`, true],
  resumed: (event) => [`The extension (process ${event.pid}) runs again.`, false],
  appSuspended: (event) => [`The app did not run for ${number(event.seconds)} s.`, true],
  app: (event) => [{
    background: "The app is in the background.", foreground: "The app is in the foreground again.",
    memoryWarning: "The phone warns the app of little memory.",
  }[event.change], event.change !== "foreground"],
  capture: (event) => [`Capture: ${event.change}${event.errorDescription ? ` (${event.errorDescription})` : ""}.`, !!event.errorDescription],
  problem: (event) => [event.description, true],
  summary: (event) => [
    `The watch has ended: ${event.framesDelivered} frames, ${number(event.framesPerSecond)} fps, ` +
    `${event.framesSkipped} skipped, ${event.framesTorn} torn, ${event.framesRepeated} repeated.`, event.framesTorn > 0],
  control: (event) => [`${event.command}: ${event.problem ?? "done."}`, !!event.problem],
};

let lastPhase = "";
function addToTimeline(seconds, text, isBad) {
  const row = document.createElement("li");
  const time = document.createElement("time");
  time.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  const words = document.createElement("span");
  words.textContent = text;
  if (isBad) words.className = "bad";
  row.append(time, words);
  element("timeline").prepend(row);
  while (element("timeline").childElementCount > 300) element("timeline").lastChild.remove();
}

let start = null;
const source = follow("events", {
  open: () => showPhase(lastPhase || "waiting"),
  lost: () => showPhase("page lost its app"),
  event(event, nanoseconds) {
    start ??= nanoseconds;
    const seconds = (nanoseconds - start) / 1e9;
    if (event.event === "stats") {
      if (event.phase !== lastPhase) {
        addToTimeline(seconds, `The broadcast is ${event.phase}.`, event.phase === "crashed");
        plots.mark(seconds, event.phase === "crashed");
      }
      lastPhase = event.phase;
      showPhase(event.phase);
      showFact("in", `${number(event.framesPerSecondIn)} fps`);
      showFact("out", `${number(event.framesPerSecondOut)} fps`);
      showFact("age", `${number(event.ageMs)} ms`);
      showFact("skipped", event.framesSkipped);
      showFact("torn", event.framesTorn);
    }
    if (event.event === "crashed") { lastPhase = "crashed"; showPhase("crashed"); }
    if (event.event === "status" && !event.active) { lastPhase = "not active"; showPhase("not active"); }
    if (event.event === "measures") {
      showFact("repeated", event.framesRepeated);
      showFact("dropped", event.framesDropped);
    }
    const sentence = sentences[event.event]?.(event);
    if (sentence) {
      addToTimeline(seconds, ...sentence);
      plots.mark(seconds, sentence[1]);
    }
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
}
setInterval(showPictures, 250);

const calls = new Calls(captured, call, source, element);
const publisher = new Publisher(calls.call, settings, element);

// For tests and the console: what has been drawn, and the calls.
globalThis.broadcast = { captured, call, plots, calls, publisher };
