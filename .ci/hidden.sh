#!/usr/bin/env bash
# Runs a command that sees a /usr without some files: bash hidden.sh "PATH..." COMMAND ARG... in a mount namespace of its
# own. The files are deleted in a layer of memory over /usr, which ends with the namespace.
set -eu
paths=$1
shift
layers=$(mktemp -d)
mount -t tmpfs tmpfs "$layers"
mkdir "$layers/upper" "$layers/work"
mount -t overlay overlay -o "lowerdir=/usr,upperdir=$layers/upper,workdir=$layers/work" /usr
while IFS= read -r path; do
  case $path in
    /usr/*) if [ -f "$path" ] || [ -L "$path" ]; then rm -f "$path"; fi ;;
  esac
done <<<"$paths"
exec "$@"
