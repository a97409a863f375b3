// Plots of the last minutes, one canvas each, drawn when values came.
const minutes = 3;

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
  memoryLimit = 50;
  // The seconds of the newest event, and the events of the timeline.
  now = 0;
  marks = [];
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
    let hasNew = false;
    for (const plot of this.#plots) hasNew = plot.add(seconds, event) || hasNew;
    if (hasNew) this.#redraw();
  }

  mark(seconds, isBad) {
    this.marks.push({ seconds, isBad });
    this.marks = this.marks.filter((mark) => mark.seconds > this.now - minutes * 60);
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
    this.box = document.createElement("section");
    this.box.className = "plot";
    this.box.hidden = !!description.isOptional;
    const title = document.createElement("h2");
    title.textContent = description.title;
    this.values = document.createElement("span");
    title.append(this.values);
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.box.append(title, this.canvas);
    plots.parent.append(this.box);
  }

  add(seconds, event) {
    if (event.event !== this.description.event) return false;
    const values = this.description.lines.map(([, value]) => value(event));
    if (values.every((value) => value === undefined)) return false;
    this.box.hidden = false;
    this.#points.push({ seconds, values });
    const first = this.plots.now - minutes * 60;
    while (this.#points.length && this.#points[0].seconds < first) this.#points.shift();
    return true;
  }

  draw() {
    if (this.box.hidden) return;
    const { lines, unit, floor, ceiling, hasLimit, digits = 1 } = this.description;
    const last = this.#points.at(-1);
    const words = lines.map(([name], index) => `${name} ${last?.values[index]?.toFixed(digits) ?? "–"}`);
    this.values.textContent = `${words.join(", ")} ${unit}`;
    this.canvas.setAttribute("aria-label", `${this.description.title}: ${this.values.textContent}`);
    const scale = devicePixelRatio;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name);
    const all = this.#points.flatMap((point) => point.values).filter((value) => value !== undefined);
    let low = Math.min(floor ?? Infinity, ...all);
    let high = Math.max(ceiling ?? -Infinity, hasLimit ? this.plots.memoryLimit * 1.1 : -Infinity, ...all);
    if (!Number.isFinite(low)) low = 0;
    if (high <= low) high = low + 1;
    high += ceiling === undefined ? (high - low) * 0.08 : 0;
    // As large as the text of the page, which grows on a large screen.
    const size = parseFloat(style.fontSize) * 0.75;
    const [left, bottom] = [size * 3.5, height - size * 1.3];
    const x = (seconds) => width - ((this.plots.now - seconds) / (minutes * 60)) * (width - left);
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - size / 2);
    context.font = `${size}px system-ui, sans-serif`;
    context.fillStyle = colour("--quiet");
    context.strokeStyle = colour("--line");
    context.textAlign = "right";
    for (const value of ticks(low, high)) {
      context.fillText(String(value), left - 4, y(value) + size / 3);
      line(context, [[left, y(value)], [width, y(value)]]);
    }
    context.textAlign = "center";
    for (let minute = 1; minute < minutes; minute++) {
      context.fillText(`−${minute} min`, x(this.plots.now - minute * 60), height - 2);
    }
    for (const mark of this.plots.marks) {
      context.strokeStyle = mark.isBad ? colour("--bad") : colour("--quiet");
      context.setLineDash([2, 3]);
      if (x(mark.seconds) >= left) line(context, [[x(mark.seconds), 0], [x(mark.seconds), bottom]]);
    }
    if (hasLimit) {
      context.strokeStyle = colour("--bad");
      context.setLineDash([6, 4]);
      line(context, [[left, y(this.plots.memoryLimit)], [width, y(this.plots.memoryLimit)]]);
    }
    context.lineWidth = 1.5;
    lines.forEach(([name], index) => {
      context.strokeStyle = colour(["--a", "--b", "--c"][index]);
      context.setLineDash([[], [5, 2], [2, 2]][index]);
      const points = this.#points.filter((point) => point.values[index] !== undefined);
      line(context, points.map((point) => [x(point.seconds), y(point.values[index])]));
    });
  }
}

function line(context, points) {
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
