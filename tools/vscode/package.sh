#!/usr/bin/env bash
# Packs the extension: package.sh [file.vsix]. Its packer is pinned in package-lock.json and is
# installed by scripts/setup.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -x node_modules/.bin/vsce ]] || {
  echo 'error: no vsce; run scripts/setup first' >&2
  exit 3
}
./media.sh
exec node_modules/.bin/vsce package --no-dependencies --skip-license --allow-missing-repository \
  ${1:+--out "$1"}
