#!/bin/sh
# Trains LeNet-5 data parallel on a torus of 64 NPUs whose network is Garnet's: every flit is simulated.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/lenet5.txt" \
  --system-configuration="$inputs/systems/torus.txt" \
  --network-configuration="$inputs/networks/torus-garnet.txt" \
  --num-passes=1 \
  --path="$results/" \
  --run-name=lenet5-torus-garnet
