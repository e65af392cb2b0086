#include "study/workload_file.hpp"

#include "workload/astra1/layer_table_reader.hpp"
#include "workload/chakra/trace_graph.hpp"
#include "workload/chakra/trace_reader.hpp"

namespace orrery {

Workload read_workload_file(std::string_view bytes, const std::string& file, Warnings& warnings) {
  if (!chakra::looks_like_trace(bytes))
    return {std::make_shared<const LayerTable>(read_layer_table(bytes, file, warnings)), nullptr, {}};
  const chakra::Trace trace = chakra::read_trace(bytes, file);
  return {nullptr, std::make_shared<const chakra::RecordedGraph>(chakra::recorded_graph(trace, file)), {}};
}

}  // namespace orrery
