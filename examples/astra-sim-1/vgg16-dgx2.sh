#!/bin/sh
# Trains VGG-16 data parallel, one image per GPU, on sixteen DGX-2.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/vgg16-v100.txt" \
  --system-configuration="$inputs/systems/dgx2.txt" \
  --network-configuration="$inputs/networks/dgx2.json" \
  --num-passes=2 \
  --path="$results/" \
  --run-name=vgg16-dgx2
