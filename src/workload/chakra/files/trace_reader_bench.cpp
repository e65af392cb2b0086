#include <benchmark/benchmark.h>
#include <zlib.h>

#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core::chakra {
namespace {

constexpr std::uint32_t nodes = 1'000'000;

// Returns a trace such as converters write: nodes have names of their own, a few parents, and five attributes
// or more.
const std::string& synthetic_trace() {
  static const std::string bytes = [] {
    Trace trace;
    trace.texts = {"", "tensor_parallel"};
    for (std::uint32_t id = 0; id < nodes; ++id) {
      Node node;
      node.id = id;
      node.duration_us = id % 1000;
      if (id % 8 == 7) {
        node.type = NodeType::collective;
        node.comm_size = 1 << 20;
        node.pg_name = 1;
        node.has = has_comm_type | has_comm_size | has_comm_priority | has_pg_name | has_involved_dims;
        node.involved_count = 4;
        node.involved_dims = 0b0011;
      } else {
        node.type = NodeType::compute;
        node.num_ops = std::uint64_t{id} << 20;
        node.tensor_size = std::uint64_t{id} << 8;
        node.has = has_num_ops | has_tensor_size;
      }
      trace.nodes.push_back(node, "aten::convolution_" + std::to_string(id));
      trace.first_parent.push_back(trace.parents.size());
      for (const std::uint32_t distance : {1u, 8u, 50u})
        if (id >= distance) trace.parents.push_back(id - distance);
      trace.data_parents.push_back(id > 0 ? 1 : 0);
    }
    trace.first_parent.push_back(trace.parents.size());
    return write_trace(trace);
  }();
  return bytes;
}

std::string compressed(const std::string& bytes) {
  z_stream zlib = {};
  deflateInit2(&zlib, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&zlib, bytes.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

// items_per_second are nodes.
void measure_reading(benchmark::State& state, const std::string& bytes) {
  for (auto _ : state) benchmark::DoNotOptimize(read_trace(bytes, "synthetic.et"));
  state.SetItemsProcessed(state.iterations() * nodes);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

void read_million_nodes(benchmark::State& state) {
  measure_reading(state, synthetic_trace());
}
BENCHMARK(read_million_nodes)->Unit(benchmark::kMillisecond);

void read_million_nodes_gzip(benchmark::State& state) {
  measure_reading(state, compressed(synthetic_trace()));
}
BENCHMARK(read_million_nodes_gzip)->Unit(benchmark::kMillisecond);

void make_graph_of_million_nodes(benchmark::State& state) {
  const Trace trace = read_trace(synthetic_trace(), "synthetic.et");
  for (auto _ : state) benchmark::DoNotOptimize(make_graph(trace, "synthetic.et"));
  state.SetItemsProcessed(state.iterations() * nodes);
}
BENCHMARK(make_graph_of_million_nodes)->Unit(benchmark::kMillisecond);

void write_million_nodes(benchmark::State& state) {
  const Trace trace = read_trace(synthetic_trace(), "synthetic.et");
  for (auto _ : state) benchmark::DoNotOptimize(write_trace(trace));
  state.SetItemsProcessed(state.iterations() * nodes);
}
BENCHMARK(write_million_nodes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core::chakra
