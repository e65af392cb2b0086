#!/bin/sh
# Trains ResNet-50 data parallel, one image per NPU, on a torus of 4 x 4 x 4. Links are those of TPUs v4, computation
# is that of a systolic array as in ASTRA-sim's own tables.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/resnet50.txt" \
  --system-configuration="$inputs/systems/torus.txt" \
  --network-configuration="$inputs/networks/torus.json" \
  --num-passes=2 \
  --path="$results/" \
  --run-name=resnet50-torus
