# Fresh Debian roots, to install and run things in without touching this machine. Sourced.
# Needs root and mmdebstrap.
# shellcheck shell=bash

# Why a root cannot be made here; nothing if it can.
why_no_debian_root() {
  if ((EUID != 0)); then
    echo 'needs root'
  elif ! command -v mmdebstrap >/dev/null; then
    echo 'needs mmdebstrap (scripts/setup installs it)'
  elif ! unshare --mount --pid --fork true 2>/dev/null; then
    echo 'needs namespaces, which cannot be made here'
  fi
}

# make_debian_root <folder or .tar> <suite> [mmdebstrap's options and mirrors]
make_debian_root() {
  local target=$1 suite=$2 log
  shift 2
  # Ubuntu's releases are on another mirror; their keys are in the package ubuntu-keyring.
  case $suite in
    jammy | noble | resolute) set -- --components=main,universe "$@" http://archive.ubuntu.com/ubuntu ;;
  esac
  log=$(mktemp)
  if ! mmdebstrap --variant=apt "$suite" "$target" "$@" >"$log" 2>&1; then
    tail -20 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# in_root <root> <command...>: as root, in namespaces of its own for mounts and processes. By bubblewrap,
# not chroot: in a chroot nobody may make a user namespace, as the sandbox for submissions does. SHARED
# names folders, separated by spaces, that are visible inside at the same path.
in_root() {
  local root=$1 folder shared=()
  shift
  for folder in ${SHARED:-}; do shared+=(--bind "$folder" "$folder"); done
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  # /proc is bound, because one that bubblewrap mounts has parts covered, and then a user namespace
  # may not mount another.
  unshare --mount --pid --fork --mount-proc bwrap --bind "$root" / --bind /proc /proc \
    --dev-bind /dev /dev "${shared[@]}" --cap-add ALL --chdir / --clearenv \
    --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --setenv LANG C.UTF-8 --setenv HOME /root --setenv DEBIAN_FRONTEND noninteractive -- "$@"
}

# as_user <root> <user> <command line for sh>: in the home of a user, who is made when missing.
as_user() {
  if ! grep -q "^$2:" "$1/etc/passwd"; then  # useradd need not be there
    echo "$2:x:1000:1000::/home/$2:/bin/sh" >>"$1/etc/passwd"
    echo "$2:x:1000:" >>"$1/etc/group"
    install -d -o 1000 -g 1000 "$1/home/$2"
  fi
  in_root "$1" setpriv --reuid 1000 --regid 1000 --init-groups env "HOME=/home/$2" \
    sh -c "cd && { $3; }"
}
