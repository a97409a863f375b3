import { post } from "./base.js";

// Signals have `from` and `to`, the names of pages; without `to` they are for all.
export class Signals {
  name = crypto.randomUUID();
  constructor(source, receive) {
    source.addEventListener("signal", ({ data }) => {
      const signal = JSON.parse(data);
      if (signal.from !== this.name && (!signal.to || signal.to === this.name)) receive(signal);
    });
  }
  async send(signal) {
    try {
      await post("signal", JSON.stringify({ from: this.name, ...signal }));
    } catch { /* The receiver asks again. */
    }
  }
}
// Waits for the browser's addresses (ICE).
export async function describe(peer) {
  await peer.setLocalDescription();
  // Addresses come within two seconds, except in a busy browser or without a network.
  for (let tenths = 0; tenths < 200 && peer.iceGatheringState !== "complete"; tenths++) {
    if (tenths >= 20 && peer.localDescription.sdp.includes("a=candidate")) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return peer.localDescription.toJSON();
}
