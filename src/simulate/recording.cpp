#include "simulate/recording.hpp"

#include <algorithm>

#include "network/transport.hpp"

namespace orrery {

void Recording::add_network(Transport& network) {
  link_history = network.link_history();
  switches = network.switches();
  latencies = network.latencies();
  message_times = network.message_times();
  shortcuts = network.shortcuts();
}

Time Recording::end() const {
  Time end;
  for (const Time one : finish) end = std::max(end, one);
  return end;
}

}  // namespace orrery
