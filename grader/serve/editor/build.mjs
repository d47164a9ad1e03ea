// Bundles the editor: node build.mjs <output>. The licenses of what is inside stand at its top.
import { build } from "esbuild";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [output] = process.argv.slice(2);
const result = await build({
  entryPoints: ["editor.js"], bundle: true, minify: true, format: "esm", target: "es2022",
  legalComments: "none", write: false, metafile: true, logLevel: "warning",
});
const packages = new Set(Object.keys(result.metafile.inputs)
  .map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
const named = new Map();  // license text: packages
for (const name of [...packages].toSorted()) {
  const file = `node_modules/${name}/LICENSE`;
  if (!existsSync(file)) throw new Error(`${name} has no LICENSE, which the bundle must contain`);
  const text = readFileSync(file, "utf8").trim();
  named.set(text, [...(named.get(text) || []), name]);
}
const notices = [...named].map(([text, names]) => `${names.join(", ")}:\n${text}`).join("\n\n");
writeFileSync(output, `/*\n${notices.replaceAll("*/", "* /")}\n*/\n${result.outputFiles[0].text}`);
