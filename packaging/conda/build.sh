#!/usr/bin/env bash
# What conda-build runs in the unpacked source. Vega, which draws the figures of reports, is no package of conda, so npm brings it.
set -euo pipefail
npm install --no-save --prefix vega vega@5 vega-interpreter@1
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" \
  -DORRERY_UNITY=ON -DORRERY_TESTS=OFF -DORRERY_NODE_PATH="$PWD/vega/node_modules"
cmake --build build
cmake --install build --component program
