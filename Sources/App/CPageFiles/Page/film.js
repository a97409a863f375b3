import { make } from "./base.js";
import { insert, newest } from "./run.js";

// One picture a second, kept by the browser under the run's id.
const [largeSeconds, largeSide, smallSide, most] = [600, 540, 120, 5400];

export class Film {
  entries = [];
  version = 0;
  #bitmaps = new Map();
  #base; #run; #last; #isBusy;
  constructor(run, sources) { [this.run, this.sources] = [run, sources]; }
  async open() {
    this.#run = this.run.settings.run.id;
    const [{ at }, first, last] = [this.run.sessions.at(-1), [this.#run], [this.#run, []]];
    try {
      this.#base ??= await result(Object.assign(indexedDB.open("pictures", 1), {
        onupgradeneeded: ({ target }) => target.result.createObjectStore("pictures", { keyPath: ["run", "second"] })
      }));
      const kept = await result(this.#store().getAll(IDBKeyRange.bound(first, last)));
      if (this.entries.length === 0) {
        const others = [IDBKeyRange.upperBound(first, true), IDBKeyRange.lowerBound(last, true)];
        for (const range of others) this.#store().delete(range);
      }
      for (const entry of kept) insert(this.entries, { ...entry, at: entry.second + at });
      if (kept.length > 0) this.gap(kept.at(-1).second + at + 1.5);
    } catch { /* Without site data, the pictures are in memory only. */ }
    this.version += 1;
  }
  #store() { return this.#base.transaction("pictures", "readwrite").objectStore("pictures"); }
  #write(entry) { if (this.#base) this.#store().put({ ...entry, at: undefined }); }
  gap(at = this.run.now) {
    const last = this.entries.at(-1);
    if (last && !last.isGap) this.#add({ at: Math.max(at, last.at + 0.01), isGap: true });
    this.#last = null;
  }
  #add(entry) {
    entry.run = this.#run;
    entry.second = entry.at - (newest(this.run.sessions, entry.at)?.at ?? 0);
    insert(this.entries, entry);
    this.#write(entry);
    for (const old of this.entries.filter(({ at, phone }) => phone && at <= entry.at - largeSeconds)) {
      old.phone = old.far = undefined;
      this.#write(old);
    }
    if (this.entries.length > most) {
      const gone = new Set(this.entries.filter(({ isGap }, index) => index < most / 2 && index % 2 && !isGap));
      this.entries = this.entries.filter((entry) => !gone.has(entry));
      const store = this.#base && this.#store();
      for (const { run, second } of gone) store?.delete([run, second]);
    }
    this.version += 1;
  }
  async keep(framesDrawn) {
    if (document.hidden || this.run.connection !== "open") return this.gap();
    if (!this.run.isOnTime || !framesDrawn || framesDrawn === this.#last || this.#isBusy) return;
    [this.#isBusy, this.#last] = [true, framesDrawn];
    const at = this.run.now;
    const [phone, far] = this.sources();
    const entry = { at, ratio: phone.width / phone.height, farRatio: far && far.width / far.height };
    [entry.phone, entry.far, entry.small] =
      await Promise.all([jpeg(phone, largeSide), far && jpeg(far, largeSide), jpeg(phone, smallSide)]);
    this.#isBusy = false;
    if (entry.small) this.#add(entry);
  }
  at(t) {
    if (["none", "waiting"].includes(this.run.moment(t).phase)) return null;
    const entry = newest(this.entries, t + 0.5);
    return !entry || entry.isGap ? null : entry;
  }
  within(from, to) {
    const last = newest(this.entries, to);
    return this.at((from + to) / 2) ?? (last && !last.isGap && last.at >= from ? last : null);
  }
  bitmap(entry, ready) {
    if (!this.#bitmaps.has(entry)) {
      this.#bitmaps.set(entry, null);
      createImageBitmap(entry.small).then((bitmap) => {
        this.#bitmaps.set(entry, bitmap);
        ready();
      }, () => {});
      if (this.#bitmaps.size > 200) this.#bitmaps.delete(this.#bitmaps.keys().next().value);
    }
    return this.#bitmaps.get(entry);
  }
}

function result(request) {
  return new Promise(
    (resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject })
  );
}
function jpeg(canvas, side) {
  const scale = Math.min(1, side / Math.max(canvas.width, canvas.height));
  const [width, height] = [canvas.width, canvas.height].map((length) => Math.max(1, Math.round(length * scale)));
  const small = Object.assign((jpeg.canvas ??= make("canvas")), { width, height });
  small.getContext("2d", { alpha: false }).drawImage(canvas, 0, 0, width, height);
  return new Promise((resolve) => small.toBlob(resolve, "image/jpeg", 0.75));
}
