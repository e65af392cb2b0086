#include "simulate/free_communication.hpp"

#include <algorithm>

#include "simulate/executor.hpp"
#include "simulate/rank_messages.hpp"

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

}  // namespace orrery
