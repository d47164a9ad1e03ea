#!/usr/bin/env bash
# What the documents take from data is current: pictures, figures of the handouts, the index of the pitfalls, coverage.
# And the check itself sees a change of each kind.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

command -v python3 >/dev/null || { echo 'skipped: needs python3'; exit 77; }
scripts/write_pages --check

# On a copy, because a test changes nothing in the tree.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r labs datasets docs scripts reference "$copy/"
mkdir -p "$copy/emulator/recording"
cp -r emulator/recording/pictures "$copy/emulator/recording/"
"$copy/scripts/write_pages" --check
changes=0
stale() { # what, the file to change, a sed command
  cp "$copy/$2" "$copy/kept"
  sed -i "$3" "$copy/$2"
  if cmp -s "$copy/kept" "$copy/$2"; then
    echo "$1: the test changes nothing; adapt it"
    exit 1
  fi
  if "$copy/scripts/write_pages" --check >/dev/null 2>&1; then
    echo "$1: not noticed"
    exit 1
  fi
  mv "$copy/kept" "$copy/$2"
  changes=$((changes + 1))
}
stale 'a time of the ladder' reference/scan/ladder.json 's/"modelled_ms": 0.0/"modelled_ms": 0.1/'
stale 'points of a tier' labs/gemm/lab.toml 's/^ratio = 1.3/ratio = 1.4/'
stale 'hours' labs/gemm/lab.toml 's/^hours = .*/hours = 99/'
stale 'a lab in the table of labs' docs/labs.md '/Matrix multiplication/d'
stale 'a figure in a handout' labs/scan/README.md '/^| 1 | Kogge-Stone/s/| [0-9.]* |$/| 65 |/'
stale 'a picture' docs/pictures/halo.svg 's/halo/rim/'
stale 'the pitfall of a mutant' reference/vecadd/wrong/no_guard.toml 's/^pitfall = "P1"/pitfall = "P17"/'
stale 'the pitfall of a whole program' reference/scan/wrong/no_fence.cu 's/^\/\/ pitfall: P33/\/\/ pitfall: P17/'
stale 'a word of a pitfall page' docs/pitfalls/P17.md 's/\*\*Cause.\*\*/**Cause.** The L2 cache./'
stale 'a section of the machine page' docs/machine.md 's/^## Atomics/## Atomic operations/'
stale 'a row of the coverage' docs/coverage.toml '/^S8 = /d'
stale 'a program of the gallery' reference/vecadd/plain/thread_per_element.cu 's/cudaFree(d_a)/cudaFree( d_a)/'
stale 'a picture of the gallery' emulator/recording/pictures/draw.js 's/number % 12/number % 11/'
stale 'a text of the gallery' scripts/pages/gallery/gallery.toml 's/have no element/lack an element/'
stale 'the line to a recording' docs/pitfalls/P22.md '/^\*\*Recording/d'
stale 'words of a covered file' labs/scan/README.md 's/is still slower than doubling/is slower/'
echo "$changes changes noticed"
