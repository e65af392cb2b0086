# Makes the packages of a version in build/packages. Sourced by ./dev and scripts/test-packages, behind scripts/wheels.sh.

package_folder=build/packages
# Dynamic libraries of Debian's releases differ, that of C excepted, so a program that loads them would be for one release.
options_of_debs=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DORRERY_UNITY=ON -DORRERY_STATIC=ON -DORRERY_DEBIAN=ON
  -DORRERY_TESTS=OFF)

# The version stands in one place.
project_version() { sed -n 's/^project(orrery VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt; }

# release VERSION: only of a clean tree, and only where all say that this is the version.
release() {
  local version=${1:-}
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "name the version that is to be released, such as ./dev release $(project_version)"
  require_version "$version" || exit 2
  [[ -z $(git status --porcelain) ]] ||
    die "some files differ from the commit, which the packages would not have: commit or remove them (git status)"
  setup build packages
  make_packages HEAD
  finish
}

# require_version VERSION: prints what says otherwise, as FILE:LINE:COLUMN.
require_version() {
  local version=$1 status=0
  says CMakeLists.txt "project(orrery VERSION $version " '^project\(' "write the version into project()" || status=1
  says CHANGELOG.md "## [$version] - " '^## \[' "add a section '## [$version] - DATE' that says what the version brings" || status=1
  says CITATION.cff "version: $version" '^version:' "write 'version: $version', and the date below it" || status=1
  return "$status"
}

# says FILE TEXT PLACE ADVICE: the file has a line that begins with the text. Otherwise the error names the first line that matches PLACE.
says() {
  local line
  if awk -v text="$2" 'index($0 " ", text) == 1 { found = 1 } END { exit !found }' "$1"; then return; fi
  line=$(grep -nE -m 1 "$3" "$1" | cut -d : -f 1) || true
  echo "$1:${line:-1}:1: error: this is not version $version; $4" >&2
  return 1
}

# make_packages COMMIT: what every kind of package is made of is the tarball, so all of them are of the commit.
make_packages() {
  local -x SOURCE_DATE_EPOCH
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$1")
  rm -rf "$package_folder"
  mkdir -p "$package_folder"
  counted stage "source tarball" make_tarball "$1" || return 0
  passed=$((passed + 1))
  check "Debian packages" make_debs
  make_wheels "$package_folder/source" "$package_folder/build" "$package_folder"
  rm -rf "${package_folder:?}/source" "$package_folder/build"
  check "checksums" make_checksums
  ls -l "$package_folder"
}

make_tarball() {
  local name
  name=orrery-$(project_version)
  git -c tar.umask=0022 archive --format=tar --prefix="$name/" "$1" | gzip -9n >"$package_folder/$name.tar.gz"
  mkdir "$package_folder/source"
  tar -xzf "$package_folder/$name.tar.gz" -C "$package_folder/source" --strip-components=1
}

make_debs() {
  local build=$package_folder/build
  cmake -S "$package_folder/source" -B "$build" "${options_of_debs[@]}" && cmake --build "$build" || return 1
  "$build/orrery" --version | grep -q 'linked statically' || {
    note "the program could not be linked statically"
    return 1
  }
  (cd "$build" && cpack) && cp "$build"/packages/*.deb "$package_folder"
}

make_checksums() { (cd "$package_folder" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum -- >SHA256SUMS); }
