import { post } from "./events.js";

// Signals between the ends of calls: each has `from` and `to`, the names of pages; without `to` it is for all.
export class Signals {
  name = crypto.randomUUID();
  // Calls `receive` with each signal in the stream of events `source` that another page has sent to this one.
  constructor(source, receive) {
    source.addEventListener("signal", ({ data }) => {
      const signal = JSON.parse(data);
      if (signal.from !== this.name && (!signal.to || signal.to === this.name)) receive(signal);
    });
  }
  // Sends a signal. An app that is away gets none.
  async send(signal) {
    try {
      await post("signal", JSON.stringify({ from: this.name, ...signal }));
    } catch { /* The far end asks again. */
    }
  }
}
// The description of this end with its addresses, when the browser has them all.
export async function describe(peer) {
  await peer.setLocalDescription();
  // An address that takes longer than two seconds is not one of this machine. A busy browser may have none yet, and one
  // without a network never has.
  for (let tenths = 0; tenths < 200 && peer.iceGatheringState !== "complete"; tenths++) {
    if (tenths >= 20 && peer.localDescription.sdp.includes("a=candidate")) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return peer.localDescription.toJSON();
}
