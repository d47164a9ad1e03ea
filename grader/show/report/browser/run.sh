#!/usr/bin/env bash
# Makes pages and looks at them in a browser: run.sh <tests> <command>... The command gets a folder as its last argument and
# writes the pages into it; what it prints is kept there as rendered.json. Exit code 77, which CTest shows as skipped, if
# there is no browser or no node, or npm ci was not run, here or beside tests that have packages of their own.
set -euo pipefail
tests=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")"

skip() {
  echo "skipped: $1; scripts/setup installs it"
  exit 77
}

browser=""
for name in chromium chromium-browser google-chrome; do
  browser=$(command -v "$name") && break
done
[[ -n $browser ]] || skip 'no chromium'
command -v node >/dev/null || skip 'no node'
[[ -d node_modules/playwright-core && -d node_modules/axe-core ]] || skip 'no node_modules here'
if [[ -f ${tests%/*}/package.json ]]; then
  [[ -d ${tests%/*}/node_modules ]] || skip "no node_modules in ${tests%/*} (which need node 20 or newer)"
fi

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$@" "$pages" >"$pages/rendered.json"
PAGES=$pages CHROMIUM=$browser node --test "$tests"
