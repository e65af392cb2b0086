# Which packages each kind of work needs, and how they get onto the machine. Sourced by ./dev.

# Installs what is missing for the given kinds of work; quick when nothing is.
setup() {
  local kind packages=(g++ cmake ninja-build libcli11-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev
    libpugixml-dev libsqlite3-dev zlib1g-dev libgtest-dev esbuild node-vega)
  if [[ ${CXX:-} == clang* ]]; then packages+=(clang); fi
  for kind; do
    case $kind in
      build) ;;
      lint) packages+=(clang clang-format clang-tidy) ;;
      fuzz) packages+=(clang lld) ;;
      bench) packages+=(libbenchmark-dev time valgrind) ;;
      ci) packages+=(clang-format python3 zsh fish mandoc man-db groff-base) ;;
      python) packages+=(python3 python3-dev python3-venv pkg-config) ;;
      oracle) packages+=(libsimgrid-dev python3) ;;
      readers) packages+=(python3 python3-venv) ;;
      browser) packages+=(chromium fonts-dejavu-core) ;;
      site) packages+=(python3 python3-venv chromium fonts-dejavu-core) ;;
      slurm) packages+=(slurm-wlm munge) ;;
      packages) packages+=(debootstrap dpkg-dev file gzip git lintian python3 python3-dev python3-venv) ;;
      *) die "setup knows build, lint, fuzz, bench, ci, python, oracle, readers, browser, slurm, packages and site, not '$kind'" ;;
    esac
  done
  if ! command -v apt-get >/dev/null; then
    note "this is no Debian or Ubuntu; what is needed here is called there: ${packages[*]}"
    return 0
  fi
  install "${packages[@]}" || return 1
  [[ " $* " != *" site "* ]] || environment "$site_tools" -r scripts/site/requirements.txt || return 1
  # The sanitizers and libFuzzer are a package of their own, named after clang's version.
  [[ " $* " != *" fuzz "* ]] || install "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
}

# What builds the site comes from PyPI, in the version that scripts/site/requirements.txt names.
site_tools=build/site-tools

# environment FOLDER ARGUMENT...: a virtual environment with what pip installs when it has these arguments. It stays as it is while they and the
# files that are among them stay the same.
environment() {
  local folder=$1 argument wanted
  wanted=$(for argument in "${@:2}"; do if [[ -f $argument ]]; then cat "$argument"; else echo "$argument"; fi; done)
  [[ $(cat "$folder/wanted" 2>/dev/null) != "$wanted" ]] || return 0
  stage "install into $folder" environment_now "$@" || {
    note "could not install into $folder: ${*:2}"
    return 1
  }
}

environment_now() {
  python3 -m venv --clear "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}" && echo "$wanted" >"$1/wanted"
}

install() {
  local missing apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
  mapfile -t missing < <(missing_of "$@")
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      note "missing packages; as root: apt-get install --no-install-recommends ${missing[*]}"
      return 1
    fi
    apt=(sudo "${apt[@]}")
  fi
  # A failed update leaves the old lists, which may do.
  stage "install ${missing[*]}" install_now || {
    note "could not install: ${missing[*]}"
    return 1
  }
}

install_now() {
  "${apt[@]}" update || true
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# Those of the given packages that are not installed.
missing_of() {
  local installed package
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p') || true
  for package; do grep -qxF -e "$package" <<<"$installed" || echo "$package"; done
}
