#include "network/flows/run_flows.hpp"

#include <algorithm>

namespace orrery {

FlowsResult run_flows(const std::vector<Flow>& flows, const TransportMachine& machine, NetworkModel model,
                      const ProgressListener& progress) {
  if (model->check) model->check(machine.topology, machine.dialect);
  check_ends(flows, machine.topology.npus());
  check_priorities(flows, machine.topology, model);
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  const std::unique_ptr<Transport> transport = make_transport(model, machine, loop);
  FlowSource source(flows, loop, *transport);
  const auto tell = [&] {
    const double left = static_cast<double>(source.left()) / static_cast<double>(flows.size());
    progress(1 - left, loop.time());
  };
  loop.run(progress ? tell : std::function<void()>{}, [&] { return source.left() == 0; });
  source.require_end();
  FlowsResult result{source.take_times(),
                     source.take_order(),
                     transport->links(loop.time()),
                     transport->link_history(),
                     transport->switches(),
                     transport->latencies(),
                     {}};
  for (const FlowTimes& flow : result.flows) result.end = std::max(result.end, flow.end);
  std::erase_if(result.links, [](const LinkUse& link) { return link.load.bytes == Bytes(); });
  return result;
}

}  // namespace orrery
