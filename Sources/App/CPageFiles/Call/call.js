// The sender of calls: one track for any number of receivers.
import { layouts, readNumber, uprightImage } from "./burn-in.js";
import { describe } from "./signals.js";
import { sentValues } from "./call-plots.js";

export class Call {
  numbers = [];
  // The newest frames, as reported to receivers.
  sent = [];
  reports = new Map();
  #peers = new Map();
  #track = null; #layout = null; #serial = 0;
  constructor(captured, entering) { Object.assign(this, { captured, entering }); }
  get farEnds() { return [...this.#peers.values()].filter(({ peer }) => peer.connectionState === "connected").length; }
  async offer(name) {
    this.end(name);
    const peer = new RTCPeerConnection();
    const end = { peer, channel: peer.createDataChannel("frames"), last: {} };
    this.#peers.set(name, end);
    const lose = () => this.#peers.get(name) === end && this.end(name);
    // "disconnected" may pass: a loaded host sends nothing for seconds.
    peer.onconnectionstatechange = () => peer.connectionState === "failed" && lose();
    const [track, stream] = [this.#openTrack(), new MediaStream()];
    peer.addTransceiver(track, { direction: "sendonly", streams: [stream] });
    const { channel } = end;
    channel.onclose = lose;
    channel.onmessage = async ({ data }) => {
      const sent = sentValues(await peer.getStats(), end.last);
      this.reports.set(name, { ...sent, ...this.#judge(JSON.parse(data), this.reports.get(name)) });
    };
    return describe(peer);
  }
  // Without a new number: the last delay, or how long a frame has waited to be drawn.
  #judge(values, old) {
    const waiting = this.sent.find(({ serial }) => serial > values.serial);
    const wait = waiting ? performance.timeOrigin + performance.now() - waiting.captured : 0;
    const isKnown = values.read > 0 ? values.read > old?.read || values.unread === old?.unread : !values.drawn;
    const delayMsMedian = isKnown ? Math.max(values.delayMsMedian ?? old?.delayMsMedian ?? 0, wait) : undefined;
    return { ...values, delayMsMedian, isDrawn: !waiting, reportedAt: performance.now() };
  }
  async accept(name, answer) { await this.#peers.get(name)?.peer.setRemoteDescription(answer); }
  end(name) {
    this.#peers.get(name)?.peer.close();
    this.#peers.delete(name);
    this.reports.delete(name);
    if (this.#peers.size > 0) return;
    this.entering.onFrame = null;
    this.entering.drawsAll = false;
    this.entering.onChange();
    this.#track?.stop();
    this.#track = null;
  }
  #openTrack() {
    if (this.#track) return this.#track;
    let writer = null;
    if ("MediaStreamTrackGenerator" in globalThis) {
      this.#track = new MediaStreamTrackGenerator({ kind: "video" });
      writer = this.#track.writable.getWriter();
    } else {
      // The canvas has each frame that is drawn, upright.
      this.entering.drawsAll = true;
      [this.#track] = this.entering.canvas.captureStream().getVideoTracks();
    }
    this.entering.onFrame = (header, planes, source) => {
      if (writer) {
        // The track has not taken the last frame.
        if (writer.desiredSize <= 0) return;
        const timestamp = Math.round(header.captureNs / 1000);
        // It fails after the track has ended.
        writer.write(new VideoFrame(source, { timestamp, rotation: header.rotation })).catch(() => {});
      }
      this.#announce(header, planes);
    };
    this.entering.onChange();
    return this.#track;
  }
  // Sends number, time and place of the text to the receivers.
  #announce(header, planes) {
    const luma = { bytes: planes, start: header.planes[0].offset, rowStride: header.planes[0].stride, step: 1 };
    const image = uprightImage(luma, header);
    const isSame = this.#layout && ["width", "height", "rotation"].every((key) => this.#layout[key] === header[key]);
    let number = isSame ? readNumber(image, this.#layout) : null;
    for (const layout of number === null && this.captured.header ? layouts(this.captured.header, header) : []) {
      number = readNumber(image, layout);
      this.#layout = number === null ? this.#layout : layout;
      if (number !== null) break;
    }
    if (number === null) return;
    this.numbers = [...this.numbers.slice(-999), number];
    const captured = performance.timeOrigin + this.entering.clockOffset + header.captureNs / 1e6;
    const channels =
      [...this.#peers.values()].map(({ channel }) => channel).filter((channel) => channel.readyState === "open");
    if (channels.length === 0) return;
    const note = { serial: ++this.#serial, number, captured, layout: this.#layout };
    this.sent = [...this.sent.slice(-599), note];
    for (const channel of channels) channel.send(JSON.stringify(note));
  }
}
