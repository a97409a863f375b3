import { ask, setSize } from "./base.js";

const decoder = new TextDecoder();

// One request for both pictures: a browser has few connections to a server.
export class PictureStream {
  problem = "";
  #asked = null; #reader = null;
  constructor(phone, call) {
    this.pictures = { phone, call };
    for (const picture of [phone, call]) picture.onChange = () => this.#follow();
    document.addEventListener("visibilitychange", () => this.#follow());
    this.#follow();
  }
  // A hidden page needs only the frames of a call, with all of their pixels.
  get #wanted() {
    const { phone, call } = this.pictures;
    if (document.hidden) return call.onFrame && "frames?of=call";
    const room = call.onFrame ? "" : `&callWidth=${call.room[0]}&callHeight=${call.room[1]}`;
    return `frames?of=both&width=${phone.room[0]}&height=${phone.room[1]}${room}`;
  }
  // Frames of the old request arrive until the new one is answered.
  async #follow() {
    const asked = this.#wanted;
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (!asked) this.#reader?.cancel();
    while (asked && this.#asked === asked) {
      try {
        const { content } = await ask(asked, { read: ({ body }) => body.getReader() });
        if (this.#asked !== asked) return content.cancel();
        this.#reader?.cancel().catch(() => {});
        this.#reader = content;
        this.problem = "";
        await this.#read(content);
      } catch ({ message }) { this.problem = message; }
      if (this.#asked === asked) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  async #read(reader) {
    let [buffer, filled] = [new Uint8Array(1 << 20), 0];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (filled + value.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, filled + value.length));
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      buffer.set(value, filled);
      filled += value.length;
      let start = 0;
      const newest = new Map();
      while (filled - start >= 8) {
        const view = new DataView(buffer.buffer, start, 8);
        const planes = start + 8 + view.getUint32(0, true);
        const end = planes + view.getUint32(4, true);
        if (filled < end) break;
        const header = JSON.parse(decoder.decode(buffer.subarray(start + 8, planes)));
        newest.set(header.of, [header, buffer.subarray(planes, end)]);
        start = end;
      }
      for (const [of, frame] of newest) this.pictures[of].take(...frame);
      buffer.copyWithin(0, start, filled);
      filled -= start;
    }
  }
}

export class Picture {
  header = null;
  framesDrawn = 0;
  // The page's clock minus the app's at the fastest delivery, in ms.
  clockOffset = Infinity;
  // Receives each frame of a call.
  onFrame = null;
  onChange = () => {};
  room = [];
  // Whether to draw frames that the screen skips.
  drawsAll = false;
  // The next frame, until the screen has shown the last one.
  #waiting = null;
  #isScreenFree = true;
  #measuring = 0;
  constructor(canvas, least = 16) {
    [this.canvas, this.least] = [canvas, least];
    this.context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.#measureRoom();
    // Request nothing while the window changes its size.
    const later = () => {
      clearTimeout(this.#measuring);
      this.#measuring = setTimeout(() => this.#measureRoom(), 200);
    };
    new ResizeObserver(later).observe(canvas.closest(".box"));
  }
  #measureRoom() {
    const { clientWidth, clientHeight } = this.canvas.closest(".box");
    this.room = [clientWidth, clientHeight].map((length) => Math.max(this.least, Math.ceil(length * devicePixelRatio)));
    this.onChange();
  }
  take(header, planes) {
    this.clockOffset = Math.min(this.clockOffset, performance.now() - header.sendNs / 1e6);
    // A new request repeats the last frame.
    const isAgain = this.onFrame && header.captureNs && header.captureNs === this.header?.captureNs;
    if (isAgain || (document.hidden && !this.onFrame)) return;
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
  // Draw once per refresh, to save a loaded host work.
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
