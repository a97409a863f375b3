import { make } from "./events.js";

// The events of the watch in words, with the picture of each moment.

export function clockText(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

export class Timeline {
  // The commands that were done since the broadcast began, with their times in it.
  #commands = [];
  #broadcastStart = null;
  #moments = [];

  constructor(element, picture) {
    this.element = element;
    this.picture = picture;
    element("filter").addEventListener("change", () => this.#filter());
    element("scenario").addEventListener("click", () => this.#saveScenario());
    element("report").addEventListener("click", () => this.#saveReport());
    setInterval(() => this.#keepMoment(), 1000);
  }

  // The seconds of the watch now, set with each event.
  now = 0;

  // A new broadcast: its commands follow.
  begin(seconds) { [this.#broadcastStart, this.#commands] = [seconds, []]; }

  // `line` is what a terminal runs to do the same as `command`.
  add(seconds, text, { isBad = false, command = null, line = null } = {}) {
    this.now = Math.max(this.now, seconds);
    if (command && !isBad && this.#broadcastStart !== null && !command.startsWith("consumer ")) {
      this.#commands.push({ at: Math.max(0, seconds - this.#broadcastStart), command });
    }
    this.#keepMoment();
    const words = make("span", { textContent: text, className: isBad ? "bad" : "" });
    const row = make("li", { tabIndex: 0 }, make("time", { textContent: clockText(seconds) }), words);
    row.dataset.kind = `${isBad ? "bad " : ""}${command ? "done" : ""}`;
    if (line) row.append(this.#copyButton(line));
    const show = () => this.#showMoment(seconds);
    row.addEventListener("click", show);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") show(); });
    const list = this.element("timeline");
    list.prepend(row);
    while (list.childElementCount > 300) list.lastChild.remove();
    this.#filter();
  }

  #filter() {
    const kind = this.element("filter").value;
    for (const row of this.element("timeline").children) row.hidden = kind !== "" && !row.dataset.kind.includes(kind);
  }

  #copyButton(line) {
    const onclick = (event) => {
      event.stopPropagation();
      navigator.clipboard?.writeText(line);
    };
    return make("button", { textContent: "copy", title: "Copy as a command line", onclick });
  }

  // A small picture each second, of the last three minutes.
  #keepMoment() {
    const { canvas, framesDrawn } = this.picture;
    if (document.hidden || framesDrawn === 0 || this.#moments.at(-1)?.framesDrawn === framesDrawn) return;
    const scale = Math.min(1, 200 / Math.max(canvas.width, canvas.height));
    const [width, height] = [Math.ceil(canvas.width * scale), Math.ceil(canvas.height * scale)];
    const small = make("canvas", { width, height });
    small.getContext("2d").drawImage(canvas, 0, 0, small.width, small.height);
    this.#moments.push({ seconds: this.now, framesDrawn, canvas: small });
    if (this.#moments.length > 240) this.#moments.shift();
  }

  #showMoment(seconds) {
    const moment = this.#moments.findLast((moment) => moment.seconds <= seconds + 0.5) ?? this.#moments[0];
    const figure = this.element("moment");
    figure.hidden = !moment;
    if (!moment) return;
    figure.querySelector("img").src = moment.canvas.toDataURL("image/jpeg", 0.8);
    figure.querySelector("figcaption").textContent = `The screen at ${clockText(moment.seconds)}.`;
  }

  // A file for `check --scenario` that does the same.
  #saveScenario() {
    const meta = { name: "page", checks: "What was done on the page.", onDevice: "The broadcast ends or stands still." };
    const lines = [{ meta }, { do: "launch" }];
    for (const { at, command } of this.#commands) lines.push({ at: `${at.toFixed(1)}s`, do: command });
    lines.push({ at: `${((this.#commands.at(-1)?.at ?? 0) + 1).toFixed(1)}s`, do: "end" });
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
    this.#save(new Blob([text], { type: "application/x-ndjson" }), "page.jsonl");
  }

  // The page that `--report` writes, of what has been seen so far.
  async #saveReport() {
    const outcome = this.element("outcome");
    try {
      const answer = await fetch("report.html");
      if (!answer.ok) throw new Error(await answer.text());
      this.#save(await answer.blob(), "report.html");
      outcome.textContent = "The report is saved as report.html.";
    } catch (error) {
      outcome.textContent = `The report cannot be saved: ${error.message}`;
    }
  }

  #save(blob, name) {
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}
