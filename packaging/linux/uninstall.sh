#!/bin/sh
# Undoes install.sh: takes dpdesigner out of the menu of this user. Designs and this folder stay.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd -P)
bin="$HOME/.local/bin"
data="${XDG_DATA_HOME:-$HOME/.local/share}"
if [ "$(readlink -- "$bin/dpdesigner" 2>/dev/null || true)" = "$here/dpdesigner" ]; then rm -f -- "$bin/dpdesigner"; fi
(cd -- "$here/share" && find . -type f) | while IFS= read -r file; do rm -f -- "$data/$file"; done
if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" 2>/dev/null || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database "$data/applications" 2>/dev/null || true; fi
printf '%s\n' "dpdesigner is no longer in the menu; its folder may be deleted."
