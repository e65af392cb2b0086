#include "simulate/slots/memory_servers.hpp"

namespace orrery::core {

namespace {
std::size_t count_of(const RemoteMemory& config, int npus) {
  if (config.kind == RemoteMemory::Kind::pool) return 1;
  if (config.kind != RemoteMemory::Kind::per_node) return 0;
  return static_cast<std::size_t>((npus + config.npus_per_node - 1) / config.npus_per_node);
}
}  // namespace

MemoryServers::MemoryServers(EventLoop& loop, RankTimers& timers, const RemoteMemory& config, int npus)
    : timers_(timers), config_(config), handler_(loop.add_handler(*this)), servers_(count_of(config, npus)) {}

Time MemoryServers::service_time(Bytes bytes) const {
  return Time::from_ns_truncated(config_.service_ns(bytes));
}

void MemoryServers::request(RankId rank, Bytes bytes, const Event& done) {
  if (config_.kind == RemoteMemory::Kind::per_npu) {
    timers_.after(class_of_simulated(rank), service_time(bytes), done);
    return;
  }
  const std::uint32_t server = config_.kind == RemoteMemory::Kind::pool
                                   ? 0
                                   : rank.value() / static_cast<std::uint32_t>(config_.npus_per_node);
  if (servers_[server].busy) {
    servers_[server].waiting.push_back({rank, bytes, done});
  } else {
    serve(server, {rank, bytes, done});
  }
}

// The requester learns that its bytes have arrived before the server is free. So what it asks for then queues
// behind the others.
void MemoryServers::serve(std::uint32_t server, const Request& request) {
  servers_[server].busy = true;
  const Time service = service_time(request.bytes);
  const ClassId requester = class_of_simulated(request.rank);
  timers_.after(requester, service, request.done);
  timers_.after(requester, service, Event{handler_, 0, request.rank.value(), server, 0});
}

void MemoryServers::handle(const Event& event) {
  Server& server = servers_[event.object];
  if (server.waiting.empty()) {
    server.busy = false;
    return;
  }
  const Request next = server.waiting.front();
  server.waiting.pop_front();
  serve(event.object, next);
}

}  // namespace orrery::core
