# Sourced by the scripts: steps that are told, Debian packages, builds.

started_at=$SECONDS
log_folder=.cache/scripts
mkdir -p "$log_folder"

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s  (%d:%02d)\n' "$*" $(((SECONDS - started_at) / 60)) $(((SECONDS - started_at) % 60)); }
die() { printf '\n%s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "root is needed for: $*  (there is no sudo here; run that as root, then this again)"
  fi
}

# Prints a line now and then from what apt or ninja print, and keeps all of it in a file. (Not by awk: mawk reads a block at a time.)
progress_of() { # LOG PATTERN EVERY WORDS
  local line n=0
  tee "$1" | while IFS= read -r line; do
    if [[ $line =~ $2 ]] && ((++n % $3 == 0)); then say "   $n $4"; fi
  done
}

packages_in() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@" | sort -u; }

missing_of() { # PACKAGES…
  local installed
  # It fails when a package is not known at all, which is no failure here.
  installed=$({ dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true; } | awk '$2 == "installed" { print $1 }' | sort -u)
  comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$installed")
}

apt_install() { # PACKAGES…
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" 2>&1 </dev/null |
    progress_of "$log_folder/apt.log" '^Setting up ' 50 'packages set up'
}

apt_update() {
  say '   updating the package lists'
  as_root apt-get update >"$log_folder/apt-update.log" 2>&1 </dev/null || { tail -5 "$log_folder/apt-update.log"; return 1; }
}

# Installs what is missing of the named lists (scripts/packages/NAME.txt). A list that does not exist is an empty one.
install_packages() { # LISTS…
  local list files=() wanted missing
  for list in "$@"; do
    if [ -f "scripts/packages/$list.txt" ]; then files+=("scripts/packages/$list.txt"); fi
  done
  mapfile -t wanted < <(packages_in "${files[@]}")
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "   no apt here: these Debian packages, or what they are called here, must be installed: ${wanted[*]}"
    return 0
  fi
  mapfile -t missing < <(missing_of "${wanted[@]}")
  if [ ${#missing[@]} = 0 ]; then say "   all ${#wanted[@]} packages are installed"; return 0; fi
  say "   installing with apt-get, and what they depend on: ${missing[*]}"
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -s --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
    apt_update || die 'apt-get update failed'
  fi
  if ! apt_install "${missing[@]}"; then
    # The lists may name versions that the mirror no longer has.
    { apt_update && apt_install "${missing[@]}"; } || { tail -20 "$log_folder/apt.log"; die 'apt-get install failed (see above)'; }
  fi
  say "   done"
}

# Compilers of this size need memory: no more of them than fit.
jobs_that_fit() {
  awk -v cores="$(nproc)" '/^MemAvailable/ { fit = int($2 / 1200000); if (fit < 1) fit = 1; print (fit < cores ? fit : cores) }' /proc/meminfo
}

# Configures a build folder if need be, and builds.
build_in() { # FOLDER OPTIONS_OF_MESON -- TARGETS…
  local folder=$1 options=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
  if [ $# -gt 0 ]; then shift; fi
  if [ ! -f "$folder/build.ninja" ]; then
    meson setup "$folder" "${options[@]}" >"$log_folder/meson.log" 2>&1 || { tail -15 "$log_folder/meson.log"; die "meson setup $folder failed (see above)"; }
  fi
  if ! ninja -C "$folder" -j "$(jobs_that_fit)" "$@" 2>&1 </dev/null | progress_of "$log_folder/ninja.log" '^[[]' 10 'steps built'; then
    grep -v '^[[]' "$log_folder/ninja.log" | tail -40
    die "the build in $folder failed (see above)"
  fi
}
