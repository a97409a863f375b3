// The receiver of a call.
import { setSize } from "./base.js";
import { readNumber, uprightSize } from "./burn-in.js";
import { describe } from "./signals.js";
import { receivedValues } from "./call-plots.js";

export class Receiver {
  // Counts of the numbers read in pictures.
  counts = noCounts();
  numbers = [];
  onReport = () => {};
  #peer = null; #channel = null; #layout = null; #lastSerial = null; #drawnAt = null; #lastCaptured = null;
  #last = {}; #notes = new Map();
  #waiting = []; #delays = []; #gaps = [];
  #video = document.createElement("video");
  #reader = document.createElement("canvas").getContext("2d", { willReadFrequently: true, alpha: false });
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.#video.muted = true;
    setInterval(() => this.#report(), 1000);
  }
  get state() { return this.#peer?.connectionState ?? "closed"; }
  async answer(offer) {
    this.close();
    const peer = new RTCPeerConnection();
    this.#peer = peer;
    const lose = () => this.#peer === peer && this.close();
    // "disconnected" can be temporary.
    peer.onconnectionstatechange = () => peer.connectionState === "failed" && lose();
    peer.ontrack = ({ track }) => ("MediaStreamTrackProcessor" in globalThis ? this.#take(track) : this.#play(track));
    peer.ondatachannel = ({ channel }) => {
      this.#channel = channel;
      channel.onclose = lose;
      channel.onmessage = ({ data }) => this.#note(JSON.parse(data));
    };
    await peer.setRemoteDescription(offer);
    return describe(peer);
  }
  close() {
    this.#peer?.close();
    this.#peer = this.#channel = this.#drawnAt = this.#lastCaptured = this.#lastSerial = this.#layout = null;
    this.counts = noCounts();
    this.numbers = [];
    this.#last = {};
    this.#notes.clear();
    this.#waiting = [];
    this.#gaps = [];
    this.#video.srcObject = null;
  }
  #note(note) {
    this.#layout = note.layout;
    this.#notes.delete(note.number);
    // How long nothing was sent before it (an unchanged screen).
    note.rest = note.captured - (this.#lastCaptured ?? note.captured);
    this.#lastCaptured = note.captured;
    this.#notes.set(note.number, note);
    // Ten seconds at the highest rate.
    if (this.#notes.size > 600) this.#notes.delete(this.#notes.keys().next().value);
    this.#settle();
  }
  async #take(track) {
    const pictures = new MediaStreamTrackProcessor({ track }).readable.getReader();
    for (;;) {
      const { done, value } = await pictures.read();
      if (done) return;
      this.#draw(value, value.displayWidth, value.displayHeight);
      value.close();
    }
  }
  #play(track) {
    const video = this.#video;
    const stream = new MediaStream([track]);
    video.srcObject = stream;
    // A call that ends at once removes the stream.
    video.play().catch(() => {});
    const follow = () => video.requestVideoFrameCallback(() => {
      if (video.srcObject !== stream) return;
      this.#draw(video, video.videoWidth, video.videoHeight);
      follow();
    });
    follow();
  }
  #draw(picture, width, height) {
    setSize(this.canvas, width, height);
    this.context.drawImage(picture, 0, 0, width, height);
    const now = performance.now();
    this.counts.drawn += 1;
    const gap = this.#drawnAt === null ? null : now - this.#drawnAt;
    this.#drawnAt = now;
    if (!this.#layout) return;
    const number = this.#read(this.#layout);
    if (number === null) this.counts.unread += 1;
    else this.#waiting.push({ number, gap, at: performance.timeOrigin + now });
    this.#settle();
  }
  // WebRTC's rule for a freeze, without the time in which nothing was sent.
  #addGap(whole, last) {
    const next = [...this.#notes.values()].find(({ serial }) => serial === last + 1);
    const gap = Math.max(0, whole - (next?.rest ?? 0));
    const mean = this.#gaps.reduce((sum, gap) => sum + gap, 0) / this.#gaps.length;
    if (this.#gaps.length >= 5 && gap > Math.max(3 * mean, mean + 150)) this.counts.freezes += 1;
    this.#gaps.push(gap);
    if (this.#gaps.length > 30) this.#gaps.shift();
  }
  #read({ box, ...layout }) {
    const context = this.#reader;
    context.canvas.width = box.width;
    context.canvas.height = box.height;
    const { width, height } = uprightSize(layout);
    context.drawImage(this.canvas, -box.x, -box.y, width, height);
    const bytes = context.getImageData(0, 0, box.width, box.height).data;
    // The second byte of a pixel, green, has most of its brightness.
    const rowStride = box.width * 4;
    return readNumber({ bytes, start: 1 - box.y * rowStride - box.x * 4, rowStride, step: 4 }, layout);
  }
  // Compares numbers with the sender's notes, once these have arrived.
  #settle() {
    while (this.#waiting.length > 0) {
      const [{ number, gap, at }] = this.#waiting;
      const note = this.#notes.get(number);
      if (!note && performance.timeOrigin + performance.now() - at < 2000) return;
      this.#waiting.shift();
      if (!note) {
        this.counts.unread += 1;
        continue;
      }
      this.counts.read += 1;
      this.#delays.push(at - note.captured);
      this.numbers = [...this.numbers.slice(-99), number];
      const last = this.#lastSerial;
      this.#lastSerial = Math.max(note.serial, last ?? 0);
      if (last === null) continue;
      if (gap !== null) this.#addGap(gap, last);
      if (note.serial > last) this.counts.missing += note.serial - last - 1;
      else if (note.serial === last) this.counts.repeated += 1;
      else this.counts.disordered += 1;
    }
  }
  async #report() {
    if (this.state !== "connected") return;
    const delays = this.#delays.sort((a, b) => a - b);
    this.#delays = [];
    const values = {
      ...receivedValues(await this.#peer.getStats(), this.#last),
      ...this.counts, serial: this.#lastSerial, delayMsMedian: delays[Math.floor(delays.length / 2)],
      delayMsMax: delays.at(-1)
    };
    this.onReport(values);
    if (this.#channel?.readyState === "open") this.#channel.send(JSON.stringify(values));
  }
}

const noCounts = () => ({ drawn: 0, read: 0, unread: 0, missing: 0, repeated: 0, disordered: 0, freezes: 0 });
