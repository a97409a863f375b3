// The calls of the page: to a far end in the page itself, on request, and to each page of `far-end` that asks.
import { Call } from "./call.js";
import { Receiver } from "./receiver.js";
import { Signals } from "./signals.js";
import { Plots } from "./figures.js";
import { setText } from "./events.js";
import { callPlots, farEndText } from "./call-plots.js";

const here = "this page";

export class Calls {
  #signals;
  #problem = "";
  // `source` is the stream of events; `report` takes what a far end measures.
  constructor(captured, entering, source, element, report) {
    [this.element, this.report] = [element, report];
    this.call = new Call(captured, entering);
    this.receiver = new Receiver(element("received"));
    this.plots = new Plots(element("call-plots"), callPlots);
    this.#signals = new Signals(source, (signal) => this.#receive(signal));
    element("call-button").addEventListener("click", () => this.#toggle());
    setInterval(() => this.#show(), 1000);
  }
  get isHere() { return this.receiver.state !== "closed"; }
  async #toggle() {
    const button = this.element("call-button");
    button.disabled = true;
    this.#problem = "";
    try {
      const wasHere = this.isHere;
      this.call.end(here);
      this.receiver.close();
      if (!wasHere) await this.call.accept(here, await this.receiver.answer(await this.call.offer(here)));
    } catch (error) { this.#problem = `There is no call: ${error.message}.`; }
    button.disabled = false;
    button.focus({ preventScroll: true });
    this.#show();
  }
  async #receive({ kind, from, description }) {
    if (kind === "far end") this.#signals.send({ to: from, kind: "offer", description: await this.call.offer(from) });
    if (kind === "answer") await this.call.accept(from, description);
  }
  #show() {
    const button = this.element("call-button");
    button.textContent = this.isHere ? "End the call to this page" : "Start a call to this page";
    button.setAttribute("aria-pressed", String(this.isHere));
    const count = this.call.farEnds;
    const report = this.call.reports.get(here) ?? [...this.call.reports.values()].at(-1);
    const [ends, codec] = [count === 1 ? "end" : "ends", report?.codec ?? "no codec yet"];
    const outcome = count === 0 ? this.#problem || (this.isHere ? "Connecting." : "No call.")
      : `${count} far ${ends}, ${codec}, quality limited by ${report?.limitation ?? "–"}.`;
    setText(this.element("call-outcome"), outcome);
    setText(this.element("far-measures"), report ? farEndText(report) : "");
    if (report) this.report(report);
  }
}
