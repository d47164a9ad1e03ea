"use strict";
// The page of a panel: the same in VS Code and in the tests, but for the addresses of its files.

/// @param name    "lanes" or "block"
/// @param uris    {style, script}
/// @param source  of the content security policy
function panelPage(name, uris, source) {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${source}; script-src ${source};">
<link rel="stylesheet" href="${uris.style}">
<title>${name === "lanes" ? "Across lanes" : "Warps of the block"}</title>
</head>
<body>
<main id="${name}"></main>
<script src="${uris.script}"></script>
</body>
</html>
`;
}

module.exports = { panelPage };
