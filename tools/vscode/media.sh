#!/usr/bin/env bash
# Puts the pictures of recordings into media/, which the panels show: one script and one style sheet.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
pictures=../../emulator/recording/pictures
mapfile -t scripts <"$pictures/scripts.txt"
(cd "$pictures" && cat "${scripts[@]}") >media/warp.js
cp "$pictures/pictures.css" media/warp.css
