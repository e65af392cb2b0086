// An endpoint is where bytes pass between an NPU and its network, before each message and after the last one.
#pragma once

#include <memory>
#include <utility>

#include "base/units/rank_id.hpp"
#include "collective/phase/shared_bus.hpp"

namespace orrery::core {

class Endpoints {
 public:
  // Keeps references.
  Endpoints(EventLoop& loop, RankTimers& timers, const SystemConfig& config, const Dialect& dialect, int npus)
      : timers_(timers),
        delay_(config.endpoint_delay),
        bus_(config.shared_bus ? std::make_unique<SharedBus>(loop, timers, *config.shared_bus, dialect, npus)
                               : nullptr) {}

  // Dispatches `done` when something has passed the endpoint of `rank`. `load()` returns its bytes and how
  // they pass a bus. It is called only where there is a bus.
  template <class Load>
  void pass(RankId rank, const Event& done, const Load& load) {
    if (!pass_bus(rank, done, load)) timers_.after(class_of_simulated(rank), delay_, done);
  }
  // Dispatches `done` in this way where there is a bus. Otherwise does nothing and returns false.
  template <class Load>
  bool pass_bus(RankId rank, const Event& done, const Load& load) {
    if (!bus_) return false;
    const std::pair<Bytes, SharedBus::Pass> passing = load();
    bus_->request(rank, passing.first, passing.second, done);
    return true;
  }

 private:
  RankTimers& timers_;
  Time delay_;
  std::unique_ptr<SharedBus> bus_;
};

}  // namespace orrery::core
