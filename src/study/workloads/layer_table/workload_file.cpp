#include "study/workloads/layer_table/workload_file.hpp"

#include "study/workloads/layer_table/layer_table_workload.hpp"
#include "study/workloads/layer_table/recorded_workload.hpp"
#include "workload/astra1/layer_table_reader.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core {

std::shared_ptr<const Workload> read_workload_file(std::string_view bytes, const std::string& file,
                                                   Warnings& warnings) {
  if (!chakra::looks_like_trace(bytes))
    return std::make_shared<const LayerTableWorkload>(read_layer_table(bytes, file, warnings));
  const chakra::Trace trace = chakra::read_trace(bytes, file);
  return std::make_shared<const RecordedWorkload>(chakra::recorded_graph(trace, file));
}

}  // namespace orrery::core
