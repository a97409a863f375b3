// Publishes the frames that enter the call to a server that speaks WHIP (RFC 9725), and shows how that goes.
import { setText } from "./events.js";

const name = "published";
// The address and the token across the reload that lets the page connect to another server.
const pending = "publish";

export class Publisher {
  state = "Not published.";
  #address = null; #token = ""; #resource = null; #isBusy = false;
  // `call` has the track; `settings.whip` the address and the token that the app was given.
  constructor(call, { whip }, element) {
    Object.assign(this, { call, element });
    const kept = JSON.parse(sessionStorage.getItem(pending) ?? "null");
    sessionStorage.removeItem(pending);
    const wanted = new URLSearchParams(location.search).get("whip");
    this.allowed = originOf(wanted ?? whip?.url);
    element("publish-address").value = kept?.address ?? wanted ?? whip?.url ?? "";
    // The token goes to the server that it was given for, and to no other that a link names.
    element("publish-token").value = kept?.token ?? (this.allowed === originOf(whip?.url) ? whip?.token ?? "" : "");
    element("publish").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#toggle();
    });
    addEventListener("pagehide", () => this.#delete());
    setInterval(() => this.#follow(), 1000);
    if (kept && kept.address === wanted) this.#toggle();
    this.#show();
  }
  #toggle() {
    return this.#change(async () => {
      if (this.#address) await this.#end("Not published.");
      else await this.#start(this.element("publish-address").value.trim(), this.element("publish-token").value);
    });
  }
  // Does one change at a time. The button cannot be pressed meanwhile.
  async #change(work) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#show();
    try {
      await work();
    } catch (error) {
      const problem = error.message;
      await this.#end("");
      this.state = problem;
    }
    this.#isBusy = false;
    this.#show();
  }
  async #start(address, token) {
    const origin = originOf(address);
    if (!origin) throw new Error("Type the address of a WHIP endpoint, such as https://host/whip.");
    if (origin !== this.allowed) {
      // The page may connect to one other server, which is in its own address.
      sessionStorage.setItem(pending, JSON.stringify({ address, token }));
      location.search = `?whip=${encodeURIComponent(address)}`;
      return;
    }
    this.state = `Connecting to ${origin}.`;
    this.#show();
    [this.#address, this.#token] = [address, token];
    const offer = await this.call.offer(name, { isPublished: true });
    const response = await this.#request("POST", address, { "Content-Type": "application/sdp" }, offer.sdp);
    const text = await response.text();
    if (response.status !== 201) throw new Error(refusal(response.status, text, origin));
    const resource = response.headers.get("Location");
    this.#resource = resource && new URL(resource, response.url || address).href;
    try {
      await this.call.accept(name, { type: "answer", sdp: text });
    } catch (error) {
      throw new Error(`The answer of ${origin} cannot be used: ${error.message}.`);
    }
  }
  async #end(state) {
    this.call.end(name);
    this.state = (await this.#delete()) ?? state;
    this.#show();
  }
  async #delete() {
    const [address, resource] = [this.#address, this.#resource];
    this.#address = this.#resource = null;
    if (!address) return null;
    if (!resource) return "Ended. The server named no session to delete (Location), or hides it from pages.";
    try {
      const response = await this.#request("DELETE", resource, {});
      return response.ok ? null : `Ended here. The server answered the end with ${response.status}.`;
    } catch (error) { return `Ended here. ${error.message}`; }
  }
  async #request(method, address, headers, body) {
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    try {
      // The end of a session is sent also when the page is closed.
      return await fetch(address, { method, headers, body, keepalive: method === "DELETE" });
    } catch {
      throw new Error(`${new URL(address).origin} does not answer, or does not allow this page: it must allow the origin ${location.origin}, ` +
        "the methods POST and DELETE, and the fields Authorization and Content-Type (CORS).");
    }
  }
  async #follow() {
    if (!this.#address || this.#isBusy) return;
    const state = this.call.stateOf(name);
    if (!state) return this.#change(() => this.#end(`The connection to ${this.allowed} was lost.`));
    if (state !== "connected") return;
    this.state = `Published to ${this.allowed}.`;
    this.#show();
    await this.call.measure(name);
  }
  #show() {
    const button = this.element("publish-button");
    button.disabled = this.#isBusy;
    button.textContent = this.#address && !this.#isBusy ? "End publishing" : "Publish by WHIP";
    setText(this.element("publish-outcome"), this.state);
  }
}
// The origin of an address of the web; `null` for anything else.
function originOf(address) {
  const url = URL.canParse(address ?? "") ? new URL(address) : null;
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}

function refusal(status, text, origin) {
  const meaning = {
    401: "the token is missing or wrong", 403: "the token may not publish here", 404: "there is no such endpoint",
    405: "this address takes no WHIP", 409: "another session publishes there",
  }[status] ?? (text.trim().slice(0, 200) || "it gave no reason");
  return `${origin} refused the call with ${status}: ${meaning}.`;
}
