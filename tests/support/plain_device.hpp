// Devices of round numbers, on which nothing is lost unless a test says so.
#pragma once

#include "compute/device.hpp"

namespace orrery::core {

// 1 TFLOP/s for each processor, 10 TB/s, one tile of 256 x 128, and no overheads.
inline Device plain_device(int processors) {
  Device device;
  device.name = "plain";
  device.matrix_peak[Datatype::fp16] = processors * 1e12;
  device.vector_peak[Datatype::fp16] = processors * 0.25e12;
  device.vector_peak[Datatype::fp32] = 10e12;
  device.memory_bandwidth = Bandwidth::from_gb_per_s(10'000);
  device.processors = processors;
  RooflineConstants& constants = device.roofline;
  constants.launch_seconds = constants.tile_seconds = constants.exposed_share = constants.load_bandwidth = 0;
  constants.matrix_efficiency = constants.memory_efficiency = 1;
  constants.unaligned_slowdown = 1;
  constants.tiles = {{256, 128}};
  return device;
}

// Returns the device with two arrays of 128 x 128 at 1 GHz: 65.536 TFLOP/s.
inline Device with_two_arrays(Device device) {
  device.clock_hz = 1e9;
  device.systolic = SystolicArrays{128, 128, 2};
  return device;
}

}  // namespace orrery::core
