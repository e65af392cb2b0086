#include "simulate/free_communication.hpp"

#include <algorithm>

#include "simulate/executor.hpp"
#include "simulate/rank_messages.hpp"
#include "simulate/slots/slot_executor.hpp"

namespace orrery {

namespace {

class FreeCollectives final : public CollectiveIssuer {
 public:
  bool issue(std::uint32_t, std::uint32_t, const CollectiveRequest&, Stamp) override { return false; }
};

class FreeTransport final : public Transport {
 public:
  explicit FreeTransport(EventLoop& loop) : loop_(loop) {}
  void send(int, int, Bytes, const Event& delivered) override { loop_.after(0, delivered); }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
};

// Collectives end in the instant in which a rank begins them.
class FreeStreams final : public StreamIssuer, private EventHandler {
 public:
  FreeStreams(EventLoop& loop, std::size_t ranks, StreamListener& listener)
      : loop_(loop), handler_(loop.add_handler(*this)), issued_(ranks), listener_(listener) {}

  void issue(std::uint32_t rank, std::uint32_t token, const StreamRequest& request) override {
    ++issued_[rank][tag_base_of(request.group)];
    loop_.after(0, Event{handler_, 0, rank, token, 0});
  }
  std::uint64_t issued_streams(std::uint32_t rank, std::uint64_t tag_base) const override {
    return issued_[rank].of(tag_base);
  }
  std::vector<std::string> waiting(std::uint32_t /*rank*/) const override { return {}; }

 private:
  void handle(const Event& event) override { listener_.collective_finished(event.rank, event.object); }

  EventLoop& loop_;
  std::uint16_t handler_;
  std::vector<GroupCounters> issued_;  // by rank
  StreamListener& listener_;
};

}  // namespace

Time end_without_communication(const Program& program, const Machine& machine, const RankClasses& classes,
                               const RankParts& parts, const Clock& clock) {
  EventLoop loop(clock);
  RankTimers timers(loop, static_cast<int>(classes.count()));
  Executor executor(loop, timers, program, machine, classes, parts);
  FreeTransport transport(loop);
  RankMessages messages(loop, transport, program, classes, parts, executor);
  FreeCollectives collectives;
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
  FreeStreams collectives(loop, ranks, executor);
  MemoryServers memory(loop, timers, machine.memory, machine.topology.npus());
  executor.start(collectives, messenger, memory);
  loop.run({});
  return std::ranges::max(executor.take_finish());
}

}  // namespace orrery
