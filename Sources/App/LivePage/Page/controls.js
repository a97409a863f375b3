// A button for each thing that the app or the phone can do, and the outcome of the last one.
export function makeControls(parent, outcome, { token, controls }) {
  const post = (command) =>
    fetch("control", { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: command });

  async function send(command) {
    outcome.className = "outcome";
    outcome.textContent = `${command} …`;
    let problem;
    try {
      let response = await post(command);
      if (response.status === 401) {
        // The app was started again and has another token.
        ({ token } = await (await fetch("settings")).json());
        response = await post(command);
      }
      problem = response.ok ? (await response.json()).problem : await response.text();
    } catch {
      problem = "The app does not answer.";
    }
    outcome.textContent = `${command}: ${problem ?? "done."}`;
    outcome.className = problem ? "outcome bad" : "outcome";
  }

  for (const { usage, meaning } of controls) {
    const [word, placeholder] = usage.split(":");
    const button = document.createElement("button");
    button.textContent = word;
    button.title = meaning;
    if (placeholder === undefined) {
      button.addEventListener("click", () => send(word));
      parent.append(button);
      continue;
    }
    const form = document.createElement("form");
    const value = document.createElement("input");
    value.placeholder = placeholder;
    value.setAttribute("aria-label", `${word}: ${placeholder}`);
    value.title = meaning;
    form.append(button, value);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(`${word}:${value.value || value.placeholder}`);
    });
    parent.append(form);
  }
}
