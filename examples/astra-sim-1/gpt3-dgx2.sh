#!/bin/sh
# Trains three layers of GPT-3 on sixteen DGX-2: tensor parallel within a server, data parallel across servers.
# Results go to the folder results, or to the one that is named. ORRERY names the program.
set -eu
results=${1:-results}
mkdir -p "$results"
inputs=$(dirname "$0")
exec "${ORRERY:-orrery}" \
  --workload-configuration="$inputs/workloads/gpt3-v100.txt" \
  --system-configuration="$inputs/systems/dgx2.txt" \
  --network-configuration="$inputs/networks/dgx2.json" \
  --num-passes=1 \
  --path="$results/" \
  --run-name=gpt3-dgx2
