// A lab's page: its files, checks and submissions, and what came of them.
import { createEditor, kind } from "/assets/editor.js";

const lab = document.body.dataset.lab;
const playground = "playground" in document.body.dataset;  // whose program is run, not graded
const at = (id) => document.getElementById(id);
const editors = new Map();  // by file name: {editor, readOnly, panel, tab}
let running = null;  // the check or submission that is followed: {id, kind, source}
document.body.dataset.editor = kind;

/// Sends a request; throws an Error with the server's sentence.
async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("The server does not answer. Is `warpgrade serve` still running?");
  }
  const type = response.headers.get("Content-Type") || "";
  const answer = type.startsWith("application/json") ? await response.json() : {};
  if (!response.ok) {
    throw new Error(answer.error || `The server refused it (${response.status}). Open the URL that \`warpgrade serve\` printed.`);
  }
  return answer;
}

function say(text, bad = false) {
  at("status").textContent = text;
  at("status").classList.toggle("bad", bad);
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Rows of tabs, as the ARIA authoring practices describe them.

function choose(tab) {
  for (const other of tab.parentElement.querySelectorAll("[role=tab]")) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    at(other.getAttribute("aria-controls")).hidden = !chosen;
  }
}

function activate(list) {
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const tabs = [...list.querySelectorAll("[role=tab]")];
    const here = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    choose(tab);
    tab.focus();
  });
}

// Files.

function ownFiles() {
  const files = {};
  for (const [name, { editor, readOnly }] of editors) {
    if (!readOnly) files[name] = editor.text();
  }
  return files;
}

let saving = 0;
function changed() {
  at("saved").textContent = "";
  clearTimeout(saving);
  saving = setTimeout(save, 800);
}

async function save() {
  clearTimeout(saving);
  try {
    await ask("PUT", `/labs/${lab}/draft`, { files: ownFiles() });
    at("saved").textContent = "Saved";
  } catch (error) {
    at("saved").textContent = "";
    say(`Not saved: ${error.message}`, true);
  }
}

function addFile(file, index) {
  const tab = element("button", file.read_only ? `${file.name} (read only)` : file.name);
  tab.setAttribute("role", "tab");
  tab.id = `file-${index}`;
  tab.setAttribute("aria-controls", `editor-${index}`);
  const panel = element("div");
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  panel.id = `editor-${index}`;
  at("files").append(tab);
  at("editors").append(panel);
  const editor = createEditor(panel, {
    name: file.name, text: file.text, readOnly: file.read_only, onChange: changed,
  });
  editors.set(file.name, { editor, readOnly: file.read_only, panel, tab });
}

function setFiles(files) {
  for (const [name, text] of Object.entries(files)) {
    const file = editors.get(name);
    if (file && !file.readOnly) file.editor.setText(text);
  }
  return save();
}

// Results.

function showMarks(problems) {
  for (const [name, { editor }] of editors) {
    editor.setMarks(problems.filter((p) => p.file === name && p.line > 0));
  }
}

/// What the checkers and the compiler say, each with a button that leads to its line.
function showProblems(problems) {
  at("problems").replaceChildren(...problems.map((problem) => {
    const item = element("li");
    item.append(element("span", problem.severity, `severity ${problem.severity}`), ": ");
    const file = editors.get(problem.file);
    if (file && problem.line > 0) {
      const button = element("button", `${problem.file}, line ${problem.line}`);
      button.type = "button";
      button.addEventListener("click", () => {
        choose(file.tab);
        file.editor.goTo(problem.line);
      });
      item.append(button, " ");
    }
    item.append(problem.message);
    for (const name of ["where", "who", "got", "want", "next"]) {
      if (problem[name]) item.append(element("br"), element("span", `${name}: `, "soft"), problem[name]);
    }
    return item;
  }));
}

function showReport(id) {
  at("no-report").hidden = true;
  at("report-link").hidden = false;
  at("report-page").href = `/attempts/${id}/report`;
  at("report").hidden = false;
  at("report").src = `/attempts/${id}/report`;
}

/// The result of an attempt that is done, or why it has none.
async function showResult(id, marks) {
  const attempt = await ask("GET", `/attempts/${id}`);
  at("result").hidden = false;
  const { points } = attempt;
  const done = attempt.state === "done";
  at("points").hidden = done && playground;
  at("points").textContent = points ? `${points} points${attempt.passed ? ": everything passes" : ""}` : "No result";
  at("headline").textContent = attempt.headline;
  showProblems(attempt.problems);
  showMarks(marks ? attempt.problems : []);
  if (done) showReport(id);
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });
const words = { waiting: "waiting", running: "running", failed: "failed", canceled: "canceled", replaced: "replaced by a newer check" };

async function restore(id) {
  const { files } = await ask("GET", `/attempts/${id}/files`);
  await setFiles(files);
  say(`The files of attempt ${id} are in the editor.`);
}

function radio(name, id, checked, label) {
  const input = element("input");
  input.type = "radio";
  input.name = name;
  input.value = id;
  input.checked = checked;
  input.setAttribute("aria-label", label);
  const cell = element("td");
  cell.append(input);
  return cell;
}

async function showAttempts() {
  const { attempts } = await ask("GET", `/labs/${lab}/attempts`);
  at("no-attempts").hidden = attempts.length > 0;
  at("compare").hidden = attempts.length === 0;
  at("attempts").replaceChildren(...attempts.map((attempt, i) => {
    const row = element("tr");
    row.append(radio("from", attempt.id, i === Math.min(1, attempts.length - 1), `From attempt ${attempt.id}`));
    row.append(radio("to", attempt.id, i === 0, `To attempt ${attempt.id}`));
    row.append(element("td", time.format(attempt.requested_ms)));
    row.append(element("td", `${playground ? "run" : attempt.kind} ${attempt.id}`));
    if (!playground) row.append(element("td", attempt.points || words[attempt.state] || ""));
    row.append(element("td", attempt.headline || attempt.message || words[attempt.state], "said"));
    const acts = element("td", undefined, "acts");
    const again = element("button", "Restore");
    again.type = "button";
    again.setAttribute("aria-label", `Restore the files of attempt ${attempt.id}`);
    again.addEventListener("click", () => restore(attempt.id).catch((error) => say(error.message, true)));
    acts.append(again);
    if (attempt.state === "done") {
      const report = element("button", "Report");
      report.type = "button";
      report.setAttribute("aria-label", `Report of attempt ${attempt.id}`);
      report.addEventListener("click", () => {
        showReport(attempt.id);
        choose(at("tab-report"));
      });
      acts.append(" ", report);
    }
    row.append(acts);
    return row;
  }));
  return attempts;
}

// Checks and submissions.

function follow(id, what) {
  running?.source.close();
  const source = new EventSource(`/attempts/${id}/events`);
  running = { id, kind: what, source };
  at("cancel").disabled = what !== "check";
  at("progress").hidden = false;
  at("progress").removeAttribute("value");
  const name = playground ? "Run" : what === "check" ? "Check" : "Submission";
  source.addEventListener("queued", (event) => {
    const before = JSON.parse(event.data).before;
    say(`${name} ${id}: waiting, ${before} before it.`);
  });
  source.addEventListener("step", (event) => {
    const step = JSON.parse(event.data).text;
    say(`${name} ${id}: ${step} \u2026`);
    const [, done, all] = step.match(/^case (\d+) of (\d+)$/) || [];
    if (all) {
      at("progress").value = (done - 1) / all;
    } else {
      at("progress").removeAttribute("value");
    }
  });
  source.addEventListener("end", async (event) => {
    source.close();
    if (running?.source === source) running = null;
    at("cancel").disabled = true;
    at("progress").hidden = true;
    const attempt = JSON.parse(event.data);
    try {
      if (attempt.state === "done") {
        await showResult(id, true);
        choose(at("tab-report"));
        say(playground ? `${name} ${id} has ended.` : `${name} ${id}: ${attempt.points} points.`);
      } else if (attempt.state === "failed") {
        await showResult(id, true);
        say(`${name} ${id} has no result.`, true);
      } else {
        say(`${name} ${id}: ${words[attempt.state]}.`);
      }
      await showAttempts();
    } catch (error) {
      say(error.message, true);
    }
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) {
      say("The connection to the server is lost. Open the URL that `warpgrade serve` printed.", true);
    }
  });
}

async function begin(what) {
  clearTimeout(saving);
  showMarks([]);
  // Its result would be about files that have changed.
  if (what === "check") await cancel();
  try {
    const attempt = await ask("POST", `/labs/${lab}/${what}s`, { files: ownFiles() });
    at("saved").textContent = "Saved";
    if (what === "submission") {
      at("saved").textContent = `Submitted at ${time.format(attempt.requested_ms)}, receipt ${attempt.receipt}`;
    }
    follow(attempt.id, what);
  } catch (error) {
    say(error.message, true);
  }
}

async function cancel() {
  if (running?.kind !== "check") return;
  try {
    await ask("POST", `/attempts/${running.id}/cancel`, {});
  } catch (error) {
    say(error.message);  // it has ended meanwhile
  }
}

async function reset() {
  if (!confirm(playground ? "Replace your files by the first program? Attempts keep what you ran."
    : "Replace your files by the lab's own? Attempts keep what you checked.")) return;
  const { files } = await ask("GET", `/labs/${lab}/files`);
  await setFiles(Object.fromEntries(files.map((file) => [file.name, file.original])));
  say(playground ? "The first program is in the editor." : "The lab's own files are in the editor.");
}

// A link with the files in it: the part after # never reaches a server.

const kFilesInLink = "#files=";

async function share() {
  const packed = new Blob([JSON.stringify(ownFiles())]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const base64 = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const link = new URL(kFilesInLink + base64, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say("The link is copied. It has the files in it.");
  } catch {
    history.replaceState(null, "", link);
    say("The link is in the address bar. It has the files in it.");
  }
}

const kLongestShared = 2_000_000;  // characters of all files: a damaged link must not fill the memory

async function filesInLink(hash) {
  const base64 = hash.slice(kFilesInLink.length).replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    if (text.length > kLongestShared) throw new Error("too long");
  }
  const files = JSON.parse(text);
  return Object.fromEntries(Object.entries(files).filter(([, content]) => typeof content === "string"));
}

async function takeSharedFiles() {
  if (!playground || !location.hash.startsWith(kFilesInLink)) return;
  let files;
  try {
    files = await filesInLink(location.hash);
  } catch {
    say("The link is damaged: it has no files. Copy it again, whole.", true);
    return;
  }
  history.replaceState(null, "", location.pathname);
  const own = ownFiles();
  const same = Object.keys(own).every((name) => own[name] === (files[name] ?? ""));
  if (same) return;
  if (!confirm("Replace your files by those of the link? Attempts keep what you ran.")) return;
  await setFiles({ ...Object.fromEntries(Object.keys(own).map((name) => [name, ""])), ...files });
  showMarks([]);
  say("The files of the link are in the editor. Nothing was run.");
}

at("check").addEventListener("click", () => begin("check"));
at("submit")?.addEventListener("click", () => begin("submission"));
at("share")?.addEventListener("click", () => share().catch((error) => say(error.message, true)));
at("cancel").addEventListener("click", cancel);
at("reset").addEventListener("click", () => reset().catch((error) => say(error.message, true)));
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    begin(event.shiftKey && !playground ? "submission" : "check");
  } else if (event.key === "Escape" && !event.defaultPrevented && running && !event.target.closest?.(".editor")) {
    cancel();
  }
}, true);

async function start() {
  for (const list of document.querySelectorAll("[role=tablist]")) activate(list);
  const { files } = await ask("GET", `/labs/${lab}/files`);
  files.forEach(addFile);
  choose(at("files").querySelector("[role=tab]"));
  const attempts = await showAttempts();
  const open = attempts.find((attempt) => attempt.state === "waiting" || attempt.state === "running");
  const done = attempts.find((attempt) => attempt.state === "done");
  if (open) follow(open.id, open.kind);
  if (done) {
    const tried = await ask("GET", `/attempts/${done.id}/files`);
    const own = ownFiles();
    await showResult(done.id, Object.keys(own).every((name) => own[name] === tried.files[name]));
  }
  await takeSharedFiles();
}

start().then(() => { document.body.dataset.ready = "yes"; }, (error) => say(error.message, true));
