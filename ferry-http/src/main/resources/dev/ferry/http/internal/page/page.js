"use strict";
// The script of the page, and of the workers that compute digests for it.

// CRC-32C of bytes, eight at a time, from the CRC of those before.
const TABLES = new Uint32Array(8 * 256);
for (let i = 0; i < 256; i++) {
  let crc = i;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  TABLES[i] = crc;
}
for (let i = 256; i < 2048; i++) TABLES[i] = TABLES[TABLES[i - 256] & 255] ^ (TABLES[i - 256] >>> 8);

function crc32c(before, buffer) {
  const t = TABLES;
  const bytes = new Uint8Array(buffer);
  const words = new Uint32Array(buffer, 0, bytes.length >>> 3 << 1);
  let crc = ~before;
  for (let i = 0; i < words.length; i += 2) {
    const a = words[i] ^ crc;
    const b = words[i + 1];
    crc = t[1792 + (a & 255)] ^ t[1536 + (a >>> 8 & 255)] ^ t[1280 + (a >>> 16 & 255)] ^ t[1024 + (a >>> 24)]
      ^ t[768 + (b & 255)] ^ t[512 + (b >>> 8 & 255)] ^ t[256 + (b >>> 16 & 255)] ^ t[b >>> 24];
  }
  for (let i = words.length * 4; i < bytes.length; i++) crc = t[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

function worker() {
  const piece = 4 * 1024 * 1024;
  onmessage = async ({ data: { file, from, to, crc } }) => {
    // The next piece is read while the digest of one is computed.
    const read = (at) => at < to ? file.slice(at, Math.min(to, at + piece)).arrayBuffer() : null;
    try {
      let ahead = read(from);
      for (let at = from; at < to; at += piece) {
        const bytes = await ahead;
        ahead = read(at + piece);
        crc = crc32c(crc, bytes);
      }
      postMessage({ crc });
    } catch (e) {
      postMessage({ error: e.name });
    }
  };
}

function page() {
  const SELF = document.currentScript.src;
  // The path below which a proxy has the server.
  const BASE = new URL(SELF).pathname.replace(/\/page\/.*/, "");
  const FILES = BASE + "/files/";
  const UPLOADS = BASE + "/uploads/";
  const $ = (id) => document.getElementById(id);
  const body = document.body;

  // ---- Elements, names and numbers -------------------------------------------------------------

  /** Makes an element. Text is always text: nothing here parses HTML. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }
  const button = (label, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, label);
  const iconButton = (icon, label, onclick, attributes = {}) =>
    button(make("i", { class: "icon " + icon }), onclick, { class: "bare", "aria-label": label, title: label, ...attributes });

  /** A name for people, with signs for what is not seen. */
  const shown = (name) => name.replace(/[\0-\x1f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/\x7f/g, "\u2421")
    .replace(/[\x80-\x9f\u2028\u2029]|\p{Cf}/gu, (c) => "[U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]");
  const bdi = (name) => make("bdi", {}, shown(name));
  const uri = (path) => FILES + path.split("/").map(encodeURIComponent).join("/");
  const folderUri = (path) => path === "" ? FILES : uri(path) + "/";
  const join = (folder, name) => folder === "" ? name : folder + "/" + name;
  const lastOf = (path) => path.slice(path.lastIndexOf("/") + 1);
  const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const folderOf = (pathname) => pathname.slice(FILES.length).replace(/\/$/, "").split("/").map(decodeURIComponent).join("/");

  function size(bytes) {
    if (bytes < 1000) return bytes + " B";
    let unit = -1;
    for (; bytes >= 999.5; unit++) bytes /= 1000;
    return (bytes < 10 ? bytes.toFixed(1) : bytes.toFixed(0)) + " " + "kMGTPE"[unit] + "B";
  }
  // Made when they are needed: each takes milliseconds, in which the page could be shown.
  const once = (make) => { let made; return () => made ?? (made = make()); };
  const times = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }));
  const natural = once(() => new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }));
  function duration(seconds) {
    if (!isFinite(seconds)) return "";
    if (seconds < 60) return Math.ceil(seconds) + " s left";
    if (seconds < 3600) return Math.round(seconds / 60) + " min left";
    return Math.floor(seconds / 3600) + " h " + Math.round(seconds % 3600 / 60) + " min left";
  }
  const count = (number, noun) => number.toLocaleString() + " " + noun + (number === 1 ? "" : "s");
  function kind(entry) {
    if (entry.left) return "left out";
    if (entry.folder) return "Folder";
    const extension = /.\.([A-Za-z0-9]{1,8})$/.exec(entry.name);
    return extension ? extension[1].toUpperCase() : "File";
  }

  // ---- Requests --------------------------------------------------------------------------------

  /** The error of a response, with a text for people. It is final unless the same request may succeed later. */
  function failure(status, text) {
    let problem;
    try {
      problem = JSON.parse(text);
    } catch {
      // It is not a response of Ferry, or to a HEAD.
    }
    const final = (status < 500 || status === 507) && ![408, 429, 499].includes(status);
    return Object.assign(new Error(problem?.detail ?? "the server responded " + status), { status, final, type: problem?.type });
  }
  /** Sends a request. Throws the error of a response, or one with the status 0. */
  async function send(method, target, headers = {}, options = {}) {
    let response;
    try {
      response = await fetch(target, { method, headers: { Accept: "application/json", ...headers }, cache: "no-store", ...options });
    } catch (e) {
      if (e.name === "AbortError") throw e;
      throw Object.assign(new Error("the server cannot be reached"), { status: 0 });
    }
    if (!response.ok) throw failure(response.status, await response.text().catch(() => ""));
    return response;
  }
  /** Passes on the entries of a folder in batches, as they arrive; each has a line of its own. */
  async function list(folder, batch, options) {
    const response = await send("GET", folderUri(folder) + "?list", {}, options);
    const permissions = response.headers.get("Ferry-Permissions") ?? "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const prefix = folder === "" ? 0 : folder.length + 1;
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "\n")).split("\n");
      rest = lines.pop();
      const entries = [];
      for (const line of lines) {
        if (line.length < 3) continue;
        const fact = JSON.parse(line.replace(/^[[,]/, "").replace(/}]$/, "}"));
        const name = fact.leftOut === "name" ? lastOf(fact.name) : fact.name.slice(prefix);
        entries.push({ name, size: fact.size, time: Date.parse(fact.lastModified) || 0, folder: fact.directory, left: fact.leftOut });
      }
      batch(entries, permissions);
      if (done) return;
    }
  }

  // ---- What is shown ---------------------------------------------------------------------------

  let folder = folderOf(location.pathname);
  let entries = [];
  let byName = new Map();
  let view = [];
  let active = 0;
  let anchor = null;
  const chosen = new Set();
  const sort = { by: "name", sign: 1 };
  const may = (what) => (body.dataset.permissions ?? "").split(" ").includes(what);
  const rows = $("rows");
  const above = make("tr", { class: "space", "aria-hidden": "true" }, make("td"));
  const below = above.cloneNode(true);
  let loading = null;

  function arrange() {
    const wanted = $("filter").value.toLowerCase();
    view = wanted === "" ? entries.slice() : entries.filter((entry) => entry.name.toLowerCase().includes(wanted));
    const plain = (a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
    const names = view.length > 20000 ? plain : (a, b) => natural().compare(a.name, b.name) || plain(a, b);
    const compare = {
      name: names, size: (a, b) => a.size - b.size || names(a, b), time: (a, b) => a.time - b.time || names(a, b),
      kind: (a, b) => plain({ name: kind(a) }, { name: kind(b) }) || names(a, b),
    }[sort.by];
    view.sort((a, b) => b.folder - a.folder || sort.sign * compare(a, b));
    active = Math.min(active, Math.max(0, view.length - 1));
    table().setAttribute("aria-rowcount", view.length + 1);
    selection();
    note();
    draw(true);
  }
  const table = () => rows.parentNode;

  function note() {
    const text = $("note");
    text.classList.toggle("empty", !view.length);
    if (loading?.error) text.textContent = loading.error;
    else if (loading?.hidden) text.textContent = "You may upload files here, but not list them.";
    else if (!entries.length) text.textContent = loading?.busy ? "" : may("create") ? "This folder is empty. Drop files here, paste them, or choose Upload." : "This folder is empty.";
    else if (!view.length) text.textContent = "No name contains “" + shown($("filter").value) + "”.";
    else {
      const folders = view.filter((entry) => entry.folder).length;
      const bytes = view.reduce((sum, entry) => sum + entry.size, 0);
      text.textContent = [folders ? count(folders, "folder") : "", view.length > folders ? count(view.length - folders, "file") + ", " + size(bytes) : ""]
        .filter(Boolean).join(", ") + (loading?.busy ? " so far…" : "");
    }
  }

  // Only the rows near the window are laid out. Two spacers stand for the others.
  const drawn = new Map();
  let rowHeight = 44;
  let waiting = false;
  function draw(changed) {
    if (changed) {
      drawn.forEach((row) => row.remove());
      drawn.clear();
      rows.replaceChildren(above, below);
      rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) + (matchMedia("(max-width: 600px)").matches ? 0 : 1);
    }
    const top = -table().tBodies[0].getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / rowHeight) - 10);
    const last = Math.min(view.length, Math.ceil((top + innerHeight) / rowHeight) + 10);
    for (const [index, row] of drawn) {
      if (index < first || index >= last) {
        row.remove();
        drawn.delete(index);
      }
    }
    let before = below;
    for (let index = last - 1; index >= first; index--) {
      let row = drawn.get(index);
      if (!row) {
        row = makeRow(view[index], index);
        drawn.set(index, row);
        rows.insertBefore(row, before);
      }
      before = row;
    }
    if (view.length && !drawn.has(active)) activate(Math.max(first, Math.min(last - 1, active)));
    above.firstChild.style.height = Math.min(first, view.length) * rowHeight + "px";
    below.firstChild.style.height = Math.max(0, view.length - last) * rowHeight + "px";
  }
  function drawSoon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(false);
    });
  }
  addEventListener("scroll", drawSoon, { passive: true });
  addEventListener("resize", () => draw(true));

  const cell = (kind, ...children) => make("td", { role: "cell", class: kind }, ...children);
  function makeRow(entry, index) {
    const tab = { tabindex: index === active ? 0 : -1 };
    const path = join(folder, entry.name);
    const select = make("input", { type: "checkbox", "aria-label": "Select " + shown(entry.name), onclick: (e) => choose(index, e.target.checked, e.shiftKey), ...tab });
    select.checked = chosen.has(entry.name);
    const name = entry.left
      ? make("span", { class: "file", title: "It cannot be transferred: " + entry.left }, bdi(entry.name))
      : make("a", { href: entry.folder ? folderUri(path) : uri(path), class: entry.folder ? "folder" : "file", title: shown(entry.name), onclick: (e) => open(e, entry), ...tab }, bdi(entry.name));
    const time = entry.time ? make("time", { datetime: new Date(entry.time).toISOString() }, times().format(entry.time)) : "";
    return make("tr", { role: "row", "aria-rowindex": index + 2, class: chosen.has(entry.name) ? "chosen" : "", onfocusin: () => activate(index) },
      cell("sel", ...(entry.left ? [] : [select])), cell("name", name), cell("size", entry.folder || entry.left ? "" : size(entry.size)),
      cell("time", time), cell("kind", kind(entry)),
      cell("more", ...(entry.left ? [] : [iconButton("dots", "Actions for " + shown(entry.name), (e) => menu(e.currentTarget, entry), { "aria-haspopup": "menu", ...tab })])));
  }

  function choose(index, on, range) {
    // The row that was chosen before may be elsewhere by now, or hidden.
    const other = range ? view.findIndex((entry) => entry.name === anchor) : -1;
    const [from, to] = other < 0 ? [index, index] : [Math.min(other, index), Math.max(other, index)];
    for (let i = from; i <= to; i++) {
      if (view[i].left) continue;
      if (on) chosen.add(view[i].name);
      else chosen.delete(view[i].name);
      const row = drawn.get(i);
      if (row) {
        row.classList.toggle("chosen", on);
        row.querySelector("input").checked = on;
      }
    }
    anchor = view[index].name;
    selection();
  }
  function selection() {
    $("selection").hidden = !chosen.size;
    $("bar").hidden = chosen.size;
    $("selected").textContent = chosen.size + " selected";
    const all = $("all");
    all.checked = chosen.size > 0 && chosen.size >= view.length;
    all.indeterminate = chosen.size > 0 && !all.checked;
  }
  function chooseAll(on) {
    chosen.clear();
    if (on) view.forEach((entry) => entry.left || chosen.add(entry.name));
    selection();
    draw(true);
  }
  $("all").onclick = (e) => chooseAll(e.target.checked);
  const chosenEntries = () => [...chosen].map((name) => byName.get(name)).filter(Boolean);

  for (const head of document.querySelectorAll("th[data-sort]")) {
    const by = head.dataset.sort;
    head.replaceChildren(button(head.textContent, () => {
      sort.sign = sort.by === by ? -sort.sign : 1;
      sort.by = by;
      sorted();
      arrange();
    }));
  }
  function sorted() {
    document.querySelectorAll("th[data-sort]").forEach((head) => {
      if (head.dataset.sort === sort.by) head.setAttribute("aria-sort", sort.sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  }

  async function load(path) {
    loading?.abort.abort();
    const own = loading = { abort: new AbortController(), busy: true };
    const fresh = [];
    const moved = path !== folder;
    let begun = moved;
    const begin = () => {
      begun = true;
      entries = fresh;
      byName = new Map();
    };
    if (begun) {
      folder = path;
      chosen.clear();
      anchor = null;
      active = 0;
      $("filter").value = "";
      begin();
      crumbs();
      arrange();
      scrollTo(0, 0);
    }
    let shownAt = performance.now();
    try {
      await list(path, (batch, permissions) => {
        body.dataset.permissions = permissions;
        for (const entry of batch) fresh.push(entry);
        // A long list is shown while it grows, and not sorted anew for each part of it.
        if (performance.now() - shownAt > 300 + fresh.length / 40) {
          if (!begun) begin();
          arrange();
          shownAt = performance.now();
        }
      }, { signal: own.abort.signal });
    } catch (e) {
      if (e.name === "AbortError" || loading !== own) return;
      // The page of another folder says whether files may be put there unseen.
      if (e.status === 403 && moved) return location.reload();
      own.hidden = e.status === 403 && may("create");
      own.error = own.hidden ? "" : e.message;
    }
    if (loading !== own) return;
    own.busy = false;
    begin();
    fresh.forEach((entry) => byName.set(entry.name, entry));
    // What was moved, renamed or deleted, here or elsewhere, is no longer selected.
    own.error || chosen.forEach((name) => byName.has(name) || chosen.delete(name));
    arrange();
  }
  const reload = () => load(folder);

  function crumbs() {
    const parts = folder === "" ? [] : folder.split("/");
    $("crumbs").replaceChildren(...["", ...parts].map((part, i) => {
      const path = parts.slice(0, i).join("/");
      return make("li", {}, make("a", { href: folderUri(path), "aria-current": i === parts.length ? "page" : undefined }, bdi(i === 0 ? "Files" : part)));
    }));
    document.title = folder === "" ? "Files" : shown(lastOf(folder));
    $("heading").textContent = document.title;
  }
  const plainClick = (e) => !(e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || e.button);
  function go(path) {
    history.pushState(null, "", folderUri(path));
    load(path);
  }
  $("crumbs").onclick = (e) => {
    const link = e.target.closest("a");
    if (!link || !plainClick(e)) return;
    e.preventDefault();
    go(folderOf(link.pathname));
  };
  addEventListener("popstate", () => load(folderOf(location.pathname)));
  function open(e, entry) {
    if (!plainClick(e)) return;
    e.preventDefault();
    if (entry.folder) go(join(folder, entry.name));
    else preview(entry);
  }

  let typing = 0;
  $("filter").oninput = () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      active = 0;
      arrange();
      say(view.length === 0 ? "nothing found" : count(view.length, "item"));
    }, 60);
  };

  // ---- Keyboard --------------------------------------------------------------------------------

  /** Makes a row the one that the Tab key leads to. */
  function activate(index) {
    for (const at of [active, index]) drawn.get(at)?.querySelectorAll("[tabindex]").forEach((part) => { part.tabIndex = at === index ? 0 : -1; });
    active = index;
  }
  function focusRow(index, what = "a") {
    activate(Math.max(0, Math.min(view.length - 1, index)));
    const top = rows.getBoundingClientRect().top + scrollY + active * rowHeight;
    if (top < scrollY + 110) scrollTo(0, top - 110);
    else if (top + rowHeight > scrollY + innerHeight - 20) scrollTo(0, top + rowHeight - innerHeight + 20);
    draw(false);
    activate(active);
    (drawn.get(active)?.querySelector(what) ?? drawn.get(active)?.querySelector("a, span"))?.focus({ preventScroll: true });
  }
  addEventListener("keydown", (e) => {
    if (document.querySelector("dialog[open]") || e.ctrlKey && e.key !== "a" || e.metaKey && e.key !== "a" || e.altKey) return;
    const inList = rows.contains(e.target);
    const inField = e.target.matches("input:not([type=checkbox]), textarea");
    const entry = view[active];
    const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 4);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -view.length, End: view.length };
    const part = e.target.matches("input") ? "input" : e.target.matches("button") ? "button" : "a";
    if (e.key === "/" && !inField) $("filter").focus();
    else if (inList && e.key in steps) focusRow(active + steps[e.key], part);
    else if (inList && e.key === " " && !e.target.matches("input, button")) choose(active, !chosen.has(entry.name), e.shiftKey);
    else if (inList && (e.ctrlKey || e.metaKey)) chooseAll(true);
    else if (inList && e.key === "Delete" && may("delete") && !entry.left) remove(chosen.size ? chosenEntries() : [entry]);
    else if (inList && e.key === "F2" && may("delete") && may("create") && !entry.left) rename(entry);
    else if (e.key === "ArrowDown" && e.target === $("filter")) focusRow(0);
    else if (e.key === "Escape" && chosen.size && !inField) chooseAll(false);
    else return;
    e.preventDefault();
  });

  // ---- Messages, questions and menus -----------------------------------------------------------

  const say = (text) => { $("live").textContent = text; };
  let toasting = 0;
  function toast(text) {
    $("toast")?.remove();
    clearTimeout(toasting);
    body.append(make("div", { id: "toast", role: "status" }, text));
    say(text);
    toasting = setTimeout(() => $("toast")?.remove(), 6000);
  }

  /** Shows a dialog, and returns the focus. */
  function show(dialog, closed) {
    const back = document.activeElement;
    dialog.onclose = () => {
      dialog.remove();
      if (back?.isConnected) back.focus({ preventScroll: true });
      closed();
    };
    body.append(dialog);
    dialog.showModal();
  }

  /** Asks a question. Resolves to the text of the field, to true without one, or to null. */
  function ask({ title, text, label, value, action, danger, content, check }) {
    return new Promise((resolve) => {
      const field = label && make("input", { type: "text", "aria-label": label, value: value ?? "", autocomplete: "off", spellcheck: "false" });
      const wrong = make("p", { role: "alert", hidden: true });
      const dialog = make("dialog", { "aria-label": title }, make("form", { method: "dialog", onsubmit: (e) => {
        const problem = field && check?.(field.value);
        if (!problem) return;
        e.preventDefault();
        wrong.textContent = problem;
        wrong.hidden = false;
      } },
        make("h2", {}, title), ...(text ? [make("p", {}, text)] : []), ...(field ? [field] : []), ...(content ? [content] : []), wrong,
        make("div", { class: "buttons" }, button("Cancel", () => dialog.close()), make("button", { class: danger ? "danger" : "primary", value: "ok" }, action))));
      show(dialog, () => resolve(dialog.returnValue !== "ok" ? null : field ? field.value : true));
      if (field) {
        field.focus();
        const dot = field.value.lastIndexOf(".");
        field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
      } else if (danger) dialog.querySelector(".buttons button").focus();
    });
  }

  function menu(at, entry) {
    document.querySelector(".menu")?.remove();
    const path = join(folder, entry.name);
    const item = (label, action) => button(label, () => { close(true); action(); }, { role: "menuitem" });
    const link = (label, href) => make("a", { class: "button", role: "menuitem", href, download: true, onclick: () => setTimeout(close) }, label);
    const items = [
      ...(!entry.folder && may("read") ? [item("Preview", () => preview(entry)), link("Download", uri(path))] : []),
      ...(entry.folder && may("read") ? [link("Download as zip", folderUri(path) + "?zip")] : []),
      item("Copy link", () => copyLink(entry)),
      ...(may("delete") && may("create") ? [item("Rename…", () => rename(entry)), item("Move…", () => move([entry]))] : []),
      ...(may("delete") ? [item("Delete…", () => remove([entry]))] : []),
    ];
    const box = make("div", { class: "menu", role: "menu", "aria-label": "Actions for " + shown(entry.name), onkeydown: (e) => {
      const index = items.indexOf(document.activeElement);
      if (e.key === "ArrowDown") items[(index + 1) % items.length].focus();
      else if (e.key === "ArrowUp") items[(index + items.length - 1) % items.length].focus();
      else if (e.key === "Escape" || e.key === "Tab") close(true);
      else return;
      e.preventDefault();
      e.stopPropagation();
    } }, ...items);
    const outside = (e) => { if (!box.contains(e.target)) close(false); };
    const close = (focus) => {
      box.remove();
      removeEventListener("pointerdown", outside, true);
      if (focus && at.isConnected) at.focus({ preventScroll: true });
    };
    body.append(box);
    const place = at.getBoundingClientRect();
    const over = place.bottom + box.offsetHeight + 8 > innerHeight && place.top > box.offsetHeight;
    box.style.left = Math.max(8, place.right - box.offsetWidth) + "px";
    box.style.top = (over ? place.top - box.offsetHeight - 4 : place.bottom + 4) + scrollY + "px";
    addEventListener("pointerdown", outside, true);
    items[0].focus({ preventScroll: true });
  }

  // ---- Changes ---------------------------------------------------------------------------------

  const wrongName = (name) => name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0") ? "Give a name without “/”." : null;
  /** Does something, and tells what failed. Then shows what is there. */
  async function change(work, done) {
    try {
      await work();
      if (done) toast(done);
    } catch (e) {
      toast(e.message);
    }
    await reload();
  }
  async function newFolder() {
    const name = await ask({ title: "New folder", label: "Name of the folder", action: "Create", check: wrongName });
    if (name) await change(() => send("MKCOL", folderUri(join(folder, name))), "Created " + shown(name));
  }
  const moveTo = (from, to) => send("MOVE", uri(from), { Destination: uri(to), Overwrite: "F" });
  async function rename(entry) {
    const name = await ask({ title: "Rename", label: "New name", value: entry.name, action: "Rename", check: wrongName });
    if (name === null || name === entry.name) return;
    await change(() => moveTo(join(folder, entry.name), join(folder, name)), "Renamed to " + shown(name));
    focusRow(view.findIndex((other) => other.name === name));
  }
  async function move(which) {
    const from = folder;
    let target = folder;
    const place = make("p", {});
    const choices = make("div", { class: "folders" });
    const showFolders = async (path) => {
      target = path;
      place.replaceChildren("To ", bdi(path === "" ? "Files" : path));
      const names = [];
      try {
        await list(path, (batch) => names.push(...batch.filter((entry) => entry.folder && !entry.left)));
      } catch (e) {
        place.textContent = e.message;
      }
      if (target !== path) return;
      const own = new Set(path === from ? which.map((entry) => entry.name) : []);
      choices.replaceChildren(...(path === "" ? [] : [button(make("i", { class: "icon back" }), () => showFolders(parentOf(path)), { "aria-label": "Up" })]),
        ...names.sort((a, b) => natural().compare(a.name, b.name)).filter((entry) => !own.has(entry.name)).map((entry) => button(bdi(entry.name), () => showFolders(join(path, entry.name)), { class: "folder" })));
    };
    showFolders(folder);
    const yes = await ask({ title: "Move " + (which.length === 1 ? shown(which[0].name) : which.length + " items"), content: make("div", {}, place, choices), action: "Move here" });
    if (!yes || target === from) return;
    chooseAll(false);
    await change(async () => {
      for (const entry of which) await moveTo(join(from, entry.name), join(target, entry.name));
    }, "Moved " + count(which.length, "item"));
  }
  async function removeTree(path, isFolder) {
    // The server deletes what is in a folder, and of a link the link alone.
    const response = await send("DELETE", isFolder ? folderUri(path) : uri(path));
    if (response.status === 207) throw new Error("some of “" + shown(path) + "” could not be deleted");
  }
  async function remove(which) {
    const folders = which.some((entry) => entry.folder);
    const what = which.length === 1 ? "“" + shown(which[0].name) + "”" : which.length + " items";
    const yes = await ask({ title: "Delete " + what + "?", text: (folders ? "Folders are deleted with everything in them. " : "") + "This cannot be undone.", action: "Delete", danger: true });
    if (!yes) return;
    const at = active;
    chooseAll(false);
    await change(async () => {
      for (const entry of which) await removeTree(join(folder, entry.name), entry.folder);
    }, "Deleted " + what);
    if (view.length) focusRow(at);
  }
  async function copyLink(entry) {
    const path = join(folder, entry.name);
    const link = new URL(entry.folder ? folderUri(path) : uri(path), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      toast("Link copied");
    } catch {
      // Without TLS there is no clipboard.
      await ask({ title: "Link", label: "Link", value: link, action: "Done" });
    }
  }
  function zipChosen() {
    const form = make("form", { method: "post", action: folderUri(folder) + "?zip", hidden: true },
      ...chosenEntries().map((entry) => make("input", { type: "hidden", name: "name", value: encodeURIComponent(entry.name) })));
    body.append(form);
    form.submit();
    form.remove();
  }
  const actions = { zip: zipChosen, move: () => move(chosenEntries()), delete: () => remove(chosenEntries()), none: () => chooseAll(false) };
  $("selection").onclick = (e) => actions[e.target.closest("[data-do]")?.dataset.do]?.();
  $("zip").onclick = (e) => { e.currentTarget.href = folderUri(folder) + "?zip"; };
  $("new-folder").onclick = newFolder;

  // ---- Preview ---------------------------------------------------------------------------------

  const TEXT_BYTES = 1024 * 1024;
  async function preview(entry) {
    const title = make("h2", {});
    const figure = make("figure", { "aria-live": "polite" });
    const download = make("a", { class: "button bare", download: true, "aria-label": "Download", title: "Download" }, make("i", { class: "icon download" }));
    const step = (by) => {
      const files = view.filter((other) => !other.folder && !other.left);
      turnTo(files[(files.indexOf(current) + by + files.length) % files.length]);
    };
    const dialog = make("dialog", { id: "preview", "aria-label": "Preview", onkeydown: (e) => {
      if (e.target.matches("video, audio")) return;
      if (e.key === "ArrowLeft") step(-1);
      if (e.key === "ArrowRight") step(1);
    } }, make("div", {}, make("header", {}, title, iconButton("back", "Previous file", () => step(-1)), iconButton("next", "Next file", () => step(1)), download,
      iconButton("close", "Close", () => dialog.close(), { autofocus: true })), figure));
    let current;
    async function turnTo(which) {
      current = which;
      const source = uri(join(folder, which.name));
      title.replaceChildren(bdi(which.name));
      download.href = source;
      figure.replaceChildren();
      const content = await viewer(which, source).catch((e) => make("p", {}, e.message));
      if (current === which && dialog.open) figure.replaceChildren(content);
    }
    show(dialog, () => { current = null; });
    await turnTo(entry);
  }
  async function viewer(entry, source) {
    const type = (await send("HEAD", source)).headers.get("Content-Type") ?? "";
    const label = shown(entry.name);
    if (type.startsWith("image/")) {
      return make("img", { src: source, alt: label, onerror: (e) => e.target.replaceWith(make("p", {}, "This picture cannot be shown here.")) });
    }
    const media = /^(video|audio)\//.exec(type);
    if (media) return make(media[1], { src: source, controls: true, autoplay: true, "aria-label": label });
    if (type === "application/pdf") return make("iframe", { src: source, title: label });
    const response = await send("GET", source, entry.size > TEXT_BYTES ? { Range: "bytes=0-" + (TEXT_BYTES - 1) } : {});
    const known = /^text\/|json|xml/.test(type);
    const text = new TextDecoder().decode(await response.arrayBuffer());
    // What is no UTF-8 becomes U+FFFD.
    if (!known && (entry.size > TEXT_BYTES || /[\0\ufffd]/.test(text))) return make("p", {}, "There is no preview of this file.");
    return make("pre", { tabindex: 0 }, entry.size > TEXT_BYTES ? text + "\n…" : text);
  }

  // ---- Uploads ---------------------------------------------------------------------------------

  // Each goes in parts, so that the digest of the next part is computed while one is sent. The
  // server knows how far an upload is, and this browser the id of each that is not complete.
  const PART = 32 * 1024 * 1024;
  // The server keeps no part of a smaller one, which is one request.
  const KEPT_FROM = 8 * 1024 * 1024;
  const AT_ONCE = 3;
  const SHOWN = 60;
  const KEPT = "ferry-uploads" + BASE;
  const CHANGED = "it has changed or cannot be read";
  const NOT_KEPT = "urn:ferry:error:upload-not-kept";
  const SKIPPED = "Skipped, it already exists";
  const uploads = [];
  // Folders where the server keeps no part of an upload, so that each is one request.
  const whole = new Set();
  const idle = [];
  let next = 0;
  let rate = 0;
  let measured = { at: 0, bytes: 0 };
  let moved = 0;
  let panel = null;
  let forAll = null;

  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  };
  function remember(id, record) {
    try {
      localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [id]: record }));
    } catch {
      // It is full, or forbidden: an upload then goes on only while the page is open.
    }
  }
  const forget = (up) => remember(up.id);
  function discard(id) {
    remember(id);
    send("DELETE", UPLOADS + id).catch(() => {});
  }
  const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

  /** Queues files. Each goes on where an earlier upload of the same file has ended. */
  function add(files, into) {
    const known = kept();
    const running = new Set(uploads.filter((up) => !up.over).map((up) => up.id));
    for (const { file, path, why } of files) {
      const full = join(into, path);
      // What could not be read is only shown. It has no id.
      if (why) {
        uploads.push({ file: { size: 0 }, path: full, sent: 0, state: "failed", why });
        continue;
      }
      const same = (record) => record.size === file.size && record.time === file.lastModified && lastOf(record.path) === file.name;
      const found = Object.keys(known).filter((id) => same(known[id]) && !running.has(id));
      const id = found.find((each) => known[each].path === full) ?? (resuming ? found[0] : undefined);
      if (id) running.add(id);
      uploads.push({ file, path: id ? known[id].path : full, id: id ?? newId(), begun: Boolean(id), at: 0, sent: 0, hashed: 0, crc: 0, state: "queued", replace: false });
    }
    resuming = false;
    showUploads();
    fillSlots();
  }
  let resuming = false;

  const isBusy = (up) => up.state === "running" || up.state === "waiting";
  const isOpen = (up) => isBusy(up) || up.state === "queued";
  function fillSlots() {
    while (uploads.filter(isBusy).length < AT_ONCE) {
      while (next < uploads.length && uploads[next].state !== "queued") next++;
      const up = next < uploads.length ? uploads[next] : null;
      if (!up) return;
      run(up);
    }
  }

  function hash(up, to) {
    up.hashing = (up.hashing ?? Promise.resolve()).then(async () => {
      if (up.hashed >= to) return;
      const from = up.hashed;
      if (to <= 256 * 1024) up.crc = crc32c(up.crc, await up.file.slice(from, to).arrayBuffer());
      else {
        const thread = idle.pop() ?? new Worker(SELF);
        const answer = await new Promise((resolve) => {
          thread.onmessage = (e) => resolve(e.data);
          thread.postMessage({ file: up.file, from, to, crc: up.crc });
        });
        idle.push(thread);
        if (answer.error) throw Object.assign(new Error(CHANGED), { final: true });
        up.crc = answer.crc;
      }
      up.hashed = to;
    });
    up.hashing.catch(() => {});
    return up.hashing;
  }
  function digest(crc) {
    return "crc32c=:" + btoa(String.fromCharCode(crc >>> 24, crc >>> 16 & 255, crc >>> 8 & 255, crc & 255)) + ":";
  }

  /** Sends bytes of a file. XMLHttpRequest tells how far it is, which fetch does not. */
  function sendPart(up, method, target, headers, from, to) {
    return new Promise((resolve, reject) => {
      const request = up.request = new XMLHttpRequest();
      let loaded = 0;
      request.open(method, target);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = (e) => {
        moved += e.loaded - loaded;
        loaded = e.loaded;
        up.sent = from + loaded;
        showSoon();
      };
      request.onload = () => resolve(request);
      request.onerror = request.onabort = () => reject(new Error("the connection was lost"));
      request.send(up.file.slice(from, to));
    });
  }
  function anew(up) {
    if (up.begun) forget(up);
    return Object.assign(up, { id: newId(), begun: false, at: 0, sent: 0 });
  }
  async function locate(up, still) {
    const response = await still(fetch(UPLOADS + up.id, { method: "HEAD", cache: "no-store" }));
    if (response.status === 404) {
      // The server does not know it, or no longer.
      anew(up);
    } else if (!response.ok) {
      throw failure(response.status);
    } else {
      up.at = Number(response.headers.get("Upload-Offset"));
      up.complete = response.headers.get("Upload-Complete") === "?1";
    }
    up.sent = up.at;
  }

  async function transfer(up, still) {
    const length = up.file.size;
    const into = parentOf(up.path);
    if (up.begun) await locate(up, still);
    else if (!up.replace && into === folder && byName.has(lastOf(up.path))) throw failure(412);
    while (!up.complete) {
      // A large file is sent while its digest is computed, and the last request has the digest alone.
      const inOne = whole.has(into);
      const to = inOne ? length : Math.min(length, up.at + PART);
      const last = inOne || up.at === length || length <= KEPT_FROM;
      const ahead = hash(up, to);
      if (last) await still(ahead);
      else hash(up, Math.min(length, to + PART));
      const headers = { Accept: "application/json", "Upload-Complete": last ? "?1" : "?0", "Upload-Length": length };
      if (last) headers["Unencoded-Digest"] = digest(up.crc);
      let request;
      if (up.begun) {
        Object.assign(headers, { "Content-Type": "application/partial-upload", "Upload-Offset": up.at });
        request = await still(sendPart(up, "PATCH", UPLOADS + up.id, headers, up.at, to));
      } else {
        Object.assign(headers, {
          "Content-Type": "application/octet-stream", "Ferry-Upload-Id": up.id, "Ferry-Make-Parents": "?1",
          "Ferry-Last-Modified": new Date(up.file.lastModified).toISOString(), ...(up.replace ? {} : { "If-None-Match": "*" }),
        });
        if (length > KEPT_FROM && !inOne) remember(up.id, { path: up.path, size: length, time: up.file.lastModified });
        up.begun = true;
        request = await still(sendPart(up, "PUT", uri(up.path), headers, 0, to));
      }
      const elsewhere = request.status === 409 && request.getResponseHeader("Upload-Offset") !== null;
      if (elsewhere || request.status === 404 && up.at > 0) await locate(up, still);
      else if (request.status >= 300) {
        const why = failure(request.status, request.responseText);
        if (why.type !== NOT_KEPT || last) throw why;
        whole.add(into);
        anew(up);
      } else if (last) up.complete = true;
      else up.at = up.sent = Number(request.getResponseHeader("Upload-Offset"));
    }
  }

  async function run(up) {
    const turn = up.turn = {};
    // What follows a wait is only done if nobody has stopped this run meanwhile.
    const still = async (wait) => {
      const result = await wait;
      if (up.turn !== turn) throw new Error();
      return result;
    };
    up.state = "running";
    measured = measured.at ? measured : { at: performance.now(), bytes: moved };
    showSoon();
    let delay = 500;
    let before = -1;
    for (;;) {
      try {
        await transfer(up, still);
        finish(up, "done", "");
        stored(up);
        break;
      } catch (e) {
        if (up.turn !== turn) break;
        if (e.status === 412) {
          if (exists(up)) continue;
          break;
        }
        if (e.final) {
          finish(up, "failed", e.message);
          break;
        }
        const readable = await up.file.slice(0, 1).arrayBuffer().then(() => true, () => false);
        if (up.turn !== turn) break;
        if (!readable) {
          finish(up, "failed", CHANGED);
          break;
        }
        delay = up.at > before ? 500 : Math.min(20000, delay * 2);
        before = up.at;
        up.state = "waiting";
        up.why = "Waiting for the server…";
        showSoon();
        await new Promise((resolve) => {
          up.wake = resolve;
          setTimeout(resolve, delay * (0.5 + Math.random() / 2));
        });
        if (up.turn !== turn) break;
        up.state = "running";
      }
    }
    fillSlots();
    showSoon();
  }
  addEventListener("online", () => uploads.forEach((up) => up.wake?.()));

  /** There is a file of this name. Returns whether it may be replaced at once. */
  function exists(up) {
    anew(up);
    if (forAll === "replace") {
      up.replace = true;
      return true;
    }
    if (forAll === "skip") finish(up, "skipped", SKIPPED);
    else {
      up.state = "exists";
      say(shown(lastOf(up.path)) + " already exists");
    }
    return false;
  }
  function decide(up, what) {
    if (what === "skip") finish(up, "skipped", SKIPPED);
    else {
      up.replace = what === "replace";
      if (what === "both") up.path = otherName(up.path);
      queue(up);
    }
    showUploads();
  }
  function otherName(path) {
    const dot = path.lastIndexOf(".");
    const [stem, end] = dot > path.lastIndexOf("/") + 1 ? [path.slice(0, dot), path.slice(dot)] : [path, ""];
    const numbered = / \((\d+)\)$/.exec(stem);
    return numbered ? stem.slice(0, numbered.index) + " (" + (Number(numbered[1]) + 1) + ")" + end : stem + " (1)" + end;
  }
  function queue(up) {
    up.state = "queued";
    next = Math.min(next, uploads.indexOf(up));
    fillSlots();
  }
  function finish(up, state, why) {
    up.state = state;
    up.why = why;
    up.over = state !== "failed";
    if (state === "done") up.sent = up.file.size;
    forget(up);
    if (uploads.every((each) => each.over || each.state === "failed")) {
      const failed = uploads.filter((each) => each.state === "failed").length;
      say(failed ? count(failed, "upload") + " failed" : "All uploads are complete");
      forAll = null;
    }
  }
  function stop(up, state) {
    Object.assign(up, { state, turn: null });
    up.request?.abort();
    up.wake?.();
  }
  function pause(up) {
    if (isOpen(up)) stop(up, "paused");
  }
  function cancel(up) {
    stop(up, "gone");
    if (up.begun) discard(up.id);
    uploads.splice(uploads.indexOf(up), 1);
    next = 0;
    fillSlots();
    showUploads();
  }

  /** Shows what was stored, without asking the server for the whole list again. */
  let arranging = 0;
  function stored(up) {
    const prefix = folder === "" ? "" : folder + "/";
    if (!up.path.startsWith(prefix) || loading?.hidden) return;
    const [name, ...rest] = up.path.slice(prefix.length).split("/");
    const entry = byName.get(name) ?? { name, left: undefined };
    Object.assign(entry, rest.length ? { folder: true, size: 0, time: Date.now() } : { folder: false, size: up.file.size, time: up.file.lastModified });
    if (!byName.has(name)) {
      byName.set(name, entry);
      entries.push(entry);
    }
    arranging ||= setTimeout(() => {
      arranging = 0;
      arrange();
    }, 200);
  }

  // What is pressed is not drawn anew: its click would be lost.
  let pressed = false;
  window.onpointerup = window.onpointercancel = () => { pressed = false; };
  let showing = false;
  function showSoon() {
    if (showing) return;
    showing = true;
    setTimeout(() => {
      showing = false;
      showUploads();
    }, 150);
  }
  function summary() {
    const live = uploads.filter((up) => up.state !== "skipped");
    const done = live.filter((up) => up.state === "done").length;
    const failed = live.filter((up) => up.state === "failed").length;
    const busy = live.some((up) => up.state === "running");
    const left = live.reduce((sum, up) => sum + (up.over || up.state === "failed" ? 0 : up.file.size - up.sent), 0);
    const now = performance.now();
    if (!busy) measured = { at: 0, bytes: moved };
    else if (now - measured.at > 500) {
      const fresh = (moved - measured.bytes) / (now - measured.at) * 1000;
      rate = rate ? rate * 0.7 + fresh * 0.3 : fresh;
      measured = { at: now, bytes: moved };
    }
    const head = failed ? count(failed, "upload") + " failed" : done === live.length && done ? count(done, "file") + " uploaded"
      : !busy && live.some((up) => up.state === "exists") ? "Replace existing files?" : live.length ? "Uploading, " + done + " of " + live.length + " done" : "Uploads";
    const detail = busy && rate > 0 ? size(rate) + "/s · " + size(left) + " · " + duration(left / rate) : left ? size(left) + " to go" : "";
    return [head, detail, busy];
  }
  function showUploads() {
    if (pressed) return showSoon();
    const broken = uploads.length === 0 ? Object.entries(kept()) : [];
    if (uploads.length === 0 && broken.length === 0) {
      panel?.remove();
      panel = null;
      return;
    }
    if (!panel) {
      panel = make("section", { id: "uploads", class: "card", "aria-label": "Uploads", onpointerdown: (e) => { pressed = e.button === 0; } });
      body.append(panel);
    }
    const focus = panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const [head, detail, busy] = summary();
    const active = uploads.some(isOpen);
    const paused = uploads.filter((up) => up.state === "paused");
    const asked = uploads.filter((up) => up.state === "exists");
    const rank = { exists: 0, failed: 1, running: 2, waiting: 2, paused: 3, queued: 4, done: 5, skipped: 6 };
    const first = uploads.map((up, i) => [rank[up.state], i, up]).sort((a, b) => a[0] - b[0] || (a[0] === 5 ? b[1] - a[1] : a[1] - b[1])).slice(0, SHOWN);
    const header = broken.length
      ? make("header", {}, make("h2", {}, count(broken.length, "upload") + " not complete", make("small", {}, "Choose the same files again to go on.")))
      : make("header", {}, make("h2", {}, head, make("small", {}, detail)),
        active ? iconButton("pause", "Pause all", () => { uploads.forEach(pause); showUploads(); }, { "data-key": "pause" })
          : paused.length ? iconButton("play", "Continue all", () => { paused.forEach(queue); showUploads(); }, { "data-key": "pause" }) : "",
        busy || active || asked.length ? "" : iconButton("close", "Close the list of uploads", () => { if (!paused.length) { uploads.length = 0; next = 0; showUploads(); } }, { "data-key": "close" }));
    const items = broken.length ? broken.map(([id, record]) => make("li", {}, make("div", {}, bdi(lastOf(record.path)), make("small", {}, size(record.size)),
      iconButton("close", "Discard " + shown(lastOf(record.path)), () => {
        discard(id);
        showUploads();
      })))) : first.map(([, , up]) => uploadItem(up));
    if (broken.length) items.push(make("li", {}, button("Choose files…", () => { resuming = true; pick.click(); }, { class: "primary" })));
    if (asked.length > 1) {
      const all = (what) => () => { forAll = what; asked.forEach((up) => decide(up, what)); };
      items.unshift(make("li", {}, make("div", { class: "choice" }, make("span", {}, asked.length + " already exist:"), ...(may("write") ? [button("Replace all", all("replace"))] : []), button("Skip all", all("skip")))));
    }
    const scrolled = panel.querySelector("ol")?.scrollTop ?? 0;
    panel.replaceChildren(header, make("ol", { "aria-label": "Files" }, ...items));
    panel.querySelector("ol").scrollTop = scrolled;
    if (focus) panel.querySelector("[data-key=\"" + CSS.escape(focus) + "\"]")?.focus();
  }
  function uploadItem(up) {
    const name = lastOf(up.path);
    const key = (what) => ({ "data-key": what + uploads.indexOf(up) });
    const part = up.file.size ? up.sent / up.file.size : 1;
    const states = {
      running: size(up.sent) + " of " + size(up.file.size), waiting: up.why, queued: size(up.file.size), done: size(up.file.size),
      paused: "Paused at " + Math.floor(part * 100) + " %", exists: "A file with this name already exists.", failed: up.why, skipped: up.why,
    };
    const busy = isBusy(up) || up.state === "paused";
    const controls = busy || up.state === "queued" ? [
      up.state === "paused" ? iconButton("play", "Continue " + shown(name), () => { queue(up); showUploads(); }, key("p")) : iconButton("pause", "Pause " + shown(name), () => { pause(up); fillSlots(); showUploads(); }, key("p")),
      iconButton("close", "Cancel " + shown(name), () => cancel(up), key("c"))]
      : up.state === "failed" ? [up.id ? iconButton("play", "Try again: " + shown(name), () => { Object.assign(anew(up), { hashed: 0, crc: 0, hashing: null }); queue(up); showUploads(); }, key("p")) : "", iconButton("close", "Remove " + shown(name), () => cancel(up), key("c"))] : [];
    const item = make("li", { class: up.state }, make("div", {}, make("bdi", { title: shown(up.path) }, shown(name)), ...controls), make("small", {}, states[up.state]));
    if (busy) item.append(make("progress", { max: 1, value: part, "aria-label": shown(name) }));
    if (up.state === "exists") {
      item.append(make("div", { class: "choice" }, ...(may("write") ? [button("Replace", () => decide(up, "replace"), key("r"))] : []),
        button("Keep both", () => decide(up, "both"), key("b")), button("Skip", () => decide(up, "skip"), key("s"))));
    }
    return item;
  }
  addEventListener("beforeunload", (e) => {
    if (uploads.some((up) => isOpen(up) || up.state === "exists")) e.preventDefault();
  });

  // ---- Where files come from -------------------------------------------------------------------

  const picker = (attributes) => {
    const input = make("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files", ...attributes, onchange: () => {
      add([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })), folder);
      input.value = "";
    } });
    body.append(input);
    return input;
  };
  const pick = picker({ id: "pick" });
  const pickFolder = picker({ id: "pick-folder", webkitdirectory: true });
  $("upload-files").onclick = () => pick.click();
  $("upload-folder").onclick = () => pickFolder.click();

  /** Collects the files of a dropped entry, or why one cannot be read, and makes folders that have none. */
  async function collect(entry, path, files, into) {
    const read = (what, of) => new Promise((resolve, reject) => of[what](resolve, reject));
    try {
      if (entry.isFile) {
        files.push({ file: await read("file", entry), path });
        return;
      }
      const reader = entry.createReader();
      let empty = true;
      for (;;) {
        const some = await read("readEntries", reader);
        if (some.length === 0) break;
        empty = false;
        for (const each of some) await collect(each, path + "/" + each.name, files, into);
      }
      if (empty) await send("MKCOL", folderUri(join(into, path)), { "Ferry-Make-Parents": "?1" });
    } catch (e) {
      files.push({ path, why: e.status === undefined ? CHANGED : e.message });
    }
  }
  async function take(items) {
    const into = folder;
    const files = [];
    // The items are gone after the first wait.
    const found = [...items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
    for (const each of found) {
      if (each instanceof File) files.push({ file: each, path: each.name });
      else if (each) await collect(each, each.name, files, into);
    }
    if (files.length) add(files, into);
    const left = files.filter((each) => each.why).length;
    if (left) toast(count(left, "item") + " left out");
    if (found.some((each) => each && each.isDirectory)) reload();
  }
  const hasFiles = (e) => may("create") && e.dataTransfer?.types.includes("Files");
  let over = 0;
  const overlay = (on) => {
    $("drop")?.remove();
    if (on) body.append(make("div", { id: "drop" }, "Drop to upload to " + (folder === "" ? "Files" : shown(lastOf(folder)))));
  };
  addEventListener("dragenter", (e) => { if (hasFiles(e) && over++ === 0) overlay(true); });
  addEventListener("dragleave", (e) => { if (hasFiles(e) && --over <= 0) { over = 0; overlay(false); } });
  addEventListener("dragover", (e) => { if (hasFiles(e)) e.preventDefault(); });
  addEventListener("drop", (e) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    over = 0;
    overlay(false);
    take(e.dataTransfer.items);
  });
  addEventListener("paste", (e) => {
    if (!may("create") || e.target.matches?.("input[type=text], input[type=search]") || !e.clipboardData?.files.length) return;
    e.preventDefault();
    const stamp = new Date().toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
    add([...e.clipboardData.files].map((file) => ({ file, path: file.name === "image.png" ? "pasted " + stamp + ".png" : file.name })), folder);
  });

  // ---- The user --------------------------------------------------------------------------------

  // A browser forgets a password if another one takes its place. The server accepts this one only here.
  if ($("user")) $("user").onsubmit = (e) => {
    e.preventDefault();
    const form = e.target;
    uploads.forEach(pause);
    const request = new XMLHttpRequest();
    request.open("POST", form.action, true, "signed-out", "");
    request.onloadend = () => send("HEAD", FILES).then(() => toast("To sign out, close all windows of this browser."), (why) => {
      if (why.status !== 401) return toast(why.message);
      form.action += "?done";
      form.submit();
    });
    request.send();
  };

  sorted();
  showUploads();
  load(folder);
}

if (typeof document === "undefined") worker();
else page();
