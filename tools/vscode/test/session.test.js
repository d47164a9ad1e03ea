"use strict";
// The debug adapter with VS Code's own test client, and the panels with what it answers, in a browser.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { after, before, test } = require("node:test");
const { DebugClient } = require("@vscode/debugadapter-testsupport");
const { chromium } = require("playwright-core");
const { panelPage } = require("../panel");

const { WARPSIM, DEBUG_PROGRAM, DEBUG_SOURCE, CHROMIUM } = process.env;
const lines = fs.readFileSync(DEBUG_SOURCE, "utf8").split("\n");
const lineOf = (remark) => lines.findIndex((line) => line.endsWith(`// ${remark}`)) + 1;
let browser, folder;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "panels-"));
  browser = await chromium.launch({ executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
});
after(async () => {
  await browser.close();
  fs.rmSync(folder, { recursive: true });
});

/// Runs `talk` with a session of the test program.
async function session(what, talk) {
  const client = new DebugClient(WARPSIM, "--dap", "warpsim");
  client.defaultTimeout = 60000;
  await client.start();
  try {
    return await talk(client, { program: DEBUG_PROGRAM, args: [what] });
  } finally {
    await client.stop();
  }
}

/// A panel as VS Code shows it. `messages` are what it sent; `send` is what the extension sends it.
async function panel(name, look) {
  const media = path.join(__dirname, "../media");
  const file = path.join(folder, `${name}.html`);
  const uri = (of) => pathToFileURL(path.join(media, of)).href;
  fs.writeFileSync(file, panelPage(name, uri, "file:"));
  const page = await browser.newPage({ viewport: { width: 320, height: 700 } });
  const troubles = [];
  page.on("console", (m) => m.type() === "error" && troubles.push(m.text()));
  page.on("pageerror", (e) => troubles.push(e.message));
  await page.addInitScript(() => {
    window.sent = [];
    let state;
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.sent.push(message),
      getState: () => state,
      setState: (next) => { state = next; },
    });
  });
  await page.goto(pathToFileURL(file).href);
  const send = (data) => page.evaluate((d) => window.dispatchEvent(new MessageEvent("message", { data: d })), data);
  await look(page, send, () => page.evaluate(() => window.sent));
  assert.deepEqual(troubles, []);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `${width} pixels wide`);
  await page.close();
}

test("VS Code's client starts, stops at a breakpoint, looks, steps, goes back and ends", () =>
  session("smooth", async (client, launch) => {
    await client.hitBreakpoint(launch, { path: DEBUG_SOURCE, line: lineOf("barrier"), verified: false });
    const { body: { threads } } = await client.threadsRequest();
    assert.equal(threads.length, 2);
    const { body: { stackFrames: [frame] } } = await client.stackTraceRequest({ threadId: 1 });
    const { body: { scopes } } = await client.scopesRequest({ frameId: frame.id });
    assert.ok(scopes.some((scope) => scope.name === "Across lanes"));
    const { body: { variables } } = await client.variablesRequest({ variablesReference: scopes[0].variablesReference });
    assert.equal(variables.find((v) => v.name === "i").value, "0");
    const { body: { result } } = await client.evaluateRequest({ expression: "tile[3]", frameId: frame.id });
    assert.equal(result, "3");
    await client.setBreakpointsRequest({ source: { path: DEBUG_SOURCE }, breakpoints: [] });
    await Promise.all([client.nextRequest({ threadId: 1 }), client.assertStoppedLocation("step", { line: lineOf("after the barrier") })]);
    await Promise.all([client.stepBackRequest({ threadId: 1 }), client.assertStoppedLocation("step", { line: lineOf("barrier") })]);
    await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent("terminated")]);
  }));

test("a condition, a function breakpoint, a log point and a data breakpoint", () =>
  session("smooth", async (client, launch) => {
    const { body: can } = await client.initializeRequest();
    assert.ok(can.supportsConditionalBreakpoints && can.supportsFunctionBreakpoints && can.supportsLogPoints
      && can.supportsDataBreakpoints && can.supportsStepBack);
    await Promise.all([client.launchRequest(launch), client.waitForEvent("initialized")]);
    await client.setBreakpointsRequest({ source: { path: DEBUG_SOURCE }, breakpoints: [
      { line: lineOf("loop"), condition: "threadIdx.x == 40 && k == 2" },
      { line: lineOf("load"), logMessage: "loads {i}" }] });
    await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "smooth" }] });
    await Promise.all([client.configurationDoneRequest(), client.waitForEvent("stopped")]);
    await client.setFunctionBreakpointsRequest({ breakpoints: [] });
    const logged = client.assertOutput("console", "loads 0");
    await Promise.all([client.continueRequest({ threadId: 1 }), client.assertStoppedLocation("breakpoint", { line: lineOf("loop") }), logged]);
    const { body: { dataId } } = await client.send("dataBreakpointInfo", { name: "out[40]" });
    await client.setBreakpointsRequest({ source: { path: DEBUG_SOURCE }, breakpoints: [] });
    await client.send("setDataBreakpoints", { breakpoints: [{ dataId, accessType: "write" }] });
    const [, stop] = await Promise.all([client.continueRequest({ threadId: 2 }), client.waitForEvent("stopped")]);
    assert.equal(stop.body.reason, "data breakpoint");
  }));

test("the panel across lanes shows 32 lanes, the inactive ones as such, and asks for an expression", async () => {
  const answers = await session("smooth", async (client, launch) => {
    const [stop] = await Promise.all([client.waitForEvent("stopped"),
      client.hitBreakpoint(launch, { path: DEBUG_SOURCE, line: lineOf("even"), verified: false })]);
    const { body: { stackFrames: [frame] } } = await client.stackTraceRequest({ threadId: stop.body.threadId });
    const ask = (expression) => client.customRequest("warpsim/lanes", { expression, frameId: frame.id });
    return { i: (await ask("i")).body, n: (await ask("n")).body, none: (await ask("nothing")).body };
  });
  await panel("lanes", async (page, send, sent) => {
    assert.deepEqual(await sent(), [{ type: "expression", text: "threadIdx.x" }]);
    await send({ type: "lanes", body: answers.i });
    assert.equal(await page.locator(".cell").count(), 32);
    assert.equal(await page.locator(".cell.inactive").count(), 16);
    const values = answers.i.lanes.filter((lane) => lane.active).map((lane) => Number(lane.value));
    assert.match(await page.locator(".summary").textContent(),
      new RegExp(`^warp ${answers.i.warp}, int, 16 active, ${Math.min(...values)} to ${Math.max(...values)}$`));
    await send({ type: "lanes", body: answers.n });
    assert.match(await page.locator(".summary").textContent(), /equal in all active lanes$/);
    await send({ type: "lanes", body: answers.none });
    assert.match(await page.locator(".cell.problem").first().textContent(), /no variable nothing/);
    await page.getByLabel("expression").fill("tile[lane]");
    await page.getByLabel("expression").press("Enter");
    assert.deepEqual((await sent()).at(-1), { type: "expression", text: "tile[lane]" });
    await send({ type: "running" });
    assert.equal(await page.getByText("The kernel runs.").count(), 1);
  });
});

test("the panel of the block shows each warp's lanes by state, and moves the focus", async () => {
  const body = await session("smooth", async (client, launch) => {
    await client.initializeRequest();
    await Promise.all([client.launchRequest(launch), client.waitForEvent("initialized")]);
    await client.setBreakpointsRequest({ source: { path: DEBUG_SOURCE },
      breakpoints: [{ line: lineOf("load"), condition: "threadIdx.x >= 32" }] });
    await Promise.all([client.configurationDoneRequest(), client.waitForEvent("stopped")]);
    const answer = await client.customRequest("warpsim/block");
    await Promise.all([client.customRequest("warpsim/focus", { threadId: 1 }), client.waitForEvent("stopped")]);
    return answer.body;
  });
  await panel("block", async (page, send, sent) => {
    assert.deepEqual(await sent(), [{ type: "ready" }]);
    await send({ type: "block", body });
    assert.equal(await page.locator(".row").count(), 2);
    assert.equal(await page.locator(".row .lane.barrier").count(), 32);
    assert.equal(await page.locator(".row.focus .lane.stopped").count(), 32);
    assert.deepEqual(await page.locator(".warp-legend > span").allTextContents(), ["stands here", "waits at a barrier"]);
    assert.match(await page.locator(".row .lane").first().getAttribute("title"), /^lane 0: programs\.cu:\d+$/);
    await page.getByRole("button", { name: /^warp 0: waits at the barrier/ }).click();
    assert.deepEqual((await sent()).at(-1), { type: "warp", threadId: 1 });
    await page.getByLabel("block").fill("1,0,0");
    await page.getByLabel("block").press("Enter");
    assert.deepEqual((await sent()).at(-1), { type: "focus", block: [1, 0, 0] });
    await send({ type: "problem", message: "the kernel runs; pause it first" });
    assert.equal(await page.locator(".problem").textContent(), "the kernel runs; pause it first");
  });
});

test("the panel of pictures draws what the block has done up to the stop", async () => {
  const body = await session("smooth", async (client, launch) => {
    await client.hitBreakpoint(launch, { path: DEBUG_SOURCE, line: lineOf("barrier"), verified: false });
    const [drawn] = await Promise.all([client.waitForEvent("warpsim/picture"), client.waitForEvent("stopped"),
      client.customRequest("warpsim/picture")]);
    const { body: { stackFrames: [frame] } } = await client.stackTraceRequest({ threadId: 1 });
    assert.equal(frame.line, lineOf("barrier"));
    return drawn.body;
  });
  await panel("pictures", async (page, send, sent) => {
    await page.getByRole("button", { name: "Draw up to here" }).click();
    assert.deepEqual(await sent(), [{ type: "draw" }]);
    await send({ type: "pictures", body });
    // The last step is the one before the barrier: the store into the tile.
    assert.match(await page.locator(".warp-words").textContent(), /tile|lanes/);
    await page.getByRole("tab", { name: "Timeline" }).click();
    assert.equal(await page.locator(".warp-canvas canvas").count(), 1);
    await send({ type: "problem", message: "the kernel has allocated memory" });
    assert.equal(await page.locator(".problem").textContent(), "the kernel has allocated memory");
    await send({ type: "pictures", body: { recording: "bm90aGluZw==", atEnd: true } });
    assert.match(await page.locator(".problem").textContent(), /recording/);
  });
});
