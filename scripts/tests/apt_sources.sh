#!/usr/bin/env bash
# scripts/apt_sources.sh reads both formats of apt sources, and finds the mirror for backports.
set -euo pipefail
# shellcheck source=scripts/apt_sources.sh
source scripts/apt_sources.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

expect() {  # <what> <want> <got>
  if [[ $2 != "$3" ]]; then
    printf 'FAILED: %s\n  want: %q\n  got:  %q\n' "$1" "$2" "$3"
    failed=1
  fi
}

fresh() {
  rm -rf "${folder:?}"/*
  mkdir -p "$folder/sources.list.d"
}

fresh
expect 'an empty folder has no sources' '' "$(apt_sources "$folder")"

cat >"$folder/sources.list" <<'EOF'
# deb http://off.example/debian bookworm main
deb-src http://src.example/debian bookworm main
deb http://mirror.example/debian bookworm main contrib # a comment
deb [ arch=amd64 signed-by=/k.gpg ] http://keyed.example/debian trixie main
EOF
expect 'the one-line format: comments and source lines are left out, options are kept' \
  $'http://mirror.example/debian\tbookworm\t\nhttp://keyed.example/debian\ttrixie\tarch=amd64 signed-by=/k.gpg' \
  "$(apt_sources "$folder")"
expect 'backports come from the mirror that serves the release' \
  'deb http://mirror.example/debian bookworm-backports main' \
  "$(backports_line "$folder" bookworm)"
expect 'the options are carried over' \
  'deb [arch=amd64 signed-by=/k.gpg] http://keyed.example/debian trixie-backports main' \
  "$(backports_line "$folder" trixie)"
expect 'a release that nobody serves has no line' 'none' \
  "$(backports_line "$folder" sid || echo none)"
expect 'a suite whose name only starts alike is another suite' 'no' \
  "$(has_suite "$folder" bookworm-backports && echo yes || echo no)"

fresh
cat >"$folder/sources.list.d/debian.sources" <<'EOF'
# the first stanza is switched off
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
Enabled: no

Types: deb deb-src
URIs: mirror+file:/etc/apt/mirror.list
# a comment inside a stanza
Suites: bookworm
 bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian.gpg

Types: deb-src
URIs: http://src.example/debian
Suites: bookworm
Components: main

Types: deb
URIs: http://inline.example/debian
Suites: trixie trixie-backports
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQINBF
EOF
expect 'the deb822 format: stanzas, continued values, keys by path only' \
  $'mirror+file:/etc/apt/mirror.list\tbookworm\tsigned-by=/usr/share/keyrings/debian.gpg
mirror+file:/etc/apt/mirror.list\tbookworm-updates\tsigned-by=/usr/share/keyrings/debian.gpg
http://inline.example/debian\ttrixie\t
http://inline.example/debian\ttrixie-backports\t' \
  "$(apt_sources "$folder")"
expect 'backports from a deb822 source keep its key' \
  'deb [signed-by=/usr/share/keyrings/debian.gpg] mirror+file:/etc/apt/mirror.list bookworm-backports main' \
  "$(backports_line "$folder" bookworm)"
expect 'a backports suite that is there is found' 'yes' \
  "$(has_suite "$folder" trixie-backports && echo yes || echo no)"

exit "$failed"
