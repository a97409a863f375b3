import { make, post, shownName, ui } from "./base.js";

// The palette of actions, from BroadcastSystem+EventList.swift.
const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim();

function field({ kind, label, choices = [], unit = "", least, most, value }, name, isLabelled) {
  const properties = { ariaLabel: `${name}: ${label}${unit && `, ${unit}`}`, title: label };
  const input = kind === "choice"
    ? make(
      "select", properties,
      ...choices.map((choice) => new Option(shownName(choice), choice, choice === value, choice === value))
    )
    : make("input", { ...properties, value: value ?? "", required: true, placeholder: label, autocomplete: "off" });
  if (kind === "size") input.pattern = "\\d+x\\d+";
  if (kind === "number") Object.assign(input, { type: "number", min: least ?? "", max: most ?? "", step: "any" });
  return make(
    "label", { className: "unit" }, ...(isLabelled ? [make("small", { textContent: label })] : []), input,
    ...(unit ? [make("span", { textContent: unit })] : [])
  );
}

export class Actions {
  all = [];
  #groups = new Map();
  #armed = null;
  #first = null;
  constructor(settings, toast, noted) {
    Object.assign(this, { toast, noted });
    for (const action of settings.actions) this.#add({ ...action });
    ui.search.addEventListener("input", () => this.find());
    ui.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.#first) {
        if (this.#first.form.firstChild.disabled) this.toast(`${this.#first.name}: not possible now.`, "bad");
        else this.perform(this.#first, true);
      }
      if (event.key !== "Escape") return;
      event.target.value = "";
      this.find();
    });
    this.start = this.all.find(({ word }) => word === "consumer start");
    this.find();
  }
  #add(action) {
    const { group, meaning, often, fields } = action;
    const section = often ? "Often used" : group;
    if (!this.#groups.has(section)) {
      this.#groups.set(
        section, make("section", { role: "group", ariaLabel: section }, make("h2", { textContent: section }))
      );
      ui.list[often ? "prepend" : "append"](this.#groups.get(section));
    }
    action.form = make(
      "form", { className: "action" }, make("button", { textContent: action.name }),
      make(
        "span", { className: "takes" },
        ...fields.map((one) => field(one, action.name, fields.length > 1 && fields[0].kind !== "choice"))
      ),
      make("small", { textContent: meaning })
    );
    action.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.perform(action);
    });
    this.#groups.get(section).append(action.form);
    this.all.push(action);
  }
  named(command) {
    const isOf = (own) => own === command || own?.startsWith(`${command}:`);
    return this.all.find(({ text, word }) => isOf(text) || isOf(word));
  }
  find() {
    const query = plain(ui.search.value);
    const has = (text) => query.split(" ").every((word) => plain(text).includes(word));
    const found =
      this.all.filter(({ form, text, group }) => !(form.hidden = !has(`${form.textContent} ${text} ${group}`)));
    for (const group of this.#groups.values()) group.hidden = !group.querySelector("form:not([hidden])");
    this.#first =
      query ? found.find(({ name }) => plain(name) === query) ?? found.find(({ name }) => has(name)) ?? found[0] : null;
    // The longest name wins: "ipad mini", not "ipad".
    const options = query ? [...document.querySelectorAll("#list form:not([hidden]) option")] : [];
    for (const option of options.sort((a, b) => a.value.length - b.value.length)) {
      if (` ${query} `.includes(` ${plain(option.value)} `)) option.parentElement.value = option.value;
    }
    ui.found.textContent = !query ? `${found.length} actions` : !this.#first ? "No action matches."
      : `${found.length} found. Press Enter for “${this.#first.name}”.`;
    for (const { form } of this.all) form.classList.toggle("first", form === this.#first?.form);
  }
  // All actions except the start need a broadcast. A capture has no start.
  can({ word, command }, { isRunning, phase }) {
    if (!this.start) return true;
    if (/^consumer stop/.test(command ?? word)) return isRunning || phase === "crashed";
    return isRunning !== /^consumer start/.test(command ?? word);
  }
  enable(isPossible) {
    for (const action of this.all) action.form.firstChild.disabled = !isPossible(action);
  }
  // Preselects device and pattern of a broadcast.
  choose({ line, device }) {
    const words = [device, ...(line ?? "").split(/[\s=]+/)];
    for (const option of this.start?.form.querySelectorAll("option") ?? [])
      if (words.includes(option.value)) option.parentElement.value = option.value;
  }
  // Asks before it ends the page, or ends the broadcast by a key.
  async perform(action, isByKey = false) {
    const inputs = [...action.form?.querySelectorAll("input, select") ?? []];
    if (inputs.some((input) => !input.reportValidity())) return;
    const key = action.form ?? action.command;
    if ((action.ends === "page" || (action.ends === "broadcast" && isByKey)) && this.#armed !== key) {
      this.#armed = key;
      setTimeout(() => (this.#armed = this.#armed === key ? null : this.#armed), 6000);
      const outcome = action.ends === "page" ? "stops the app and this page" : "ends the broadcast";
      return this.toast(`${action.name}: this ${outcome}. Press again to confirm.`, "asks");
    }
    this.#armed = null;
    const values = inputs.map(({ value }) => value.trim());
    const shown = values.map((value, at) => [shownName(value), action.fields?.[at]?.unit].filter(Boolean).join(" "))
      .filter(Boolean)
      .join(", ");
    const name = shown ? `${action.name} (${shown})` : action.name;
    return this.send(name, action.command ?? fill(action.text, values), action.ends);
  }
  // An action that stops the app gets no answer.
  async send(name, command, ends) {
    let answer;
    const slow = setTimeout(() => this.toast(`${name}: no answer yet.`), 2000);
    try {
      const { ok, content } = await post("control", command);
      answer = ok ? JSON.parse(content) : { problem: content.trim() };
    } catch ({ message }) { answer = ends === "page" ? {} : { problem: message }; }
    clearTimeout(slow);
    const { problem, line } = answer;
    this.noted(command, problem);
    this.toast(problem ? `${name}: not done. ${problem}` : `${name}: done.`, problem ? "bad" : "", line);
  }
}
// Removes missing values at the end, with separators.
function fill(text, values) { return text.replace(/\{(\d+)\}/g, (_, at) => values[at] ?? "").replace(/[:,]+$/, ""); }
