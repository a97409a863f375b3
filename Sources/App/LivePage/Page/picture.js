import { setSize } from "./events.js";

const decoder = new TextDecoder();

export class Picture {
  header = null;
  framesDrawn = 0;
  // The smallest difference of this page's clock from the app's, in milliseconds: the one with the fastest delivery.
  clockOffset = Infinity;
  // Called with the header, the planes and what can be drawn of each frame, also while the page is hidden.
  onFrame = null;
  // Whether each frame is drawn in its own size, also those that the screen does not show.
  drawsAll = false;
  // The frame that is drawn when the screen has shown the last one.
  #waiting = null;
  #isScreenFree = true;
  // What reads the frames, with the samples that it has asked for.
  #reader = null;
  // The pixels of the screen that the picture can take, across and down.
  #room = [0, 0];
  // `least` is the room in pixels that the picture has at least.
  constructor(canvas, address, least = 16) {
    [this.canvas, this.least] = [canvas, least];
    this.context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.#measureRoom();
    new ResizeObserver(() => this.#measureRoom()).observe(canvas.closest(".box"));
    this.#run(new URL(address, location));
  }
  #measureRoom() {
    const { clientWidth, clientHeight } = this.canvas.closest(".box");
    this.#room = [clientWidth, clientHeight].map((length) => Math.max(this.least, Math.ceil(length * devicePixelRatio)));
    // A screen that rests sends no frame after which to ask again.
    if (this.#reader?.side !== this.#side) this.#reader?.cancel().catch(() => {});
  }
  // The samples that the app should send along the longer side: three for two that are drawn, and all for what takes the frames;
  // then it is `null`. A new number needs a new request, so it has steps.
  get #side() { return this.onFrame ? null : 64 * Math.ceil((1.5 * Math.max(...this.#room)) / 64); }
  async #run(address) {
    for (;;) {
      const side = this.#side;
      let isRead = true;
      try {
        const response = await fetch(side ? `${address}${address.search ? "&" : "?"}side=${side}` : address);
        if (!response.ok) throw new Error(response.statusText);
        this.#reader = Object.assign(response.body.getReader(), { side });
        isRead = await this.#read(this.#reader, side);
      } catch { /* The app has ended or restarts. */ }
      if (isRead) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  // Collects the bytes of one frame after the other in one buffer, which grows with the frames. Returns whether it has read
  // to the end, and not stopped because the picture needs another number of samples.
  async #read(reader, side) {
    let buffer = new Uint8Array(1 << 20);
    let filled = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return this.#side === side;
      if (this.#side !== side) {
        await reader.cancel();
        return false;
      }
      if (filled + value.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, filled + value.length));
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      buffer.set(value, filled);
      filled += value.length;
      let start = 0;
      let newest = null;
      while (filled - start >= 8) {
        const view = new DataView(buffer.buffer, start, 8);
        const [headerSize, planesSize] = [view.getUint32(0, true), view.getUint32(4, true)];
        const end = start + 8 + headerSize + planesSize;
        if (filled < end) break;
        newest = [start + 8, headerSize, planesSize];
        start = end;
      }
      if (newest) {
        const [at, headerSize, planesSize] = newest;
        const header = JSON.parse(decoder.decode(buffer.subarray(at, at + headerSize)));
        this.clockOffset = Math.min(this.clockOffset, performance.now() - header.sendNs / 1e6);
        if (!document.hidden || this.onFrame) this.#take(header, buffer.subarray(at + headerSize, at + headerSize + planesSize));
      }
      if (start > 0) {
        buffer.copyWithin(0, start, filled);
        filled -= start;
      }
    }
  }
  #take(header, planes) {
    const source = new VideoFrame(planes, {
      format: "NV12", codedWidth: header.columns, codedHeight: header.rows, timestamp: Math.round(header.captureNs / 1000),
      layout: header.planes.map(({ offset, stride }) => ({ offset, stride })),
      colorSpace: { matrix: header.matrix, primaries: "bt709", transfer: "iec61966-2-1", fullRange: header.isFullRange },
    });
    this.onFrame?.(header, planes, source);
    this.#waiting?.source.close();
    this.#waiting = null;
    if (this.#isScreenFree || this.drawsAll) this.#draw(header, source);
    else this.#waiting = { header, source };
  }
  // On a busy machine the screen shows fewer pictures than come, and no time is lost for those that it does not show.
  #waitForScreen() {
    this.#isScreenFree = false;
    requestAnimationFrame(() => {
      this.#isScreenFree = true;
      if (this.#waiting) this.#draw(this.#waiting.header, this.#waiting.source);
      this.#waiting = null;
    });
  }
  #draw(header, source) {
    if (this.#isScreenFree) this.#waitForScreen();
    const isTurned = header.rotation % 180 !== 0;
    const upright = isTurned ? [header.height, header.width] : [header.width, header.height];
    const scale = this.drawsAll ? 1 : Math.min(1, this.#room[0] / upright[0], this.#room[1] / upright[1]);
    const [width, height] = upright.map((length) => Math.max(1, Math.round(length * scale)));
    setSize(this.canvas, width, height);
    this.context.save();
    this.context.translate(width / 2, height / 2);
    this.context.rotate((header.rotation * Math.PI) / 180);
    this.context.scale(scale, scale);
    this.context.drawImage(source, -header.width / 2, -header.height / 2, header.width, header.height);
    this.context.restore();
    source.close();
    this.header = header;
    this.framesDrawn += 1;
  }
}
