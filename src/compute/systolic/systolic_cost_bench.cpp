#include <benchmark/benchmark.h>

#include <vector>

#include "compute/systolic/systolic_cost.hpp"

namespace orrery::core {
namespace {

// 10,000 products of up to 65,536 a side.
void systolic_products(benchmark::State& state) {
  std::vector<SystolicOperation> operations;
  std::uint64_t random = 1;
  const auto size = [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return 1 + (random >> 48);
  };
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t m = size(), n = size(), k = size();
    operations.push_back(systolic_operation(Gemm{m, n, k, 1}, {}));
  }
  SystolicArray array;
  array.dataflow = static_cast<Dataflow>(state.range(0));
  array.rows = array.columns = 32;
  for (auto _ : state) {
    for (const SystolicOperation& operation : operations)
      benchmark::DoNotOptimize(systolic_cost(array, operation, {}));
  }
}
BENCHMARK(systolic_products)->DenseRange(0, 2)->ArgNames({"dataflow"})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core
