#!/usr/bin/env bash
# Packs a build, installs the package in a fresh Debian 12 by the steps of docs/ci/Dockerfile, and uses
# it there as an ordinary user, sandbox included; then the archive, in a folder that was moved. Nothing
# of this machine is visible inside. Prints times and sizes. Exit code 77: not possible here.
# usage: scripts/tests/package.sh <a build folder>    (`ctest --preset package` runs it)
#   PACKAGES  a folder with packages that are there already, instead of packing the build
#   ROOT_TAR  an archive of a fresh root, made by mmdebstrap before
#   SUITE     another release: trixie, or noble of Ubuntu (the tests package_trixie and package_noble)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/debian_root.sh
source scripts/debian_root.sh
skip_unless_asked
why=$(why_no_debian_root)
if [[ -n $why ]]; then
  echo "skipped: $why"
  exit 77
fi
suite=${SUITE:-bookworm}
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
root=$scratch/root
mkdir "$root"

packages=${PACKAGES:-}
if [[ -z $packages ]]; then
  packages=$scratch/packages
  start=$SECONDS
  BUILD=${1:?usage: package.sh <a build folder>} scripts/package "$packages"
  note "packed in $((SECONDS - start)) s"
fi
processor=$(dpkg --print-architecture)
deb=$(echo "$packages"/warpgrade_*_"$processor".deb)
archive=$(echo "$packages"/warpgrade-*-"$(uname -m)".tar.gz)
if [[ $suite != "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" ]] &&
  dpkg -f "$deb" Depends | grep -q libfmt; then
  echo "skipped: this build needs the fmt of the release that it was built on; run scripts/package, then" \
    "this test with PACKAGES=out/package"
  exit 77
fi

start=$SECONDS
[[ -n ${ROOT_TAR:-} ]] || {
  ROOT_TAR=$scratch/root.tar
  make_debian_root "$ROOT_TAR" "$suite" || {
    echo 'skipped: no fresh root; is there a mirror?'
    exit 77
  }
}
tar -C "$root" -xf "$ROOT_TAR"
note "a fresh $suite in $((SECONDS - start)) s"

# What docker build would do, but for layers. Knows the instructions that the file has.
dockerfile_steps() {
  sed -e '/^#/d' -e ':a' -e '/\\$/N; s/\\\n//; ta' docs/ci/Dockerfile
}
run_dockerfile() {
  local name rest source target
  # shellcheck disable=SC2016  # the Dockerfile's own variable
  local variable='${TARGETARCH}'
  while read -r name rest; do
    rest=${rest//"$variable"/$processor}
    case $name in
      '' | ARG | CMD | WORKDIR) ;;
      FROM) [[ $rest == debian:12* ]] || { echo "the Dockerfile begins with $rest"; return 1; } ;;
      COPY)
        read -r source target <<<"$rest"
        # shellcheck disable=SC2086  # a pattern
        cp "$packages"/$source "$root$target" || return 1
        ;;
      RUN) in_root "$root" sh -c "$rest" || return 1 ;;
      *) echo "the Dockerfile has $name, which this test does not know"; return 1 ;;
    esac
  done < <(dockerfile_steps)
}
used() { du -sm --one-file-system "$root" | cut -f 1; }
before=$(used)
start=$SECONDS
run_dockerfile >"$scratch/log" 2>&1 </dev/null || {
  tail -20 "$scratch/log"
  echo 'the steps of docs/ci/Dockerfile failed'
  exit 1
}
installed=$((SECONDS - start))
note "installed in $installed s: $(du -h "$deb" | cut -f 1) package," \
  "$(($(used) - before)) MB with its dependencies"

failed=0
expect() {  # <exit code> <text> <command>
  local status=0 began=$SECONDS
  as_user "$root" student "$3" >"$scratch/out" 2>&1 </dev/null || status=$?
  if ((status == $1)) && [[ -z $2 || $(<"$scratch/out") =~ $2 ]]; then
    note "$((SECONDS - began)) s: $3"
  else
    echo "failed: $3: exit code $status, wanted $1 and '$2'; it printed:"
    sed 's/^/  /' "$scratch/out"
    failed=1
  fi
}
use() {  # <folder of the programs, with a slash> <share/warpgrade>
  expect 0 vecadd "$1warpgrade labs"
  expect 0 'Your folder' "$1warpgrade start vecadd"
  expect 1 '' "$1warpgrade check vecadd vecadd/vecadd.cu --sandbox bubblewrap"  # the stub
  expect 0 '' "cp $2/reference/vecadd/solution.cu vecadd/vecadd.cu &&
    $1warpgrade check vecadd vecadd/vecadd.cu --sandbox bubblewrap"
  expect 0 '' 'cd / && '"$1warpgrade check vecadd ~/vecadd/vecadd.cu"
  expect 0 'P1' "$1warpgrade explain"
  expect 0 'no findings' "printf '%s\n' '__global__ void k() {}' \
    'int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >k.cu &&
    $1clang_cuda -o k k.cu && $1warpsim --counters -- ./k"
}
start=$SECONDS
expect 0 'Your folder' 'warpgrade start vecadd'
expect 0 '' "cp /usr/share/warpgrade/reference/vecadd/solution.cu vecadd/vecadd.cu &&
  warpgrade check vecadd vecadd/vecadd.cu --sandbox bubblewrap"
note "from the package to the first grade: $((installed + SECONDS - start)) s, the download of what it needs included"
as_user "$root" student 'rm -rf vecadd'
use '' /usr/share/warpgrade
expect 0 'start' "bash -c 'source /usr/share/bash-completion/completions/warpgrade;
  COMP_WORDS=(warpgrade st) COMP_CWORD=1; _warpgrade; echo \${COMPREPLY[@]}'"

# The archive needs what the package depends on.
# shellcheck disable=SC2016  # expanded inside
in_root "$root" sh -c 'apt-mark manual $(dpkg-query -W -f "\${Package} ") && apt-get remove -y warpgrade' \
  >"$scratch/log" 2>&1 </dev/null || { tail "$scratch/log"; exit 1; }
cp "$archive" "$root/home/student/archive.tar.gz"
expect 0 '' 'rm -rf vecadd && mkdir first && tar -C first -xf archive.tar.gz && mv first/* moved'
use /home/student/moved/bin/ /home/student/moved/share/warpgrade
exit "$failed"
