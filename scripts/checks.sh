# Builds and checks. Sourced by ./dev.

# build PRESET [TARGET]
build() { stage "build $*" build_now "$@"; }

# With ORRERY_WERROR=ON in the environment warnings are errors, whatever the preset says.
build_now() { cmake --preset "$1" ${ORRERY_WERROR:+"-DORRERY_WERROR=$ORRERY_WERROR"} && cmake --build --preset "$1" ${2:+--target "$2"}; }

# build_beside PRESET: begins to build while other stages go on, which have precedence. `wait` before the stage that builds the rest,
# and shows what is wrong.
build_beside() {
  mkdir -p "$logs"
  (
    renice -n 19 "$BASHPID"
    build_now "$1"
  ) >"$(log_of "build $1 beside")" 2>&1 </dev/null &
}

# build_and_test PRESET [FILTER]: the tests that the filter (as --gtest_filter) lets through
build_and_test() {
  local preset=$1 filter=${2:-*}
  counted build "$preset" || return 0
  count "test $preset" scripts/run-tests "build/$preset/orrery_tests" "$filter" "build/$preset/shards"
}

# count NAME COMMAND...: a stage that counts its tests itself and prints how many passed and failed.
count() {
  local good bad
  stage "$@" || true
  # "98 passed, 2 failed"; without that line the script itself failed.
  read -r good bad < <(awk '/^[0-9]+ passed, [0-9]+ failed$/ { print $1, $3; found = 1 } END { if (!found) print 0, 1 }' \
    "$(log_of "$1")")
  passed=$((passed + good))
  failed=$((failed + bad))
}

# against_simgrid: when flows end on random graphs, compared with SimGrid; it fails where SimGrid cannot be installed.
against_simgrid() {
  setup oracle || return 1
  counted build release orrery && counted build release simgrid_flows || return 0
  count "flows against SimGrid" scripts/check-against-simgrid build/release/orrery build/release/simgrid_flows
}

# against_readers: timelines, read by the programs that people read them with; it fails where these cannot be installed.
against_readers() {
  local readers=build/timeline-readers
  # Holistic Trace Analysis puts larger numbers into columns of small ones than pandas 3 allows.
  setup readers && environment "$readers" perfetto HolisticTraceAnalysis 'pandas<3' || return 1
  counted build release orrery || return 0
  count "timelines" "$readers/bin/python" scripts/check-timelines build/release/orrery
}

# in_python: the Python package and its tests, programs that use the installed library, and a wheel in an environment of its own.
in_python() {
  local venv=build/python-venv
  setup python && environment "$venv" -r python/requirements-test.txt -r python/requirements-executors.txt -r python/requirements-wheel.txt || return 1
  counted stage "build python" build_python "$venv" || return 0
  count "python" scripts/test-python build/release "$venv/bin/python"
  count "library" scripts/test-library build/release "$@"
  check "source distribution" sdist_is_whole "$venv"
  counted stage "make a wheel" wheel_of_build "$venv" || return 0
  count "installed wheel" scripts/test-wheel build/wheels "$venv/bin/python"
}

# Everything that is installed, but no tests.
build_python() {
  cmake --preset release -DORRERY_PYTHON=ON -DPython_EXECUTABLE="$PWD/$1/bin/python" &&
    cmake --build --preset release --target orrery orrery_manual orrery_shared orrery_python
}

# What pip compiles where no wheel fits has every file that git does not ignore.
sdist_is_whole() {
  rm -rf build/sdist
  "$1/bin/python" -c 'from scikit_build_core.build import build_sdist; build_sdist("build/sdist")' &&
    diff <(git ls-files -co --exclude-standard | sort) <(tar -tzf build/sdist/*.tar.gz | sed -n 's,^[^/]*/\(.*[^/]\)$,\1,p' | grep -vx PKG-INFO | sort)
}

# The wheel is made of what has been built; then the build folder forgets what scikit-build-core has set.
wheel_of_build() {
  rm -rf build/wheels
  make_wheel "$1" . build/release build/wheels cmake.define.ORRERY_LIBRARY=ON cmake.define.ORRERY_TESTS=ON || return 1
  cmake --preset release -U 'SKBUILD*' -U 'P[yY][tT][hH][oO][nN]*' -U CMAKE_INSTALL_PREFIX -U CMAKE_PREFIX_PATH -U CMAKE_MODULE_PATH \
    -DPython_EXECUTABLE="$PWD/$1/bin/python"
}

# check_packaging: the recipe for conda, CITATION.cff, and that everything names one version; it fails where the packages that
# check this cannot be installed.
check_packaging() {
  local checkers=build/package-checkers
  setup readers && environment "$checkers" cffconvert jinja2 pyyaml || return 1
  check "packaging" "$checkers/bin/python" scripts/check-packaging
  check "packaging check catches" env PYTHON="$checkers/bin/python" scripts/test-check-packaging
  check "citation" "$checkers/bin/cffconvert" --validate -i CITATION.cff
}

# in_new_systems: packages are made and tried in new Debian systems; it fails where these cannot be made.
in_new_systems() {
  setup packages && ((EUID == 0)) || return 1
  count "packages in new systems" scripts/test-packages
}

# Layers, headers and what else is checked of the source itself.
check_source() {
  check "checks of the source" ctest --test-dir build/release --label-regex check --parallel "$cores" \
    --output-on-failure --no-tests=error
}

# in_browser: pages about results, opened in Chromium; it fails where that cannot be installed.
in_browser() {
  setup browser && command -v chromium >/dev/null || return 1
  counted build release orrery && counted build release write_study_page || return 0
  count "pages in a browser" scripts/check-pages build/release/orrery
}

# on_slurm [--all]: a cluster of Slurm on this machine, and sweeps there; it fails where only root could start it or its packages cannot be
# installed.
on_slurm() {
  ((EUID == 0)) && setup slurm && command -v slurmctld >/dev/null || return 1
  count "cluster of Slurm" tests/slurm/cluster_test
  counted build release orrery || return 0
  count "sweeps by Slurm" tests/slurm/sweep_test build/release/orrery "$@"
}

# make_site: the documentation as a site, in build/site; it fails where what builds it cannot be installed.
make_site() {
  setup build site || return 1
  counted build release orrery || return 0
  check "site" scripts/make-site build/release/orrery "$site_tools"
}

# site_holds: the site is built, its links lead somewhere, and it can be read and searched without a network.
site_holds() {
  make_site || return 1
  count "pages of the site" scripts/check-site build/release/orrery
}

# Every C++ file, each followed by a zero byte.
sources() { find . -path ./build -prune -o -name '*.[ch]pp' -print0; }

# Other versions of clang-format break lines differently.
clang_format() {
  local program
  for program in clang-format-14 clang-format; do
    if "$program" --version 2>/dev/null | grep -q 'version 14\.'; then echo "$program" && return; fi
  done
  return 1
}

check_format() {
  local program
  if program=$(clang_format); then
    check "formatting" is_formatted "$program"
  else
    note "clang-format 14 is not here: formatting was not checked"
  fi
}

is_formatted() { sources | xargs -0 -P "$cores" -n 100 "$1" --dry-run -Werror; }

clang_tidy() {
  cmake --preset clang &&
    find src -name '*.cpp' ! -name '*_test.cpp' ! -name '*_bench.cpp' -print0 |
    xargs -0 -n 1 -P "$cores" clang-tidy --quiet -p build/clang
}

# fuzz_all SECONDS [TARGET...]: as many at a time as there are cores; every target counts as a test
fuzz_all() {
  local seconds=$1 targets=("${@:2}") line good=0
  if ((${#targets[@]} == 0)); then
    mapfile -t targets < <(basename -s _fuzz.cpp -a fuzz/*_fuzz.cpp)
  fi
  while IFS= read -r line; do
    echo "$line"
    if [[ $line == *' ok '* ]]; then good=$((good + 1)); fi
  done < <(printf '%s\n' "${targets[@]}" | xargs -P "$cores" -I{} scripts/fuzz-target {} "$seconds")
  passed=$((passed + good))
  failed=$((failed + ${#targets[@]} - good))
}
