#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "events/event_queue.hpp"

namespace orrery::core {
namespace {

// A simulation in small: as many pending events as ranks, each of which schedules the next. `spread` is how
// many different times the next events have: 1 when ranks act in step, many when they do not.
void advance_ranks(benchmark::State& state) {
  const auto ranks = static_cast<std::uint32_t>(state.range(0));
  const auto spread = static_cast<int>(state.range(1));
  Random random(1);
  EventQueue queue;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    queue.push(random.between(1, spread), Event{0, 0, rank, 0, 0});
  Stamp now = 0;
  Event event;
  for (auto _ : state) {
    queue.pop(now, event);
    queue.push(now + 1000 + random.between(1, spread), event);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(advance_ranks)
    ->ArgsProduct({{256, 4096, 65536}, {1, 100, 1'000'000}})
    ->ArgNames({"ranks", "spread"});

}  // namespace
}  // namespace orrery::core
