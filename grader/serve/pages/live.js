// A page of a class follows what the server has, and keeps the focus and what is being typed.
const period = 5000;  // ms

/// Sections come and go: each is the one with its heading.
const kind = (part) => part.nodeName + (part.getAttribute?.("aria-labelledby") ?? "");
const parts = (node) => [...node.childNodes].filter((part) => part.nodeType === Node.ELEMENT_NODE || part.data?.trim());

/// Makes an element or text equal to another one, in place.
function update(old, now) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return;
  }
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const before = parts(old);
  for (const part of parts(now)) {
    const at = before.findIndex((other) => kind(other) === kind(part));
    if (at < 0) {
      if (before.length > 0) before[0].before(part);
      else old.append(part);
      continue;
    }
    for (const gone of before.splice(0, at)) gone.remove();
    update(before.shift(), part);
  }
  for (const gone of before) gone.remove();
}

async function follow() {
  if (document.hidden) return;
  const says = document.getElementById("live");
  try {
    const response = await fetch(location.href);
    if (!response.ok) throw new Error();
    const now = new DOMParser().parseFromString(await response.text(), "text/html");
    update(document.querySelector("main"), now.querySelector("main"));
  } catch {
    says.textContent = "The server does not answer: this page may be out of date. Reload it.";
  }
}

setInterval(follow, period);
document.addEventListener("visibilitychange", follow);
