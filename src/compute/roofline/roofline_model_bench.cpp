#include "compute/roofline/roofline_model.hpp"

#include <benchmark/benchmark.h>

#include "compute/device_file.hpp"

namespace orrery::core {
namespace {

void cost_of_a_gemm(benchmark::State& state) {
  const RooflineModel model(find_device("a100", {}, no_files()));
  Operator op{"", Gemm{1, 8192, 8192}, Datatype::fp16};
  std::uint64_t m = 0;
  for (auto _ : state) {
    std::get<Gemm>(op.work).m = 1 + m++ % 4096;
    benchmark::DoNotOptimize(model.cost(op));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(cost_of_a_gemm);

}  // namespace
}  // namespace orrery::core
