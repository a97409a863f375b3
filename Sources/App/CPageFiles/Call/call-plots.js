// The plots of a call, and their values from the statistics of the browser.
export const callPlots = [
  {
    name: "Bit rate",
    unit: "kbit/s",
    digits: 0,
    lines: [["sent", (s) => s.sentKbits], ["received", (s) => s.receivedKbits]]
  },
  {
    name: "Frames of the call",
    unit: "fps",
    digits: 0,
    lines: [["sent", (s) => s.sentRate], ["received", (s) => s.receivedRate], ["decoded", (s) => s.decodedRate]]
  },
  {
    name: "Delay, capture to drawn",
    unit: "ms",
    digits: 0,
    isOptional: true,
    lines: [["median", (s) => s.delayMsMedian], ["longest", (s) => s.delayMsMax]]
  },
  {
    name: "Numbers in the pictures",
    unit: "in all",
    digits: 0,
    lines: [["missing", (s) => s.missing], ["repeated", (s) => s.repeated], ["out of order", (s) => s.disordered]]
  },
  {
    name: "Not shown",
    unit: "in all",
    digits: 0,
    lines: [["dropped", (s) => s.notDrawn], ["lost packets", (s) => s.packetsLost]]
  },
  {
    name: "Freezes",
    unit: "in all",
    digits: 0,
    lines: [["by pictures", (s) => s.freezes], ["by getStats", (s) => s.freezeCount]]
  },
  {
    name: "Resolution",
    unit: "rows",
    digits: 0,
    lines: [["sent", (s) => s.sentHeight], ["received", (s) => s.receivedHeight]]
  },
  {
    name: "Quality limited by",
    unit: "s in all",
    isOptional: true,
    lines: [["processor", (s) => s.limitedByCPU], ["bandwidth", (s) => s.limitedByBandwidth]]
  },
  {
    name: "Round trip and jitter",
    unit: "ms",
    lines: [["round trip", (s) => s.roundTripMs], ["jitter", (s) => s.jitterMs]]
  },
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
  return before && ((count - before.count) * 1000) / (timestamp - before.timestamp);
}

const isVideo = (entry) => entry.kind === "video";
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
export function receivedValues(stats, last) {
  const received = find(stats, "inbound-rtp", isVideo);
  return {
    receivedKbits: scaled(rate(last, "bytes", received.bytesReceived, received.timestamp), 0.008),
    receivedRate: rate(last, "received", received.framesReceived, received.timestamp),
    decodedRate: rate(last, "decoded", received.framesDecoded, received.timestamp),
    framesDecoded: received.framesDecoded, receivedHeight: received.frameHeight, notDrawn: received.framesDropped,
    packetsLost: received.packetsLost, freezeCount: received.freezeCount, jitterMs: scaled(received.jitter, 1000),
  };
}

function scaled(value, factor) { return value === undefined ? undefined : value * factor; }
// What a far end measures on its pictures, in words.
export function farEndText(values) {
  const { read, unread, missing, delayMsMedian } = values;
  if (!read) return values.drawn ? `${values.drawn} drawn, no frame number read` : "";
  const delay = delayMsMedian === undefined ? "" : `, ${delayMsMedian.toFixed(0)} ms after capture`;
  return `${values.receivedHeight ?? "–"} rows${delay}, ${read} numbers read, ${unread} not, ${missing} missing`;
}
