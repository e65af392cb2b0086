#include "support/packet_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "network/packet/ns3/ns3_config.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::test {

std::int64_t PacketRun::last_ns() const {
  std::int64_t last = 0;
  for (std::size_t flow = 0; flow < flows.size(); ++flow) last = std::max(last, acknowledged_ns(flow));
  return last;
}

const LinkUse& PacketRun::link(const std::string& from, const std::string& to) const {
  const auto is_it = [&](const LinkUse& use) { return use.from == from && use.to == to; };
  const auto found = std::ranges::find_if(links, is_it);
  if (found == links.end()) throw std::out_of_range("nothing was sent from " + from + " to " + to);
  return *found;
}

std::string ns3_star(int hosts) {
  std::string text = fmt::format("{} 1 {}\n{}\n", hosts + 1, hosts, hosts);
  for (int host = 0; host < hosts; ++host) text += fmt::format("{} {} 100Gbps 1us 0\n", host, hosts);
  return text;
}

Topology ns3_topology(const std::string& text) {
  Warnings warnings;
  return read_any_network(text, "topology.txt", warnings);
}

Flow packet_flow(int source, int destination, std::uint64_t bytes, Time start) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.bytes = Bytes(bytes);
  flow.start = start;
  return flow;
}

namespace {

class Looker final : public EventHandler {
 public:
  Looker(const PacketLook& look, EventLoop& loop, PacketNetwork& network)
      : look_(look), loop_(loop), handler_(loop.add_handler(*this)), network_(network) {
    if (look.look) plan();
  }
  void handle(const Event&) override {
    look_.look(network_, Time::from_ps(loop_.now()));
    plan();
  }

 private:
  void plan() { loop_.at(loop_.now() + look_.every.ps(), Event{handler_, 0, 0, 0, 0}); }

  const PacketLook& look_;
  EventLoop& loop_;
  std::uint16_t handler_;
  PacketNetwork& network_;
};

}  // namespace

PacketRun run_packets(const Topology& topology, const PacketSettings& settings,
                      const std::vector<Flow>& flows, const PacketLook& look) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  PacketTransport transport(topology, std::make_shared<const PacketSettings>(settings), loop);
  FlowSource source(flows, loop, transport);
  const Looker looker(look, loop, transport.network());
  loop.run({}, [&] { return source.left() == 0; });
  source.require_end();
  std::vector<FlowTimes> times = source.take_times();
  const PacketTotals totals = transport.network().links().totals();
  std::vector<LinkUse> links = transport.links(Time::from_ps(loop.now()));
  std::vector<SwitchUse> switches = transport.switches();
  std::uint64_t longest = 0;
  for (const PacketPort& port : transport.network().links().ports())
    longest = std::max(longest, port.longest_queue.highest());
  const std::size_t left = transport.network().links().packets().in_use();
  const Stamp emptied = loop.now() + 1'000'000'000;  // a millisecond later; a look goes on for ever
  loop.run({}, [&] { return loop.now() >= emptied; });
  std::uint64_t held = 0;
  for (const NodeId node : topology.graph->all_nodes())
    held += transport.network().flow_control().bytes_in(node);
  return {std::move(times), totals, std::move(links), std::move(switches), left, longest, held};
}

PacketRun run_ns3(const std::string& topology, const std::string& config, const std::vector<Flow>& flows) {
  Warnings warnings;
  Topology network = ns3_topology(topology);
  const Ns3Config read = read_ns3_config(config, "config.txt", warnings);
  cut_links(read, network);
  return run_packets(network, read.packets, flows);
}

}  // namespace orrery::core::test
