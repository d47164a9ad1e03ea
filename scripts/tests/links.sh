#!/usr/bin/env bash
# Relative links in the documents lead to something.
set -euo pipefail

# Link targets outside code blocks.
targets() {
  awk '/^```/ {code = !code; next} !code' "$1" | grep -oP '\]\(\K[^)\s]+' || true
}

failed=0
while IFS= read -r -d '' file; do
  [[ -f $file ]] || continue
  while IFS= read -r target; do
    target=${target%%#*}
    [[ -z $target || $target == *:* ]] && continue
    if [[ ! -e $(dirname "$file")/$target ]]; then
      echo "$file: the link to '$target' leads nowhere"
      failed=1
    fi
  done < <(targets "$file")
done < <(git ls-files -z --cached --others --exclude-standard -- '*.md')
exit "$failed"
