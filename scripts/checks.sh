# Builds and checks. Sourced by ./dev.

# build PRESET [TARGET]
build() { stage "build $*" build_now "$@"; }

build_now() { cmake --preset "$1" && cmake --build --preset "$1" ${2:+--target "$2"}; }

# build_and_ctest PRESET [CTEST ARGUMENT...]
build_and_ctest() {
  local preset=$1 name="test $1" without_aslr=() bad total
  shift
  counted build "$preset" || return 0
  # Thread sanitizer cannot place its shadow memory where newer kernels randomize addresses.
  if [[ $preset == tsan ]] && setarch -R true 2>/dev/null; then without_aslr=(setarch -R); fi
  stage "$name" "${without_aslr[@]}" ctest --test-dir "build/$preset" --parallel "$cores" --timeout 600 \
    --output-on-failure --no-tests=error "$@" || true
  # "98% tests passed, 2 tests failed out of 100", skipped ones among them; without that line ctest itself failed.
  read -r bad total < <(awk '
    /tests passed, .* tests failed out of/ { bad = $4; total = $NF }
    /\(Skipped\)$/ { total-- }
    END { print total ? bad " " total : "1 1" }' "$(log_of "$name")")
  passed=$((passed + total - bad))
  failed=$((failed + bad))
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

is_formatted() { sources | xargs -0 "$1" --dry-run -Werror; }

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
