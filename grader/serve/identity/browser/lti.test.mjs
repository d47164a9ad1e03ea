// A class as the tool of a learning platform, in a real browser. The platform is on localhost and the class on 127.0.0.1:
// for browsers these are two sites.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checked, inspect, open, program, ready, start, until } from "../../browser/served.mjs";
import { Platform } from "./platform.mjs";

const folder = mkdtempSync(join(tmpdir(), "lti-"));
const file = (name) => join(folder, name);
writeFileSync(file("course.toml"), `schema = 1
title = "Parallel programming"
roster = "roster.csv"
[staff]
ann = { role = "instructor", account = "ann@example.org" }
[labs.vecadd]
[labs.predict]
`);
writeFileSync(file("roster.csv"), "student,name,email\ns01,\"Doe, Jane\",jane@example.org\ns02,\"Roe, Jim\",jim@example.org\n");
writeFileSync(file("secret"), "a secret\n");
const platform = new Platform({
  "u-ann": { name: "Ann Poe", email: "ann@example.org", role: "Instructor" },
  "u-jane": { name: "Jane Doe", email: "Jane@example.org", role: "Learner" },
  "u-eve": { name: "Eve", email: "eve@example.org", role: "Learner" },
  "u-jim": { name: "Jim Roe", email: "jim@example.org", role: "Learner" },
});
let server, url;

const begin = () => start(file("serve"), ["--course", file("course.toml"), "--secret-file", file("secret"), "--sandbox", "none",
  "--lti", file("lti.toml"), "--lti-key", file("key.json"), ...(url ? ["--port", new URL(url).port] : [])]);

before(async () => {
  await platform.listen();
  writeFileSync(file("lti.toml"), platform.registration());
  execFileSync(program, ["serve", "--lti-new-key", file("key.json")]);
  server = await begin();
  url = server.url;
  platform.useTool(url);
  platform.addLink("All labs", new URL("/lti/launch", url).href);
});
after(async () => {
  await server.stop();
  platform.close();
  rmSync(folder, { recursive: true });
});

const newWindow = () => open(url, {}, [platform.issuer]);

async function launch(page, user, title) {
  await page.goto(`${platform.issuer}/course?user=${user}`);
  await page.click(`text="${title}"`);
  await page.waitForURL((at) => at.href.startsWith(url) && !at.pathname.startsWith("/lti/"));
}

/// Waits until something is so.
async function eventually(what, so) {
  const end = Date.now() + checked.timeout;
  while (!so()) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const ann = {}, jane = {};

test("the key is readable for its owner alone, and never replaced", () => {
  assert.equal(statSync(file("key.json")).mode & 0o777, 0o600);
  assert.throws(() => execFileSync(program, ["serve", "--lti-new-key", file("key.json")], { stdio: "pipe" }),
    /File exists; name a new file/);
});

test("an instructor launches, and chooses what a link without a lab leads to", async () => {
  Object.assign(ann, await newWindow());
  await launch(ann.page, "u-ann", "All labs");
  assert.equal(new URL(ann.page.url()).pathname, "/class/lti");
  await until(ann.page, "h2", "Parallel programming");
  await until(ann.page, "strong", "not chosen yet");
  await inspect(ann.page, "lti-link");
  await ann.page.selectOption("select[name=lab]", { label: "The list of all labs" });
  await ann.page.click("text=\"Choose\"");
  await launch(ann.page, "u-ann", "All labs");
  assert.equal(new URL(ann.page.url()).pathname, "/");
});

test("an instructor chooses labs in a frame of the platform, and they become links", async () => {
  await ann.page.goto(`${platform.issuer}/framed?user=u-ann`);
  const frame = ann.page.frameLocator("iframe");
  await frame.locator("text=Questions").or(frame.locator("h1")).first().waitFor();
  await frame.locator("input[value=predict]").check();
  await frame.locator("text=\"Continue\"").click();
  await frame.locator("text=\"Add 1 lab\"").click();
  await frame.locator("#added").waitFor();
  assert.equal(platform.links.length, 2);
  assert.equal(platform.links[1].custom.lab, "predict");
  assert.equal(platform.lineItems[0].resourceId, "predict");
});

test("a student launches from a frame into a window, works and submits", async () => {
  Object.assign(jane, await newWindow());
  await jane.page.goto(`${platform.issuer}/framed?user=u-jane&link=link-2`);
  const opened = jane.page.context().waitForEvent("page");
  await jane.page.frameLocator("iframe").locator("text=\"Open in a new window\"").click();
  const lab = await opened;
  await lab.waitForURL(/\/labs\/predict$/);
  await ready(lab);
  await lab.locator(".editor .cm-content, .editor textarea").first().focus();
  await lab.keyboard.press("Control+Shift+Enter");
  await until(lab, "#points", /points/, checked);
  await lab.goto(url);
  await until(lab, "body", /Doe, Jane/);
  jane.lab = lab;
});

test("members are matched with the roster, and others listed", async () => {
  await ann.page.goto(new URL("/class/lti", url).href);
  await ann.page.click("text=Read the list of members again");
  await until(ann.page, "tr", /Eve\s*eve@example\.org\s*learner/, checked);
  assert.doesNotMatch(await ann.page.textContent("main"), /jim@example\.org/);
});

test("the grade comes back after its release, over a failure and a restart", async () => {
  await new Promise((resolve) => setTimeout(resolve, 6000));  // more than a period: nothing may come
  assert.deepEqual(platform.scores, []);
  platform.failing = 1;
  await ann.page.goto(new URL("/class", url).href);
  await ann.page.click("text=Release predict now");
  await ann.page.goto(new URL("/class/lti", url).href);
  await until(ann.page, "td", /waits, 1 attempt failed/, checked);
  await until(ann.page, "td", /503/);
  await inspect(ann.page, "lti-scores");
  await ann.page.goto("about:blank");  // a page that follows the server reports that it is gone
  await jane.lab.goto("about:blank");
  await server.stop();
  server = await begin();
  await ann.page.goto(new URL("/class/lti", url).href);
  await ann.page.click("text=Send those that wait or were refused now");
  await until(ann.page, "td", /sent at/, checked);
  assert.equal(platform.scores.length, 1);
  const [score] = platform.scores;
  assert.equal(score.userId, "u-jane");
  assert.equal(score.item.resourceId, "predict");
  assert.equal(platform.lineItems.length, 1);
  await jane.lab.goto(new URL("/grades", url).href);
  const counts = (await jane.lab.textContent("main")).match(/([\d.]+) of ([\d.]+) count/);
  assert.equal(String(score.scoreGiven), counts[1]);
  assert.equal(String(score.scoreMaximum), counts[2]);
});

test("a person's change comes back, too", async () => {
  await ann.page.goto(new URL("/students/s01", url).href);
  const section = ann.page.locator("section[aria-labelledby=h-predict]");
  await section.locator("summary").click();
  const form = section.locator("form.points");
  await form.locator("[name=points]").fill("1.5");
  await form.locator("[name=text]").fill("checked by hand");
  await form.locator("button").click();
  await eventually("the score changes", () => platform.scores.at(-1).scoreGiven === 1.5);
  assert.equal(platform.scores.length, 2);
});

test("who is not in the class is refused, and a stolen launch signs nobody in", async () => {
  const { page } = await newWindow();
  await page.goto(`${platform.issuer}/course?user=u-eve`);
  await page.click("text=\"All labs\"");
  await until(page, "main", /as eve@example\.org/);
  // The token and state of Jane's browser, posted by another one.
  const { request } = page.context();
  const first = await newWindow();
  let sent;
  await first.page.route(/\/lti\/launch$/, (route) => { sent = route.request().postData(); return route.abort(); });
  await first.page.goto(`${platform.issuer}/course?user=u-jane`);
  await first.page.click("text=\"All labs\"");
  await eventually("the launch is sent", () => sent);
  const stolen = await request.post(new URL("/lti/launch", url).href, {
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Origin": platform.issuer }, data: sent, maxRedirects: 0,
  });
  assert.equal(stolen.status(), 403);
  await page.goto(url);
  await until(page, "h1", "Not signed in");
  await first.page.context().close();
  await page.context().close();
});

test("the platform changes its key, and has found nothing wrong in what the class asked for", async () => {
  platform.rotate();
  const { page } = await newWindow();
  // Keys are fetched again at most once a minute.
  for (let tries = 0; ; ++tries) {
    await page.goto(`${platform.issuer}/course?user=u-jim`);
    await page.click("text=\"All labs\"");
    await until(page, "body", /damaged|Roe, Jim/);
    if (/Roe, Jim/.test(await page.textContent("body"))) break;
    assert(tries < 12, "the new key is never fetched");
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
  assert.deepEqual(platform.problems, []);
  await page.context().close();
  await jane.close();
  await ann.close();
});
