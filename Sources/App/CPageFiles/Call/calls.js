// Calls to the page itself, and to each remote side that requests one.
import { Call } from "./call.js";
import { Receiver } from "./receiver.js";
import { Signals } from "./signals.js";
import { Plots } from "./figures.js";
import { setText, ui } from "./base.js";
import { callPlots, farEndText } from "./call-plots.js";

const here = "this page";

export class Calls {
  #signals;
  #problem = "";
  constructor(captured, entering, source, report) {
    this.report = report;
    this.call = new Call(captured, entering);
    this.receiver = new Receiver(ui.received);
    this.plots = new Plots(ui["call-plots"], callPlots);
    this.#signals = new Signals(source, (signal) => this.#receive(signal));
    ui["call-button"].addEventListener("click", () => this.#toggle());
    setInterval(() => this.#show(), 1000);
  }
  get isHere() { return this.receiver.state !== "closed"; }
  async #toggle() {
    const button = ui["call-button"];
    button.disabled = true;
    this.#problem = "";
    try {
      const wasHere = this.isHere;
      this.call.end(here);
      this.receiver.close();
      if (!wasHere) await this.call.accept(here, await this.receiver.answer(await this.call.offer(here)));
    } catch (error) { this.#problem = `The call failed: ${error.message}.`; }
    button.disabled = false;
    button.focus({ preventScroll: true });
    this.#show();
  }
  async #receive({ kind, from, description }) {
    if (kind === "far end") this.#signals.send({ to: from, kind: "offer", description: await this.call.offer(from) });
    if (kind === "answer") await this.call.accept(from, description);
  }
  #show() {
    const button = ui["call-button"];
    button.textContent = this.isHere ? "End the call to this page" : "Start a call to this page";
    button.setAttribute("aria-pressed", String(this.isHere));
    const count = this.call.farEnds;
    const report = this.call.reports.get(here) ?? [...this.call.reports.values()].at(-1);
    const outcome = count === 0 ? this.#problem || (this.isHere ? "Connecting." : "No call.")
      : `${count} remote side${count === 1 ? "" : "s"}, ${report?.codec ?? "no codec yet"}.`;
    setText(ui["call-outcome"], outcome);
    setText(ui["far-measures"], report ? farEndText(report) : "");
    // Remote sides report each second.
    if (count > 0) this.report({ ...(performance.now() - report?.reportedAt < 3000 && report), hasCall: true });
  }
}
