# Makes wheels of the Python package, out of a build folder that already has the program. Sourced by ./dev and scripts/test-packages.

# Each wheel is for the versions of Python behind its name; from 3.12 on, one is for all later versions, and any of them makes it.
wheels=(cp311 cp312-abi3)
declare -A pythons_of_wheel=([cp311]="3.11" [cp312-abi3]="3.12 3.13 3.14")

# python_of VERSION...: the first Python of these versions that is here with its headers, on the PATH, in /usr/bin or in the folder of pyenv.
python_of() {
  local version python
  for version; do
    for python in "$(command -v "python$version")" "/usr/bin/python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
      if [[ -x $python ]] && "$python" -c 'import ensurepip, os, sysconfig
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null; then
        echo "$python"
        return 0
      fi
    done
  done
  return 1
}

# make_wheels SOURCE BUILD FOLDER: every wheel for which there is a Python.
make_wheels() {
  local wheel python
  for wheel in "${wheels[@]}"; do
    # shellcheck disable=SC2086  # the versions are words
    if python=$(python_of ${pythons_of_wheel[$wheel]}); then
      check "wheel $wheel" make_wheel_with "$python" "$@"
    else
      note "the wheel $wheel was not made, as no Python of these versions is here with its headers: ${pythons_of_wheel[$wheel]}"
    fi
  done
}

# make_wheel_with PYTHON SOURCE BUILD FOLDER
make_wheel_with() {
  local tools=$3/wheel-tools
  "$1" -m venv --clear "$tools" && "$tools/bin/pip" install --quiet -r "$2/python/requirements-wheel.txt" && make_wheel "$tools" "${@:2}"
}

# make_wheel TOOLS SOURCE BUILD FOLDER [OPTION=VALUE...]: puts a wheel into the folder that brings the libraries which it loads, and is named after
# the oldest C library with which it works. Its Python is that of the tools, a virtual environment with python/requirements-wheel.txt. The options
# are settings of scikit-build-core.
make_wheel() {
  local tools source=$2 build folder=$4 made=$3/wheel settings=("${@:5}")
  tools=$(readlink -f "$1")
  build=$(readlink -f "$3")  # otherwise it would be a folder of the sources
  rm -rf "$made"
  # The objects of the program serve every wheel. scikit-build-core would remove them if it knew that other tools made the last one.
  rm -f "$build/.skbuild-info.json"
  "$tools/bin/pip" wheel --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$made" --config-settings=build-dir="$build" \
    "${settings[@]/#/--config-settings=}" "$source" &&
    PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --wheel-dir "$folder" "$made"/*.whl
}
