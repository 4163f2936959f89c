// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// The pages on which people get in: set-up, signing in, and what mailed links lead to. The secret of a link stands
// behind the #, which never leaves the browser but in the body of the one request that needs it.

const EMAIL = { name: "email", label: "E-mail address", type: "email", autocomplete: "username", required: true };
const NAME = { name: "name", label: "Your name", type: "text", autocomplete: "name" };
const PASSWORD = { name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true };
const NEW_PASSWORD = {
  name: "password", label: "Password, at least 10 characters", type: "password", autocomplete: "new-password",
  required: true, minLength: 10,
};
const CODE = {
  name: "otp", label: "Code of your authenticator app, if you use one", type: "text", autocomplete: "one-time-code",
  inputMode: "numeric",
};

const PAGES = {
  "/setup": {
    title: "Set up Atrium", lead: "Make the first account. It looks after the server.", button: "Make the account",
    fields: [EMAIL, NAME, NEW_PASSWORD], call: "/api/setup", secret: true, done: "This server is set up.",
  },
  "/login": {
    title: "Sign in", lead: "", button: "Sign in", fields: [EMAIL, PASSWORD, CODE], call: "/api/auth/login",
    done: "You are signed in.", providers: true,
  },
  "/auth/link": {
    title: "Sign in", lead: "", button: "Sign in", fields: [CODE], call: "/api/auth/consume-link", secret: true,
    done: "You are signed in.",
  },
  "/auth/reset": {
    title: "Choose a password", lead: "All devices that are signed in now have to sign in again.",
    button: "Choose this password", fields: [NEW_PASSWORD], call: "/api/auth/reset", secret: true,
    done: "The password is changed.",
  },
  "/auth/confirm": {
    title: "Confirm your address", lead: "", button: "Confirm the address", fields: [], call: "/api/auth/confirm-email",
    secret: true, done: "The address is yours.",
  },
};

const byId = (id) => document.getElementById(id);

function addField(field) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  const { label: text, ...attributes } = field;
  Object.assign(input, attributes);
  label.append(text, input);
  byId("fields").append(label);
}

function takeSecret() {
  const secret = new URLSearchParams(location.hash.slice(1)).get("token");
  // Out of the address bar and the history, before anybody looks.
  history.replaceState(null, "", location.pathname + location.search);
  return secret;
}

async function send(page, secret) {
  const body = secret === null ? {} : { token: secret };
  for (const [name, value] of new FormData(byId("form"))) {
    if (value !== "") {
      body[name] = value;
    }
  }
  const reply = await fetch(page.call, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const answer = reply.status === 204 ? {} : await reply.json();
  if (!reply.ok) {
    throw new Error(answer.detail ?? answer.title ?? "The server refused.");
  }
  return answer;
}

function returnPath(answer) {
  const wanted = answer.return_to ?? new URLSearchParams(location.search).get("return_to") ?? "/";
  // A path of this server, never the address of another.
  return new URL(wanted, location.origin).origin === location.origin && wanted.startsWith("/") ? wanted : "/";
}

async function submit(page, secret, event) {
  event.preventDefault();
  byId("send").disabled = true;
  byId("outcome").textContent = "";
  try {
    const answer = await send(page, secret);
    byId("form").hidden = true;
    byId("outcome").textContent = page.done;
    if (answer.session_id) {
      location.assign(returnPath(answer));
    }
  } catch (error) {
    byId("outcome").textContent = error.message;
  } finally {
    byId("send").disabled = false;
  }
}

async function showProviders() {
  const reply = await fetch("/api/auth/providers");
  if (!reply.ok) {
    return;
  }
  for (const provider of (await reply.json()).providers) {
    const link = document.createElement("a");
    link.href = provider.login_url;
    link.textContent = `Sign in with ${provider.name}`;
    const item = document.createElement("li");
    item.append(link);
    byId("providers").append(item);
  }
}

function show(page) {
  const secret = page.secret ? takeSecret() : null;
  document.title = `${page.title} · Atrium`;
  byId("title").textContent = page.title;
  byId("lead").textContent = page.lead;
  if (page.secret && !secret) {
    byId("outcome").textContent = "The link is not whole: open it once more from where you have it.";
    return;
  }
  page.fields.forEach(addField);
  byId("send").textContent = page.button;
  byId("form").hidden = false;
  byId("form").addEventListener("submit", (event) => submit(page, secret, event));
  if (page.providers) {
    showProviders();
  }
}

show(PAGES[location.pathname] ?? PAGES["/login"]);
