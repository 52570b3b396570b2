#!/bin/sh
# Puts dpdesigner into the menu of this user and opens .dpd files with it; the program stays in this folder. uninstall.sh undoes it.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd -P)
bin="$HOME/.local/bin"
data="${XDG_DATA_HOME:-$HOME/.local/share}"
made="$data/dpdesigner-installed"
# The folders that are made now, each before those in it, so that uninstall.sh can take them away again.
folders() {
  path=
  printf '%s\n' "$1" | tr / '\n' | while IFS= read -r name; do
    [ -n "$name" ] || continue
    path="$path/$name"
    if [ ! -d "$path" ]; then printf '%s\n' "$path"; fi
  done
}
if [ ! -f "$made" ]; then
  list=$({ folders "$bin"; folders "$data"; (cd -- "$here/share" && find . -type d) | while IFS= read -r folder; do
    folders "$data/${folder#./}"; done; } | sed 's,/\.$,,' | awk '!seen[$0]++')
  mkdir -p -- "$data"
  printf '%s\n' "$list" >"$made"
fi
mkdir -p -- "$bin" "$data/applications"
ln -sfn -- "$here/dpdesigner" "$bin/dpdesigner"
cp -R -- "$here/share/." "$data/"
# In a desktop entry a quoted argument has \ before " ` $ \, that \ is itself doubled once more, and % is %%.
quoted=$(printf '%s' "$here/dpdesigner" | sed -e 's/["`$\\]/\\&/g' -e 's/\\/\\\\/g' -e 's/%/%%/g')
EXEC="Exec=\"$quoted\" %f" awk '/^Exec=/ { print ENVIRON["EXEC"]; next } { print }' "$here/share/applications/dpdesigner.desktop" \
  >"$data/applications/dpdesigner.desktop"
if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" 2>/dev/null || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database "$data/applications" 2>/dev/null || true; fi
printf '%s\n' "dpdesigner is in the menu now, and as $bin/dpdesigner."
