import { make, number } from "./events.js";

// What matters now, each with its limit: a click shows its plot.
export class Health {
  #items = new Map();
  #values = {};
  #rates = [];

  // `show` shows the plot of a title.
  constructor(parent, settings, show) {
    this.parent = parent;
    this.polls = settings.pollsPerSecond;
    this.show = show;
  }

  // Takes the values of an event.
  take(values) {
    Object.assign(this.#values, values);
    if (values.framesPerSecondIn !== undefined) this.#rates = [...this.#rates.slice(-2), values.framesPerSecondIn];
  }

  // Whether the screen had frames all the time: of a second in which it rested, the polls that found frames are not known.
  get #isEven() {
    const [least, most] = [Math.min(...this.#rates), Math.max(...this.#rates)];
    return this.#rates.length === 3 && most - least <= 0.015 * most;
  }

  // Draws the line. Without a live broadcast all figures are grey.
  draw(isLive) {
    const v = this.#values;
    const possible = Math.min(v.framesPerSecondIn ?? Infinity, this.polls);
    const share = (v.framesPerSecondOut ?? 0) / possible;
    this.#item("rate", "Frames per second", `${number(v.framesPerSecondOut)} of ${Number.isFinite(possible) ? number(possible) : "–"} fps`,
      !Number.isFinite(possible) || possible === 0 || !this.#isEven ? "quiet" : share >= 0.97 ? "good" : share >= 0.8 ? "amber" : "bad", isLive);
    const age = 1500 / this.polls;
    this.#item("age", "Age on arrival", `${number(v.ageMsP99 ?? v.ageMs, 0)} of ${number(age, 0)} ms`,
      v.ageMs === undefined ? "quiet" : (v.ageMsP99 ?? v.ageMs) <= age ? "good" : (v.ageMsP99 ?? v.ageMs) <= 2 * age ? "amber" : "bad", isLive);
    const torn = (v.framesTorn ?? 0) + (v.framesRepeated ?? 0);
    this.#item("torn", "Skipped and torn", `${v.framesTorn ?? 0}, repeated ${v.framesRepeated ?? 0}`, torn === 0 ? "good" : "bad", isLive);
    const part = v.extensionMemory === undefined ? null : v.extensionMemory / (v.memoryLimit ?? Infinity);
    const most = v.memoryLimit === undefined ? "" : ` of ${number(v.memoryLimit / 1048576, 0)}`;
    this.#item("memory", "Memory", `${number(v.extensionMemory / 1048576)}${most} MiB`,
      part === null ? "quiet" : part < 0.8 ? "good" : part < 1 ? "amber" : "bad", isLive && part !== null);
    const freezes = v.read > 0 ? v.freezes : v.freezeCount;
    this.#item("call", "Freezes", v.farEnds ? `${v.farEnds} far end${v.farEnds === 1 ? "" : "s"}, ${freezes ?? 0} freezes` : "none",
      !v.farEnds ? "quiet" : freezes > 0 ? "amber" : "good", !!v.farEnds);
  }

  #item(name, title, text, state, isAlive) {
    let button = this.#items.get(name);
    if (!button) {
      const properties = { title: `Show the plot: ${title}`, onclick: () => this.show(title) };
      button = make("button", properties, `${name} `, make("b"));
      this.#items.set(name, button);
      this.parent.append(button);
    }
    const className = isAlive ? state : "quiet";
    if (button.className !== className) button.className = className;
    const value = button.querySelector("b");
    if (value.textContent !== text) value.textContent = text;
  }
}
