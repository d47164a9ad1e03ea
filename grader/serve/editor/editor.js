// The editor of a lab's page: CodeMirror with CUDA's words. It has the functions of
// ../pages/plain_editor.js, which takes its place where it was not bundled.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const kind = "codemirror";

/// Colours of style.css, which has them for light and dark.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.processingInstruction, tags.controlKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.character], color: "var(--string)" },
  { tag: [tags.number, tags.bool], color: "var(--number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { height: "26rem", color: "var(--ink)", backgroundColor: "var(--page)", fontSize: "0.8438rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, \"DejaVu Sans Mono\", monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--edge)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important" },
  ".cm-cuda": { color: "var(--keyword)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".cm-diagnostic": { maxWidth: "40rem", whiteSpace: "pre-wrap" },
});

/// CUDA's words, which the grammar of C++ does not know.
const words = /\b__(?:global|device|host|shared|constant|managed|restrict|launch_bounds)__\b|\b__sync(?:threads|warp)\b|<<<|>>>|\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)\b/g;
const cudaWord = Decoration.mark({ class: "cm-cuda" });
const cuda = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = this.find(view); }
  update(update) {
    if (update.docChanged || update.viewportChanged) this.decorations = this.find(update.view);
  }
  find(view) {
    const builder = new RangeSetBuilder();
    for (const { from, to } of view.visibleRanges) {
      for (const match of view.state.sliceDoc(from, to).matchAll(words)) {
        builder.add(from + match.index, from + match.index + match[0].length, cudaWord);
      }
    }
    return builder.finish();
  }
}, { decorations: (plugin) => plugin.decorations });

/// What is typed over a selection. Browsers would keep the colour of the old text by an inline style,
/// which the page's policy forbids.
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    if (event.inputType !== "insertText" || !event.data || view.composing || state.readOnly
      || state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch({ ...state.replaceSelection(event.data), userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/// An editor of one file in `parent`.
/// options: name, text, readOnly, onChange()
export function createEditor(parent, options) {
  const root = document.createElement("div");
  root.className = "editor";
  parent.append(root);
  const nonce = document.querySelector("meta[name=style-nonce]").content;
  const isSource = /\.(cu|cuh|h|hpp|cpp|hip)$/.test(options.name);
  const extensions = [
    EditorView.cspNonce.of(nonce),
    lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(),
    highlightActiveLine(), highlightActiveLineGutter(),
    indentUnit.of("  "), EditorState.tabSize.of(4),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
    isSource ? [cpp(), cuda] : EditorView.lineWrapping,
    syntaxHighlighting(colours), look, typeOver,
    EditorView.contentAttributes.of({
      "aria-label": options.name + (options.readOnly ? " (read only)" : ""), tabindex: "0",
    }),
    EditorState.readOnly.of(Boolean(options.readOnly)),
    EditorView.updateListener.of((update) => { if (update.docChanged) options.onChange(); }),
  ];
  const view = new EditorView({ parent: root, state: EditorState.create({ doc: options.text, extensions }) });

  const lineAt = (number) => view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      view.dispatch(setDiagnostics(view.state, []));
    },
    /// list of {line, column, severity, message}
    setMarks(list) {
      const diagnostics = list.map((mark) => {
        const line = lineAt(mark.line);
        const from = Math.min(line.from + Math.max(0, (mark.column || 1) - 1), line.to);
        const severity = { error: "error", warning: "warning" }[mark.severity] || "info";
        return { from, to: line.to, severity, message: mark.message };
      });
      diagnostics.sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(number) {
      const line = lineAt(number);
      view.focus();
      view.dispatch({
        selection: { anchor: line.from },
        effects: EditorView.scrollIntoView(line.from, { y: "center" }),
      });
    },
    focus: () => view.focus(),
  };
}
