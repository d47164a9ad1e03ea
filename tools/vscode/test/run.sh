#!/usr/bin/env bash
# The extension's tests: run.sh <warpsim> <warpgrade> <program of the debugger's tests> <its source>.
# Exit code 77, which CTest shows as skipped, without a browser, node or the packages.
set -euo pipefail
export WARPSIM=$1 WARPGRADE=$2 DEBUG_PROGRAM=$3 DEBUG_SOURCE=$4
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
  echo "skipped: $1; scripts/setup installs it"
  exit 77
}

CHROMIUM=""
for name in chromium chromium-browser google-chrome; do
  CHROMIUM=$(command -v "$name") && break
done
[[ -n $CHROMIUM ]] || skip 'no chromium'
command -v node >/dev/null || skip 'no node'
[[ -d node_modules/playwright-core && -d node_modules/@vscode/vsce ]] || skip 'no node_modules here'
export CHROMIUM
./media.sh
exec node --test test/
