// Compute models of plug-ins.
#include <type_traits>
#include <utility>

#include "api/plugins/extensions.hpp"
#include "base/diagnostics/words.hpp"
#include "compute/foreign_model.hpp"

namespace orrery::core {
namespace {

orrery::Gemm work_of(const Gemm& gemm) {
  return {gemm.m, gemm.n, gemm.k, gemm.batch};
}
orrery::Convolution work_of(const Convolution& work) {
  return {work.height,        work.width,        work.channels,      work.filters,
          work.filter_height, work.filter_width, work.stride_height, work.stride_width,
          work.pad_height,    work.pad_width,    work.groups,        work.batch};
}
orrery::Elementwise work_of(const Elementwise& work) {
  return {work.flops, work.elements_read, work.elements_written};
}
orrery::Attention work_of(const Attention& work) {
  return {work.queries, work.keys,        work.heads,  work.kv_heads,
          work.width,   work.value_width, work.causal, work.backward};
}

orrery::Operator operator_of(const Operator& op, const OperatorCost& cost) {
  orrery::Operator made;
  made.name = op.name;
  std::visit([&](const auto& work) { made.work = work_of(work); }, op.work);
  made.format = word_of(datatype_words, op.type);
  made.flops = cost.flops;
  made.bytes_read = cost.bytes_read;
  made.bytes_written = cost.bytes_written;
  return made;
}

std::map<std::string, double, std::less<>> peaks_of(const Peaks& peaks) {
  std::map<std::string, double, std::less<>> made;
  for (const auto& [word, type] : datatype_words)
    if (peaks[type] > 0) made.emplace(word, peaks[type]);
  return made;
}

DeviceFacts facts_of(const Device& device) {
  return {device.name,
          peaks_of(device.matrix_peak),
          peaks_of(device.vector_peak),
          device.memory_bandwidth.bytes_per_ns() * 1e9,
          device.memory_size.as_double(),
          device.cache_size.as_double(),
          device.processors};
}

}  // namespace

void add_foreign_compute_models(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, model] : registry.compute_models())
    extensions.add(name, ForeignComputeModel{[what = "the compute model `" + name + "`", model = model](
                                                 const Operator& op, const OperatorCost& work,
                                                 const Device& device, const SourceLocation& where) {
                     return call_plugin(what, where, [&] {
                       return model->seconds(operator_of(op, work), facts_of(device));
                     });
                   }});
}

}  // namespace orrery::core
