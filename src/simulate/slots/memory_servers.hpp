// Serves requests for remote memory: at once, or one after the other by a node's or the machine's server
// (docs/models/execution-traces.md, Remote memory).
#pragma once

#include <deque>
#include <vector>

#include "base/units/rank_id.hpp"
#include "events/rank_timers.hpp"
#include "memory/remote_memory.hpp"

namespace orrery::core {

class MemoryServers final : public EventHandler {
 public:
  MemoryServers(EventLoop& loop, RankTimers& timers, const RemoteMemory& config, int npus);

  // Dispatches `done` when `rank` has its bytes. Their RemoteMemory::service_ns() has to fit a Time.
  void request(RankId rank, Bytes bytes, const Event& done);
  void handle(const Event& event) override;

 private:
  struct Request {
    RankId rank;
    Bytes bytes;
    Event done;
  };
  struct Server {
    bool busy = false;
    std::deque<Request> waiting;
  };
  void serve(std::uint32_t server, const Request& request);
  Time service_time(Bytes bytes) const;

  RankTimers& timers_;
  const RemoteMemory& config_;
  std::uint16_t handler_;
  std::vector<Server> servers_;
};

}  // namespace orrery::core
