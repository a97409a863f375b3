// The run as the page knows it: what was at each time, by the events of the app. A time is in seconds since the start
// of the first watch that the page has seen.
const levels = { fault: "bad", warning: "warn" };
const ranks = ["none", "warn", "bad"];
const running = ["waiting", "live", "paused", "suspended"];
const ends = { error: "error", crashed: "crashed", killed: "crashed" };
const phases = ["live", "paused", "suspended", "crashed", "ended"];
// The index of the newest entry of a list that is not after a time; -1 before the first.
export function newestIndex(list, t) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
export const newest = (list, t) => list[newestIndex(list, t)];
export function insert(list, entry) { list.splice(newestIndex(list, entry.at) + 1, 0, entry); }

export class Run {
  // The connection to the app: "open", "silent" when it is suspended, "gone" when it has ended, "lost" when it is
  // one of both.
  connection = "open";
  // Whether the clock of the app is known.
  isOnTime = false;
  sessions = []; events = []; samples = []; causes = [];
  // Raised with each event that a list or the film strip shows.
  version = 0;
  #phases = []; #broadcasts = [];
  #offset = Infinity;
  #heard = { at: 0, clock: 0, ticks: 0 };
  mayBeSuspended = false;
  #hasEnded = false; #dropped = null; #report = {};
  // The frames that the phone should make in a second.
  #rate;
  // The app was started, maybe again: its clock begins at 0. Returns whether that is new.
  begin(settings) {
    if (this.settings?.startNs === settings.startNs) return false;
    this.origin ??= settings.startNs;
    [this.settings, this.#hasEnded] = [settings, false];
    const at = this.#seconds(settings.startNs);
    if (this.sessions.push({ at }) > 1) this.#enter("none", at);
    this.#tell(at, this.sessions.length > 1 ? "The app was started again." : "The watch begins.");
    return true;
  }
  #seconds(nanoseconds) { return Math.max(0, (nanoseconds - this.origin) / 1e9); }
  get now() {
    return this.connection === "open" ? Math.max(this.#heard.at, performance.now() / 1000 - this.#offset)
      : this.#heard.at;
  }
  get silence() { return (performance.now() - this.#heard.clock) / 1000; }
  // A command for a terminal, in the container of the app; `null` for a capture, which has none.
  line(command) { return this.settings.run.options === undefined ? null : command + this.settings.run.options; }
  get faults() { return this.causes.filter(({ severity, request }) => request || severity !== "note"); }
  get faultsText() {
    const [asked, count] =
      [true, false].map((isAsked) => this.faults.filter(({ request }) => !!request === isAsked).length);
    return `${count} fault${count === 1 ? "" : "s"}${asked ? `, ${asked} as asked` : ""}`;
  }
  // A time as the terminal of its watch has it.
  clock(t, digits = 0) {
    const seconds = t + 1e-6 - (newest(this.sessions, t)?.at ?? 0);
    const rest = (Math.floor((seconds % 60) * 10 ** digits) / 10 ** digits).toFixed(digits);
    return `${Math.floor(seconds / 60)}:${rest.padStart(digits ? digits + 3 : 2, "0")}`;
  }
  // Notes that the app lives, by an event or, `isNow`, by a beat. A page whose timers are late counts fewer ticks.
  hear(nanoseconds, isNow = this.isOnTime) {
    const at = this.#seconds(nanoseconds);
    this.#offset = Math.min(this.#offset, performance.now() / 1000 - at);
    this.#heard = { at: Math.max(at, this.#heard.at), clock: performance.now(), ticks: 0 };
    this.connection = "open";
    this.isOnTime = isNow;
  }
  tick() { if (this.connection === "open" && ++this.#heard.ticks > 12) this.connection = "silent"; }
  // iOS reclaims the sockets of an app that it suspends, so that it refuses connections too, and gives it no time
  // for a word.
  lose() {
    this.connection = this.#hasEnded || this.line("") === null ? "gone" : this.mayBeSuspended ? "silent" : "lost";
  }
  noteCommand(command) {
    if (/^app:(suspend|background|foreground)$/.test(command)) this.mayBeSuspended = command !== "app:foreground";
    if (command === "app:kill") this.#hasEnded = true;
    if (/^rate:\d/.test(command)) this.#rate = Number(command.slice(5));
  }
  #enter(phase, at) {
    const last = this.#phases.at(-1);
    if (last?.phase !== phase) this.#phases.push({ phase, at: Math.max(at, last?.at ?? 0) });
  }
  // An app that was started again repeats what the phone has noted.
  #tell(at, text, more = {}) {
    if (this.events.some((event) => event.at === at && event.text === text)) return;
    insert(this.events, { at, text, ...more });
    this.version += 1;
  }
  take(event, nanoseconds) {
    this.hear(nanoseconds);
    const at = this.#seconds(event.atNs ?? nanoseconds);
    const phase = this.#phases.at(-1)?.phase ?? "none";
    const { text } = event;
    switch (event.event) {
      case "begun":
        if (this.#broadcasts.some(({ atNs }) => atNs && atNs === event.atNs)) return;
        this.#broadcasts.push({ ...event, at });
        this.#rate = event.framesPerSecond;
        this.#enter("waiting", at);
        return this.#tell(at, text);
      case "finished": {
        const broadcast = this.#broadcasts.at(-1) ?? {};
        this.#enter(ends[event.how] ?? "ended", at);
        if (broadcast.how) return;
        Object.assign(broadcast, { how: event.how, error: event.errorDescription });
        return this.#tell(at, text);
      }
      case "status":
        if (event.active !== running.includes(phase)) this.#enter(event.active ? "waiting" : "ended", at);
        return;
      case "stats":
        // In the article's layout neither the frames that were published nor their ages are known.
        if (event.framesPerSecondOut > 0 && !event.framesPerSecondIn) event.framesPerSecondIn = undefined;
        this.samples.push({
          ...(this.now - this.#report.reportedAt < 3 && this.#report),
          ...event,
          at,
          ageMsMedian: (event.framesPerSecondOut > 0 && event.ageMs) || undefined
        });
        // The last hour whole, and what is older with half of its values.
        if (this.samples.length > 7200) this.samples = this.samples.filter((_, index) => index > 3600 || index % 2);
        if (phases.includes(event.phase) && (running.includes(event.phase) || running.includes(phase)))
          this.#enter(event.phase, at);
        return;
      case "measures": return this.#measure(event);
      case "cause": return this.#explain(event);
      case "crashed": case "suspended": return this.#enter(event.event, at);
      case "resumed": this.#enter("live", at); return this.#tell(at, text);
      case "control":
        if (!event.problem) this.noteCommand(event.command);
        return this.#tell(at, text, { command: event.command, line: event.line, isDone: !event.problem });
      case "format": case "audio": return this.#tell(at, text);
      case "app": this.noteCommand(`app:${event.change}`); return this.#tell(at, text);
      case "capture":
        if (event.change === "started") this.#enter("waiting", at);
        return this.#tell(at, text);
      case "problem": return this.#tell(at, event.description, { level: "bad" });
      case "summary":
        this.#hasEnded = true;
        return this.#tell(at, `The watch has ended: ${event.framesDelivered ?? "–"} frames.`);
    }
  }
  // The measures belong to the `stats` before them.
  #measure(event) {
    const sample = this.samples.at(-1) ?? {};
    const lost = Math.max(0, event.framesDropped - (this.#dropped ?? event.framesDropped));
    this.#dropped = event.framesDropped;
    Object.assign(sample, { ...event, dropped: (100 * lost) / Math.max(1, lost + sample.framesPerSecondIn) });
  }
  // What a far end reports, for the newest sample and those of three seconds.
  report(values) { Object.assign(this.samples.at(-1) ?? {}, (this.#report = { ...values, reportedAt: this.now })); }
  #explain(event) {
    const [from, old] = [this.#seconds(event.fromNs), this.causes.find(({ id }) => id === event.id)];
    // A crash that the page has seen is no news of an app that was started again.
    if (old?.severity === "fault" && event.severity === "note") return;
    // A picture that froze is bad, whoever did it.
    const cause = Object.assign(old ?? {}, event, {
      at: from,
      from,
      level: /suspended$/i.test(event.kind) ? "bad" : levels[event.severity] ?? "none",
      isListed: false,
      to: event.isOpen ? Infinity
        : event.toNs ? this.#seconds(event.toNs)
        : from
    });
    // Its beginning is a part of its id, so that its place stays.
    if (!old) insert(this.causes, cause);
    this.version += 1;
  }
  // What was at a time: the phase and since when, the cause, the broadcast, the figures.
  moment(t) {
    let { phase, at: since } = newest(this.#phases, t) ?? { phase: "none", at: 0 };
    const broadcast = newest(this.#broadcasts, t) ?? {};
    const there = this.causes.filter(
      ({ from, to }) => from <= t && t < Math.max(to, from + 1)
    ).sort((a, b) => ranks.indexOf(a.level) - ranks.indexOf(b.level));
    const [rest, late, stop, note = stop ?? rest] =
      ["rests", "late", "appSuspended"].map((kind) => there.find((cause) => cause.kind === kind));
    let cause = there.findLast(({ level }) => level !== "none");
    if (["crashed", "error"].includes(phase) && cause?.level !== "bad") {
      cause = this.causes.findLast(
        ({ from, kind, level }) =>
          (phase === "crashed"
              ? ["crashed", "killed"].includes(kind) && from >= (broadcast.at ?? 0) && from < since + 3
              : level === "bad" && Math.abs(from - since) < 3)
      )
        ?? cause;
    }
    if (["live", "suspended"].includes(phase) && cause?.kind === "suspended")
      [phase, since] = ["suspended", cause.from];
    if (phase === "live" && note && (!cause || cause === stop)) [phase, cause, since] = [note.kind, note, note.from];
    return { phase, since, cause, late, broadcast, device: broadcast.device ?? this.settings.run?.device ?? "",
      isRunning: ["rests", "appSuspended", ...running].includes(phase), figure: this.#figure(t, phase, since, cause) };
  }
  #figure(t, phase, since, cause) {
    // A sample is of the second before it, so that of a time comes after it.
    const newer = newestIndex(this.samples, t) + 1, index = this.samples[newer]?.at - t < 1.2 ? newer : newer - 1;
    const [sample, after] = [this.samples[index], this.samples[index + 1]];
    // Of what is older than five minutes the app keeps less.
    if (!["live", "rests", "suspended"].includes(phase) || !sample || t - sample.at > 15 + (this.now - t) / 60)
      return {};
    if (phase === "rests") return { footprintBytes: sample.footprintBytes, limitBytes: sample.limitBytes };
    // A screen may change less often than the phone can show, and in a part of a second: then fewer polls find a
    // frame. Only where something is wrong, all frames are expected.
    const [before, rates] =
      [this.samples[index - 1], [0, 1, 2].map((age) => this.samples[index - age]?.framesPerSecondIn ?? Infinity)];
    const [published, polls] = [Math.min(...rates), this.settings.pollsPerSecond ?? 30];
    const isSteady = published >= polls && published > 0.9 * Math.max(...rates);
    if (phase === "live")
      return {
        ...sample,
        before,
        after,
        expected: cause ? this.#rate
          : isSteady ? published
          : published * Math.min(1, polls / (this.#rate ?? 60))
      };
    const frozen = (t - since) * 1000;
    return {
      ...sample,
      before: null,
      expected: this.#rate,
      framesPerSecondOut: 0,
      ageMsMedian: frozen,
      delayMsMedian: sample.delayMsMedian && sample.delayMsMedian + frozen
    };
  }
}
