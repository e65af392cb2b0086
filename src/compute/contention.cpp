#include "compute/contention.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

namespace {

double bytes_per_second(Bandwidth bandwidth) {
  return bandwidth.bytes_per_ns() * 1e9;
}

}  // namespace

// A memory that both use all the time serves each by what it asks for.
Device device_beside(Device device, const EndpointLoad& load) {
  const int left = std::max(1, device.processors - load.processors);
  const double share = static_cast<double>(left) / device.processors;
  for (const auto& [word, type] : datatype_words) {
    device.matrix_peak[type] *= share;
    device.vector_peak[type] *= share;
  }
  const double memory = bytes_per_second(device.memory_bandwidth);
  const double reached = memory * device.roofline.memory_efficiency;
  device.memory_bandwidth =
      Bandwidth::from_gb_per_s(memory / 1e9 * reached / (reached + load.bytes_per_second));
  device.processors = left;
  return device;
}

EndpointLoad endpoint_load(const Device& device, double bytes_per_second_received, double memory_passes) {
  if (device.collective_processors == 0) return {};
  // The data sheet counts both directions.
  const double links = bytes_per_second(device.link_bandwidth) / 2;
  const double received = links > 0 ? std::min(links, bytes_per_second_received) : bytes_per_second_received;
  return {device.collective_processors, received * memory_passes};
}

ContendedDevice::ContendedDevice(const ComputingDevice& device, const EndpointLoad& load)
    : ContendedDevice(device.facts, load,
                      load == EndpointLoad() || device.facts.compute_model
                          ? nullptr
                          : computing_device(device_beside(device.facts, load)).model) {}

ContendedDevice::ContendedDevice(const Device& device, const EndpointLoad& load,
                                 std::shared_ptr<const ComputeModel> model)
    : load_(load),
      memory_(bytes_per_second(device.memory_bandwidth) * device.roofline.memory_efficiency),
      model_(std::move(model)) {}

double ContendedDevice::more_seconds(const Operator& op, const OperatorCost& alone) const {
  return model_ ? std::max(0.0, model_->cost(op).seconds - alone.seconds) : 0;
}

double ContendedDevice::slows(const OperatorCost& alone) const {
  if (!model_ || alone.seconds <= 0) return 0;
  const double asked = (alone.bytes_read + alone.bytes_written) / alone.seconds + load_.bytes_per_second;
  return asked > memory_ ? 1 - memory_ / asked : 0;
}

}  // namespace orrery::core
