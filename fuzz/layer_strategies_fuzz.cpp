// A text is refused with an InputError, or chooses how NPUs share a network.
#include <cstdint>
#include <string_view>

#include "workload/generate/network_split.hpp"
#include "workload/models/model_catalogue.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    split_network(
        find_model("lenet5", {}, no_files()),
        {TrainingPolicy::hybrid_customized, read_layer_strategies(text, "input", warnings), {4, 2, 2}, {}},
        warnings);
  } catch (const InputError&) {
  }
  return 0;
}
