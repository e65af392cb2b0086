#include "simulate/free_communication.hpp"

#include <algorithm>

#include "simulate/executor.hpp"
#include "simulate/rank_messages.hpp"
#include "simulate/slots/slot_executor.hpp"

namespace orrery {

namespace {

// Collectives end in the instant in which a rank begins them.
class FreeCollectives final : public CollectiveIssuer, private EventHandler {
 public:
  FreeCollectives(EventLoop& loop, CollectiveListener& listener)
      : loop_(loop), handler_(loop.add_handler(*this)), listener_(listener) {}

  bool issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest&, Stamp) override {
    loop_.after(0, Event{handler_, 0, rank, token, 0});
    return true;
  }
  std::vector<Waiting> waiting() const override { return {}; }

 private:
  void handle(const Event& event) override { listener_.collective_completed(event.rank, event.object); }

  EventLoop& loop_;
  std::uint16_t handler_;
  CollectiveListener& listener_;
};

class FreeTransport final : public Transport {
 public:
  explicit FreeTransport(EventLoop& loop) : loop_(loop) {}
  void send(int, int, Bytes, const Event& delivered) override { loop_.after(0, delivered); }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
};

}  // namespace

Time end_without_communication(const Program& program, const Machine& machine, const RankClasses& classes,
                               const RankParts& parts, const Clock& clock) {
  EventLoop loop(clock);
  RankTimers timers(loop, static_cast<int>(classes.count()));
  Executor executor(loop, timers, program, machine, classes, parts);
  FreeTransport transport(loop);
  RankMessages messages(loop, transport, program, classes, parts, executor);
  FreeCollectives collectives(loop, executor);
  executor.start(collectives, &messages);
  loop.run({});
  return std::ranges::max(executor.take_finish());
}

Time end_without_communication(const Program& program, const Machine& machine) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  RankTimers timers(loop, machine.topology.npus());
  FreeTransport transport(loop);
  Messenger messenger(loop, transport, false);
  SlotExecutor executor(loop, timers, program, machine, ranks, false);
  FreeCollectives collectives(loop, executor);
  MemoryServers memory(loop, timers, machine.memory, machine.topology.npus());
  executor.start(collectives, messenger, memory);
  loop.run({});
  return std::ranges::max(executor.take_finish());
}

}  // namespace orrery
