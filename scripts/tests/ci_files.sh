#!/usr/bin/env bash
# The files under docs/ci and our own in .github can be used as they are: YAML and JSON parse, and the
# commands, options and files that they name exist. usage: ci_files.sh <the built warpgrade>
set -euo pipefail

warpgrade=$1
if ! python3 -c 'import yaml' 2>/dev/null; then
  echo 'skipped: needs python3-yaml (scripts/setup installs it)'
  exit 77
fi
failed=0
complain() {
  echo "$1"
  failed=1
}

for file in docs/ci/*.yml .github/*/*.yml .pre-commit-config.yaml; do
  python3 -c 'import sys, yaml; assert isinstance(yaml.safe_load(open(sys.argv[1])), dict)' "$file" ||
    complain "$file: no YAML"
done
for file in docs/ci/*.json; do
  python3 -m json.tool "$file" >/dev/null || complain "$file: no JSON"
done

# The repository's own paths. Those below build/ come from a build.
while IFS=: read -r file path; do
  [[ -e $path ]] || complain "$file: there is no $path"
done < <(grep -roE '\b(scripts|docs/ci|docs|grader)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' docs/ci .github .pre-commit-config.yaml | sort -u)

# `warpgrade <command> ... --option`, with lines that go on joined.
while IFS=: read -r file command; do
  read -r name rest <<<"$command"
  name=${name%%[^a-z]*}
  if ! help=$("$warpgrade" "$name" --help 2>/dev/null); then
    complain "$file: there is no command 'warpgrade $name'"
    continue
  fi
  while read -r option; do
    grep -qE -- "$option( |,|\$)" <<<"$help" || complain "$file: warpgrade $name has no option $option"
  done < <(grep -oE -- '--[a-z-]+' <<<"$rest" || true)
  if [[ $name == export && $rest =~ --to\ ([a-z]+) ]]; then
    grep -q "\b${BASH_REMATCH[1]}\b" <<<"$help" || complain "$file: no format ${BASH_REMATCH[1]}"
  fi
done < <(
  for file in docs/ci/*.yml docs/ci/gradescope/run_autograder docs/ci/README.md docs/ci/devcontainer.json; do
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$file" |
      sed -e ':a' -e 'N; s/\n  *--/ --/; ta' -e 'P; D' |
      grep -oE 'warpgrade (grade|check|export|doctor|report|labs|start)\b[^`#]*' | sed "s|^warpgrade |$file:|" || true
  done
)
exit "$failed"
