#!/bin/sh
# Writes the layer tables of workloads/ anew, or into the folder that is named. ORRERY names the program.
set -eu
folder=$(realpath "${1:-$(dirname "$0")/workloads}")
orrery=$(realpath "$(command -v "${ORRERY:-orrery}")")
cd "$(dirname "$0")"

# One image in fp32 on the systolic array of ASTRA-sim's tables.
"$orrery" generate --model=resnet50 --device=devices/array-256.yaml --datatype=fp32 --batch=1 --npus=64 \
  --output="$folder/resnet50.txt"
# One image per NPU, and three of GPT-3's 96 layers, each shared by 16 NPUs, on the devices of both machines.
for device in v100 tpu-v2; do
  "$orrery" generate --model=vgg16 --device=$device --batch=1 --npus=256 --output="$folder/vgg16-$device.txt"
  "$orrery" generate --model=gpt3 --set transformer-layers=3 --device=$device --npus=256 \
    --output="$folder/gpt3-$device.txt"
done
# 128 samples per NPU.
"$orrery" generate --model=dlrm --device=v100 --npus=256 --output="$folder/dlrm.txt"
# One digit per NPU: few enough bytes that Garnet's flits are simulated in no time.
"$orrery" generate --model=lenet5 --device=v100 --batch=1 --npus=64 --output="$folder/lenet5.txt"
