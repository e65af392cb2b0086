#!/bin/sh
# Trains three layers of GPT-3 on a pod of 256 TPUs v2: tensor parallel along one dimension of the torus, data
# parallel along the other.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/gpt3-tpu-v2.txt" \
  --system-configuration="$inputs/systems/tpu-v2.txt" \
  --network-configuration="$inputs/networks/tpu-v2.json" \
  --num-passes=1 \
  --path="$results/" \
  --run-name=gpt3-tpu-v2
