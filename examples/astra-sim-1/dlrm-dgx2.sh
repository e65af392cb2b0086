#!/bin/sh
# Trains a DLRM on sixteen DGX-2: embeddings are exchanged by all-to-alls, gradients of the perceptrons by
# all-reduces.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/dlrm.txt" \
  --system-configuration="$inputs/systems/dgx2.txt" \
  --network-configuration="$inputs/networks/dgx2.json" \
  --num-passes=2 \
  --path="$results/" \
  --run-name=dlrm-dgx2
