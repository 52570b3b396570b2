#!/bin/sh
# Undoes install.sh: takes dpdesigner out of the menu of this user, with all that install.sh has made. Designs and this folder stay.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd -P)
bin="$HOME/.local/bin"
data="${XDG_DATA_HOME:-$HOME/.local/share}"
made="$data/dpdesigner-installed"
if [ "$(readlink -- "$bin/dpdesigner" 2>/dev/null || true)" = "$here/dpdesigner" ]; then rm -f -- "$bin/dpdesigner"; fi
(cd -- "$here/share" && find . -type f) | while IFS= read -r file; do rm -f -- "$data/$file"; done
# What the system's tools have made of the types and entries: without any left it goes, otherwise it is made again.
if [ -z "$(ls -A -- "$data/mime/packages" 2>/dev/null)" ]; then
  for file in aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version XMLnamespaces; do
    rm -f -- "$data/mime/$file"
  done
  rm -f -- "$data/mime/application/x-dpdesigner.xml"
  rmdir -- "$data/mime/application" 2>/dev/null || true
elif command -v update-mime-database >/dev/null; then
  update-mime-database "$data/mime" 2>/dev/null || true
fi
if [ -z "$(find "$data/applications" -name '*.desktop' 2>/dev/null | head -n 1)" ]; then
  rm -f -- "$data/applications/mimeinfo.cache"
elif command -v update-desktop-database >/dev/null; then
  update-desktop-database "$data/applications" 2>/dev/null || true
fi
if [ -f "$made" ]; then
  folders=$(sort -r -- "$made")
  rm -f -- "$made"
  printf '%s\n' "$folders" | while IFS= read -r folder; do
    if [ -n "$folder" ]; then rmdir -- "$folder" 2>/dev/null || true; fi
  done
fi
printf '%s\n' "dpdesigner is no longer in the menu; its folder may be deleted."
