// A text is refused with an InputError, or read; what was read has operators and, at some rate, a layer
// table.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "workload/models/network_layer_table.hpp"
#include "workload/models/network_memory.hpp"
#include "workload/models/neural_network_file.hpp"
#include "workload/models/training_operators.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const NeuralNetwork network = read_neural_network({reinterpret_cast<const char*>(data), size}, "input");
    if (network.layers.empty()) std::abort();
    for (const NetworkLayer& layer : network.layers) {
      if (forward_operators(layer, Datatype::fp16).empty()) std::abort();
      input_gradient_operators(layer, Datatype::fp16);
      weight_gradient_operators(layer, Datatype::fp16);
    }
    if (training_demand(network).elements.products < 0) std::abort();
    layer_table_of(network, {.flops_per_second = 1e15});
  } catch (const InputError&) {
  }
  return 0;
}
