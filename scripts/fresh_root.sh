# Makes new Debian systems in folders and runs commands in them, as root, with debootstrap. Sourced.

# new_root SUITE FOLDER: a new system with git, in a folder that does not exist yet. Packages come from where this machine's apt gets
# them. What it mounts has to be given back by leave_root.
new_root() {
  local suite=$1 root=$2 mirror
  mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && !/security/ { print $2; exit }')
  [[ -n $mirror ]] || fail "apt knows no Debian mirror; run apt-get update"
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  export http_proxy=${http_proxy:-} https_proxy=${https_proxy:-}

  debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$root" "$mirror"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
  # Access to the mirror as on this machine; the rest is Debian's own.
  apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$root/etc/apt/apt.conf.d/90mirror" || true
}

# leave_root FOLDER: gives back what is mounted, so that the folder can be removed.
leave_root() {
  local place
  for place in proc dev; do
    if mountpoint -q "$1/$place"; then umount "$1/$place"; fi
  done
}

# in_root FOLDER [NAME=VALUE...] COMMAND...: nothing of this machine's environment is seen there.
in_root() {
  chroot "$1" /usr/bin/env -i HOME=/ PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "${@:2}" </dev/null
}

# require_roots: fails where new systems cannot be made.
require_roots() {
  ((EUID == 0)) || fail "only root can do this"
  command -v debootstrap >/dev/null || fail "install debootstrap"
}
