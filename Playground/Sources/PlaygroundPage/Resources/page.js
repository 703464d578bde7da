"use strict";

// Everything that is shown arrives as an event of one stream. Texts are set as texts, never as HTML.

const $ = (id) => document.getElementById(id);
const view = { search: "", order: "title", descending: false, rows: 100 };
const step = 100;
const most = 2000;

/** Makes an element with a class and a text. */
function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Groups the digits of an amount, which is a text because a number does not hold all of them. */
function grouped(amount) {
  if (amount === null) return "–";
  const [whole, rest] = String(amount).split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? digits : `${digits}.${rest}`;
}

const counted = (count, one, many) => `${grouped(count)} ${count === 1 ? one : many}`;

// The stream

let stream = null;

function connect() {
  stream?.close();
  const query = new URLSearchParams(view).toString().replaceAll("+", "%20");
  history.replaceState(null, "", view.search ? `?search=${encodeURIComponent(view.search)}` : location.pathname);
  const address = `/events?${query}`;
  const source = new EventSource(address);
  stream = source;
  source.onopen = () => showConnection("live", "Live");
  source.onerror = () => {
    if (source !== stream) return;
    showConnection("lost", "The server is not there: trying again");
    // A browser reconnects by itself after a connection was lost, but not after an answer that is not a stream.
    if (source.readyState === EventSource.CLOSED) askAgain(source, address);
  };
  for (const [name, show] of Object.entries(shows)) {
    source.addEventListener(name, (event) => {
      if (source !== stream) return;
      endAlert(name);
      show(JSON.parse(event.data));
    });
  }
}

/** Reconnects later, unless the server refuses the request: `EventSource` does not show the answer. */
async function askAgain(source, address) {
  const asking = new AbortController();
  const answer = await fetch(address, { signal: asking.signal }).catch(() => null);
  const refusal = answer?.status >= 400 && answer.status < 500 ? await sentence(answer) : null;
  asking.abort();
  if (source !== stream) return;
  if (refusal) showConnection("refused", refusal);
  else setTimeout(() => source === stream && connect(), 1000);
}

function showConnection(state, text) {
  const element = $("connection");
  if (element.dataset.state === state) return;
  element.dataset.state = state;
  element.textContent = text;
}

const shows = {
  store: (name) => {
    $("store").textContent = name;
    showAlert("");
  },
  films: showFilms,
  found: showFound,
  totals: ({ count, sum }) => {
    $("count").textContent = grouped(count);
    $("sum").textContent = grouped(sum);
  },
  studios: showStudios,
  imports: showImport,
  statements: showStatements,
  statistics: (figures) => {
    for (const element of document.querySelectorAll("[data-figure]")) {
      element.textContent = grouped(figures[element.dataset.figure]);
    }
  },
  failure: ({ of, message }) => showAlert(`What the page shows of ${of} is not live now: ${message}`, of),
};

function showAlert(text, of = "") {
  $("alert").textContent = text;
  $("alert").dataset.of = of;
}

/** Hides the message that a value is not live. */
function endAlert(name) {
  if ($("alert").dataset.of === name) showAlert("");
}

// The table

let rows = [];

class Row {
  constructor(film) {
    this.element = make("tr");
    this.title = make("th", "title");
    this.title.scope = "row";
    this.cells = ["date", "number", "studio", "genre"].map((name) => make("td", name));
    const actions = make("td", "actions");
    this.edit = make("button", "edit", "Edit");
    this.remove = make("button", "delete", "Delete");
    this.edit.type = this.remove.type = "button";
    this.edit.onclick = () => openEdit(this);
    this.remove.onclick = () => openDelete(this);
    actions.append(this.edit, this.remove);
    this.element.append(this.title, ...this.cells, actions);
    this.show(film);
  }

  show(film) {
    this.film = film;
    const rest = [film.releaseDate, film.studio, film.genre].filter((text) => text !== null).join(" · ");
    this.title.replaceChildren(...marked(film.title), make("span", "more-of", rest));
    this.title.title = film.title;
    const texts = [film.releaseDate ?? "–", grouped(film.boxOffice), film.studio ?? "–", film.genre ?? "–"];
    texts.forEach((text, index) => (this.cells[index].textContent = text));
    this.edit.setAttribute("aria-label", `Edit ${film.title}`);
    this.remove.setAttribute("aria-label", `Delete ${film.title}`);
  }
}

/** Applies changes: removes rows, the last one first, and then inserts rows, the first one first. */
function showFilms(change) {
  const keepFocus = focusKeeper();
  const gone = new Map();
  const take = (row) => gone.set(row.film.id, row);
  if (change.isWhole) rows.splice(0).forEach(take);
  for (const at of change.isWhole ? [] : change.without) rows.splice(at, 1).forEach(take);
  const come = change.with.map(({ at, film }) => {
    const row = gone.get(film.id) ?? new Row(film);
    gone.delete(film.id);
    row.show(film);
    rows.splice(at, 0, row);
    return row;
  });
  if (change.isWhole) {
    $("rows").replaceChildren(...rows.map((row) => row.element));
  } else {
    for (const row of gone.values()) row.element.remove();
    place(come);
  }
  showMore();
  keepFocus();
}

/** Puts rows in their places, and highlights them for a moment. */
function place(come) {
  const positions = new Map(rows.map((row, index) => [row, index]));
  for (const row of come) {
    const index = positions.get(row);
    const before = index === 0 ? null : rows[index - 1].element;
    if (row.element.parentNode === null || row.element.previousElementSibling !== before) {
      before === null ? $("rows").prepend(row.element) : before.after(row.element);
    }
    row.element.classList.remove("changed");
    void row.element.offsetWidth;
    row.element.classList.add("changed");
  }
}

/** Returns a function that gives the focus back to a row, or to its neighbour if the row has gone. */
function focusKeeper() {
  const element = document.activeElement;
  const index = rows.findIndex((row) => row.element.contains(element));
  if (index < 0) return () => {};
  const row = rows[index];
  return () => {
    if (document.activeElement === element) return;
    if (row.element.isConnected) return element.focus({ preventScroll: true });
    const next = rows[Math.min(index, rows.length - 1)];
    (next ? (element === row.edit ? next.edit : next.remove) : $("list")).focus({ preventScroll: true });
  };
}

/** Folds the case of ASCII letters only, as the store does when it compares. */
const folded = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns the parts of a title, with the words of the search in `mark` elements. */
function marked(title) {
  const plain = folded(title);
  const isHit = new Array(title.length).fill(false);
  for (const word of folded(view.search).split(/\s+/).filter(Boolean)) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) {
      isHit.fill(true, at, at + word.length);
    }
  }
  const parts = [];
  for (let start = 0; start < title.length; ) {
    let end = start + 1;
    while (end < title.length && isHit[end] === isHit[start]) end += 1;
    const text = title.slice(start, end);
    parts.push(isHit[start] ? make("mark", "", text) : document.createTextNode(text));
    start = end;
  }
  return parts;
}

let found = 0;
let announcing = 0;

function showFound(count) {
  const text = `${counted(count, "film", "films")}${view.search.trim() ? " found" : ""}`;
  $("found").textContent = count > view.rows ? `${text}, the first ${grouped(view.rows)} are shown` : text;
  $("empty").hidden = count > 0;
  $("empty").textContent = view.search.trim() ? "No title has these words." : "No films. Import a file, or add one.";
  found = count;
  showMore();
  // Announced when it stays the same for a moment, because an import changes it many times a second.
  clearTimeout(announcing);
  announcing = setTimeout(() => ($("announcement").textContent = text), 700);
}

/** Shows the button for more rows if there are more; it stands below the rows, so that it moves none of them. */
function showMore() {
  $("more").parentElement.hidden = rows.length < view.rows || found <= rows.length || view.rows >= most;
}

function showOrder() {
  for (const header of document.querySelectorAll("[data-order]")) {
    const isHere = header.dataset.order === view.order;
    if (isHere) header.setAttribute("aria-sort", view.descending ? "descending" : "ascending");
    else header.removeAttribute("aria-sort");
  }
}

// The panels

function showStudios(studios) {
  const list = $("bars");
  const most = Math.max(1, ...studios.map(({ sum }) => Number(sum)));
  while (list.children.length > studios.length) list.lastChild.remove();
  studios.forEach(({ studio, count, sum }, index) => {
    if (!list.children[index]) {
      const item = make("li");
      const fill = make("span", "fill");
      fill.setAttribute("aria-hidden", "true");
      item.append(fill, make("span", "name"), make("span", "value"));
      list.append(item);
    }
    const [fill, name, value] = list.children[index].children;
    fill.style.transform = `scaleX(${Math.max(0, Number(sum)) / most})`;
    name.textContent = `${studio ?? "No studio"} (${grouped(count)})`;
    value.textContent = grouped(sum);
  });
}

function showImport({ state, name, summary, percent, rejects, failure }) {
  const texts = {
    none: "No import yet.",
    running: `Importing ${name}: ${summary}.`,
    done: `Imported ${name}: ${summary}.`,
    stopped: `Stopped ${name}: ${summary}.`,
    failed: `${name} was not imported to its end: ${failure}. Before that: ${summary}.`,
  };
  $("bar").value = percent;
  $("import-text").textContent = texts[state];
  $("stop").disabled = state !== "running";
  $("rejects").replaceChildren(...rejects.map((text) => make("li", "", `Rejected ${text}`)));
}

function showStatements(statements) {
  $("trail").replaceChildren(
    ...statements.reverse().map(({ sql, times, rows: count, microseconds }) => {
      const row = make("tr");
      const text = make("td", "", sql);
      text.title = sql;
      const time = microseconds < 1000 ? "< 1 ms" : `${grouped(Math.round(microseconds / 1000))} ms`;
      const figures = [grouped(times), grouped(count), time];
      row.append(text, ...figures.map((figure) => make("td", "number", figure)));
      return row;
    }),
  );
}

// Requests

/** Sends a request, and throws an error with the server's sentence if it fails. */
async function send(method, path, body, type = "application/json") {
  let answer;
  try {
    answer = await fetch(path, { method, headers: { "Content-Type": type }, body });
  } catch {
    throw new Error("The server is not there.");
  }
  if (answer.ok) return;
  throw new Error(await sentence(answer));
}

/** Returns the sentence of a refusal. */
const sentence = (answer) => answer.json().then(({ error }) => error.message, () => answer.statusText);

let opener = { index: -1, name: "edit" };

/** Opens a dialog from a button of a row. */
function open(dialog, row, name) {
  opener = { index: rows.indexOf(row), name };
  dialog.querySelector(".problem").textContent = "";
  dialog.onclose = () => {
    // The row may have gone, with the button that would get the focus back.
    const element = document.activeElement;
    if (element !== document.body && !dialog.contains(element)) return;
    const next = rows[Math.min(opener.index, rows.length - 1)];
    (next?.[opener.name] ?? $("list")).focus({ preventScroll: true });
  };
  dialog.showModal();
}

let edited = null;

/** Opens the form of a row's film, or of a new one. */
function openEdit(row) {
  const film = row?.film ?? null;
  edited = film;
  const form = $("edit-form");
  $("edit-title").textContent = film ? `Edit ${film.title}` : "Add a film";
  for (const input of form.querySelectorAll("input")) input.value = film?.[input.name] ?? "";
  open($("edit"), row, "edit");
}

/** Saves only the fields that were changed in the form, because somebody else may have changed the others. */
function save() {
  const film = {};
  for (const input of $("edit-form").querySelectorAll("input")) {
    if (input.value !== (edited?.[input.name] ?? "")) film[input.name] = input.value === "" ? null : input.value;
  }
  if (edited === null) return send("POST", "/films", JSON.stringify(film));
  if (Object.keys(film).length === 0) return Promise.resolve();
  return send("PATCH", "/films", JSON.stringify({ id: edited.id, ...film }));
}

let doomed = null;

function openDelete(row) {
  doomed = row.film;
  $("delete-title").textContent = `Delete ${doomed.title}?`;
  open($("delete"), row, "remove");
}

/** Runs the action of a dialog and closes it, or shows why the action failed. */
function confirmWith(dialog, act) {
  const form = dialog.querySelector("form");
  form.querySelector(".cancel").onclick = () => dialog.close();
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await act();
      dialog.close();
    } catch (error) {
      form.querySelector(".problem").textContent = error.message;
    }
  };
}

/** Runs an action, and shows its failure at the foot of the page. */
async function attempt(act) {
  showAlert("");
  try {
    await act();
  } catch (error) {
    showAlert(error.message);
  }
}

// Input

let typing = 0;

$("search").oninput = () => {
  clearTimeout(typing);
  typing = setTimeout(search, 120);
};
$("search-form").onsubmit = (event) => {
  event.preventDefault();
  search();
};

function search() {
  if ($("search").value === view.search) return;
  view.search = $("search").value;
  view.rows = step;
  connect();
}

for (const header of document.querySelectorAll("[data-order]")) {
  header.querySelector("button").onclick = () => {
    view.descending = header.dataset.order === view.order ? !view.descending : false;
    view.order = header.dataset.order;
    showOrder();
    connect();
  };
}

$("more").onclick = () => {
  view.rows = Math.min(view.rows + step, most);
  connect();
};

$("add").onclick = () => openEdit(null);
confirmWith($("edit"), save);
confirmWith($("delete"), () => send("DELETE", "/films", JSON.stringify({ id: doomed.id })));

$("upload-form").onsubmit = (event) => {
  event.preventDefault();
  const file = $("upload").files[0];
  attempt(() => send("POST", `/imports/upload?name=${encodeURIComponent(file.name)}`, file, "application/octet-stream"));
};
$("stop").onclick = () => attempt(() => send("DELETE", "/imports", "{}"));

// A page in the browser's back/forward cache holds no connection.
window.onpagehide = () => stream?.close();
window.onpageshow = (event) => event.persisted && connect();

view.search = new URLSearchParams(location.search).get("search") ?? "";
$("search").value = view.search;
showOrder();
connect();
