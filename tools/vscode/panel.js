"use strict";
// The page of a panel: the same in VS Code and in the tests, but for the addresses of its files.

const titles = { lanes: "Across lanes", block: "Warps of the block", pictures: "Pictures of the block" };
/// The component library of recordings (media.sh puts it there), what the panels share, and the panel's own.
const styles = ["warp.css", "panel.css"];
const scripts = (name) => ["warp.js", "messages.js", `${name}.js`];

/// @param name    "lanes", "block" or "pictures"
/// @param uri     gives the address of a file of media/
/// @param source  of the content security policy
function panelPage(name, uri, source) {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${source} 'unsafe-inline'; script-src ${source};">
${styles.map((file) => `<link rel="stylesheet" href="${uri(file)}">`).join("\n")}
<title>${titles[name]}</title>
</head>
<body>
<main id="${name}" class="warp"></main>
${scripts(name).map((file) => `<script src="${uri(file)}"></script>`).join("\n")}
</body>
</html>
`;
}

module.exports = { panelPage };
