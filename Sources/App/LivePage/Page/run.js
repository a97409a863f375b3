// The run as the page knows it: what was at each time, by the events of the app. A time is in seconds since the start of the
// first watch that the page has seen.

const levels = { fault: "bad", warning: "warn" };
const orientations = ["up", "upMirrored", "down", "downMirrored", "leftMirrored", "right", "rightMirrored", "left"];
const running = ["waiting", "live", "paused", "suspended"];
const ends = {
  stopped: ["ended", "The app has ended the broadcast."], finished: ["ended", "The extension has ended the broadcast."],
  error: ["error", "The extension has ended the broadcast with an error."],
  crashed: ["crashed", "The extension has crashed."], killed: ["crashed", "The extension was killed."],
};

// The index of the newest entry of a list that is not after a time; -1 before the first.
export function newestIndex(list, t) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= t) low = middle + 1; else high = middle;
  }
  return low - 1;
}
export const newest = (list, t) => list[newestIndex(list, t)];

// Puts an entry into a list that is in the order of times.
export function insert(list, entry) { list.splice(newestIndex(list, entry.at) + 1, 0, entry); }

export class Run {
  // The connection to the app: "open", "silent" when it is suspended, "gone" when it has ended.
  connection = "open";
  sessions = [];
  causes = new Map();
  events = [];
  samples = [];
  // Raised with each event that a list or the film strip shows.
  version = 0;
  #phases = [];
  #broadcasts = [];
  #offset = Infinity;
  #heard = { at: 0, clock: 0, ticks: 0 };
  #mayBeSuspended = false;
  #dropped = null;
  #device;
  // The frames that the phone should make in a second; `undefined` while that is not known.
  #rate;

  // The app was started, maybe again: its clock begins at 0.
  begin(settings) {
    if (this.sessions.at(-1)?.run?.id === settings.run?.id && this.sessions.length > 0) return;
    this.origin ??= settings.startNs;
    this.settings = settings;
    const at = this.#seconds(settings.startNs);
    if (this.sessions.length > 0) this.#enter("none", at);
    this.sessions.push({ at, run: settings.run });
    this.#tell(at, this.sessions.length > 1 ? "The app was started again." : "The watch begins.");
    this.version += 1;
  }

  #seconds(nanoseconds) { return Math.max(0, (nanoseconds - this.origin) / 1e9); }

  get now() {
    return this.connection === "open" ? Math.max(this.#heard.at, performance.now() / 1000 - this.#offset) : this.#heard.at;
  }
  // How long the app has said nothing.
  get silence() { return (performance.now() - this.#heard.clock) / 1000; }
  get faults() { return [...this.causes.values()].filter(({ level }) => level !== "none"); }

  clock(t, digits = 0) {
    const seconds = t - (newest(this.sessions, t)?.at ?? 0);
    const rest = (Math.floor((seconds % 60) * 10 ** digits) / 10 ** digits).toFixed(digits);
    return `${Math.floor(seconds / 60)}:${rest.padStart(digits ? digits + 3 : 2, "0")}`;
  }

  // Notes that the app lives. A page whose timers are late counts fewer ticks.
  hear(nanoseconds) {
    const at = this.#seconds(nanoseconds);
    this.#offset = Math.min(this.#offset, performance.now() / 1000 - at);
    this.#heard = { at: Math.max(at, this.#heard.at), clock: performance.now(), ticks: 0 };
    this.connection = "open";
  }
  // Called four times a second.
  tick() { if (this.connection === "open" && ++this.#heard.ticks > 12) this.connection = "silent"; }
  // iOS reclaims the sockets of an app that it suspends, so that it refuses connections too.
  lose() { this.connection = this.#mayBeSuspended ? "silent" : "gone"; }
  noteCommand(command) {
    if (/^app:(suspend|background)$/.test(command)) this.#mayBeSuspended = true;
    if (command === "app:foreground") this.#mayBeSuspended = false;
    if (/^rate:\d/.test(command)) this.#rate = Number(command.slice(5));
  }

  #enter(phase, at) {
    const last = this.#phases.at(-1);
    if (last?.phase !== phase) this.#phases.push({ phase, at: Math.max(at, last?.at ?? 0) });
  }
  #tell(at, text, more = {}) { insert(this.events, { at, text, ...more }); }

  take(event, nanoseconds) {
    this.hear(nanoseconds);
    const at = this.#seconds(event.atNs ?? nanoseconds);
    const phase = this.#phases.at(-1)?.phase ?? "none";
    const size = `${event.width}×${event.height}`;
    switch (event.event) {
      case "begun":
        this.#broadcasts.push({ ...event, at });
        this.#rate = event.framesPerSecond;
        this.#enter("waiting", at);
        this.#tell(at, `The broadcast begins: ${[event.device ?? "a phone", event.width && size,
          event.framesPerSecond && `${event.framesPerSecond} frames a second`].filter(Boolean).join(", ")}.`);
        break;
      case "finished": {
        const [end, text] = ends[event.how] ?? ends.stopped;
        const broadcast = this.#broadcasts.at(-1);
        if (broadcast) broadcast.error = event.errorDescription;
        this.#enter(end, at);
        this.#tell(at, text);
        break;
      }
      case "status":
        if (event.active && !running.includes(phase)) this.#enter("waiting", at);
        if (!event.active && running.includes(phase)) this.#enter("ended", at);
        break;
      case "stats": {
        this.samples.push({ ...event, ageMs: event.framesPerSecondOut > 0 ? event.ageMs : undefined, at, expected: this.#rate });
        // An hour whole, and what is older with half of its values.
        if (this.samples.length > 7200) this.samples = this.samples.filter((_, index) => index > 3600 || index % 2);
        const isOver = ["crashed", "error", "ended"].includes(phase);
        const next = { live: "live", paused: "paused", suspended: "suspended", crashed: "crashed", ended: "ended" }[event.phase];
        if (next && !(isOver && ["ended", "crashed"].includes(next))) this.#enter(next, at);
        return;
      }
      case "measures": return this.#measure(event);
      case "crashed": this.#enter("crashed", at); break;
      case "suspended": this.#enter("suspended", at); break;
      case "resumed":
        this.#enter("live", at);
        this.#tell(at, "The extension runs again.");
        break;
      case "cause": this.#explain(event); break;
      case "control":
        this.noteCommand(event.problem ? "" : event.command);
        this.#tell(at, `${event.name ?? event.command}${event.by === "terminal" ? " (in a terminal)" : ""}${event.problem ? `: not done. ${event.problem}` : ""}`,
          { command: event.command, line: event.line, isDone: !event.problem });
        break;
      case "format":
        this.#tell(at, `Frames: ${size}, ${event.pixelFormat}, ${orientations[event.orientation - 1] ?? "–"}.`);
        break;
      case "audio": {
        const text = { format: `${event.sampleRate} Hz on ${event.channels} channel${event.channels === 1 ? "" : "s"}.`,
          stopped: "nothing comes any more, and the broadcast goes on.", back: "audio comes again." }[event.change];
        this.#tell(at, `${event.stream === "app" ? "App audio" : "Microphone"}: ${text ?? event.change}`);
        break;
      }
      case "app": {
        this.noteCommand(`app:${event.change}`);
        const text = { background: "is in the background", foreground: "is in the foreground again", memoryWarning: "is warned of little memory" };
        this.#tell(at, `The app ${text[event.change] ?? event.change}.`);
        break;
      }
      case "capture":
        if (event.change === "started") this.#enter("waiting", at);
        this.#tell(at, `Capture: ${event.change}${event.errorDescription ? ` (${event.errorDescription})` : ""}.`);
        break;
      case "problem": this.#tell(at, event.description, { level: "bad" }); break;
      case "summary": this.#tell(at, `The watch has ended: ${event.framesDelivered ?? "–"} frames.`); break;
      default: return;
    }
    this.version += 1;
  }

  // The measures belong to the `stats` before them.
  #measure(event) {
    this.#device = event.device;
    const sample = this.samples.at(-1);
    if (!sample) return;
    const lost = this.#dropped === null ? 0 : event.framesDropped - this.#dropped;
    this.#dropped = event.framesDropped;
    Object.assign(sample, { ...event, dropped: lost >= 0 ? (100 * lost) / Math.max(1, lost + sample.framesPerSecondIn) : 0 });
  }
  // What a far end reports, for the newest sample.
  report(values) { Object.assign(this.samples.at(-1) ?? {}, values); }

  #explain(event) {
    const id = event.id ?? `${event.kind} ${event.detail ?? ""} ${event.fromNs}`;
    const from = this.#seconds(event.fromNs);
    const name = event.name ?? event.kind[0].toUpperCase() + event.kind.slice(1);
    const cause = this.causes.get(id) ?? {};
    Object.assign(cause, { ...event, name, at: from, from, level: levels[event.severity] ?? "none", was: event.was ?? event.text,
      now: event.now ?? event.text, to: event.isOpen ? Infinity : event.toNs ? this.#seconds(event.toNs) : from });
    this.causes.set(id, cause);
  }

  // What was at a time: the phase and since when, the cause, the broadcast, the figures.
  moment(t) {
    let { phase, at: since } = newest(this.#phases, t) ?? { phase: "none", at: 0 };
    const broadcast = newest(this.#broadcasts, t) ?? {};
    const order = ["none", "warn", "bad"];
    const there = [...this.causes.values()].filter(({ from, to }) => from <= t && (t < to || from === to && t < from + 1))
      .sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level) || a.from - b.from);
    const rest = there.find(({ kind }) => kind === "rests");
    let cause = there.findLast(({ level }) => level !== "none");
    if (["crashed", "error"].includes(phase) && cause?.level !== "bad") {
      cause = this.faults.findLast(({ from, level }) => level === "bad" && Math.abs(from - since) < 3) ?? cause;
    }
    if (["live", "suspended"].includes(phase) && cause?.kind === "suspended") [phase, since] = ["suspended", cause.from];
    if (phase === "live" && rest && !cause) [phase, cause, since] = ["rest", rest, rest.from];
    return { phase, since, cause, broadcast, device: broadcast.device ?? this.#device ?? "A phone",
      isRunning: ["rest", ...running].includes(phase), figure: this.#figure(t, phase, since) };
  }

  #figure(t, phase, since) {
    if (!["live", "rest", "suspended"].includes(phase)) return {};
    const index = newestIndex(this.samples, t);
    const sample = this.samples[index];
    // Of what is older than five minutes the app keeps less.
    if (!sample || t - sample.at > 15) return {};
    if (phase === "rest") return { extensionMemory: sample.extensionMemory };
    const figure = { ...sample, before: this.samples[index - 1] };
    if (phase === "suspended") {
      Object.assign(figure, { framesPerSecondOut: 0, ageMsMedian: (t - since) * 1000, before: null,
        delayMsMedian: sample.delayMsMedian && sample.delayMsMedian + (t - since) * 1000 });
    }
    return figure;
  }

  // Whether the screen rested near a time: then a second has fewer frames.
  restsNear(t) { return [...this.causes.values()].some(({ kind, from, to }) => kind === "rests" && from - 2 < t && t < to + 2); }
}
