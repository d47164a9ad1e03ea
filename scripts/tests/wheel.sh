#!/usr/bin/env bash
# The Python wheel gives programs that grade, where neither the sources nor the build folder are, and
# that load no library of the system's but those of every Linux.
# usage: wheel.sh <the build folder>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath "$1")
source=$PWD
for need in patchelf bwrap clang++; do
  command -v "$need" >/dev/null || {
    echo "skipped: $need is not installed; scripts/setup installs it"
    exit 77
  }
done
python3 -c 'import ensurepip' 2>/dev/null || {
  echo 'skipped: python3-venv is not installed; scripts/setup installs it'
  exit 77
}
if ! bwrap --dev-bind / / true 2>/dev/null; then
  echo 'skipped: bubblewrap cannot hide the sources here'
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  [[ ! -f $folder/out ]] || cat "$folder/out"
  echo "$1"
  exit 1
}

cmake --install "$build" --prefix "$folder/prefix" >"$folder/out"
scripts/wheel --prefix "$folder/prefix" "$folder/wheels"
rm -rf "$folder/prefix"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-index "$folder"/wheels/warpgrade-*.whl >"$folder/out" 2>&1 ||
  fail 'pip does not install the wheel'

# ldd fails for scripts, among them the nvcc for PyCUDA.
loaded=$(find "$folder/venv/bin/warpgrade" "$folder/venv/bin/warpsim" "$folder/venv/lib/warpgrade" -type f \
  \( -perm -u+x -o -name '*.so*' \) -exec sh -c 'ldd "$@" 2>/dev/null || true' sh {} + | awk '/=>/ {print $3}' | grep -v "^$folder/" | sort -u)
if grep -Ev '/(libc|libm|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' <<<"$loaded"; then
  fail 'these libraries are not in the wheel'
fi

cp reference/vecadd/solution.cu "$folder/vecadd.cu"
hide=(--dev-bind / / --tmpfs "$source" --tmpfs "$build" --bind "$folder" "$folder" --chdir "$folder")
XDG_CACHE_HOME=$folder/cache bwrap "${hide[@]}" venv/bin/warpgrade check vecadd vecadd.cu --sandbox none \
  --device emulator --compiler clang >"$folder/out" || fail 'the warpgrade of the wheel does not grade the reference'
bwrap "${hide[@]}" venv/bin/warpsim -- /bin/true || fail 'the warpsim of the wheel does not start a program'
bwrap "${hide[@]}" venv/bin/python -c '
import importlib.util, sys
sys.exit(importlib.util.find_spec("warpgrade_notebook") is None)' || fail 'the wheel has no warpgrade_notebook'
