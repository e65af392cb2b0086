#include "workload/training/contended_platform.hpp"

#include <algorithm>
#include <utility>

#include "compute/aligned_batches.hpp"

namespace orrery::core {

ComputingDevice with_software(ComputingDevice device, const SoftwareStack& stack) {
  const bool names_kernels = stack.attention_kernel || stack.pointwise;
  if (names_kernels && !device.facts.compute_model) {
    device.facts.attention_kernel = stack.attention_kernel.value_or(device.facts.attention_kernel);
    device.facts.pointwise = stack.pointwise.value_or(device.facts.pointwise);
    device = computing_device(device.facts);
  }
  if (stack.batches_need_alignment)
    device.model = std::make_shared<const AlignedBatches>(device.model, device.facts);
  return device;
}

std::shared_ptr<const ContendedDevice> contended_device(const Device& device, const SoftwareStack& stack,
                                                        double received_per_second) {
  const EndpointLoad load = endpoint_load(device, received_per_second, memory_passes_of_reductions);
  if (load == EndpointLoad() || device.compute_model) return nullptr;
  ComputingDevice beside = with_software(computing_device(device_beside(device, load)), stack);
  return std::make_shared<const ContendedDevice>(device, load, std::move(beside.model));
}

double received_per_second(const CollectiveLibrary& library) {
  const GroupLinks& links = library.numbers_of_links();
  const double inside = library.links().gpus_per_node > 1 ? links.inside.bandwidth : 0;
  return std::max(inside, links.nics_per_gpu * links.between.bandwidth);
}

}  // namespace orrery::core
