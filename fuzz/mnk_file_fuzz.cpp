// A text is refused with an InputError, or becomes a layer table that can be read.
#include <cstdint>
#include <string_view>

#include "compute/systolic/systolic_model.hpp"
#include "workload/astra1/layer_table_reader.hpp"
#include "workload/astra1/layer_table_writer.hpp"
#include "workload/generate/gemm_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const TrainingPolicy policy : {TrainingPolicy::hybrid_data_model, TrainingPolicy::hybrid_customized}) {
    Warnings warnings;
    GemmTableOptions options;
    options.policy = policy;
    options.machine.packages = 2;
    LayerTable table;
    try {
      const bool customized = policy == TrainingPolicy::hybrid_customized;
      table = gemm_table(read_mnk_file(text, "input", customized, warnings), SystolicModel({}), options,
                         warnings);
    } catch (const InputError&) {
      continue;
    }
    read_layer_table(write_layer_table(table), "written", warnings);
  }
  return 0;
}
