"use strict";
// CUDA's words for the syntax colours of all pages. Prism itself colours each <code class="language-cpp">
// once the page is read.
Prism.languages.insertBefore("cpp", "keyword", {
  "keyword-cuda": {
    pattern: /\b__(?:global|device|host|shared|constant|restrict|launch_bounds)__\b|\b__sync(?:threads|warp)\b|<<<|>>>/,
    alias: "keyword",
  },
});
