// A day of a class in a real browser: two students, an assistant and an instructor.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { desktop, phone } from "../../show/report/browser/visit.mjs";
import { checked, inEditor, inspect, open, program, ready, solution, start, tabTo, type, until } from "./served.mjs";

const folder = mkdtempSync(join(tmpdir(), "class-"));
const course = join(folder, "course.toml");
writeFileSync(course, `schema = 1
title = "Parallel programming"
roster = "roster.csv"
[staff]
ann = "instructor"
bob = "assistant"
[late]
per_day = 10
cap = 50
[labs.vecadd]
due = 2099-01-02T12:00:00Z
[labs.predict]
due = 2026-01-02T12:00:00Z
`);
writeFileSync(join(folder, "roster.csv"), `student,name,email
s01,"Doe, Jane",jane@example.org
s02,"Roe, Jim",jim@example.org
s03,"Poe, Ann",
`);
writeFileSync(join(folder, "secret"), "a secret\n");
const data = join(folder, "serve");
let server, url;
const people = {};  // by name: {page, close, link}

before(async () => {
  server = await start(data, ["--course", course, "--secret-file", join(folder, "secret"), "--sandbox", "none"]);
  url = server.url;
  const links = execFileSync(program, ["serve", "--course", course, "--data", data, "--port", new URL(url).port, "--invite", "all"]);
  for (const [, name, link] of String(links).matchAll(/^(\w+),.*,(http\S+)$/gm)) people[name] = { link };
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const focusIs = (selector) => document.activeElement.matches(selector);

/// Goes to an element with the Tab key and presses another one there.
async function press(page, selector, key = "Enter") {
  await tabTo(page, focusIs, selector);
  await page.keyboard.press(key);
}

/// Fills the field with the Tab key.
async function fill(page, selector, text) {
  await tabTo(page, focusIs, selector);
  await page.keyboard.type(text);
}

async function signIn(name, viewport) {
  const person = people[name];
  Object.assign(person, await open(url, { viewport }));
  await person.page.goto(person.link);
  if (name === "s01") await inspect(person.page, "sign-in");
  await press(person.page, "main button");
  await person.page.waitForURL(url);
  return person.page;
}

async function openLab(page, lab) {
  await page.goto(new URL(`/labs/${lab}`, url).href);
  await ready(page);
}

test("each member signs in with a personal link, which works once", async () => {
  const jane = await signIn("s01", phone);
  assert.match(await jane.textContent("main"), /due 2099-01-02 12:00 UTC/);
  await inspect(jane, "labs");
  await signIn("s02", desktop);
  await signIn("bob", desktop);
  await signIn("ann", phone);
  const { page } = await open(url);
  await page.goto(people.s01.link);
  await press(page, "main button");
  await until(page, "main", /was used already/);
  await inspect(page, "refusal");
  await page.context().close();
});

test("a student checks and submits by keyboard, and staff sees it without a reload", async () => {
  const staff = people.bob.page;
  await press(staff, "a[href='/class']");
  await staff.waitForURL(/class$/);
  await until(staff, "td", "0 of 3");
  const jane = people.s01.page;
  await press(jane, "a[href='/labs/vecadd']");
  await jane.waitForURL(/vecadd$/);
  await ready(jane);
  await press(jane, "a[href='#work']");
  await tabTo(jane, inEditor);
  await type(jane, "#include \"vecadd.h\"\nvoid vecadd(const float*, const float*, float*, int) {}\n");
  await jane.keyboard.press("Control+Shift+Enter");
  await until(jane, "#points", /of 100 points/, checked);
  assert.match(await jane.textContent("#saved"), /receipt \d+-[0-9a-f]{12}, due 2099-01-02T12:00:00Z: in time/);
  await tabTo(staff, focusIs, "a[href='/students/s02']");
  await until(staff, "td", "1 of 3", checked);
  assert.ok(await staff.evaluate(focusIs, "a[href='/students/s02']"));
  await openLab(jane, "vecadd");
  await jane.locator(".editor textarea, .editor .cm-content").first().focus();
  await type(jane, solution);
  await jane.keyboard.press("Control+Enter");
  await until(jane, "#points", /100 of 100 points/, checked);
  await jane.keyboard.press("Control+Shift+Enter");
  await until(jane, "#status", /Submission \d+: 100 of 100/, checked);
  await inspect(jane, "lab");
});

test("late work is accepted, says so on its receipt, and is asked about", async () => {
  const jim = people.s02.page;
  await openLab(jim, "predict");
  await jim.keyboard.press("Control+Shift+Enter");
  await until(jim, "#saved", /days late/);
  await until(jim, "#status", /of 100 points/, checked);
  await jim.goto(new URL("/grades", url).href);
  await fill(jim, "#ask-predict", "I was ill. Is there an extension?");
  await Promise.all([jim.waitForNavigation(), press(jim, "form[action='/grades/predict/inquiries'] button")]);
  await until(jim, "li", "I was ill");
  await press(jim, "a[href$='/receipt']");
  await jim.waitForURL(/receipt$/);
  assert.match(await jim.textContent("body"), /SHA-256: [0-9a-f]{64} {2}answers\.toml/);
  await jim.goBack();
  await inspect(jim, "grades");
});

test("an assistant answers, sets points with a reason and extends", async () => {
  const staff = people.bob.page;
  await until(staff, "th", "open question", checked);
  await inspect(staff, "class-of-assistant");
  await press(staff, "a[href='/students/s02']");
  await staff.waitForURL(/students\/s02$/);
  const section = "section[aria-labelledby=h-predict]";
  const send = async (form, fields) => {
    await press(staff, `${section} summary`);
    for (const [name, text] of fields) await fill(staff, `${section} form.${form} [name=${name}]`, text);
    await Promise.all([staff.waitForNavigation(), staff.keyboard.press("Enter")]);
  };
  await send("say", [["text", "Yes, until the end of the year."]]);
  await until(staff, `${section} li`, "until the end of the year");
  await send("extension", [["days", "365"], ["text", "ill, with a certificate"]]);
  await send("points", [["points", "42"], ["text", "answered in person"]]);
  await until(staff, section, /42 of 100 count/);
  await press(staff, `${section} summary`);
  await inspect(staff, "student");
  assert.equal(await staff.locator("button", { hasText: "New link" }).count(), 0);
});

test("an instructor releases and exports, and students see it", async () => {
  const jim = people.s02.page;
  await fill(jim, "#ask-predict", "Thank you");
  const ann = people.ann.page;
  await press(ann, "a[href='/class']");
  await ann.waitForURL(/class$/);
  await Promise.all([ann.waitForNavigation(), press(ann, "form[action='/labs/predict/release'] button")]);
  await until(ann, "td", /^released/);
  const [saved] = await Promise.all([ann.waitForEvent("download"), press(ann, "a[href='/export/csv']")]);
  assert.equal(saved.suggestedFilename(), "grades-csv.csv");
  await inspect(ann, "class");
  await press(ann, "a[href='/students/s03']");
  await ann.waitForURL(/s03$/);
  await press(ann, "form[action$='/invitation'] button");
  await until(ann, "code", /sign-in\?token=[0-9a-f]{64}/);
  await inspect(ann, "invitation");
  await until(jim, "p", "42 of 100 count", checked);
  await until(jim, "li", "until the end of the year");
  assert.equal(await jim.inputValue("#ask-predict"), "Thank you");
  assert.ok(await jim.evaluate(focusIs, "#ask-predict"));
});

test("a regrade is a preview until an instructor applies it", async () => {
  const ann = people.ann.page;
  await ann.goto(new URL("/class", url).href);
  await press(ann, "a[href='/class/regrades/predict']");
  await ann.waitForURL(/regrades\/predict$/);
  await inspect(ann, "regrade-begin");
  await Promise.all([ann.waitForNavigation(), press(ann, "form.begin button.primary")]);
  await until(ann, "#h-preview", "Preview");
  await until(ann, "p.lead", "0 of 1 grades change: 0 up, 0 down", checked);
  await fill(ann, "form.apply [name=text]", "to be sure");
  await inspect(ann, "regrade-preview");
  await Promise.all([ann.waitForNavigation(), ann.keyboard.press("Enter")]);
  await until(ann, "li", /regrade 1 of .*: 0 of 1 grades change.*to be sure/);
});

test("signing out everywhere ends the sessions of all browsers", async () => {
  const jane = people.s01.page;
  const other = await people.s01.page.context().storageState();
  await jane.goto(url);
  await press(jane, "form[action='/sign-out-everywhere'] button");
  await jane.waitForURL(/sign-in$/);
  const { page } = await open(url, { storageState: other });
  const answer = await page.goto(url);
  assert.equal(answer.status(), 403);
  await until(page, "main", "Open your personal link");
  await page.context().close();
  for (const name of ["s01", "s02", "bob", "ann"]) await people[name].close();
});
