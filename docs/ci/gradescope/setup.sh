#!/usr/bin/env bash
# Gradescope runs this once, as root, to make the autograder's image. The zip that you upload holds
# this file, run_autograder and the whole repository as warpgrade/. Choose Ubuntu 24.04 as base:
# older releases have no CMake that is new enough.
set -euo pipefail

source=${AUTOGRADER:-/autograder}/source
apt-get update -qq
if ! command -v nvcc >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nvidia-cuda-toolkit
fi
cd "$source/warpgrade"
scripts/setup
cmake --preset release
cmake --build --preset release --target product
ln -sf "$PWD/build/bin/warpgrade" /usr/local/bin/warpgrade
