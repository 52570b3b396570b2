#!/bin/sh
# Puts dpdesigner into the menu of this user and opens .dpd files with it; the program stays in this folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin="$HOME/.local/bin"
data="${XDG_DATA_HOME:-$HOME/.local/share}"
mkdir -p "$bin" "$data"
ln -sf "$here/dpdesigner" "$bin/dpdesigner"
cp -R "$here/share/." "$data/"
sed -i "s|^Exec=.*|Exec=\"$here/dpdesigner\" %f|" "$data/applications/dpdesigner.desktop"
if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" 2>/dev/null || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database "$data/applications" 2>/dev/null || true; fi
echo "dpdesigner is in the menu now, and as $bin/dpdesigner."
