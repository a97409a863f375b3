export const callPlots = [
  { name: "Bit rate", unit: "kbit/s", digits: 0,
    lines: [["sent", (s) => s.sentKbits], ["received", (s) => s.receivedKbits]] },
  { name: "Frames of the call", unit: "fps", digits: 0,
    lines: [["sent", (s) => s.sentRate], ["received", (s) => s.receivedRate], ["decoded", (s) => s.decodedRate]] },
  { name: "Delay, capture to drawn", unit: "ms", digits: 0, isOptional: true,
    lines: [["median", (s) => s.delayMsMedian], ["longest", (s) => s.delayMsMax]] },
  { name: "Frame numbers", unit: "total", digits: 0,
    lines: [["missing", (s) => s.missing], ["repeated", (s) => s.repeated], ["out of order", (s) => s.disordered]] },
  { name: "Not shown", unit: "total", digits: 0,
    lines: [["dropped", (s) => s.notDrawn], ["lost packets", (s) => s.packetsLost], ["freezes", (s) => s.freezes]] },
  { name: "Limited by bandwidth", unit: "s total", isOptional: true, lines: [["time", (s) => s.limitedByBandwidth]] },
  { name: "Round trip", unit: "ms", lines: [["time", (s) => s.roundTripMs]] },
];
// The statistics of one kind: the first that `matches`.
function find(stats, type, matches = () => true) {
  return [...stats.values()].find((entry) => entry.type === type && matches(entry)) ?? {};
}
// The growth of a count per second.
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
    sentKbits: rate(last, "bytes", sent.bytesSent, sent.timestamp) * 0.008,
    sentRate: rate(last, "frames", sent.framesSent, sent.timestamp),
    codec: stats.get(sent.codecId)?.mimeType, limitedByBandwidth: sent.qualityLimitationDurations?.bandwidth,
    roundTripMs: find(stats, "candidate-pair", (pair) => pair.nominated).currentRoundTripTime * 1000,
  };
}
export function receivedValues(stats, last) {
  const received = find(stats, "inbound-rtp", isVideo);
  return {
    receivedKbits: rate(last, "bytes", received.bytesReceived, received.timestamp) * 0.008,
    receivedRate: rate(last, "received", received.framesReceived, received.timestamp),
    decodedRate: rate(last, "decoded", received.framesDecoded, received.timestamp),
    receivedHeight: received.frameHeight, notDrawn: received.framesDropped,
    packetsLost: received.packetsLost,
  };
}

export function farEndText(values) {
  const { read, unread, missing, delayMsMedian } = values;
  if (!read) return values.drawn ? `${values.drawn} images drawn, no frame number read` : "";
  const delay = delayMsMedian === undefined ? "" : `, delay ${delayMsMedian.toFixed(0)} ms`;
  const rows = values.receivedHeight ?? "–";
  return `${rows} rows${delay}; frame numbers: ${read} read, ${unread} not read, ${missing} missing`;
}
