import { make } from "./base.js";
import { newestIndex } from "./run.js";

// `isSure`: a single second counts.
const mebibytes = (bytes) => (bytes === undefined ? undefined : bytes / 1048576);

export function figuresOf({ pollsPerSecond, leastFrameShare }) {
  return [
    { name: "Frame rate", unit: "fps", isLeast: true,
      limit: (s) => leastFrameShare * (s.expected ?? s.needed),
      note: (s) => Math.max(s.shown, s.framesPerSecondOut) < leastFrameShare * s.needed
        && `screen ${s.shown.toFixed(1)} fps`,
      lines: [["received", (s) => s.framesPerSecondOut], ["published", (s) => s.framesPerSecondIn]] },
    { name: "Frame age", unit: "ms", digits: 0, limit: () => 1500 / pollsPerSecond,
      lines: [["median", (s) => s.ageMsMedian], ["p99", (s) => s.ageMsP99]] },
    { name: "Dropped", unit: "%", digits: 0, limit: () => 1, lines: [["share", (s) => s.dropped]] },
    { name: "Memory", unit: "MiB", limit: (s) => mebibytes(s.limitBytes),
      lines: [["extension", (s) => mebibytes(s.footprintBytes)], ["app", (s) => mebibytes(s.appMemoryBytes)]] },
    { name: "Delay", unit: "s", digits: 2, isSure: true, limit: () => 0.3,
      lines: [["median", (s) => (s.delayMsMedian === undefined ? undefined : s.delayMsMedian / 1000)]] },
  ];
}
export const otherPlots = [
  { name: "Interval between frames", unit: "ms",
    lines: [["median", (s) => s.intervalMsMedian], ["longest", (s) => s.intervalMsMax]] },
  { name: "Frames", unit: "total", digits: 0,
    lines: [["dropped", (s) => s.framesDropped], ["skipped", (s) => s.framesSkipped], ["torn", (s) => s.framesTorn],
      ["repeated", (s) => s.framesRepeated]] },
  { name: "Sound", unit: "dB", isOptional: true, least: -96,
    lines: [["app", (s) => s.appLevelDb], ["microphone", (s) => s.micLevelDb]] },
  { name: "Audio after frames", unit: "ms", isOptional: true, lines: [["offset", (s) => s.avOffsetMs]]},
];

export function valueText(value, unit, digits = 1) {
  if (!Number.isFinite(value)) return "–";
  return unit === "ms" && value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(digits)} ${unit}`;
}
export const limitText = ({ isLeast, unit, digits }, limit) => !Number.isFinite(limit) || (isLeast && !limit) ? ""
  : `${isLeast ? "min" : "max"} ${valueText(limit, unit, unit === "s" ? 2 : Number.isInteger(limit) ? 0 : digits)}`;
export class Plots {
  constructor(parent, descriptions) {
    this.parent = parent;
    this.all = descriptions.map((description) => {
      const [values, limit, area] = [make("data"), make("span"), make("div", { className: "area" })];
      area.innerHTML = `<svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true"></svg>
        <i class="cursor"></i><small></small>`;
      const [svg, , top] = area.children;
      const box = make("figure", { className: "plot", hidden: !!description.isOptional },
        make("figcaption", {}, make("b", { textContent: description.name }), values, limit), area);
      parent.append(box);
      return { ...description, box, area, svg, values, limitBox: limit, top };
    });
  }
  draw(samples, { from, length, cursor }, causes = []) {
    if (!this.parent.checkVisibility()) return;
    const [first, last] = [Math.max(0, newestIndex(samples, from)), newestIndex(samples, from + length) + 1];
    const step = Math.ceil((last - first) / 600) || 1;
    const shown = samples.slice(first, last).filter((_, index) => index % step === 0);
    const pointed = samples[newestIndex(samples, cursor)] ?? {};
    const x = (t) => Math.max(-10, Math.min(1010, ((t - from) / length) * 1000)).toFixed(1);
    const band = ({ from, to, level }) =>
      `<rect class="${level}" x="${x(from)}" width="${Math.max(2, x(to) - x(from))}" height="100"/>`;
    const bands = causes.map(band).join("");
    for (const plot of this.all) {
      const columns = plot.lines.map(([, value]) => shown.map(value));
      const known = columns.flat().filter(Number.isFinite);
      if (known.length > 0) plot.box.hidden = false;
      const limit = shown.length > 0 ? plot.limit?.(shown.at(-1)) : undefined;
      const least = plot.least ?? 0;
      const most = known.reduce((most, value) => Math.max(most, value), least === 0 ? (limit ?? 1) * 1.2 : 0) || 1;
      const y = (value) => (100 - ((value - least) / (most - least)) * 96).toFixed(1);
      const paths = columns.map((values, line) => {
        let [path, lastAt] = ["", -Infinity];
        for (const [index, value] of values.entries()) {
          const { at } = shown[index];
          if (Number.isFinite(value)) path += `${at - lastAt > 15 * step ? "M" : "L"}${x(at)} ${y(value)}`;
          lastAt = Number.isFinite(value) ? at : -Infinity;
        }
        return path && `<path class="line l${line}" d="${path}"/>`;
      });
      plot.svg.innerHTML =
        `${bands}${Number.isFinite(limit) ? `<path class="limit" d="M0 ${y(limit)}H1000"/>` : ""}${paths.join("")}`;
      const values = plot.lines.map(([name, value], line) => {
        const text = valueText(value(pointed), "", plot.digits).trim();
        return make("span", { className: `l${line}`, textContent: plot.lines.length > 1 ? `${name} ${text}` : text });
      });
      plot.values.replaceChildren(...values, ` ${plot.unit}`);
      plot.limitBox.textContent = limitText(plot, limit);
      plot.top.textContent = known.length === 0 && !limit ? "" : valueText(most, plot.unit, most < 5 ? 2 : 0);
    }
  }
}
