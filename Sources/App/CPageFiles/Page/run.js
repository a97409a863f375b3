// The state at each time, in seconds since the start of the first watch that the page has seen.
const levels = { fault: "bad", warning: "warn" };
const ranks = ["none", "warn", "bad"];
const running = ["waiting", "live", "paused", "suspended"];
const ends = { error: "error", crashed: "crashed", killed: "crashed" };
const phases = ["live", "paused", "suspended", "crashed", "ended"];
export const newestIndex = (list, t) => list.findLastIndex(({ at }) => at <= t);
export const newest = (list, t) => list[newestIndex(list, t)];
export function insert(list, entry) { list.splice(newestIndex(list, entry.at) + 1, 0, entry); }

export class Run {
  // "silent": the app is suspended; "gone": it has ended; "lost": either.
  connection = "open";
  // Whether the clock of the app is known.
  isOnTime = false;
  sessions = []; events = []; samples = []; causes = [];
  // Counts changes of lists and strip.
  version = 0;
  #phases = []; #broadcasts = []; #sounds = []; #rates = [];
  #offset = Infinity;
  #heard = { at: 0, clock: 0, ticks: 0 };
  mayBeSuspended = false;
  // Whether the app ended normally.
  isOver = false;
  #hasEnded = false; #dropped = null; #report = {};
  // Returns whether the app was started again.
  begin(settings) {
    if (this.settings?.startNs === settings.startNs) return false;
    this.origin ??= settings.startNs;
    [this.settings, this.#hasEnded, this.isOver] = [settings, false, false];
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
  // A command for a terminal; `null` for a capture.
  line(command) { return this.settings.run.options === undefined ? null : command + this.settings.run.options; }
  get faults() { return this.causes.filter(({ severity, request }) => request || severity !== "note"); }
  get faultsText() {
    const [asked, count] =
      [true, false].map((isAsked) => this.faults.filter(({ request }) => !!request === isAsked).length);
    return `${count} fault${count === 1 ? "" : "s"}${asked ? `, ${asked} as requested` : ""}`;
  }
  // Formats a time like the terminal.
  clock(t, digits = 0) {
    const seconds = t + 1e-6 - (newest(this.sessions, t)?.at ?? 0);
    const rest = (Math.floor((seconds % 60) * 10 ** digits) / 10 ** digits).toFixed(digits);
    return `${Math.floor(seconds / 60)}:${rest.padStart(digits ? digits + 3 : 2, "0")}`;
  }
  // Notes an event or (`isNow`) a beat. If its timers are late, the page counts fewer ticks.
  hear(nanoseconds, isNow = this.isOnTime) {
    const at = this.#seconds(nanoseconds);
    this.#offset = Math.min(this.#offset, performance.now() / 1000 - at);
    this.#heard = { at: Math.max(at, this.#heard.at), clock: performance.now(), ticks: 0 };
    this.connection = "open";
    this.isOnTime = isNow;
  }
  tick() { if (this.connection === "open" && ++this.#heard.ticks > 12) this.connection = "silent"; }
  // A suspended app refuses connections too, but sent no last event.
  lose() {
    this.connection = this.#hasEnded || this.line("") === null ? "gone" : this.mayBeSuspended ? "silent" : "lost";
  }
  noteCommand(command) {
    if (/^app:(suspend|background|foreground)$/.test(command)) this.mayBeSuspended = command !== "app:foreground";
    if (command === "app:kill") this.#hasEnded = true;
  }
  // A stream: when it stopped (-1: it runs). `call`: when it began.
  #hear(at, change) { insert(this.#sounds, { ...newest(this.#sounds, at), ...change, at }); }
  #enter(phase, at) {
    const last = this.#phases.at(-1);
    if (last?.phase !== phase) this.#phases.push({ phase, at: Math.max(at, last?.at ?? 0) });
  }
  // A restarted app repeats the events of the phone.
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
        insert(this.#rates, { at, rate: event.framesPerSecond });
        // If the audio format stays the same, no event follows.
        insert(this.#sounds, {
          at,
          app: /app-audio[= ]off/.test(event.line) ? undefined : -1,
          microphone: /mic[= ](tone|silence)/.test(event.line) ? -1 : undefined
        });
        this.#enter("waiting", at);
        break;
      case "finished": {
        const broadcast = this.#broadcasts.at(-1) ?? {};
        this.#enter(ends[event.how] ?? "ended", at);
        if (broadcast.how) return;
        Object.assign(broadcast, { how: event.how, error: event.errorDescription, end: text, dialog: event.dialog });
        break;
      }
      case "status":
        if (event.active !== running.includes(phase)) this.#enter(event.active ? "waiting" : "ended", at);
        return;
      case "stats":
        // The article's layout has neither this rate nor ages.
        if (event.framesPerSecondOut > 0 && !event.framesPerSecondIn) event.framesPerSecondIn = undefined;
        if (!this.settings.run.verifies) event.framesTorn = undefined;
        this.samples.push({
          ...(this.now - this.#report.reportedAt < 3 && this.#report),
          ...event,
          at,
          needed: this.#asked(at)[2],
          ageMsMedian: (event.framesPerSecondOut > 0 && event.ageMs) || undefined
        });
        // Keep all samples of the last hour.
        if (this.samples.length > 7200) this.samples = this.samples.filter((_, index) => index > 3600 || index % 2);
        for (const [stream, level] of [["app", event.appLevelDb], ["microphone", event.micLevelDb]])
          if (level > -96 && !this.#sounds.at(-1)?.[`${stream}Heard`]) this.#hear(at, { [`${stream}Heard`]: true });
        // Before the flag is on, the app reports the old phase.
        if (phases.includes(event.phase) && (running.includes(event.phase) || running.indexOf(phase) > 0))
          this.#enter(event.phase, at);
        return;
      case "measures": return this.#measure(event);
      case "cause": return this.#explain(event);
      case "crashed":
        if (phase === "ended") return this.#tell(at, "The flag is still on, as after a crash.");
        return this.#enter("crashed", at);
      case "suspended": return this.#enter("suspended", at);
      case "resumed": this.#enter("live", at); break;
      case "control":
        if (!event.problem) {
          const [word, value] = event.command.split(":");
          this.noteCommand(event.command);
          if (word === "rate") insert(this.#rates, { at, rate: +value });
          if (/^(call|hangup)$/.test(word)) this.#hear(at, { call: word === "call" ? at : undefined });
        }
        return this.#tell(at, text, { command: event.command, line: event.line, isDone: !event.problem });
      case "audio":
        this.#hear(at, { [event.stream]: event.change === "stopped" ? at : -1 });
        break;
      case "app": this.noteCommand(`app:${event.change}`); break;
      case "capture": if (event.change === "started") this.#enter("waiting", at); break;
      case "problem": return this.#tell(at, event.description, { level: "bad" });
      case "summary":
        this.#hasEnded = this.isOver = true;
        return this.#tell(at, `The watch has ended: ${event.framesDelivered ?? "–"} frames.`);
    }
    if (text) this.#tell(at, text);
  }
  #measure(event) {
    const sample = this.samples.at(-1) ?? {};
    const lost = Math.max(0, event.framesDropped - (this.#dropped ?? event.framesDropped));
    this.#dropped = event.framesDropped;
    Object.assign(sample, { ...event, lost, dropped: (100 * lost) / Math.max(1, lost + sample.framesPerSecondIn) });
  }
  // The values of a receiver are valid for three seconds.
  report(values) { Object.assign(this.samples.at(-1) ?? {}, (this.#report = { ...values, reportedAt: this.now })); }
  #explain(event) {
    const [from, old] = [this.#seconds(event.fromNs), this.causes.find(({ id }) => id === event.id)];
    if (old?.severity === "fault" && event.severity === "note") return;
    // A frozen picture is bad, even on request.
    const cause = Object.assign(old ?? {}, event, {
      at: from,
      from,
      level: /suspended$/i.test(event.kind) ? "bad" : levels[event.severity] ?? "none",
      isListed: false,
      to: event.isOpen ? Infinity
        : event.toNs ? this.#seconds(event.toNs)
        : from
    });
    // Its beginning never changes. Equal notes have one entry.
    if (!old) {
      const begin = newest(this.#broadcasts, from)?.at ?? 0;
      const isAlike = ({ kind, severity, from }) => kind === cause.kind && severity === "note" && from >= begin;
      cause.all = (cause.severity === "note" && this.causes.find(isAlike)?.all) || [];
      cause.all.push(cause);
      insert(this.causes, cause);
    }
    cause.all[0].isListed = false;
    this.version += 1;
  }
  moment(t) {
    let { phase, at: since } = newest(this.#phases, t) ?? { phase: "none", at: 0 };
    const broadcast = newest(this.#broadcasts, t) ?? {};
    const there = this.causes.filter(
      ({ from, to }) => from <= t && t < Math.max(to, from + 1)
    ).sort((a, b) => ranks.indexOf(a.level) - ranks.indexOf(b.level));
    const [rest, stop, note = stop ?? rest] =
      ["idleScreen", "appSuspended"].map((kind) => there.find((cause) => cause.kind === kind));
    // A statistic covers three seconds.
    const reason = this.causes.findLast(({ kind, from, to }) => from <= t && t < to + 3
      && /^(late|starved|requested|screenBlocked)$/.test(kind));
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
    return { phase, since, cause, reason, broadcast, sound: newest(this.#sounds, t) ?? {},
      device: broadcast.device ?? this.settings.run?.device ?? "",
      isRunning: ["idleScreen", "appSuspended", ...running].includes(phase),
      figure: this.#figure(t, phase, since, cause) };
  }
  // The requested rates: screen, polls, and both together.
  #asked(t) {
    const [rate, polls] = [newest(this.#rates, t)?.rate ?? 60, this.settings.pollsPerSecond ?? 30];
    return [rate, polls, Math.min(rate, polls)];
  }
  #figure(t, phase, since, cause) {
    // A sample covers the second before it.
    const newer = newestIndex(this.samples, t) + 1, index = this.samples[newer]?.at - t < 1.2 ? newer : newer - 1;
    const [sample, after] = [this.samples[index], this.samples[index + 1]];
    const [rate, polls, needed] = this.#asked(t);
    // The app keeps fewer samples older than five minutes.
    if (!["live", "idleScreen", "suspended"].includes(phase) || !sample || t - sample.at > 15 + (this.now - t) / 60)
      return { needed };
    if (phase === "idleScreen") {
      const { footprintBytes, limitBytes, delayMsMedian, appLevelDb, micLevelDb, isDrawn, hasCall } = sample;
      const before = hasCall && !isDrawn ? null : undefined;
      return { needed, footprintBytes, limitBytes, delayMsMedian, appLevelDb, micLevelDb, before };
    }
    // If a screen changes less often, or in a part of a second, fewer polls find a frame.
    // The phone counts lost frames later.
    const [before, three] = [this.samples[index - 1], [0, 1, 2].map((age) => this.samples[index - age] ?? {})];
    const shown = Math.min(...three.map((s) => s.framesPerSecondIn ?? Infinity))
      + three.reduce((sum, { lost = 0 }) => sum + lost / 3, 0);
    const isWhole = cause || shown > 0.9 * rate;
    if (phase === "live")
      return {
        ...sample,
        before,
        after,
        shown,
        expected: isWhole ? needed : Math.min(needed, shown * Math.min(1, polls / rate))
      };
    const frozen = (t - since) * 1000;
    return {
      ...sample,
      before: null,
      framesPerSecondOut: 0,
      ageMsMedian: frozen,
      delayMsMedian: sample.delayMsMedian && sample.delayMsMedian + frozen
    };
  }
}
