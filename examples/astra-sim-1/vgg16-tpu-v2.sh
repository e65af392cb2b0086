#!/bin/sh
# Trains VGG-16 data parallel, one image per chip, on a pod of 256 TPUs v2.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/vgg16-tpu-v2.txt" \
  --system-configuration="$inputs/systems/tpu-v2.txt" \
  --network-configuration="$inputs/networks/tpu-v2.json" \
  --num-passes=2 \
  --path="$results/" \
  --run-name=vgg16-tpu-v2
