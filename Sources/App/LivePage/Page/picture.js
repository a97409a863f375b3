// Draws a stream of frames on a canvas: with VideoFrame where the browser has it and takes NV12, else by conversion.
const decoder = new TextDecoder();

export class Picture {
  header = null;
  framesDrawn = 0;
  // Milliseconds from the capture to the drawing of the last frame.
  age = 0;
  rate = 0;
  usesVideoFrame = "VideoFrame" in globalThis;
  // The smallest difference of this page's clock from the app's, in milliseconds: the one with the fastest delivery.
  clockOffset = Infinity;
  // Called with the header, the planes and what can be drawn of each frame, also while the page is hidden.
  onFrame = null;
  // Whether each frame is drawn, also those that the screen does not show.
  drawsAll = false;
  #drawnAt = [];
  // The frame that is drawn when the screen has shown the last one.
  #waiting = null;
  #isScreenFree = true;

  constructor(canvas, address) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.#run(address);
  }

  async #run(address) {
    for (;;) {
      try {
        const response = await fetch(address);
        if (!response.ok) throw new Error(response.statusText);
        await this.#read(response.body.getReader());
      } catch {
        // The app has ended or restarts.
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  // Collects the bytes of one frame after the other in one buffer, which grows with the frames.
  async #read(reader) {
    let buffer = new Uint8Array(1 << 20);
    let filled = 0;
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
    const source = this.#source(header, planes);
    this.onFrame?.(header, planes, source);
    this.#waiting?.source.close();
    this.#waiting = null;
    // What has no memory of its own is drawn at once.
    if (this.#isScreenFree || this.drawsAll || !source.close) this.#draw(header, source);
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
    const [width, height] = isTurned ? [header.height, header.width] : [header.width, header.height];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.context.save();
    this.context.translate(width / 2, height / 2);
    this.context.rotate((header.rotation * Math.PI) / 180);
    this.context.drawImage(source, -header.width / 2, -header.height / 2);
    this.context.restore();
    source.close?.();
    const now = performance.now();
    this.header = header;
    this.framesDrawn += 1;
    this.age = now - this.clockOffset - header.captureNs / 1e6;
    this.#drawnAt = this.#drawnAt.filter((time) => now - time < 2000).concat(now);
    this.rate = this.#drawnAt.length > 1
      ? ((this.#drawnAt.length - 1) * 1000) / (now - this.#drawnAt[0]) : 0;
  }

  #source(header, planes) {
    if (this.usesVideoFrame) {
      try {
        return new VideoFrame(planes, {
          format: "NV12", codedWidth: header.width, codedHeight: header.height,
          timestamp: Math.round(header.captureNs / 1000),
          layout: header.planes.map(({ offset, stride }) => ({ offset, stride })),
          colorSpace: { matrix: "smpte170m", primaries: "bt709", transfer: "bt709", fullRange: header.isFullRange },
        });
      } catch {
        this.usesVideoFrame = false;
      }
    }
    return convert(header, planes);
  }
}

let scratch = null;

// The frame as RGB on a canvas of its own. The matrix is BT.601 at every size, as in the other outputs.
function convert(header, planes) {
  const { width, height } = header;
  scratch ??= document.createElement("canvas");
  if (scratch.width !== width || scratch.height !== height) {
    scratch.width = width;
    scratch.height = height;
  }
  const context = scratch.getContext("2d");
  const image = context.createImageData(width, height);
  const pixels = image.data;
  const [luma, chroma] = header.planes;
  const [scale, floor] = header.isFullRange ? [1, 0] : [255 / 219, 16];
  const spread = header.isFullRange ? 1 : 255 / 224;
  for (let y = 0; y < height; y++) {
    const lumaRow = luma.offset + y * luma.stride;
    const chromaRow = chroma.offset + (y >> 1) * chroma.stride;
    let at = y * width * 4;
    for (let x = 0; x < width; x++, at += 4) {
      const level = (planes[lumaRow + x] - floor) * scale;
      const blue = (planes[chromaRow + (x & ~1)] - 128) * spread;
      const red = (planes[chromaRow + (x | 1)] - 128) * spread;
      pixels[at] = level + 1.402 * red;
      pixels[at + 1] = level - 0.3441 * blue - 0.7141 * red;
      pixels[at + 2] = level + 1.772 * blue;
      pixels[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return scratch;
}
