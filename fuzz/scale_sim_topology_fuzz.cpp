// A text is refused with an InputError, or read as layers, each of which can be computed or is too large.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/systolic/scale_sim_topology.hpp"
#include "compute/systolic/systolic_cost.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  try {
    for (const TopologyLayer& layer :
         read_scale_sim_topology({reinterpret_cast<const char*>(data), size}, "input", warnings)) {
      SystolicArray array;
      array.arrays = 3;
      const SystolicCost cost = systolic_cost(array, layer.operation, layer.where);
      if (cost.mapping_efficiency > 1 || cost.overall_utilization > 1) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
