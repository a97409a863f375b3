// The frames of an event with rows of more than one frame. The other torn ones do not show the proof pattern.
export const mixed = (event) => (event.framesTorn ?? 0) - (event.framesWithoutProof ?? 0);

// Follows the events of the app. The browser connects again by itself, and names the last event it has.
export function follow(address, { open, lost, event }) {
  const source = new EventSource(address);
  source.onopen = open;
  source.onerror = lost;
  source.onmessage = (message) => event(JSON.parse(message.data), Number(message.lastEventId));
  return source;
}
