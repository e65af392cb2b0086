// The devices of a platform while collectives are under way (docs/models/contention.md).
#pragma once

#include <memory>

#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Returns a device on which the software computes.
ComputingDevice with_software(ComputingDevice device, const SoftwareStack& stack);

// Returns the device beside collectives that receive so many bytes per second, with the software. Null:
// collectives take nothing of it, or nobody knows what they do.
std::shared_ptr<const ContendedDevice> contended_device(const Device& device, const SoftwareStack& stack,
                                                        double received_per_second);

// Returns the bytes per second that reach a GPU at most, over links inside a node or between nodes.
double received_per_second(const CollectiveLibrary& library);

}  // namespace orrery::core
