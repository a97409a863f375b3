// The plots of a call, and their values from the statistics of the browser.
export const callPlots = [
  { title: "Bit rate", unit: "kbit/s", event: "call", digits: 0, floor: 0,
    lines: [["sent", (e) => e.sentKbits], ["received", (e) => e.receivedKbits]] },
  { title: "Frames of the call", unit: "fps", event: "call", digits: 0, floor: 0,
    lines: [["sent", (e) => e.sentRate], ["received", (e) => e.receivedRate], ["decoded", (e) => e.decodedRate]] },
  { title: "Delay, capture to drawn", unit: "ms", event: "call", digits: 0, floor: 0, isOptional: true,
    lines: [["median", (e) => e.delayMsMedian], ["longest", (e) => e.delayMsMax]] },
  { title: "Quality of the pictures", unit: "dB", event: "call", floor: 0, isOptional: true,
    lines: [["psnr", (e) => e.psnr]] },
  { title: "Numbers in the pictures", unit: "in all", event: "call", digits: 0, floor: 0,
    lines: [["missing", (e) => e.missing], ["repeated", (e) => e.repeated], ["out of order", (e) => e.disordered]] },
  { title: "Not shown", unit: "in all", event: "call", digits: 0, floor: 0,
    lines: [["dropped", (e) => e.dropped], ["lost packets", (e) => e.packetsLost]] },
  { title: "Freezes", unit: "in all", event: "call", digits: 0, floor: 0,
    lines: [["by pictures", (e) => e.freezes], ["by getStats", (e) => e.freezeCount]] },
  { title: "Resolution", unit: "rows", event: "call", digits: 0, floor: 0,
    lines: [["sent", (e) => e.sentHeight], ["received", (e) => e.receivedHeight]] },
  { title: "Quality limited by", unit: "s in all", event: "call", floor: 0, isOptional: true,
    lines: [["processor", (e) => e.limitedByCPU], ["bandwidth", (e) => e.limitedByBandwidth]] },
  { title: "Round trip and jitter", unit: "ms", event: "call", floor: 0,
    lines: [["round trip", (e) => e.roundTripMs], ["jitter", (e) => e.jitterMs]] },
];

// The statistics of one kind: the first that `matches`.
function find(stats, type, matches = () => true) {
  return [...stats.values()].find((entry) => entry.type === type && matches(entry)) ?? {};
}

// The growth per second of a count since the last call, whose values are in `last`.
function rate(last, name, count, timestamp) {
  const before = last[name];
  // The browser may give the statistics of a moment twice.
  if (count === undefined || timestamp <= before?.timestamp) return undefined;
  last[name] = { count, timestamp };
  if (!before) return undefined;
  return ((count - before.count) * 1000) / (timestamp - before.timestamp);
}

const isVideo = (entry) => entry.kind === "video";

// What the sending end of a call measures.
export function sentValues(stats, last) {
  const sent = find(stats, "outbound-rtp", isVideo);
  return {
    sentKbits: scaled(rate(last, "bytes", sent.bytesSent, sent.timestamp), 0.008),
    sentRate: rate(last, "frames", sent.framesSent, sent.timestamp),
    sentHeight: sent.frameHeight, limitation: sent.qualityLimitationReason, codec: stats.get(sent.codecId)?.mimeType,
    limitedByCPU: sent.qualityLimitationDurations?.cpu, limitedByBandwidth: sent.qualityLimitationDurations?.bandwidth,
    roundTripMs: scaled(find(stats, "candidate-pair", (pair) => pair.nominated).currentRoundTripTime, 1000),
  };
}

// What the receiving end of a call measures.
export function receivedValues(stats, last) {
  const received = find(stats, "inbound-rtp", isVideo);
  return {
    receivedKbits: scaled(rate(last, "bytes", received.bytesReceived, received.timestamp), 0.008),
    receivedRate: rate(last, "received", received.framesReceived, received.timestamp),
    decodedRate: rate(last, "decoded", received.framesDecoded, received.timestamp),
    framesDecoded: received.framesDecoded, receivedHeight: received.frameHeight, dropped: received.framesDropped,
    packetsLost: received.packetsLost, freezeCount: received.freezeCount, jitterMs: scaled(received.jitter, 1000),
  };
}

function scaled(value, factor) { return value === undefined ? undefined : value * factor; }

// What a far end measures on its pictures, in words.
export function farEndText(values) {
  const { read, unread, missing, delayMsMedian, psnr, ssim } = values;
  if (!read) return values.drawn ? `${values.drawn} drawn, no frame number read` : "";
  const delay = delayMsMedian === undefined ? "" : `, ${delayMsMedian.toFixed(0)} ms after capture`;
  const quality = psnr === undefined ? "" : `, psnr ${psnr.toFixed(1)} dB, ssim ${ssim.toFixed(3)}`;
  return `${values.receivedHeight ?? "–"} rows${delay}${quality}, ${read} numbers read, ${unread} not, ${missing} missing`;
}
