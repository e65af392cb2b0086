#include "network/flows/run_flows.hpp"

#include <algorithm>

namespace orrery::core {

FlowsResult run_flows(const std::vector<Flow>& flows, const Topology& topology, const NetworkSetup& network,
                      const ProgressListener& progress) {
  const NetworkModel model = network.model;
  if (model->check) model->check(topology, native_dialect);
  check_ends(flows, topology.npus());
  check_priorities(flows, topology, model);
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  const std::unique_ptr<Transport> transport =
      make_transport(model, {topology, native_dialect, network}, loop);
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

}  // namespace orrery::core
