"use strict";
const cp = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { adapterCommand, configurationFor } = require("./adapter");
const { problemsOf, summaryOf } = require("./check");
const { panelPage } = require("./panel");

const setting = (name) => vscode.workspace.getConfiguration("warpgrade").get(name);
const programs = () => ({ warpgrade: setting("program"), warpsim: setting("warpsim") });
const labOf = (file) => setting("lab") || configurationFor(file, "").lab;

/// A webview beside the variables. `ask` gets a message of the page and the session.
class Panel {
  constructor(context, name, ask) {
    this.context = context;
    this.name = name;
    this.ask = ask;
    this.view = undefined;
    this.last = undefined; // what the page asked last, to be asked again at each stop
  }

  resolveWebviewView(view) {
    this.view = view;
    const media = vscode.Uri.joinPath(this.context.extensionUri, "media");
    view.webview.options = { enableScripts: true, localResourceRoots: [media] };
    const uri = (file) => view.webview.asWebviewUri(vscode.Uri.joinPath(media, file)).toString();
    view.webview.html = panelPage(this.name, uri, view.webview.cspSource);
    view.webview.onDidReceiveMessage((message) => this.received(message));
    view.onDidDispose(() => { this.view = undefined; });
  }

  async received(message) {
    const session = vscode.debug.activeDebugSession;
    if (!session || session.type !== "warpsim") return;
    try {
      const answer = await this.ask(session, message);
      if (answer === undefined) return;
      this.last = message;
      this.send({ type: this.name, body: answer });
    } catch (error) {
      this.last = message;
      this.send({ type: "problem", message: error.message });
    }
  }

  stopped() {
    if (this.last) this.received(this.last);
    else if (this.name === "block") this.received({ type: "ready" });
  }
  running() { this.send({ type: "running" }); }
  send(message) { if (this.view) this.view.webview.postMessage(message); }
}

function frameId() {
  const item = vscode.debug.activeStackItem;
  return item && typeof item.frameId === "number" ? item.frameId : undefined;
}

async function askLanes(session, message) {
  return session.customRequest("warpsim/lanes", { expression: message.text, frameId: frameId() });
}

async function askBlock(session, message) {
  if (message.type === "focus") {
    await session.customRequest("warpsim/focusBlock", { block: message.block });
    return undefined; // a stop follows
  }
  if (message.type === "warp") {
    await session.customRequest("warpsim/focus", { threadId: message.threadId });
    return undefined;
  }
  return session.customRequest("warpsim/block");
}

/// The answer is the event warpsim/picture.
async function askPicture(session) {
  await session.customRequest("warpsim/picture");
  return undefined;
}

// -- check ------------------------------------------------------------------------------------------

function runCheck(file, done) {
  const folder = path.dirname(file);
  const lab = labOf(file);
  cp.execFile(programs().warpgrade, ["check", lab, path.basename(file), "--format", "json"],
    { cwd: folder, maxBuffer: 64 << 20 }, (error, out, err) => {
      try {
        done(null, JSON.parse(out), folder);
      } catch {
        done(error && error.code === "ENOENT"
          ? `${programs().warpgrade} was not found: set warpgrade.program to its path`
          : (err || String(error)).trim(), null, folder);
      }
    });
}

function diagnosticsOf(report, folder) {
  const severities = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    note: vscode.DiagnosticSeverity.Information,
  };
  const files = new Map();
  for (const problem of problemsOf(report, folder)) {
    const range = new vscode.Range(problem.line, problem.column, problem.line, 1000);
    const made = new vscode.Diagnostic(range, problem.message, severities[problem.severity]);
    made.source = "warpgrade";
    const page = path.join(folder, "pitfalls", `${problem.pitfall}.md`);
    made.code = problem.pitfall && fs.existsSync(page)
      ? { value: problem.pitfall, target: vscode.Uri.file(page) }
      : problem.pitfall || problem.kind;
    if (problem.other) {
      const { file, line, column } = problem.other;
      made.relatedInformation = [new vscode.DiagnosticRelatedInformation(
        new vscode.Location(vscode.Uri.file(file), new vscode.Position(line, column)), "the other access")];
    }
    if (!files.has(problem.file)) files.set(problem.file, []);
    files.get(problem.file).push(made);
  }
  return files;
}

function activate(context) {
  const lanes = new Panel(context, "lanes", askLanes);
  const block = new Panel(context, "block", askBlock);
  const pictures = new Panel(context, "pictures", askPicture);
  const collection = vscode.languages.createDiagnosticCollection("warpgrade");
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  status.command = "warpgrade.check";

  const check = () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return vscode.window.showErrorMessage("Open the .cu file of a lab first.");
    return editor.document.save().then(() => new Promise((resolve) => {
      status.text = "$(sync~spin) warpgrade";
      status.show();
      runCheck(editor.document.fileName, (problem, report, folder) => {
        if (problem) {
          status.hide();
          vscode.window.showErrorMessage(problem);
        } else {
          status.text = summaryOf(report);
          collection.clear();
          for (const [file, list] of diagnosticsOf(report, folder)) collection.set(vscode.Uri.file(file), list);
        }
        resolve();
      });
    }));
  };

  const explain = async () => {
    const pitfall = await vscode.window.showInputBox({ prompt: "Pitfall or kind of finding: P23, shared-race, ..." });
    if (!pitfall) return;
    cp.execFile(programs().warpgrade, ["explain", pitfall], async (error, out, err) => {
      if (error) return vscode.window.showErrorMessage((err || String(error)).trim());
      const document = await vscode.workspace.openTextDocument({ content: out, language: "markdown" });
      return vscode.window.showTextDocument(document, { preview: true });
    });
  };

  const lastWrite = async () => {
    const session = vscode.debug.activeDebugSession;
    const text = await vscode.window.showInputBox({ prompt: "Element of shared or global memory: tile[3]" });
    if (!session || !text) return;
    try {
      await session.customRequest("evaluate", { expression: `last write ${text}`, context: "repl" });
    } catch (error) {
      vscode.window.showErrorMessage(error.message);
    }
  };

  context.subscriptions.push(
    collection,
    status,
    vscode.commands.registerCommand("warpgrade.check", check),
    vscode.commands.registerCommand("warpgrade.explain", explain),
    vscode.commands.registerCommand("warpgrade.console", lastWrite),
    vscode.window.registerWebviewViewProvider("warpgrade.lanes", lanes),
    vscode.window.registerWebviewViewProvider("warpgrade.block", block),
    vscode.window.registerWebviewViewProvider("warpgrade.pictures", pictures),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, body }) => {
      if (event === "warpsim/picture") pictures.send({ type: "pictures", body });
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory("warpsim", {
      createDebugAdapterDescriptor: (session) => {
        const { command, args } = adapterCommand(session.configuration, programs());
        return new vscode.DebugAdapterExecutable(command, args);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("warpsim", {
      resolveDebugConfiguration: (folder, config) => {
        if (config.type) return config;
        const editor = vscode.window.activeTextEditor; // F5 without a launch.json
        return editor ? configurationFor(editor.document.fileName, setting("lab")) : config;
      },
    }),
    vscode.debug.registerDebugAdapterTrackerFactory("warpsim", {
      createDebugAdapterTracker: () => ({
        onDidSendMessage: (message) => {
          if (message.type !== "event") return;
          // After VS Code has chosen the frame.
          if (message.event === "stopped" || message.event === "invalidated") {
            setTimeout(() => { lanes.stopped(); block.stopped(); }, 100);
          }
          if (message.event === "continued" || message.event === "terminated") {
            lanes.running();
            block.running();
          }
        },
      }),
    }));
}

function deactivate() {}

module.exports = { activate, deactivate };
