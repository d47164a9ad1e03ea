"use strict";
// The manifest and the code agree, and what needs no editor works. VS Code itself is replaced by an
// object that notes what is registered.
const assert = require("node:assert/strict");
const cp = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { adapterCommand, configurationFor } = require("../adapter");
const { problemsOf, summaryOf } = require("../check");
const manifest = require("../package.json");

const programs = { warpgrade: "warpgrade", warpsim: "/opt/warpsim" };

function activated() {
  const registered = { commands: [], views: [], factories: [], providers: [], trackers: [] };
  const disposable = { dispose() {} };
  const vscode = {
    workspace: { getConfiguration: () => ({ get: () => "" }) },
    window: {
      createStatusBarItem: () => disposable,
      registerWebviewViewProvider: (id) => registered.views.push(id),
    },
    languages: { createDiagnosticCollection: () => disposable },
    commands: { registerCommand: (id) => registered.commands.push(id) },
    debug: {
      registerDebugAdapterDescriptorFactory: (type) => registered.factories.push(type),
      registerDebugConfigurationProvider: (type) => registered.providers.push(type),
      registerDebugAdapterTrackerFactory: (type) => registered.trackers.push(type),
      onDidReceiveDebugSessionCustomEvent: () => disposable,
    },
    StatusBarAlignment: { Left: 1 },
  };
  const load = Module._load;
  Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));
  try {
    require("../extension").activate({ subscriptions: [], extensionUri: "" });
  } finally {
    Module._load = load;
  }
  return registered;
}

test("everything that the manifest promises is registered", () => {
  const registered = activated();
  const { contributes } = manifest;
  assert.deepEqual(registered.commands.sort(), contributes.commands.map((c) => c.command).sort());
  assert.deepEqual(registered.views.sort(), contributes.views.debug.map((v) => v.id).sort());
  for (const list of [registered.factories, registered.providers, registered.trackers]) {
    assert.deepEqual(list, contributes.debuggers.map((d) => d.type));
  }
});

test("a configuration with a lab starts warpgrade, one with a program warpsim", () => {
  assert.deepEqual(adapterCommand({ lab: "gemm", work: "/w/gemm.cu", case: "tall" }, programs),
    { command: "warpgrade", args: ["debug", "gemm", "/w/gemm.cu", "tall"] });
  assert.deepEqual(adapterCommand({ lab: "gemm", case: "tall" }, programs).args, ["debug", "gemm", "gemm.cu", "tall"]);
  assert.deepEqual(adapterCommand({ lab: "gemm" }, programs).args, ["debug", "gemm"]);
  assert.deepEqual(adapterCommand({ program: "./a.out", checks: "races", card: "t4" }, programs),
    { command: "/opt/warpsim", args: ["--check", "races", "--card", "t4", "--dap"] });
  assert.equal(configurationFor("/home/x/scan.cu", "").lab, "scan");
  assert.equal(configurationFor("C:\\x\\mine.hip", "scan").lab, "scan");
});

test("the problem matcher understands the lines that warpgrade prints", () => {
  const { regexp } = manifest.contributes.problemMatchers[0].pattern;
  const parts = new RegExp(regexp).exec("src/a.cu:12:5: error: write outside an array [oob-global-write, P1]");
  assert.deepEqual(parts.slice(1), ["src/a.cu", "12", "5", "error", "write outside an array [oob-global-write, P1]"]);
  assert.equal(new RegExp(regexp).exec("a.cu:7: warning: no column")[2], "7");
  assert.equal(new RegExp(regexp).exec("  where  a.cu:7: st.f32"), null);
});

test("what check finds becomes problems of the student's file", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "check-"));
  try {
    const right = fs.readFileSync(path.join(__dirname, "../../../reference/vecadd/solution.cu"), "utf8");
    const wrong = right.replace("rest < n; ++rest", "rest <= n; ++rest");
    assert.notEqual(right, wrong);
    fs.writeFileSync(path.join(folder, "vecadd.cu"), wrong);
    const done = cp.spawnSync(process.env.WARPGRADE, ["check", "vecadd", "vecadd.cu", "--format", "json"],
      { cwd: folder, encoding: "utf8", env: { ...process.env, XDG_STATE_HOME: folder } });
    const report = JSON.parse(done.stdout);
    const problems = problemsOf(report, folder);
    const line = wrong.split("\n").findIndex((text) => text.includes("rest <= n"));
    const found = problems.filter((p) => p.severity === "error" && p.line === line);
    assert.ok(found.length > 0, done.stdout);
    assert.equal(found[0].file, path.join(folder, "vecadd.cu"));
    assert.match(found[0].pitfall, /^P\d+$/);
    assert.match(summaryOf(report), /^vecadd: [\d.]+ of 100 points\. /);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test("the package has what the extension needs, and nothing else", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vsix-"));
  try {
    const file = path.join(folder, "warpgrade.vsix");
    const packed = cp.spawnSync(path.join(__dirname, "../package.sh"), [file], { encoding: "utf8" });
    assert.equal(packed.status, 0, packed.stdout + packed.stderr);
    const list = cp.spawnSync("python3", ["-m", "zipfile", "-l", file], { encoding: "utf8" }).stdout;
    const names = [...list.matchAll(/^(extension\/\S+)/gm)].map((m) => m[1].slice("extension/".length));
    assert.deepEqual(names.sort(), ["adapter.js", "check.js", "extension.js", "media/block.js", "media/lanes.js",
      "media/messages.js", "media/panel.css", "media/pictures.js", "media/warp.css", "media/warp.js", "package.json",
      "panel.js", "readme.md"]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
