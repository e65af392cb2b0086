// Says how much longer a device computes while it communicates, and how much slower it communicates
// meanwhile (docs/models/contention.md).
//
// Kernels that carry out collectives occupy processors, and what they send and receive passes main memory. An
// operator then takes the time of the same compute model on the device that is left. What both want of the
// memory's bandwidth beyond all of it slows both down alike.
#pragma once

#include <memory>

#include "base/units/bandwidth.hpp"
#include "compute/device_model.hpp"

namespace orrery::core {

// Says what communication takes of a device.
struct EndpointLoad {
  int processors = 0;           // that its kernels occupy
  double bytes_per_second = 0;  // that it reads from and writes to main memory

  bool operator==(const EndpointLoad&) const = default;
};

// Bytes that pass main memory for each byte that a collective receives: a copy is received and sent on, a
// reduction reads two operands and writes their sum. NVIDIA/nccl issue 1428 says "x2 to x3" of what the
// network carries.
inline constexpr double memory_passes_of_copies = 2, memory_passes_of_reductions = 3;

// Returns what collectives take of the device that receive so many bytes per second: nothing, where the
// device carries them out beside its processors. The links of the device bound the bandwidth.
EndpointLoad endpoint_load(const Device& device, double bytes_per_second, double memory_passes);

// Returns the device that computes while collectives are under way.
Device device_beside(Device device, const EndpointLoad& load);

class ContendedDevice {
 public:
  // A plug-in's compute model knows no processors, so its operators are not slowed down.
  ContendedDevice(const ComputingDevice& device, const EndpointLoad& load);
  // `model` computes on the device that is left.
  ContendedDevice(const Device& device, const EndpointLoad& load, std::shared_ptr<const ComputeModel> model);

  // Returns by how many seconds an operator takes longer while collectives are under way. Never negative.
  double more_seconds(const Operator& op, const OperatorCost& alone) const;
  // Returns the share of its speed that a collective loses while the operator computes, from 0 to below 1.
  double slows(const OperatorCost& alone) const;

 private:
  EndpointLoad load_;
  double memory_;                              // bytes per second that it reaches
  std::shared_ptr<const ComputeModel> model_;  // of what is left of the device; null: all is
};

}  // namespace orrery::core
