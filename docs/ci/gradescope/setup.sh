#!/usr/bin/env bash
# Gradescope runs this once, as root, to make the autograder's image. The zip that you upload holds this
# file, run_autograder and the package, warpgrade_*_amd64.deb. Choose Ubuntu 24.04 as base: older
# releases lack libraries that the package needs.
set -euo pipefail

source=${AUTOGRADER:-/autograder}/source
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  "$source"/warpgrade_*.deb lld
