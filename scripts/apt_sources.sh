# Reads the machine's own apt sources. Sourced by scripts/setup and its test.
# shellcheck shell=bash

# apt_sources <apt folder>: one line for each enabled binary source of either format,
#   <uri> TAB <suite> TAB <options of the one-line format, e.g. signed-by=/path arch=amd64>
# where the folder is laid out like /etc/apt: sources.list, sources.list.d/*.list and *.sources.
apt_sources() {
  local folder=$1 file
  for file in "$folder/sources.list" "$folder"/sources.list.d/*.list; do
    [[ -r $file ]] && one_line_sources "$file"
  done
  for file in "$folder"/sources.list.d/*.sources; do
    [[ -r $file ]] && deb822_sources "$file"
  done
  return 0
}

# deb [key=value ...] uri suite component...
one_line_sources() {
  awk '
    /^[ \t]*deb[ \t]/ {
      sub(/#.*/, "")
      sub(/^[ \t]*deb[ \t]+/, "")
      options = ""
      if (match($0, /^\[[^]]*\][ \t]*/)) {
        options = substr($0, 1, RLENGTH)
        $0 = substr($0, RLENGTH + 1)
        gsub(/^\[[ \t]*|[ \t]*\][ \t]*$/, "", options)
      }
      if (NF >= 2) printf "%s\t%s\t%s\n", $1, $2, options
    }' "$1"
}

# Stanzas of "Field: value", separated by empty lines; values continue on indented lines. A key
# written out in the stanza (not a path) cannot be carried over and leaves the options empty.
deb822_sources() {
  awk '
    function flush_stanza(  i, j, uris, suites, n, m, options) {
      if (field["types"] ~ /(^|[ \t])deb($|[ \t])/ && tolower(field["enabled"]) !~ /^no$/) {
        options = field["signed-by"] ~ /^\// ? "signed-by=" field["signed-by"] : ""
        n = split(field["uris"], uris, /[ \t]+/)
        m = split(field["suites"], suites, /[ \t]+/)
        for (i = 1; i <= n; i++)
          for (j = 1; j <= m; j++) printf "%s\t%s\t%s\n", uris[i], suites[j], options
      }
      delete field
      name = ""
    }
    /^#/ { next }
    /^[ \t]*$/ { flush_stanza(); next }
    /^[ \t]/ { sub(/^[ \t]+/, ""); if (name != "") field[name] = field[name] " " $0; next }
    {
      colon = index($0, ":")
      name = tolower(substr($0, 1, colon - 1))
      value = substr($0, colon + 1)
      gsub(/^[ \t]+|[ \t]+$/, "", value)
      field[name] = value
    }
    END { flush_stanza() }' "$1"
}

# has_suite <apt folder> <suite>
has_suite() {
  apt_sources "$1" | cut -f 2 | grep -qx -- "$2"
}

# backports_line <apt folder> <codename>: the one-line source that adds <codename>-backports from
# the mirror that serves <codename> itself; fails when no source does.
backports_line() {
  local uri suite options
  while IFS=$'\t' read -r uri suite options; do
    if [[ $suite == "$2" ]]; then
      printf 'deb %s%s %s-backports main\n' "${options:+[$options] }" "$uri" "$2"
      return 0
    fi
  done < <(apt_sources "$1")
  return 1
}
