import { make } from "./events.js";
import { clockText } from "./timeline.js";

// Plots of the last minutes, one canvas each, drawn when values came. They share the time: its span, and a cross-hair.
// How much is kept, in seconds.
const longest = 1800;

// The plots of a watch. Each has the event with its values, and for each line a name and the value.
export const watchPlots = [
  { title: "Frames per second", unit: "fps", event: "stats", floor: 0,
    lines: [["in", (e) => e.framesPerSecondIn], ["out", (e) => e.framesPerSecondOut]] },
  { title: "Age on arrival", unit: "ms", event: "measures", floor: 0,
    lines: [["median", (e) => e.ageMsMedian], ["p99", (e) => e.ageMsP99]] },
  { title: "Interval between frames", unit: "ms", event: "measures", floor: 0,
    lines: [["median", (e) => e.intervalMsMedian], ["longest", (e) => e.intervalMsMax]] },
  { title: "Skipped and torn", unit: "in all", digits: 0, event: "stats", floor: 0,
    lines: [["skipped", (e) => e.framesSkipped], ["torn", (e) => e.framesTorn]] },
  { title: "Repeated and dropped", unit: "in all", digits: 0, event: "measures", floor: 0,
    lines: [["repeated", (e) => e.framesRepeated], ["dropped", (e) => e.framesDropped]] },
  { title: "Memory", unit: "MiB", event: "measures", floor: 0, hasLimit: true,
    lines: [["app", (e) => mebibytes(e.appMemory)], ["extension", (e) => mebibytes(e.extensionMemory)]] },
  { title: "Audio level", unit: "dB", event: "stats", floor: -96, ceiling: 0, isOptional: true,
    lines: [["app", (e) => e.appLevelDb], ["microphone", (e) => e.micLevelDb]] },
  { title: "Audio after frames", unit: "ms", event: "stats", isOptional: true,
    lines: [["offset", (e) => e.avOffsetMs]] },
];

function mebibytes(bytes) { return bytes === undefined ? undefined : bytes / 1048576; }

export class Plots {
  memoryLimit;
  // The seconds of the newest event, and the named events of the timeline.
  now = 0;
  marks = [];
  // The time under the pointer; `null` without one.
  pointed = null;
  #span = 180;
  #plots = [];
  #isDue = false;

  constructor(parent, descriptions) {
    this.parent = parent;
    this.#plots = descriptions.map((description) => new Plot(this, description));
    new ResizeObserver(() => this.#redraw()).observe(parent);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw());
  }

  add(seconds, event) {
    this.now = Math.max(this.now, seconds);
    if (event.event === "measures") this.memoryLimit = mebibytes(event.memoryLimit);
    let hasNew = false;
    for (const plot of this.#plots) hasNew = plot.add(seconds, event) || hasNew;
    if (hasNew) this.#redraw();
  }

  mark(seconds, name, isBad) {
    this.marks.push({ seconds, name, isBad });
    this.marks = this.marks.filter((mark) => mark.seconds > this.now - longest);
  }

  // The seconds that the plots show, at most those that there are.
  get span() { return Math.max(10, Math.min(this.#span, this.now)); }
  set span(seconds) {
    this.#span = seconds;
    this.#redraw();
  }

  point(seconds) {
    this.pointed = seconds;
    this.#redraw();
  }

  // Brings the plot of a title into view.
  ask(title) {
    for (const plot of this.#plots) {
      const isAsked = plot.description.title === title && !plot.box.hidden;
      plot.box.classList.toggle("asked", isAsked);
      if (isAsked) plot.box.scrollIntoView({ block: "center", behavior: "smooth" });
    }
  }

  // At most one drawing for each picture of the screen.
  #redraw() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      for (const plot of this.#plots) plot.draw();
    });
  }
}

class Plot {
  #points = [];

  constructor(plots, description) {
    this.plots = plots;
    this.description = description;
    this.values = make("span");
    this.canvas = make("canvas", {
      role: "img", onpointerleave: () => plots.point(null),
      onpointermove: (event) => plots.point(this.#secondsAt(event.offsetX)),
    });
    const title = make("h2", {}, description.title, this.values);
    this.box = make("section", { className: "plot", hidden: !!description.isOptional }, title, this.canvas);
    plots.parent.append(this.box);
  }

  add(seconds, event) {
    if (event.event !== this.description.event) return false;
    const values = this.description.lines.map(([, value]) => value(event));
    if (values.every((value) => value === undefined)) return false;
    this.box.hidden = false;
    this.#points.push({ seconds, values });
    const first = this.plots.now - longest;
    while (this.#points.length && this.#points[0].seconds < first) this.#points.shift();
    return true;
  }

  // The width of the numbers beside the plot; the text is as large as that of the page.
  get #left() { return parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.75 * 3.5; }

  #secondsAt(x) {
    const left = this.#left;
    return this.plots.now - (1 - (x - left) / (this.canvas.clientWidth - left)) * this.plots.span;
  }

  #showValues(style) {
    const { lines, unit, digits = 1 } = this.description;
    const { pointed } = this.plots;
    const shown = pointed === null ? this.#points.at(-1) : this.#points.findLast((point) => point.seconds <= pointed + 0.5);
    const names = lines.map(([name], index) => {
      const key = make("i", { textContent: ["━", "╍", "┅"][index] });
      key.style.color = style.getPropertyValue(colours[index]);
      return [key, ` ${name} ${shown?.values[index]?.toFixed(digits) ?? "–"}${index < lines.length - 1 ? ", " : ""}`];
    });
    const near = pointed === null ? null
      : this.plots.marks.findLast((mark) => Math.abs(mark.seconds - pointed) < this.plots.span / 60);
    const when = pointed === null ? "" : ` at ${clockText(Math.max(0, pointed))}${near ? `: ${near.name}` : ""}`;
    this.values.replaceChildren(...names.flat(), ` ${unit}${when}`);
    this.canvas.setAttribute("aria-label", `${this.description.title}: ${this.values.textContent}`);
  }

  draw() {
    if (this.box.hidden) return;
    const { lines, floor, ceiling, hasLimit, digits } = this.description;
    const style = getComputedStyle(document.documentElement);
    this.#showValues(style);
    // Counts that are all zero need no picture.
    const isEmpty = digits === 0 && this.#points.every((point) => point.values.every((value) => !value));
    if (this.canvas.hidden !== isEmpty) this.canvas.hidden = isEmpty;
    if (isEmpty) return;
    const scale = devicePixelRatio;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    const colour = (name) => style.getPropertyValue(name);
    const { now, span, pointed } = this.plots;
    const points = this.#points.filter((point) => point.seconds >= now - span - 1);
    const all = points.flatMap((point) => point.values).filter((value) => value !== undefined);
    let low = all.reduce((least, value) => Math.min(least, value), floor ?? Infinity);
    let high = all.reduce((most, value) => Math.max(most, value), Math.max(ceiling ?? -Infinity, hasLimit ? (this.plots.memoryLimit ?? 0) * 1.1 : -Infinity));
    if (!Number.isFinite(low)) low = 0;
    if (high <= low) high = low + 1;
    high += ceiling === undefined ? (high - low) * 0.08 : 0;
    const size = parseFloat(style.fontSize) * 0.75;
    const [left, bottom] = [this.#left, height - size * 1.3];
    const x = (seconds) => width - ((now - seconds) / span) * (width - left);
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - size / 2);
    context.font = `${size}px system-ui, sans-serif`;
    context.fillStyle = colour("--quiet");
    context.textAlign = "right";
    for (const value of ticks(low, high)) {
      context.fillText(String(value), left - 4, y(value) + size / 3);
      line(context, [[left, y(value)], [width, y(value)]], colour("--line"));
    }
    context.textAlign = "center";
    const step = [5, 10, 30, 60, 300, 600].find((step) => span / step <= 5) ?? 600;
    for (let seconds = Math.ceil((now - span) / step) * step; seconds < now; seconds += step) {
      if (x(seconds) > left + 2 * size && x(seconds) < width - 1.5 * size) context.fillText(clockText(seconds), x(seconds), height - 2);
    }
    for (const mark of this.plots.marks) {
      const place = x(mark.seconds);
      if (place >= left) line(context, [[place, 0], [place, bottom]], colour(mark.isBad ? "--bad" : "--quiet"), [2, 3]);
    }
    if (hasLimit && this.plots.memoryLimit) {
      const limit = y(this.plots.memoryLimit);
      line(context, [[left, limit], [width, limit]], colour("--bad"), [6, 4]);
    }
    lines.forEach((_, index) => {
      const draw = (run) => line(context, run, colour(colours[index]), [[], [5, 2], [2, 2]][index], 1.5);
      // A time without values is a gap.
      let run = [];
      let last = null;
      for (const point of points.filter((point) => point.values[index] !== undefined)) {
        if (last !== null && point.seconds - last > 5) {
          draw(run);
          run = [];
        }
        last = point.seconds;
        run.push([Math.max(left, x(point.seconds)), y(point.values[index])]);
      }
      draw(run);
    });
    if (pointed !== null && x(pointed) >= left) {
      line(context, [[x(pointed), 0], [x(pointed), bottom]], colour("--text"));
    }
  }
}

const colours = ["--a", "--b", "--c"];

function line(context, points, colour, dash = [], width = 1) {
  [context.strokeStyle, context.lineWidth] = [colour, width];
  context.setLineDash(dash);
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

// Two to five round values between two numbers.
function ticks(low, high) {
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    values.push(Number(value.toPrecision(6)));
  }
  return values;
}
