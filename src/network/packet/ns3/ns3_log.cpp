#include <fmt/format.h>

#include <optional>

#include "base/files/file_writer.hpp"
#include "network/packet/engine/packet_network.hpp"
#include "network/packet/ns3/ns3_outputs.hpp"

namespace orrery::core {
namespace {

constexpr Stamp ps_of_ns = 1000;

class PausesAndQueues final : public Ns3Log, private PauseListener {
 public:
  PausesAndQueues(const Ns3Outputs& outputs, const NetworkGraph& graph)
      : graph_(graph),
        numbers_(graph),
        next_look_(outputs.queues_from.ps()),
        interfaces_(interfaces_of(graph)) {
    if (!outputs.pauses.path.empty()) pauses_.emplace(outputs.pauses.path);
    if (!outputs.queues.path.empty()) queues_.emplace(outputs.queues.path);
  }

  void begin(PacketNetwork& network) override {
    if (pauses_) network.links().set_pause_listener(*this);
  }
  Stamp next_look() const override { return queues_ ? next_look_ : PacketEvents::never; }
  void look(PacketNetwork& network) override {
    for (NodeId node(graph_.npus()); node.index() < graph_.nodes(); ++node)
      if (network.flow_control().bytes_in(node) >= min_bytes) look_at(network, node);
    next_look_ += period;
  }
  void finish() override {
    if (pauses_) pauses_->finish();
    if (queues_) queues_->finish();
  }

 private:
  static constexpr std::uint64_t min_bytes = 1000;
  static constexpr Stamp period = 100 * ps_of_ns;

  void obeyed(LinkId port, bool pauses, Stamp at) override {
    const NodeId node = graph_.link(port).from;
    pauses_->append(fmt::format("{} {} {} {} {}\n", at / ps_of_ns, numbers_.of(node),
                                graph_.is_npu(node) ? 0 : 1, interfaces_[port.index()], pauses ? 1 : 0));
  }

  // Packets of the links themselves, which are in the queue of priority 0, do not count.
  void look_at(PacketNetwork& network, NodeId node) {
    std::string line;
    for (const LinkId link : graph_.links_from(node)) {
      const EgressQueues& queues = network.links().port(link).queues;
      const std::uint64_t bytes = queues.bytes() - queues.bytes(0);
      if (bytes >= min_bytes) line += fmt::format(" j {} {}", interfaces_[link.index()], bytes);
    }
    if (!line.empty())
      queues_->append(fmt::format("time {} {}{}\n", next_look_ / ps_of_ns, numbers_.of(node), line));
  }

  const NetworkGraph& graph_;
  NodeNumbers numbers_;
  std::optional<FileWriter> pauses_, queues_;
  Stamp next_look_;
  std::vector<std::uint32_t> interfaces_;  // by the link that leaves there
};

}  // namespace

// Interface 0 of a node is the one to itself.
std::vector<std::uint32_t> interfaces_of(const NetworkGraph& graph) {
  std::vector<std::uint32_t> interfaces(graph.links());
  for (const NodeId node : graph.all_nodes()) {
    std::uint32_t interface = 0;
    for (const LinkId link : graph.links_from(node)) interfaces[link.index()] = ++interface;
  }
  return interfaces;
}

std::vector<std::shared_ptr<Ns3Log>> make_ns3_logs(const Ns3Outputs& outputs, const NetworkGraph& graph,
                                                   const PacketSettings& settings) {
  std::vector<std::shared_ptr<Ns3Log>> logs;
  if (!outputs.pauses.path.empty() || !outputs.queues.path.empty())
    logs.push_back(std::make_shared<PausesAndQueues>(outputs, graph));
  if (outputs.traces) logs.push_back(make_ns3_trace(outputs, graph, settings));
  return logs;
}

}  // namespace orrery::core
