// A text is refused with an InputError, or read as an array that computes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/systolic/scale_sim_config.hpp"
#include "compute/systolic/systolic_cost.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  SystolicArray array;
  try {
    array = read_scale_sim_config({reinterpret_cast<const char*>(data), size}, "input", warnings);
  } catch (const InputError&) {
    return 0;
  }
  const SystolicCost cost = systolic_cost(array, systolic_operation(Gemm{100, 200, 300, 1}, {}), {});
  if (cost.mapping_efficiency > 1 || cost.dram.input_reads < 100 * 300) std::abort();
  return 0;
}
