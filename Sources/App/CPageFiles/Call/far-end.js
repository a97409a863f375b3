// Requests a call, repeatedly.
import { Receiver } from "./receiver.js";
import { Signals } from "./signals.js";
import { Plots } from "./figures.js";
import { setText, ui } from "./base.js";
import { callPlots, farEndText } from "./call-plots.js";

const receiver = new Receiver(ui.received);
const plots = new Plots(ui["call-plots"], callPlots);

// A browser has few connections to a server.
let [source, asked] = [null, 0];

function ask() {
  asked = performance.now();
  source?.close();
  source = new EventSource("events?of=signals");
  const signals = new Signals(source, async ({ kind, from, description }) => {
    if (kind !== "offer") return;
    signals.send({ to: from, kind: "answer", description: await receiver.answer(description) });
  });
  source.onopen = () => signals.send({ kind: "far end" });
}

setInterval(() => {
  const isConnected = receiver.state === "connected";
  setText(ui.phase, isConnected ? "Connected to the page." : "Waiting for the page.");
  if (isConnected) {
    source?.close();
    source = null;
  } else if (!source || performance.now() - asked > 10000) {
    ask();
  }
}, 500);
const samples = [];
receiver.onReport = (values) => {
  const at = performance.now() / 1000;
  ui["far-text"].textContent = farEndText(values);
  samples.push({ ...values, at });
  if (samples.length > 180) samples.shift();
  plots.draw(samples, { from: samples[0].at, length: Math.max(10, at - samples[0].at), cursor: at });
};
globalThis.farEnd = receiver;
