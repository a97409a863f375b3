import { setSize } from "./events.js";

const decoder = new TextDecoder();

export class Picture {
  header = null;
  framesDrawn = 0;
  // The smallest difference of this page's clock from the app's, in milliseconds: the one with the fastest delivery.
  clockOffset = Infinity;
  // Called with the header, the planes and what can be drawn of each frame, also while the page is hidden.
  onFrame = null;
  // Whether each frame is drawn, also those that the screen does not show.
  drawsAll = false;
  // The frame that is drawn when the screen has shown the last one.
  #waiting = null;
  #isScreenFree = true;
  // What reads the frames.
  #reader = null;
  // The pixels of the screen that the picture can take, as the app is asked for them.
  #room = "";
  #measuring = 0;
  // `least` is the room in pixels that the picture has at least.
  constructor(canvas, address, least = 16) {
    [this.canvas, this.least] = [canvas, least];
    this.context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.#measureRoom();
    // Another room needs another request, so a window keeps its size for a time first.
    const later = () => {
      clearTimeout(this.#measuring);
      this.#measuring = setTimeout(() => this.#measureRoom(), 200);
    };
    new ResizeObserver(later).observe(canvas.closest(".box"));
    this.#run(new URL(address, location));
  }
  #measureRoom() {
    const { clientWidth, clientHeight } = this.canvas.closest(".box");
    const [width, height] =
      [clientWidth, clientHeight].map((length) => Math.max(this.least, Math.ceil(length * devicePixelRatio)));
    const room = `width=${width}&height=${height}`;
    if (room === this.#room) return;
    this.#room = room;
    // A screen that rests sends no frame after which to ask again. What takes each frame has all pixels already.
    if (!this.onFrame) this.#reader?.cancel().catch(() => {});
  }
  // What takes each frame needs all of its pixels.
  get #asked() { return this.onFrame ? "" : this.#room; }
  async #run(address) {
    for (;;) {
      const asked = this.#asked;
      try {
        const response = await fetch(`${address}${address.search ? "&" : "?"}${asked}`);
        if (!response.ok) throw new Error(response.statusText);
        this.#reader = response.body.getReader();
        await this.#read(this.#reader, asked);
      } catch { /* The app has ended or restarts. */ }
      if (asked === this.#asked) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  // Collects the bytes of one frame after the other in one buffer, which grows with the frames. Ends when the
  // picture needs another size.
  async #read(reader, asked) {
    let [buffer, filled] = [new Uint8Array(1 << 20), 0];
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#asked !== asked) return reader.cancel();
      if (filled + value.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, filled + value.length));
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      buffer.set(value, filled);
      filled += value.length;
      let [start, newest] = [0, null];
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
        if (!document.hidden || this.onFrame)
          this.#take(header, buffer.subarray(at + headerSize, at + headerSize + planesSize));
      }
      if (start > 0) {
        buffer.copyWithin(0, start, filled);
        filled -= start;
      }
    }
  }
  #take(header, planes) {
    const source = new VideoFrame(planes, {
      format: "NV12",
      codedWidth: header.columns,
      codedHeight: header.rows,
      timestamp: Math.round(header.captureNs / 1000),
      layout: header.planes.map(({ offset, stride }) => ({ offset, stride })),
      colorSpace: {
        matrix: header.matrix,
        primaries: "bt709",
        transfer: "iec61966-2-1",
        fullRange: header.isFullRange
      },
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
    const { columns, rows, rotation } = header;
    const [width, height] = rotation % 180 ? [rows, columns] : [columns, rows];
    setSize(this.canvas, width, height);
    this.context.save();
    this.context.translate(width / 2, height / 2);
    this.context.rotate((rotation * Math.PI) / 180);
    this.context.drawImage(source, -columns / 2, -rows / 2, columns, rows);
    this.context.restore();
    source.close();
    this.header = header;
    this.framesDrawn += 1;
  }
}
