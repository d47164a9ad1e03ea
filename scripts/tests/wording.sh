#!/usr/bin/env bash
# The phrases and patterns that CONTRIBUTING.md, "Words", advises against occur nowhere else in the tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# shellcheck disable=SC2016  # backquotes as such
mapfile -t phrases < <(sed -n '/^<!-- words -->/,/^<!-- end -->/p' CONTRIBUTING.md |
  awk -F '|' 'NR > 3 && NF > 2 {print $2}' | grep -o '`[^`]*`' | tr -d '`')
left_out=(':!reference/*.json')
found=0
for phrase in "${phrases[@]}"; do
  # Texts are wrapped anywhere, so a blank may be the end of a line, of a comment or of a literal.
  pattern=${phrase// /[\\s\"\/#]+}
  if git grep -nIiP --untracked -e "(?<![\\w-])${phrase}(?![\\w-])" -- . ':!CONTRIBUTING.md' ':!*.ptx' "${left_out[@]}"; then
    found=$((found + 1))
  elif git ls-files -z -- '*.cpp' '*.h' '*.cu' '*.md' '*.toml' "${left_out[@]}" | xargs -0 grep -lziP "(?<![\\w-])${pattern}(?![\\w-])" |
    grep -v '^CONTRIBUTING.md$'; then
    echo "  \"$phrase\", over the end of a line"
    found=$((found + 1))
  fi
done

# shellcheck disable=SC2016  # backquotes as such
mapfile -t patterns < <(sed -n '/^<!-- patterns -->/,/^<!-- end of patterns -->/p' CONTRIBUTING.md |
  grep -o '`[^`]*`' | tr -d '`')
((${#patterns[@]} >= 4))
# Stages and what they are compared with are identified by their text.
for pattern in "${patterns[@]}"; do
  if git grep -nIP --untracked -e "$pattern" -- '*.md' '*.cpp' '*.h' '*.toml' '*.cu' '*.py' '*.sh' \
    ':!CONTRIBUTING.md' ':!reference/**/*.cu'; then
    found=$((found + 1))
  fi
done
echo "${#phrases[@]} phrases and ${#patterns[@]} patterns, $found found; CONTRIBUTING.md, \"Words\", says what to write"
((${#phrases[@]} >= 10 && found == 0))
