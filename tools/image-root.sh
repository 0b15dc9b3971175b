#!/bin/sh
# Makes the root of the images in the folder $1: Node.js without its symbols, and of Debian the files of the packages that it, the sandbox and
# tini need. A root with all of Debian's and Node's images would take 120 MB more, which nothing here runs.
set -eu
root=$1
packages='base-files base-passwd bubblewrap coreutils dash libacl1 libatomic1 libattr1 libc6 libcap2 libcap-ng0 libgcc-s1 libgmp10 libpcre2-8-0 libselinux1 libstdc++6 tini'

# Links on Debian, which must be there before anything is put below them.
for name in bin sbin lib lib64; do
  mkdir -p "$root/usr/$name"
  ln -sfn "usr/$name" "$root/$name"
done
copy() {
  while read -r path; do
    if [ -e "$path" ] && [ ! -d "$path" ]; then echo "${path#/}"; fi
  done | tar --create --directory=/ --files-from=- | tar --extract --keep-directory-symlink --directory="$root"
}
# Where scanners look for what is installed.
note() {
  mkdir -p "$root/var/lib/dpkg/status.d"
  dpkg-query --status "$1" > "$root/var/lib/dpkg/status.d/$1"
}
for package in $packages; do
  { dpkg --listfiles "$package" | grep --extended-regexp --invert-match '^/usr/(share/(locale|man|lintian|bash-completion|zsh)|lib/[^/]+/gconv)/' |
    grep --extended-regexp --invert-match '^/usr/share/doc/[^/]+/[^/]+$' || true; echo "/usr/share/doc/$package/copyright"; } | copy
  note "$package"
done
# Of util-linux this one alone: it starts a worker with fewer rights.
{ command -v setpriv; echo /usr/share/doc/util-linux/copyright; } | copy
note util-linux
ln -sf dash "$root/usr/bin/sh"
mkdir -p "$root/usr/local/bin" "$root/etc" "$root/proc" "$root/dev" "$root/sys" "$root/app"
mkdir -p -m 1777 "$root/tmp"
cp /etc/passwd /etc/group "$root/etc/"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
strip -o "$root/usr/local/bin/node" "$(command -v node)"
