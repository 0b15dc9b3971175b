#!/bin/sh
# Removes from the folder of packages $1 what nothing loads: types, sources, maps, and native code for other machines. Licences stay.
set -eu
cd "$1"
find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete
find . -type f -name '*.md' ! -iname '*licen*' ! -iname '*notice*' -delete
rm -rf better-sqlite3/deps better-sqlite3/src isolated-vm/src isolated-vm/vendor isolated-vm/*.tgz
machine=$(node --print process.arch)
find better-sqlite3/prebuilds -type f ! -name "linux-$machine.node" -delete
find isolated-vm/prebuilds -type f ! -path "*/linux-$machine/*.glibc.node" -delete
find . -depth -type d -empty -delete
