#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "network/link/link_transport.hpp"

namespace orrery::core {
namespace {

Dimension dimension(Block block, int size) {
  Dimension made;
  made.block = block;
  made.size = size;
  made.link_bandwidth = Bandwidth::from_gib_per_s(50);
  made.link_latency_ns = 500;
  return made;
}

// Keeps `per_npu` messages of each NPU under way: one that arrives is followed by another.
class Traffic final : public EventHandler {
 public:
  enum class Kind {
    neighbours,  // equal messages to the next NPU: all act in step, as in a collective
    equal,       // equal messages to random NPUs: they queue, and many events share a time
    random       // of random sizes to random NPUs: no two events share a time
  };

  Traffic(const Topology& topology, Kind kind, int messages)
      : kind_(kind),
        npus_(topology.npus()),
        left_(messages),
        loop_(Clock(Clock::Mode::picoseconds)),
        handler_(loop_.add_handler(*this)),
        transport_(topology, astra_sim_2_dialect, loop_) {}

  std::uint64_t hops(int per_npu) {
    for (int npu = 0; npu < npus_; ++npu)
      for (int i = 0; i < per_npu; ++i) send(npu);
    loop_.run({});
    return loop_.events() / 2;  // the message is there, the link is free
  }
  void handle(const Event& event) override { send(static_cast<int>(event.rank)); }

 private:
  void send(int source) {
    if (--left_ < 0) return;
    const Event delivered{handler_, 0, static_cast<std::uint32_t>(source), 0, 0};
    int to = source % 8 == 7 ? source - 7 : source + 1;
    std::uint64_t bytes = 65536;
    if (kind_ != Kind::neighbours) {
      to = random_.between(0, npus_ - 2);
      to += to >= source ? 1 : 0;
    }
    if (kind_ == Kind::random) bytes = static_cast<std::uint64_t>(random_.between(1, 100'000));
    transport_.send(source, to, Bytes(bytes), delivered);
  }

  Kind kind_;
  int npus_, left_;
  Random random_{1};
  EventLoop loop_;
  std::uint16_t handler_;
  LinkTransport transport_;
};

// Items are hops.
void run(benchmark::State& state, const Topology& topology, Traffic::Kind kind, int per_npu) {
  std::uint64_t hops = 0;
  for (auto _ : state) {
    Traffic traffic(topology, kind, 1'000'000);
    hops += traffic.hops(per_npu);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(hops));
}

const Topology torus{{dimension(Block::ring, 8), dimension(Block::ring, 8), dimension(Block::ring, 8)}};
const Topology mixed{
    {dimension(Block::ring, 8), dimension(Block::fully_connected, 8), dimension(Block::switched, 8)}};

BENCHMARK_CAPTURE(run, neighbours_torus, torus, Traffic::Kind::neighbours, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, equal_torus, torus, Traffic::Kind::equal, 16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, equal_mixed, mixed, Traffic::Kind::equal, 16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, random_torus, torus, Traffic::Kind::random, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, random_mixed, mixed, Traffic::Kind::random, 16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core
