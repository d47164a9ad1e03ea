#!/usr/bin/env bash
# run.sh <folder of warpgrade and warpsim>: executes a notebook with the Python that has the packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=python3
# Debian's packages are for its own Python, which need not be the first in PATH.
for candidate in /usr/bin/python3 python3; do
  "$candidate" -c 'import nbclient' 2>/dev/null && python=$candidate && break
done
exec "$python" "$here/notebook_test.py" "$1"
